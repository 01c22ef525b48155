package lifecycle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

const (
	minIDPrefix = 6  // minimum length of a unique prefix of an id
	wholeID     = 36 // length of a full id
)

// UniqueID returns the full id for a unique prefix. find returns some of the ids with a
// prefix. A text that no id begins with is returned as it is, and so is a full id, whether
// it exists or not. hint says where the ids are shown.
func UniqueID(id, hint string, find func(prefix string) ([]string, error)) (string, error) {
	id = strings.TrimSpace(id)
	bare := strings.TrimPrefix(id, brain.TestPrefix)
	if len(bare) >= wholeID {
		return id, nil
	}
	if len(bare) < minIDPrefix {
		text := fmt.Sprintf("%q is too short for an id: give at least %d characters", id, minIDPrefix)
		if bare != id {
			text += "; " + brain.TestPrefix + " does not count"
		}
		return "", brain.Errorf(brain.ErrInvalid, hint, "%s", text)
	}
	found, err := find(id)
	switch {
	case err != nil:
		return "", err
	case len(found) == 0:
		return id, nil
	case len(found) == 1:
		return found[0], nil
	}
	return "", brain.Errorf(brain.ErrInvalid, "give more characters of it", "%s is the beginning of several ids: %s, …",
		id, strings.Join(found[:2], ", "))
}

// CompleteID is [UniqueID] for memories, sources, sections and runs. It also takes the
// exact name of a memory, unless that is an id or several memories have it.
func CompleteID(r brain.Reader, id string) (string, error) {
	id = strings.TrimSpace(id)
	full, err := UniqueID(id, "`brainbridge list` shows the ids", func(prefix string) ([]string, error) { return r.Matching(3, prefix) })
	if err == nil && (full != id || brain.OwnsID("", strings.TrimPrefix(id, brain.TestPrefix))) {
		return full, nil
	}
	named, nameErr := Named(r, 3, brain.NameKey(id))
	if len(named) > 1 && named[0].Entity && !named[1].Entity {
		named = named[:1]
	}
	switch {
	case nameErr != nil:
		return "", nameErr
	case len(named) > 1:
		return "", brain.Errorf(brain.ErrInvalid, "give one of these ids", "%q is the name of several memories: %s", id, strings.Join(brain.IDs(named), ", "))
	case len(named) == 1:
		return named[0].ID, nil
	}
	return full, err
}

// Named returns the live and expired memories with these name keys: of each key at most limit,
// entities first, then newest created, ties by id.
func Named(r brain.MemoryLister, limit int, keys ...string) ([]brain.Memory, error) {
	ms, err := r.ListMemories(brain.ListFilter{By: brain.ByName, Keys: keys, Limit: limit})
	slices.SortFunc(ms, func(a, b brain.Memory) int {
		if a.Entity != b.Entity {
			return map[bool]int{true: -1, false: 1}[a.Entity]
		}
		return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.ID, b.ID))
	})
	return ms, err
}

// WithTitle returns the outcomes with these title keys: of each key at most limit, latest date
// first, ties by id.
func WithTitle(r brain.NodeReader, limit int, keys ...string) ([]brain.Source, error) {
	ss, err := r.ListSources(brain.SourceFilter{By: brain.ByTitle, Keys: keys, Limit: limit})
	slices.SortFunc(ss, func(a, b brain.Source) int {
		return cmp.Or(cmp.Compare(b.Date, a.Date), cmp.Compare(b.Time, a.Time), cmp.Compare(a.ID, b.ID))
	})
	return ss, err
}

// NoMemoryError says why an id does not redirect to a memory: it does not exist, or it belongs to
// a section. last is the id at the end of its redirects, of which the memory was looked for in
// this transaction.
func NoMemoryError(r brain.Reader, id, last string) error {
	found, err := r.Sections(id)
	if err != nil {
		return err
	}
	if _, err := r.Sources(last); err != nil {
		return err
	}
	if next, why := r.WhyUnreadable(last); why != nil {
		return brain.Errorf(brain.ErrNotFound, next, "%s cannot be read and is left out: %v", last, why)
	}
	if len(found) == 0 {
		return brain.Errorf(brain.ErrNotFound,
			"`brainbridge recall WORDS` and `brainbridge list --all` show ids; `brainbridge unforget ID` restores a forgotten memory",
			"no memory has the id or the name %s", id)
	}
	s := found[0]
	return brain.Errorf(brain.ErrNotFound, "`brainbridge show "+id+"` shows it; edit its file to change the text",
		"%s is a section of a note (%s:%d), not a memory", id, s.File, s.Line)
}

