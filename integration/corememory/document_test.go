package corememory

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// someJSON is an object as people write it: any order, blanks and line breaks.
func someJSON(t *rapid.T, depth int) string {
	blank := rapid.SampledFrom([]string{"", " ", "\n", "\n  ", "\r\n\t"})
	var members []string
	n := rapid.IntRange(0, 4).Draw(t, "members")
	for i := range n {
		key := plaintext.Quote(fmt.Sprintf("%s%d", rapid.SampledFrom([]string{"preferences", "a,b", "}x", `q"`, "ключ"}).Draw(t, "key"), i))
		if depth > 1 && i == 0 {
			key = `"preferences"`
		}
		value := rapid.SampledFrom([]string{"1.50", "null", `"a, } \" b"`, "[1, {\"x\": []}]", "true"}).Draw(t, "value")
		if depth > 0 && i < 2 {
			value = someJSON(t, depth-1)
		}
		members = append(members, blank.Draw(t, "b")+key+blank.Draw(t, "b")+":"+blank.Draw(t, "b")+value+blank.Draw(t, "b"))
	}
	return "{" + strings.Join(members, ",") + blank.Draw(t, "b") + "}"
}

// mustParse reads a document that is known to be valid.
func mustParse(text string) document {
	d, err := parse([]byte(text))
	if err != nil {
		panic(err)
	}
	return d
}

// members are the raw members of a document in their order, those below a
// section too, but for one entry.
func rawMembers(d document, but place) []string {
	var all []string
	d.At().ForEach(func(key, value gjson.Result) bool {
		sec, ok := d.section(key.Str)
		if !ok {
			all = append(all, key.Raw+"="+value.Raw)
			return true
		}
		sec.ForEach(func(in, value gjson.Result) bool {
			if (place{key.Str, in.Str}) != but {
				all = append(all, key.Raw+"/"+in.Raw+"="+value.Raw)
			}
			return true
		})
		return true
	})
	return all
}

// Whatever is written into an entry, every other member keeps its bytes and
// its place, and what was put in can be taken out again.
func TestWritingAnEntryLeavesTheRest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{"", "\ufeff"}).Draw(t, "bom") + someJSON(t, 2) + "\n"
		before, r := mustParse(text), rendering{d: mustParse(text)}
		p := place{"preferences", rapid.SampledFrom([]string{"editor", "}x0", "new \"key\""}).Draw(t, "key")}
		if _, ok := before.section(p.Section); !ok && before.At(p.Section).Exists() {
			return // which rendering leaves alone
		}
		raw := plaintext.Quote(rapid.String().Draw(t, "value"))
		r.set(p, raw)
		after, err := parse(r.d.Bytes())
		if err != nil {
			t.Fatalf("%q became %q: %v", text, r.d.Bytes(), err)
		}
		if got := r.raw(p); got != raw {
			t.Fatalf("wrote %s, reads %s in %q", raw, got, r.d.Bytes())
		}
		if x, y := rawMembers(before, p), rawMembers(after, p); strings.Join(x, "\n") != strings.Join(y, "\n") {
			t.Fatalf("%q became %q", text, r.d.Bytes())
		}
		_ = r.d.Remove(1, p.Section, p.Key)
		back, err := parse(r.d.Bytes())
		if err != nil || r.raw(p) != "" {
			t.Fatalf("taken out again it is %q: %v", r.d.Bytes(), err)
		}
		if x, y := rawMembers(before, p), rawMembers(back, p); strings.Join(x, "\n") != strings.Join(y, "\n") {
			t.Fatalf("%q became %q", text, r.d.Bytes())
		}
	})
}

// The places of the reader agree with what JSON says.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"{}", `{"preferences":{"a":"b"}}`, "{ \"a\" : [1,{\"}\":2}] ,\n\"b\":-1e9}", emptyFile, "\ufeff{\"a\":\"\\\"\"}", "[]", "{", `{"a":1,"a":2}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := parse(text)
		if err != nil {
			return
		}
		var all map[string]json.RawMessage
		if err := json.Unmarshal([]byte(strings.TrimPrefix(string(text), "\ufeff")), &all); err != nil {
			t.Fatalf("%q is taken for an object: %v", text, err)
		}
		root := d.At()
		for key, raw := range all {
			if v, once := find(root, key); once && v.Raw != string(raw) {
				t.Errorf("%q: %q is %q, want %q", text, key, v.Raw, raw)
			} else if !d.At(key).Exists() {
				t.Errorf("%q: %q is not found", text, key)
			}
		}
		compare(d, state{}, strings.ToLower)
	})
}

func TestKeysAndSummaries(t *testing.T) {
	for name, want := range map[string]string{
		"Wrap errors once": "wrapErrorsOnce", "API keys": "apiKeys", "editor": "editor", "camelCase": "camelCase",
		"C# & F#": "cF", "…": "entry", "Über alles": "überAlles", strings.Repeat("word ", 20): "wordWordWordWordWordWordWordWordWordWordWordWordWordWordWord",
	} {
		if got := camelCase(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{
		"pattern:early-returns": "earlyReturns", "Pattern: guard clauses": "guardClauses", "pattern:": "pattern", "pattern matching": "patternMatching", "belief: tests pay": "beliefTestsPay",
	} {
		if got, _ := placeOf(brain.Memory{Name: name, MemoryType: "pattern"}); got.Key != want {
			t.Errorf("the key of %q is %q, want %q", name, got.Key, want)
		}
	}
	long := strings.Repeat("é", 150) + " " + strings.Repeat("x", 100)
	for text, want := range map[string]string{
		"One. Two.": "One.", "No stop": "No stop", "Use v1.2 now. Then rest.": "Use v1.2 now.", "See e.g. this one. And that.": "See e.g. this one.",
		"A\nb c.\n\nmore": "A b c.", "Really? Yes.": "Really?", long: strings.Repeat("é", 150) + "…", "一。二。": "一。",
	} {
		if got := summary(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := summary(strings.Repeat("x", 201)); len([]rune(got)) != 200 {
		t.Errorf("a summary has %d characters", len([]rune(got)))
	}
}

// An entry that comes and goes leaves a new file as it was.
func TestTheLastEntryLeavesNothing(t *testing.T) {
	r := rendering{d: mustParse(emptyFile)}
	p := place{"stablePatterns", "tableTests"}
	r.set(p, `"Use table tests"`)
	_ = r.d.Remove(1, p.Section, p.Key)
	if string(r.d.Bytes()) != emptyFile {
		t.Errorf("it is %s", r.d.Bytes())
	}
}
