package backups

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/brainbridge/brainbridge/brain"
)

// Sums stands for the content of a brain: of each kind of node, relation or record the number,
// and the sum of the checksums of all, which does not depend on their order. Two brains with the
// same sums are the same node by node and relation by relation.
type Sums map[string]Sum

// Sum is that of one kind.
type Sum struct {
	Count    int    `json:"count"`
	Checksum uint64 `json:"checksum,string"`
}

func (s Sums) add(p brain.Page) error {
	return errors.Join(
		addAll(s, p.Memories, func(*brain.Memory) string { return brain.MemoryNode }),
		addAll(s, p.Sources, func(*brain.Source) string { return brain.SourceNode }),
		addAll(s, p.Sections, func(*brain.Section) string { return brain.SectionNode }),
		addAll(s, p.Relations, func(*brain.Relation) string { return brain.RelationNode }),
		addAll(s, p.Records, func(r *brain.Record) string { return string(r.Kind) }))
}

func addAll[T any](s Sums, all []T, kind func(*T) string) error {
	for i := range all {
		raw, err := json.Marshal(all[i])
		if r, ok := any(all[i]).(brain.Record); ok && err == nil { // a store may order the keys of a body as it likes
			raw, err = ordered(r)
		}
		if err != nil {
			return fmt.Errorf("encode a %s: %w", kind(&all[i]), err)
		}
		sum := s[kind(&all[i])]
		sum.Count++
		sum.Checksum += xxh3.Hash(raw)
		s[kind(&all[i])] = sum
	}
	return nil
}

// ordered encodes a record with the keys of its body in order.
func ordered(r brain.Record) ([]byte, error) {
	var body any
	if len(r.Body) > 0 {
		d := json.NewDecoder(bytes.NewReader(r.Body))
		d.UseNumber()
		if err := d.Decode(&body); err != nil {
			return nil, err
		}
		var err error
		if r.Body, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	return json.Marshal(r)
}

// Of returns the sums of the brain in a store. What cannot be read is an error.
func Of(ctx context.Context, store brain.Store) (Sums, error) {
	s := Sums{}
	for _, err := range s.Pages(Dumped(ctx, store)) {
		if err != nil {
			return s, err
		}
	}
	return s, nil
}

// Pages yields pages and adds them.
func (s Sums) Pages(pages iter.Seq2[brain.Page, error]) iter.Seq2[brain.Page, error] {
	return func(yield func(brain.Page, error) bool) {
		for p, err := range pages {
			if err == nil {
				err = s.add(p)
			}
			if !yield(p, err) || err != nil {
				return
			}
		}
	}
}

// Dumped yields the pages of a dump. What cannot be read is an error.
func Dumped(ctx context.Context, store brain.Store) iter.Seq2[brain.Page, error] {
	ended := errors.New("ended")
	return func(yield func(brain.Page, error) bool) {
		err := store.Dump(ctx, func(p brain.Page) error {
			if len(p.Unreadable) > 0 {
				return brain.Errorf(brain.ErrInvalid, "`brainbridge doctor` says what to do", "%s", p.Unreadable[0])
			}
			if !yield(p, nil) {
				return ended
			}
			return nil
		})
		if err != nil && !errors.Is(err, ended) {
			yield(brain.Page{}, err)
		}
	}
}

// Differ names the kinds of which two brains do not have the same; "" if there are none.
func (s Sums) Differ(other Sums) string {
	var found []string
	for _, kind := range append([]string{brain.MemoryNode, brain.SourceNode, brain.SectionNode, brain.RelationNode}, brain.Map(brain.RecordKinds(), func(k brain.RecordKind) string { return string(k) })...) {
		if a, b := s[kind], other[kind]; a != b {
			found = append(found, fmt.Sprintf("%s (%d and %d)", kind, a.Count, b.Count))
		}
	}
	return strings.Join(slices.Compact(found), ", ")
}

// Rehearse restores the graph of a verified backup into an empty store, and compares what that
// then has with the backup.
func Rehearse(ctx context.Context, from Verified, store brain.Store) error {
	if err := from.Restorable(); err != nil {
		return err
	}
	graph := readGraph(filepath.Join(from.Path, graphFile), from.m.Files[graphFile], unmetered)
	want := Sums{}
	if err := store.Load(ctx, want.Pages(brain.UpgradePages(graph)), nil); err != nil {
		return fmt.Errorf("restore the graph: %w", err)
	}
	got, err := Of(ctx, store)
	if err != nil {
		return err
	}
	if differ := want.Differ(got); differ != "" {
		return fmt.Errorf("what was restored differs from the backup: %s", differ)
	}
	return nil
}
