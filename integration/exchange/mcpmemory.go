package exchange

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/graph"
	"github.com/brainbridge/brainbridge/brain/ingest"
)

// graphLine is a line of the reference memory server's file. Other servers
// write its type as _type, and observations as objects.
type graphLine struct {
	Type         string            `json:"type"`
	OtherType    string            `json:"_type"`
	Name         string            `json:"name"`
	EntityType   string            `json:"entityType"`
	Observations []json.RawMessage `json:"observations"`
	From         string            `json:"from"`
	To           string            `json:"to"`
	RelationType string            `json:"relationType"`
}

// graphFile is a file that is read.
type graphFile struct {
	*reader
	entities  []ingest.ImportItem
	lines     []int
	at        map[string]int // index of an entity by its name
	relations []readRelation
	unread    []string // lines that cannot be read
}

// readRelation is a relation of the file.
type readRelation struct {
	brain.EntityRelation
	line int
	rest rest // fields that a relation has no place for
}

// readGraph imports the file of a memory server: entities as entities, with the
// relations between them.
func readGraph(r *reader, _ file) {
	g := graphFile{reader: r, at: map[string]int{}}
	no := 0
	for text := range strings.Lines(r.source) {
		no++
		if text = strings.TrimSpace(text); text != "" {
			g.line(no, text)
		}
	}
	if len(g.unread) > 0 && len(g.entities)+len(g.relations) == 0 {
		r.refuse(0, "is not a graph of a memory server: none of its lines can be read")
		return
	}
	g.setAside()
	g.relate()
	for i, item := range g.entities {
		r.in.items = append(r.in.items, pending{item, r.file.rel, g.lines[i]})
	}
}

// line reads one line, or reports why it cannot be read.
func (g *graphFile) line(no int, text string) {
	if strings.ContainsRune(text, 0) || !utf8.ValidString(text) {
		g.reject(no, text, "holds a NUL byte or broken UTF-8")
		return
	}
	var l graphLine
	if err := json.Unmarshal([]byte(text), &l); err != nil {
		g.reject(no, text, "is not a line of a memory server: "+notJSON(err))
		return
	}
	switch cmp.Or(l.Type, l.OtherType) {
	case "entity":
		g.entity(no, text, l)
	case "relation":
		if l.From == "" || l.To == "" || l.RelationType == "" {
			g.reject(no, text, "is a relation without from, to or relationType")
			return
		}
		relation := brain.EntityRelation{From: l.From, To: l.To, RelationType: l.RelationType}
		if err := graph.CheckEntityRelation(relation); err != nil {
			g.reject(no, text, "is not a valid relation: "+err.Error())
			return
		}
		g.relations = append(g.relations, readRelation{relation, no, relationRest(text)})
	default:
		g.reject(no, text, "is neither an entity nor a relation")
	}
}

func (g *graphFile) reject(no int, text, why string) {
	g.unread = append(g.unread, text)
	g.problem(no, "%s", why)
}

// entity reads an entity. One whose name the file has already adds the
// observations that are new.
func (g *graphFile) entity(no int, text string, l graphLine) {
	if strings.TrimSpace(l.Name) == "" {
		g.reject(no, text, "is an entity without a name")
		return
	}
	observations := []string{}
	for _, raw := range l.Observations {
		o, ok := observation(raw)
		if !ok {
			g.reject(no, text, "has an observation that is not text")
			return
		}
		observations = append(observations, o)
	}
	if i, again := g.at[l.Name]; again {
		held := &g.entities[i].Memory
		for _, o := range observations {
			if !slices.Contains(held.Observations, o) {
				held.Observations = append(held.Observations, o)
			}
		}
		held.Extra = keptFields(held.Extra).and(entityFields(text)).raw()
		g.in.report.Duplicates++
		return
	}
	m := brain.Memory{
		ID: g.in.b.Base.IDOf("mcp-memory " + l.Name), Name: l.Name, MemoryType: l.EntityType, Observations: observations,
		Project: g.in.o.Project, Tags: brain.CleanTags(g.in.o.Tags), Created: brain.Instant(g.file.modified),
		Position: len(g.entities), Extra: entityFields(text).raw(),
	}
	m.Entity = true
	g.at[l.Name] = len(g.entities)
	g.entities, g.lines = append(g.entities, ingest.ImportItem{Memory: m}), append(g.lines, no)
}

// relate gives relations to the entities that they begin at. Those with a name
// that is not in the file are made when the entities are there.
func (g *graphFile) relate() {
	aside := map[int][]json.RawMessage{}
	for _, r := range g.relations {
		from, fromHere := g.at[r.From]
		to, toHere := g.at[r.To]
		g.keepFields(r, aside)
		if !fromHere || !toHere {
			g.in.named = append(g.in.named, r.EntityRelation)
			continue
		}
		item := &g.entities[from]
		item.Relations = append(item.Relations, brain.Relation{From: item.Memory.ID, Type: r.RelationType, To: g.entities[to].Memory.ID})
	}
	for i, lines := range aside {
		m := &g.entities[i].Memory
		m.Extra = keptFields(m.Extra).withRelations(lines).raw()
	}
}

// keepFields puts the fields that a relation has no place for aside, to be kept
// with an entity at its ends.
func (g *graphFile) keepFields(r readRelation, aside map[int][]json.RawMessage) {
	if len(r.rest) == 0 {
		return
	}
	i, here := g.at[r.From]
	if !here {
		i, here = g.at[r.To]
	}
	if !here {
		g.problem(r.line, "has fields beside from, to and relationType, which are lost, since neither of its entities is in the file")
		return
	}
	aside[i] = append(aside[i], relationLine(r.EntityRelation, r.rest))
}

// setAside writes the lines that could not be read into a file beside the one
// they come from, and names it.
func (g *graphFile) setAside() {
	if len(g.unread) == 0 {
		return
	}
	aside := g.file.path + ".unread"
	if !g.in.o.DryRun {
		if err := durable.WriteFile(aside, []byte(strings.Join(g.unread, "\n")+"\n"), durable.Options{}); err != nil {
			g.problem(0, "the lines that could not be read are kept nowhere: %v", durable.Cause(err))
			return
		}
	}
	are := "are"
	if g.in.o.DryRun {
		are = "would be"
	}
	g.problem(0, "the lines that could not be read (%d) %s set aside in %s", len(g.unread), are, aside)
}
