package exchange

import (
	"fmt"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/dataset"
)

// readJSONL imports the records of a set of records and queries, each as a memory in its
// group.
func readJSONL(r *reader) {
	queries, records, no := 0, 0, 0
	for line := range strings.Lines(r.source) {
		no++
		if strings.TrimSpace(line) == "" {
			continue
		}
		l, err := dataset.Parse([]byte(line))
		switch {
		case err != nil:
			r.problem(no, "%v", err)
		case l.Kind == dataset.Query:
			queries++
		default:
			records++
			r.record(no, l)
		}
	}
	if records == 0 {
		r.refuse(0, "has no record: a line such as {\"kind\": \"record\", \"id\": \"1\", \"text\": \"…\"}")
		return
	}
	if queries > 0 {
		r.leave(0, fmt.Sprintf("%d lines of the kind query, which `brainbridge bench recall` asks", queries))
	}
}

// record imports one record. Without a group it has no neighbours.
func (r *reader) record(no int, l dataset.Line) {
	at, err := l.At(r.o.Location)
	if err != nil {
		r.problem(no, "%v", err)
		return
	}
	e := entry{
		line: no, name: l.Name, text: l.Text, kind: "note", created: at, speaker: l.Speaker,
		key: brain.Hash("jsonl", l.Set, l.ID), bodyHash: brain.Hash(l.Text), group: l.Set + "/" + l.Group,
	}
	if l.Group == "" {
		e.group += l.ID
	}
	r.add(e)
}
