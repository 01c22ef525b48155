// Package backups keeps what leaves the store, in files that need no program
// of ours to be read: backups of a whole brain with the files around it, the
// archives of forgotten memories, as JSON, and of the old journal, as compressed
// JSON Lines.
//
// Nothing is acknowledged before it was read back from the disk, and no file
// that cannot be read is ever written over: it is renamed and kept. A backup is
// checked whole before anything of it is restored.
package backups
