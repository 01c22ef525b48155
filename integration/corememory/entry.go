package corememory

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// sections returns the sections of the file whose entries are core memories.
func sections() []string { return []string{"preferences", "stablePatterns", "beliefs"} }

// typeOf returns the type of the memories of a section.
func typeOf(section string) string {
	return map[string]string{"preferences": "preference", "stablePatterns": "pattern", "beliefs": "belief"}[section]
}

// sectionOf returns the section of memories of a type, "" for none.
func sectionOf(memoryType string) string {
	for _, s := range sections() {
		if strings.EqualFold(memoryType, typeOf(s)) {
			return s
		}
	}
	return ""
}

type place struct {
	Section string `json:"section"`
	Key     string `json:"key"`
}

func (p place) String() string { return p.Section + "." + p.Key }

// placeOf returns the place of a memory in the file; ok is false if its type has no
// entries there. A memory that was written there by hand keeps its key, an imported one too
// unless the key repeats the type.
func placeOf(m brain.Memory) (place, bool) {
	p := place{sectionOf(m.MemoryType), m.Name}
	bare := withoutType(m.Name, m.MemoryType)
	if m.Origin != brain.CoreOrigin || !byHand(m) && bare != m.Name {
		p.Key = camelCase(bare)
	}
	return p, p.Section != ""
}

// byHand reports whether a person wrote a memory into the file. The entries of a file that
// was imported count as the program's, which wrote most of them there.
func byHand(m brain.Memory) bool {
	return m.Origin == brain.CoreOrigin && !strings.HasPrefix(m.Group, ingest.ImportDir+"/")
}

// withoutType returns a name without the type that it begins with: "pattern:early-returns".
func withoutType(name, memoryType string) string {
	label, rest, ok := strings.Cut(name, ":")
	if ok && strings.EqualFold(strings.TrimSpace(label), memoryType) && strings.TrimSpace(rest) != "" {
		return rest
	}
	return name
}

const maxKey = 60

// camelCase joins as many words of a name as fit into a key.
func camelCase(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
	var key string
	for i, w := range words {
		first, size := utf8.DecodeRuneInString(w)
		rest := w[size:]
		switch {
		case i > 0:
			first = unicode.ToUpper(first)
		case w == strings.ToUpper(w): // an acronym
			first, rest = unicode.ToLower(first), strings.ToLower(rest)
		default:
			first = unicode.ToLower(first)
		}
		next := key + string(first) + rest
		if key != "" && utf8.RuneCountInString(next) > maxKey {
			break
		}
		key = next
	}
	if key == "" {
		return "entry"
	}
	return plaintext.Clip(key, maxKey)
}

// valueOf returns an entry as JSON: what a person wrote, unchanged, or a summary.
func valueOf(m brain.Memory) string {
	if m.Origin == brain.CoreOrigin && json.Valid([]byte(m.Content)) {
		return m.Content
	}
	return plaintext.Quote(summary(m.Content))
}

// maxSummary is the length of a summary in characters (consolidation.md).
const maxSummary = 200

// summary returns the first sentence of a text.
func summary(content string) string {
	text := strings.TrimSpace(content)
	for _, end := range []string{"\n\n", "\r\n\r\n", "\n- ", "\n* "} {
		text, _, _ = strings.Cut(text, end)
	}
	return plaintext.Shorten(plaintext.OneLine(plaintext.FirstSentence(text)), maxSummary)
}

// entry is the state of an entry of the file. Values are hashes, as they may be secret.
type entry struct {
	place
	Value string `json:"value"`          // in the file
	ID    string `json:"id,omitempty"`   // the memory; "": a person's entry, which the program ignores
	Text  string `json:"text,omitempty"` // hash of the memory's content then
	Hand  bool   `json:"hand,omitempty"` // a person wrote the value
	// Earlier are other core memories whose key it is, which the value no longer shows.
	Earlier []string `json:"earlier,omitempty"`
}

// hash returns the hash of a value in the file; raw is "" for no value.
func hash(raw string) string { return brain.Hash("core value", raw) }

// matches reports whether the value in the file, "" for none, is the stored one.
func (e entry) matches(raw string) bool { return hash(raw) == e.Value }

type state struct {
	Entries []entry `json:"entries"`
}

func (s state) at(p place) (entry, bool) {
	i := slices.IndexFunc(s.Entries, func(e entry) bool { return e.place == p })
	if i < 0 {
		return entry{}, false
	}
	return s.Entries[i], true
}

func (s state) ids() []string {
	var ids []string
	for _, e := range s.Entries {
		if e.ID != "" {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

func (s *state) put(e entry) {
	s.drop(e.place)
	s.Entries = append(s.Entries, e)
}

func (s *state) drop(p place) {
	s.Entries = slices.DeleteFunc(slices.Clone(s.Entries), func(e entry) bool { return e.place == p })
}

func (k *Keeper) id() string { return brain.Hash("core file", k.s.Host, k.s.Path) }

func (k *Keeper) state(ctx context.Context) (state, error) {
	found, err := lifecycle.Read(ctx, k.s.Brain.Base, func(r brain.Reader) (state, error) {
		return brain.First(brain.Bodies[state](r.Records(brain.CoreFileRecord, k.id())))
	})
	return found, brain.Wrap(err, "read the state of %s", k.s.Path)
}

func (k *Keeper) remember(ctx context.Context, s state) error {
	now := k.s.Brain.Base.Now()
	return k.s.Brain.Base.Store.Update(ctx, func(tx brain.Tx) error {
		return lifecycle.PutRecord(tx, brain.CoreFileRecord, k.id(), k.s.Host, "", now, s)
	})
}
