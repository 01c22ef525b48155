// Package hooks is the adapter for the hooks of coding agents: it reads the events
// that an agent sends, and formats the answers for it.
//
// A hook must not hold up an agent: unknown input is ignored, slow work is handed to
// another process, and errors go to a log.
package hooks
