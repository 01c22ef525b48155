// Package hooks is the door for the hooks of coding agents: it reads what an
// agent says on standard input when something happens, keeps how far each
// session has come, and words what the agent is told.
//
// A hook never holds an agent up: whatever an agent sends is read as far as it
// can be understood, and what takes long is handed to another process.
//
// How far a session has come is kept in a small file of the state folder, since
// it concerns one machine and has to be there when the store is not.
package hooks
