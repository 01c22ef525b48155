package ingest

import (
	"slices"

	"github.com/brainbridge/brainbridge/brain"
)

// identities are the identities in each file of a batch, with the hash of the text of each.
type identities map[string]map[string]string

func identitiesOf(b batch) identities {
	ids := identities{}
	for _, n := range b.notes {
		hashes := make(map[string]string, len(n.Outcomes))
		for _, o := range n.Outcomes {
			hashes[o.Key] = o.BodyHash
		}
		ids[n.File] = hashes
	}
	return ids
}

// elsewhere returns the hash of the text that s has in another file or directory than file
// in dir, or "".
func (ids identities) elsewhere(dir, file string, s brain.Source) string {
	if !s.Removed.IsZero() || s.File == "" || s.File == file && s.Dir == dir {
		return ""
	}
	if hashes, read := ids[s.File]; read && s.Dir == dir {
		return hashes[s.Key]
	}
	return s.BodyHash
}

// identify returns the notes with the identities that their outcomes have in the graph: a
// separate one if another file has the identity with another text, so that they share no
// memory.
func identify(b batch, stored map[string]brain.Source, ids identities) []Note {
	first := map[string]string{} // hash of the text that gets the free identity
	foreign := func(file string, o NoteOutcome) bool {
		if s, ok := stored[o.Key]; ok {
			if held := ids.elsewhere(b.dir, file, s); held != "" {
				return held != o.BodyHash
			}
		}
		if _, ok := first[o.Key]; !ok {
			first[o.Key] = o.BodyHash
		}
		return first[o.Key] != o.BodyHash
	}
	notes := make([]Note, 0, len(b.notes))
	for _, n := range b.notes {
		n.Outcomes = slices.Clone(n.Outcomes)
		for i := range n.Outcomes {
			o := &n.Outcomes[i]
			own := brain.Hash(o.Key, b.dir, n.File)
			if _, ok := stored[own]; ok || foreign(n.File, *o) {
				o.Key, o.ID = own, ""
			}
		}
		notes = append(notes, n)
	}
	return notes
}
