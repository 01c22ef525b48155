package config

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
	"pgregory.net/rapid"
)

func TestJSONSetAndRemove(t *testing.T) {
	for name, c := range map[string]struct{ before, after string }{
		"blank":                  {"", "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n"},
		"empty":                  {"{ }", "{\n  \"a\": {\n    \"b\": 1\n  }\n}"},
		"after a member":         {"{\n\t\"x\": 2\n}\n", "{\n\t\"x\": 2,\n\t\"a\": {\n\t\t\"b\": 1\n\t}\n}\n"},
		"lines of CRLF":          {"\ufeff{\r\n  \"x\": 2\r\n}", "\ufeff{\r\n  \"x\": 2,\r\n  \"a\": {\r\n    \"b\": 1\r\n  }\r\n}"},
		"beside a key":           {"{\"a\": {\"c\": 2}}", "{\"a\": {\"c\": 2,\n  \"b\": 1}}"},
		"in place":               {"{\"a\": {\"b\" : [3] }}", "{\"a\": {\"b\" : 1 }}"},
		"the last of equal keys": {"{\"a\": 0, \"a\": {\"b\": 3}}", "{\"a\": 0, \"a\": {\"b\": 1}}"},
	} {
		j, err := ParseJSON([]byte(c.before))
		if err == nil {
			err = j.Set("1", "a", "b")
		}
		if err != nil || string(j.Bytes()) != c.after {
			t.Errorf("%s: %v\n%s", name, err, cmp.Diff(c.after, string(j.Bytes())))
			continue
		}
		if name == "in place" || name == "the last of equal keys" || name == "blank" || name == "empty" {
			continue
		}
		if err := j.Remove(0, "a", "b"); err != nil || string(j.Bytes()) != c.before {
			t.Errorf("%s: removed again\n%s", name, cmp.Diff(c.before, string(j.Bytes())))
		}
	}
}

func TestJSONLists(t *testing.T) {
	j, err := ParseJSON([]byte("{\n  \"hooks\": [1, {\"x\": [2, 3]}]\n}"))
	if err == nil {
		err = j.Append("{\n  \"y\": 4\n}", "hooks")
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(j.Remove(0, "hooks", "1", "x", "0"), j.Remove(0, "hooks", "7"), j.Remove(0, "hooks", "0")); err != nil {
		t.Fatal(err)
	}
	want := "{\n  \"hooks\": [ {\"x\": [ 3]},\n    {\n      \"y\": 4\n    }]\n}"
	if got := string(j.Bytes()); got != want {
		t.Errorf("%s", cmp.Diff(want, got))
	}
	if err := j.Set("1", "hooks", "x"); err == nil || err.Error() != "hooks is not an object" {
		t.Errorf("a key in a list: %v", err)
	}
	if err := j.Append("1", "hooks", "0"); err == nil || err.Error() != "hooks.0 is not a list" {
		t.Errorf("a member of an object without a key: %v", err)
	}
	if err := j.Remove(1, "hooks", "0", "x", "0"); err != nil || !strings.HasPrefix(string(j.Bytes()), "{\n  \"hooks\": [\n    {\n      \"y\"") {
		t.Errorf("after removing emptied objects, the file is %s", j.Bytes())
	}
}

func TestJSONErrorsNameTheLine(t *testing.T) {
	for text, line := range map[string]int{
		"{\n  \"a\": \n}": 3, "{\"a\" 1}": 1, "[1\n2]": 2, "{} {}": 1, "{\n// mine\n}": 2, "{\"a\nb\": 1}": 1, "{'a'": 1, "{\n\"a\": 1,\n}": 3,
	} {
		var syntax *SyntaxError
		if _, err := ParseJSON([]byte(text)); !errors.As(err, &syntax) || syntax.Line != line {
			t.Errorf("%q: %v, want line %d", text, err, line)
		}
	}
}

// In any file, a value that was set can be read, and removing it gives the file of before.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{"{}", "{\"a\":1}", "{\"a\":{\"b\":{}}}", "[]", "\ufeff{\"a\":\"\\\"b\"}", "{\"\\u0061\": [1], \"b\": {}}", "{\"\": {\"\": 1}}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		j, err := ParseJSON(data)
		if err != nil || j.Set(`"new"`, "a", "b") != nil {
			return
		}
		if v := j.At("a", "b"); v.Str != "new" {
			t.Fatalf("%q became %q", data, j.Bytes())
		}
		if err := j.Remove(0, "a", "b"); err != nil {
			t.Fatal(err)
		}
		if _, err := ParseJSON(j.Bytes()); err != nil {
			t.Fatalf("%q became %q: %v", data, j.Bytes(), err)
		}
	})
}

func TestTOMLRemove(t *testing.T) {
	for name, c := range map[string]struct{ before, after string }{
		"a key":                 {"x = 1 # x\na.b = 2\ny = 3\n", "x = 1 # x\ny = 3\n"},
		"a table":               {"x = 1\n\n[a.b]\nc = [ # one\n 1]\n\n# of d\n[d]\n", "x = 1\n\n# of d\n[d]\n"},
		"with tables in it":     {"[a.b]\nc = 1\n\n[a.b.e]\nf = 1\n\n[d]", "\n[d]"},
		"not there":             {"[d]\n", "[d]\n"},
		"of a table that stays": {"[a]\nb.c = 1\nd = 2\n", "[a]\nd = 2\n"},
	} {
		doc, err := ParseTOML([]byte(c.before))
		if err == nil {
			err = doc.Remove(0, "a", "b")
		}
		if err != nil || string(doc.Bytes()) != c.after {
			t.Errorf("%s: %v\n%s", name, err, cmp.Diff(c.after, string(doc.Bytes())))
		}
	}
	doc, err := ParseTOML([]byte("a = { b = 1 }\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Remove(0, "a", "b"); !errors.Is(err, ErrUnsafe) {
		t.Errorf("a key in braces: %v", err)
	}
}

func values(doc *TOML) (all []string) {
	for _, part := range doc.parts {
		if !part.header {
			all = append(all, string(doc.data[part.value:part.end]))
		}
	}
	return all
}

// The place of a value is exactly its bytes, whatever its kind.
func TestTOMLValuePlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.SampledFrom([]string{
			"1", "-1.5e3", "true", "inf", "1979-05-27", "1979-05-27 07:32:00Z", "'a # b'", `"c \" ]"`, "'''\nd'''", "[]", "[ # ]\n 1, [2, []], ]",
			"{}", "{ a = 1, b.c = [ 'x' ], d = { } }", "[{ a = 1 }, { b = ']' }]",
		})
		first, second := value.Draw(t, "first"), value.Draw(t, "second")
		text := "x = " + first + " # c\n[t]\ny.z=" + second
		doc, err := ParseTOML([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []string{first, second} {
			if got := values(doc)[i]; got != want {
				t.Fatalf("%q: value %d is %q", text, i, got)
			}
		}
		if err := doc.Set("[1]", "t", "y", "z"); err != nil {
			t.Fatal(err)
		}
		var v map[string]any
		if err := toml.Unmarshal(doc.Bytes(), &v); err != nil || !strings.HasPrefix(string(doc.Bytes()), "x = "+first+" # c\n") {
			t.Fatalf("%v: %s", err, doc.Bytes())
		}
	})
}
