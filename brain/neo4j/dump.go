package neo4j

import (
	"context"
	"fmt"
	"slices"
	"strings"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/zeebo/xxh3"

	"github.com/brainbridge/brainbridge/brain"
)

// rounds is how often a dump looks for changes made while it was reading.
const rounds = 10

// Dump reads the whole brain, page by page. Records of how far files were read
// come first, so that after a restore files are read again if they were read during
// the dump. Then come nodes, relations and all other records, and finally the
// memories that changed during the dump, until there are no more.
func (s *Store) Dump(ctx context.Context, fn func(brain.Page) error) error {
	d := &dump{s: s, ctx: ctx, fn: fn, versions: map[uint64]int{}, unreadable: map[string]bool{}, odd: map[string]oddity{}}
	for _, part := range []func() error{
		func() error { return d.records(ofFiles) },
		func() error {
			return each(d, memories(), brain.MemoryNode, nodesPart(memoryLabel), func(ms []brain.Memory) brain.Page { return brain.Page{Memories: ms} })
		},
		func() error {
			return each(d, sources(), brain.SourceNode, nodesPart(sourceLabel), func(ss []brain.Source) brain.Page { return brain.Page{Sources: ss} })
		},
		func() error {
			return each(d, sections(), brain.SectionNode, nodesPart(sectionLabel), func(ss []brain.Section) brain.Page { return brain.Page{Sections: ss} })
		},
		d.relations,
		func() error { return d.records(func(k brain.RecordKind) bool { return !ofFiles(k) }) },
		d.strays,
		d.follow,
	} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

type dump struct {
	s        *Store
	ctx      context.Context //nolint:containedctx // a dump lives as long as the call it was made for
	fn       func(brain.Page) error
	versions map[uint64]int // of the nodes that were read, by a hash of the id; 0 for all but memories
	memories int            // that were read
	unpacker unpacker
	// unreadable are the ids of nodes that were left out. They count as read.
	unreadable map[string]bool
	// odd are memories whose property version is not that of their packed form.
	odd map[string]oddity
}

// oddity is a property version, and in how many rounds the memory was read again unchanged. A
// commit in progress explains one of them; after two, a person has changed the property.
type oddity struct{ version, rounds int }

// has reports whether a node was read. Relations of a node that was not come with
// it at the end.
func (d *dump) has(id string) bool {
	_, read := d.versions[xxh3.HashString(id)]
	return read
}

func (d *dump) read(id string, version int) { d.versions[xxh3.HashString(id)] = version }

// emit calls fn with a page and notes its nodes as read.
func (d *dump) emit(p brain.Page) error {
	for _, m := range p.Memories {
		if !d.has(m.ID) {
			d.memories++
		}
		d.read(m.ID, m.Version)
	}
	for _, s := range p.Sources {
		d.read(s.ID, 0)
	}
	for _, s := range p.Sections {
		d.read(s.ID, 0)
	}
	return d.fn(p)
}

// nodesPart returns a query for a page of the nodes of a label, by id.
func nodesPart(label string) string {
	return "MATCH (n:" + label + ") WHERE n.brain = $brain AND n.id > $after RETURN n.id, n.packed, n.version ORDER BY n.brain, n.id LIMIT $limit"
}

func recordsPart(kind brain.RecordKind) string {
	return "MATCH (n:Record) WHERE n.brain = $brain AND n.recordKind = '" + string(kind) +
		"' AND n.id > $after RETURN n.id, n.packed, n.version ORDER BY n.brain, n.recordKind, n.id LIMIT $limit"
}

// pages calls fn with the results of read, page by page, until a page is empty. read gets the
// parameters of a query for the page; fn returns the id at the end of the page.
func pages[T any](d *dump, limit int, read func(*tx, map[string]any) ([]T, error), fn func([]T) (last string, err error)) error {
	for after := ""; ; {
		var page []T
		err := d.s.repeat(d.ctx, driver.AccessModeRead, func(t *tx) (err error) {
			page, err = read(t, map[string]any{"after": after, "limit": limit})
			return err
		})
		if err != nil || len(page) == 0 {
			return err
		}
		if after, err = fn(page); err != nil {
			return err
		}
	}
}

// rows calls fn with the rows of a query, page by page.
func (d *dump) rows(cypher string, limit int, accept func([]*driver.Record) (bool, error), fn func([]*driver.Record) (last string, err error)) error {
	read := func(t *tx, params map[string]any) ([]*driver.Record, error) { return t.read(cypher, params, accept) }
	return pages(d, limit, read, fn)
}

// complete is a check for [tx.read] that every row has an id and a packed value.
func complete(rows []*driver.Record) (bool, error) {
	for _, r := range rows {
		if value[string](r, 0) == "" || value[[]byte](r, 1) == nil {
			return false, nil
		}
	}
	return true, nil
}

// each emits the values that a query finds, page by page, and names what it cannot read.
func each[T any](d *dump, k kind[T], name, cypher string, page func([]T) brain.Page) error {
	return d.rows(cypher, brain.PageSize, complete, func(rows []*driver.Record) (last string, err error) {
		var values []T
		var unreadable []brain.Unreadable
		for _, r := range rows {
			id := value[string](r, 0)
			if id == "" { // it is being deleted
				continue
			}
			last = max(last, id)
			var v T
			err := d.unpack(value[[]byte](r, 1), k.fields(&v))
			if err == nil && k.id(&v) != id {
				err = fmt.Errorf("its property %s is that of %s", packedKey, k.id(&v))
			}
			if err == nil {
				values = append(values, v)
				continue
			}
			unreadable = append(unreadable, brain.Unreadable{Kind: name, ID: id, Why: err.Error()})
			d.unreadable[id] = true
			if name == brain.MemoryNode && !d.has(id) {
				d.memories++
				d.read(id, int(value[int64](r, 2)))
			}
		}
		p := page(values)
		p.Unreadable = unreadable
		return last, d.emit(p)
	})
}

// unpack reads a packed value.
func (d *dump) unpack(packed []byte, fields []brain.Field) error {
	if packed == nil {
		return fmt.Errorf("it has no property %s", packedKey)
	}
	if err := d.unpacker.unpack(packed, fields); err != nil {
		return fmt.Errorf("its property %s cannot be read: %w", packedKey, err)
	}
	return brain.CheckFields(fields)
}

// ofFiles reports whether records of a kind have the progress of reading files.
func ofFiles(kind brain.RecordKind) bool {
	return slices.Contains([]brain.RecordKind{
		brain.NoteFileRecord, brain.NotesDirRecord, brain.CheckpointRecord, brain.MemoryFileRecord,
		brain.TranscriptFileRecord, brain.TranscriptDayRecord, brain.TranscriptCoverageRecord, brain.TranscriptSessionRecord,
	}, kind)
}

func (d *dump) records(in func(brain.RecordKind) bool) error {
	for _, kind := range brain.RecordKinds() {
		if !in(kind) {
			continue
		}
		err := each(d, records(), string(kind), recordsPart(kind), func(rs []brain.Record) brain.Page { return brain.Page{Records: rs} })
		if err != nil {
			return err
		}
	}
	return nil
}

// relations reads the relations that begin at each page of nodes.
func (d *dump) relations() error {
	for _, label := range nodeLabels() {
		err := d.rows(outgoing(label), brain.PageSize, named(0), func(rows []*driver.Record) (last string, err error) {
			last, found, unreadable := d.between(rows)
			if len(unreadable) > 0 {
				err = d.fn(brain.Page{Unreadable: unreadable})
			}
			for part := range slices.Chunk(found, brain.PageSize) { // one node may have many
				if err == nil {
					err = d.fn(brain.Page{Relations: part})
				}
			}
			return last, err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// between returns the relations between nodes that were read, and the last id of the rows.
func (d *dump) between(rows []*driver.Record) (last string, found []brain.Relation, unreadable []brain.Unreadable) {
	for _, row := range rows {
		r := brain.Relation{From: value[string](row, 0), Type: value[string](row, 1), To: value[string](row, 2), Made: value[int64](row, 3)}
		last = max(last, r.From)
		switch {
		case r.To != "" && r.Type == "":
			u := brain.UnreadableRelation(&r)
			u.Why = "its type is not a text"
			unreadable = append(unreadable, u)
		case r.Type != "" && d.has(r.From) && d.has(r.To):
			found = append(found, r)
		}
	}
	return last, found, unreadable
}

// stray finds nodes of ours that no other query finds: without a text as id, or records of an
// unknown kind. BRAIN is the name of the brain.
const stray = `MATCH (n) WHERE (n:Memory OR n:Source OR n:Section OR n:Record) AND n.brain = BRAIN
AND (n.id IS NOT :: STRING NOT NULL OR n:Record AND NOT coalesce(n.recordKind IN $kinds, false))`

func strayOf(name string) string { return strings.ReplaceAll(stray, "BRAIN", name) }

// strays names the nodes that no other part of a dump finds.
func (d *dump) strays() error {
	rows, err := d.s.run(d.ctx, driver.AccessModeRead, strayOf("$brain")+" RETURN [l IN $labels WHERE l IN labels(n)][0], toStringOrNull(n.id)", map[string]any{"kinds": recordKinds(), "labels": append(nodeLabels(), recordLabel)})
	if err != nil || len(rows) == 0 {
		return err
	}
	return d.fn(brain.Page{Unreadable: brain.Map(rows, func(r *driver.Record) brain.Unreadable {
		return brain.Unreadable{Kind: value[string](r, 0), ID: value[string](r, 1), Why: "its id is not a text, or its kind is unknown"}
	})})
}

// recordKinds are the kinds of records, with leases.
func recordKinds() []string {
	return brain.Map(append(brain.RecordKinds(), brain.LeaseRecord), func(k brain.RecordKind) string { return string(k) })
}

// outgoing returns a query for the relations that begin at a page of nodes. It also reads
// those of earlier versions, for the backup before an upgrade.
func outgoing(label string) string {
	return "MATCH (n:" + label + ") WHERE n.brain = $brain AND n.id > $after WITH n ORDER BY n.brain, n.id LIMIT $limit" + `
OPTIONAL MATCH (n)-[r:HAS_MEMORY|PROMOTED_TO|SUPERSEDES|DIFFERS_FROM|RELATED]->(o) WHERE o.brain = $brain AND (o:Memory OR o:Source OR o:Section)
RETURN n.id, CASE type(r) WHEN 'RELATED' THEN r.type ELSE type(r) END, o.id, r.made`
}

// follow reads changed memories again until nothing has changed. It first waits for the
// commits in progress, which may be partly visible.
func (d *dump) follow() error {
	for range rounds {
		if err := d.s.awaitWriters(d.ctx); err != nil {
			return err
		}
		changed, err := d.changed()
		if err != nil || len(changed) == 0 {
			return err
		}
		for part := range slices.Chunk(changed, brain.PageSize) {
			if err := d.again(part); err != nil {
				return err
			}
		}
	}
	return fmt.Errorf("%w: the brain at %s is being changed faster than it can be read", brain.ErrConflict, d.s.uri)
}

const versionsPart = `MATCH (n:Memory) WHERE n.brain = $brain AND n.id > $after
RETURN n.id, n.version ORDER BY n.brain, n.id LIMIT $limit`

// changed returns the ids of memories that are new or have another version than the one
// that was read. It fails if a memory was removed, because it is not known what was removed
// with it.
func (d *dump) changed() (ids []string, err error) {
	left := d.memories
	err = d.rows(versionsPart, 20*brain.PageSize, named(0), func(rows []*driver.Record) (last string, err error) {
		for _, row := range rows {
			last = value[string](row, 0)
			version, read := d.versions[xxh3.HashString(last)]
			if read {
				left--
			}
			now := int(value[int64](row, 1))
			if read && version == now || d.odd[last].version == now && d.odd[last].rounds > 1 {
				continue
			}
			ids = append(ids, last)
			if d.odd[last].version != now {
				d.odd[last] = oddity{version: now}
			}
		}
		return last, nil
	})
	if err == nil && left > 0 {
		err = fmt.Errorf("%w: memories were removed while the brain at %s was read", brain.ErrConflict, d.s.uri)
	}
	return ids, err
}

// again calls fn with memories once more, with their relations and sources.
func (d *dump) again(ids []string) error {
	ids = slices.DeleteFunc(ids, func(id string) bool { return d.unreadable[id] })
	var p brain.Page
	err := d.s.repeat(d.ctx, driver.AccessModeRead, func(t *tx) (err error) {
		if p.Memories, err = t.Memories(ids...); err != nil {
			return err
		}
		if p.Relations, err = t.Relations(ids...); err != nil {
			return err
		}
		var ends []string
		for _, r := range p.Relations {
			ends = append(ends, r.From, r.To)
		}
		ends = slices.DeleteFunc(sortedSet(ends), func(id string) bool { return d.unreadable[id] })
		p.Sources, err = t.Sources(ends...)
		return err
	})
	if err != nil {
		return err
	}
	for _, m := range p.Memories {
		if d.has(m.ID) {
			p.Outdated = append(p.Outdated, m.ID)
		}
		if d.versions[xxh3.HashString(m.ID)] == m.Version {
			d.odd[m.ID] = oddity{d.odd[m.ID].version, d.odd[m.ID].rounds + 1}
		}
	}
	return d.emit(p)
}
