// Package backups keeps data outside of the store, in files that other programs can
// read: backups of a whole brain with the files around it, archives of forgotten
// memories (JSON) and of the old journal (compressed JSON Lines).
//
// Everything is read back from the disk before it is acknowledged. A file that cannot
// be read is renamed and kept, never overwritten. A backup is verified before it is
// restored.
package backups
