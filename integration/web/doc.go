// Package web is the daemon's HTTP server on the loopback interface: listening,
// authentication and shutdown. Its handlers are given to it.
//
// A request needs the token of the brain, a local host name and no other origin, so
// that neither another user of the machine nor a page in a browser can read or write
// memories.
package web
