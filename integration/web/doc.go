// Package web is the daemon's HTTP server on the loopback interface: where it
// listens, who may come in, and how it ends. What it serves is handed to it.
//
// Whoever comes in needs the token of the brain, names this machine as the host
// and comes from no other origin, so that neither another person of the machine
// nor a page in a browser reads or writes a memory.
package web
