// Package sessions keeps the progress of the sessions of coding agents on this
// machine, as their hooks report them: in small files of the state folder, so that
// it does not depend on the store.
package sessions
