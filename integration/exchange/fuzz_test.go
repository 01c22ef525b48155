package exchange

import (
	"testing"
	"unicode/utf8"
)

// A line of a memory server's file is an entity, a relation or a problem, and never more than one
// of them.
func FuzzGraphLine(f *testing.F) {
	for _, line := range []string{
		`{"type":"entity","name":"Ada","entityType":"person","observations":["likes tea",{"text":"x","at":1}]}`,
		`{"type":"relation","from":"Ada","to":"Bob","relationType":"knows","since":2020}`,
		`{"_type":"entity","name":"\ud800","entityType":"","observations":null}`, `{"type":1}`, `[]`, "\x00", "{",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		entity, relation, problem := readGraphLine(1, line)
		n := 0
		for _, is := range []bool{entity != nil, relation != nil, problem != ""} {
			if is {
				n++
			}
		}
		switch {
		case n != 1:
			t.Errorf("%q is %v, %v, %q", line, entity, relation, problem)
		case entity != nil && !utf8.ValidString(entity.Name): // it may be empty
			t.Errorf("%q is an entity named %q", line, entity.Name)
		case relation != nil && relation.RelationType == "":
			t.Errorf("%q is a relation %+v", line, relation)
		}
	})
}
