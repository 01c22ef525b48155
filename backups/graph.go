package backups

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"github.com/brainbridge/brainbridge/brain"
)

// line is a line of graph.jsonl. Exactly one of its fields is set.
type line struct {
	Outdated []string        `json:"again,omitempty"` // see [brain.Page]
	Memory   *brain.Memory   `json:"memory,omitempty"`
	Source   *brain.Source   `json:"source,omitempty"`
	Section  *brain.Section  `json:"section,omitempty"`
	Relation *brain.Relation `json:"relation,omitempty"`
	Record   *brain.Record   `json:"record,omitempty"`
}

// counts are the numbers of lines by kind. A memory that the dump repeats because it changed
// counts once, but its source and relations count each time.
type counts struct {
	Memories  int `json:"memories"`
	Archived  int `json:"archived,omitempty"` // memories among them that are archived or superseded
	Sources   int `json:"sources"`
	Sections  int `json:"sections"`
	Relations int `json:"relations"`
	Records   int `json:"records"`
}

func (c *counts) add(p brain.Page) {
	c.Memories += len(p.Memories) - len(p.Outdated)
	for i := range p.Memories {
		if !p.Memories[i].Current() {
			c.Archived++
		}
	}
	c.Sources += len(p.Sources)
	c.Sections += len(p.Sections)
	c.Relations += len(p.Relations)
	c.Records += len(p.Records)
}

func writeGraph(ctx context.Context, store brain.Store, w io.Writer, progress meter) (c counts, unreadable []brain.Unreadable, err error) {
	z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return c, nil, err
	}
	buffered := bufio.NewWriterSize(z, 1<<16)
	e := json.NewEncoder(buffered)
	e.SetEscapeHTML(false)
	err = store.Dump(ctx, func(p brain.Page) error {
		c.add(p)
		unreadable = append(unreadable, p.Unreadable...)
		progress(p.Len())
		return encodePage(e, p)
	})
	return c, unreadable, errors.Join(err, buffered.Flush(), z.Close())
}

func encodePage(e *json.Encoder, p brain.Page) error {
	var err error
	if len(p.Outdated) > 0 {
		err = e.Encode(line{Outdated: p.Outdated})
	}
	err = errors.Join(err,
		encodeAll(e, p.Memories, func(m *brain.Memory) line { return line{Memory: m} }),
		encodeAll(e, p.Sources, func(s *brain.Source) line { return line{Source: s} }),
		encodeAll(e, p.Sections, func(s *brain.Section) line { return line{Section: s} }),
		encodeAll(e, p.Relations, func(r *brain.Relation) line { return line{Relation: r} }),
		encodeAll(e, p.Records, func(r *brain.Record) line { return line{Record: r} }))
	return brain.Wrap(err, "encode the graph")
}

func encodeAll[T any](e *json.Encoder, all []T, toLine func(*T) line) error {
	for i := range all {
		if err := e.Encode(toLine(&all[i])); err != nil {
			return err
		}
	}
	return nil
}

// readGraph yields the pages of a graph file and stops at the first error. A wrong checksum
// is found only after the last page.
func readGraph(path string, want file, progress meter) iter.Seq2[brain.Page, error] {
	return func(yield func(brain.Page, error) bool) {
		f, err := openFile(path, want, progress)
		if err != nil {
			yield(brain.Page{}, err)
			return
		}
		defer func() { _ = f.Close() }() // only read
		z, err := newDecoder(f)
		if err != nil {
			yield(brain.Page{}, err)
			return
		}
		defer z.Close()
		if decodePages(z, yield) {
			if err := f.check(); err != nil {
				yield(brain.Page{}, err)
			}
		}
	}
}

// decodePages yields pages; a line with outdated ids begins a new one. It reports whether it
// reached the end.
func decodePages(r io.Reader, yield func(brain.Page, error) bool) bool {
	d := json.NewDecoder(bufio.NewReaderSize(r, 1<<16))
	var p brain.Page
	for n := 1; ; n++ {
		var l line
		err := d.Decode(&l)
		if errors.Is(err, io.EOF) {
			return p.Len() == 0 && len(p.Outdated) == 0 || yield(p, nil)
		}
		if err == nil && (p.Len() >= brain.PageSize || len(l.Outdated) > 0 && p.Len() > 0) {
			if !yield(p, nil) {
				return false
			}
			p = brain.Page{}
		}
		if err == nil && !l.addTo(&p) {
			err = errors.New("its kind is unknown")
		}
		if err != nil {
			yield(brain.Page{}, fmt.Errorf("line %d: %w", n, err))
			return false
		}
	}
}

// addTo adds a line to a page. It reports whether the line is of a known kind.
func (l line) addTo(p *brain.Page) bool {
	switch {
	case len(l.Outdated) > 0:
		p.Outdated = append(p.Outdated, l.Outdated...)
	case l.Memory != nil:
		p.Memories = append(p.Memories, *l.Memory)
	case l.Source != nil:
		p.Sources = append(p.Sources, *l.Source)
	case l.Section != nil:
		p.Sections = append(p.Sections, *l.Section)
	case l.Relation != nil:
		p.Relations = append(p.Relations, *l.Relation)
	case l.Record != nil:
		p.Records = append(p.Records, *l.Record)
	default:
		return false
	}
	return true
}

// Pages yields the graph of a backup. It is not compared with the manifest.
func Pages(path string) iter.Seq2[brain.Page, error] {
	m, err := readManifest(path)
	if err != nil {
		return func(yield func(brain.Page, error) bool) { yield(brain.Page{}, err) }
	}
	return brain.UpgradePages(readGraph(filepath.Join(path, graphFile), m.Files[graphFile], unmetered))
}