// Resolved is the memory that an id redirects to.
type Resolved struct {
	Asked  string       // the id asked for, whole
	Memory brain.Memory // the newest of its chain
}

// Resolve finds the newest memory of a chain by an id or a name, see [CompleteID].
func Resolve(r brain.Reader, id string) (Resolved, error) {
	full, err := CompleteID(r, id)
	if err != nil {
		return Resolved{}, err
	}
	m, err := Newest(r, full)
	return Resolved{Asked: full, Memory: m}, err
}

// ResolveHolding is [Resolve] for a memory that is to be replaced. It returns
// [brain.ErrInvalid] for the id of one that another memory replaced.
func ResolveHolding(r brain.Reader, id string) (Resolved, error) {
	found, err := Resolve(r, id)
	if err != nil || found.Asked == found.Memory.ID {
		return found, err
	}
	asked, err := brain.First(r.Memories(found.Asked))
	if err == nil && asked.Tier == tiers.Superseded { // one that was promoted names the promoted memory
		err = brain.Errorf(brain.ErrInvalid, "name that one if it no longer holds", "%s is superseded already, by %s", found.Asked, found.Memory.ID)
	}
	return found, err
}

// Newest returns the newest memory of the chain that a full id belongs to. It follows
// redirects, PROMOTED_TO and SUPERSEDES, and from a source HAS_MEMORY. Inside Update the
// returned memory is locked.
func Newest(r brain.Reader, id string) (brain.Memory, error) {
	at := id
	for range maxChain {
		m, err := brain.First(r.Memories(at))
		if err != nil || m.Current() {
			return m, err
		}
		next, err := successor(r, at, m.ID == "")
		switch {
		case err != nil:
			return brain.Memory{}, err
		case next != "":
			at = next
		case m.ID == "":
			return m, NoMemoryError(r, id, at)
		default:
			return m, nil
		}
	}
	return brain.Memory{}, fmt.Errorf("resolve %s: its chain has more than %d links or goes in a circle", id, maxChain)
}

const maxChain = 10_000 // links of a chain that are followed; that of a memory edited often is long

// successor returns the next id of a chain, "" at its end. The id of no memory may be that
// of a source or a redirect, which an undo left.
func successor(r brain.Reader, id string, noMemory bool) (string, error) {
	if noMemory {
		redirect, err := brain.First(r.Records(brain.RedirectRecord, id))
		if err != nil || redirect.ID != "" {
			return redirect.Key, err
		}
	}
	rels, err := r.Relations(id)
	for _, rel := range rels {
		switch {
		case rel.From == id && (rel.Type == brain.PromotedTo || rel.Type == brain.HasMemory):
			return rel.To, nil
		case rel.To == id && rel.Type == brain.Supersedes:
			return rel.From, nil
		}
	}
	return "", err
}

// followRedirects returns the id at the end of the redirects of an id.
func followRedirects(r brain.RecordReader, id string) (string, error) {
	for range maxChain {
		redirect, err := brain.First(r.Records(brain.RedirectRecord, id))
		if err != nil || redirect.ID == "" {
			return id, err
		}
		id = redirect.Key
	}
	return id, nil
}

// ShortIDs returns for each id the shortest prefix of at least six characters, besides
// the prefix of test memories, that no other id of the brain has.
func ShortIDs(r brain.MemoryReader, ids ...string) (map[string]string, error) {
	const shortest = 6
	short := make(map[string]string, len(ids))
	left := brain.Unique(ids)
	for length := shortest; len(left) > 0; length++ {
		prefixes := make([]string, len(left))
		for i, id := range left {
			n := length
			if brain.IsTest(id) {
				n += len(brain.TestPrefix)
			}
			prefixes[i] = id[:min(len(id), n)]
		}
		found, err := r.Matching(2, brain.Unique(prefixes)...)
		if err != nil {
			return nil, err
		}
		var longer []string
		for i, id := range left {
			other := func(known string) bool { return known != id && strings.HasPrefix(known, prefixes[i]) }
			if prefixes[i] != id && slices.ContainsFunc(found, other) {
				longer = append(longer, id)
			} else {
				short[id] = prefixes[i]
			}
		}
		left = longer
	}
	return short, nil
}
