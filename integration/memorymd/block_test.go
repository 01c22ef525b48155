package memorymd

import (
	"errors"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/markdown"
)

const (
	begin = markdown.BlockBegin + "\n"
	end   = markdown.BlockEnd + "\n"
)

func TestFindsTheBlock(t *testing.T) {
	for name, c := range map[string]struct{ text, inner, before string }{
		"alone":           {begin + "a\n" + end, "a\n", ""},
		"between":         {"mine\n" + begin + "a\nb\n" + end + "also mine", "a\nb\n", "mine\n"},
		"CRLF":            {"mine\r\n" + markdown.BlockBegin + "\r\na\r\n" + markdown.BlockEnd + "\r\n", "a\r\n", "mine\r\n"},
		"no last newline": {begin + "a\n" + markdown.BlockEnd, "a\n", ""},
		"byte order mark": {bom + begin + end, "", bom},
		"indented":        {"  " + markdown.BlockBegin + "  \na\n" + end, "a\n", "  "},
		"narrow marker":   {"<!--brainbridge:begin-->\na\n" + end, "a\n", ""},
		"names a run":     {"<!-- brainbridge:begin 0a1b2c3d -->\na\n" + end, "a\n", ""},
		"written about":   {"Mine: `" + markdown.BlockBegin + "` starts it.\n```\n" + begin + end + "```\n    " + begin + begin + "a\n" + end, "a\n", "Mine: `" + markdown.BlockBegin + "` starts it.\n```\n" + begin + end + "```\n    " + begin},
		"open fence":      {"```\nnever closed\n" + begin + "a\n" + end, "a\n", "```\nnever closed\n"},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := find("MEMORY.md", c.text)
			if err != nil || !b.Found {
				t.Fatalf("found %v, %v", b.Found, err)
			}
			if got := b.inner(c.text); got != c.inner {
				t.Errorf("inside is %q, want %q", got, c.inner)
			}
			if got := c.text[:b.Start]; got != c.before {
				t.Errorf("before is %q, want %q", got, c.before)
			}
		})
	}
}

func TestMarkersThatArePartOfATextAreNoBlock(t *testing.T) {
	for name, text := range map[string]string{
		"in a fence":      "~~~md\n" + begin + "what we write\n" + end + "~~~\n",
		"in two fences":   "```\n" + begin + "```\nand\n```\n" + end + "```\n",
		"in a line":       "It begins with " + markdown.BlockBegin + " and ends with " + markdown.BlockEnd + ".\n",
		"indented":        "\t" + begin + "    " + end,
		"another program": "<!-- otherbridge:begin -->\n<!-- brainbridge:middle -->\n",
		"nothing":         "",
	} {
		t.Run(name, func(t *testing.T) {
			b, err := find("MEMORY.md", text)
			if err != nil || b.Found {
				t.Fatalf("found %v, %v", b.Found, err)
			}
			if out := replaced([]byte(text), b, "x\n"); !strings.HasPrefix(string(out), text) {
				t.Errorf("%q is no prefix of %q", text, out)
			}
		})
	}
}

func TestWhatCannotBeToldIsNamedByLine(t *testing.T) {
	for name, c := range map[string]struct{ text, where, hint string }{
		"two blocks":       {begin + end + begin + end, "MEMORY.md:3: this marker", "keep one line"},
		"two begins":       {begin + begin + end, "MEMORY.md:2:", "keep one line"},
		"two ends":         {begin + end + "x\n" + end, "MEMORY.md:4:", "keep one line"},
		"only a begin":     {"x\n" + begin, "MEMORY.md:2: this marker of the managed block has no counterpart", markdown.BlockEnd},
		"only an end":      {end, "MEMORY.md:1: this marker", markdown.BlockBegin},
		"reversed":         {end + begin, "MEMORY.md:1:", "keep one line"},
		"end in a fence":   {begin + "```\n" + end + "```\n", "MEMORY.md:1:", "outside of code fences"},
		"begin in a fence": {"```\n" + begin + "```\n" + end, "MEMORY.md:4:", "outside of code fences"},
		"typed behind one": {markdown.BlockBegin + " hello\n" + end, "MEMORY.md:2:", markdown.BlockBegin},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := find("MEMORY.md", c.text)
			var told *brain.Error
			if !errors.Is(err, brain.ErrInvalid) || !errors.As(err, &told) {
				t.Fatalf("got %v", err)
			}
			if !strings.HasPrefix(told.Message, c.where) || !strings.Contains(told.Hint, c.hint) {
				t.Errorf("got %q, hint %q", told.Message, told.Hint)
			}
			res, err := planned([]byte(c.text), State{}, []Entry{{ID: "a", Title: "x"}}, Options{})
			if err == nil || res.Changed {
				t.Errorf("planned all the same: %v", err)
			}
		})
	}
}

func TestTenMegabytesOfOwnText(t *testing.T) {
	for name, c := range map[string]struct {
		line string
		size int
	}{
		"prose":            {"Markers like " + markdown.BlockBegin + " stand in the middle of this line.\n", 10 << 20},
		"one line":         {"word ", 10 << 20},
		"blank lines":      {"\n", 1 << 20},
		"fences":           {"```\n", 1 << 20},
		"open fences":      {"```go\n", 1 << 20},
		"broken comments":  {"<!-- hash: x\n", 1 << 20},
		"growing openings": {"~~~ x\n    ~~~\n", 1 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			own := strings.Repeat(c.line, c.size/len(c.line))
			res, err := planned([]byte(own), State{}, []Entry{{ID: "0123456789", Type: "lesson", Title: "Kept"}}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(string(res.Text), own) || res.Entries != 1 || len(res.Warnings) == 0 {
				t.Errorf("%d entries, warnings %v", res.Entries, res.Warnings)
			}
		})
	}
}

// replaced is a text with this content in the place of its block, or behind it.
func replaced(text []byte, b Block, content string) []byte {
	before, sep, after := b.around(string(text), "")
	return []byte(before + sep + b.render(content, "") + after)
}

func FuzzFind(f *testing.F) {
	f.Add([]byte("mine\r\n"+begin+"a\r\n"+end+"\tafter"), "new\n")
	f.Add([]byte(bom+"```\n"+begin+"```\n"), "")
	f.Fuzz(func(t *testing.T, text []byte, content string) {
		if strings.ContainsAny(content, "`~\r") || strings.Contains(content, "brainbridge:") || content != "" && !strings.HasSuffix(content, "\n") {
			return // never written: fences are balanced and markers escaped
		}
		b, err := find("M", string(text))
		if err != nil {
			if !errors.Is(err, brain.ErrInvalid) {
				t.Fatal(err)
			}
			return
		}
		out := replaced(text, b, content)
		if !strings.HasPrefix(string(out), string(text[:b.Start])) || !strings.HasSuffix(string(out), string(text[b.End:])) {
			t.Fatalf("%q became %q", text, out)
		}
		again, err := find("M", string(out))
		if err != nil || !again.Found {
			t.Fatalf("%q: block not found again: %v", out, err)
		}
		if got := withLF(again.inner(string(out))); got != content {
			t.Fatalf("inside is %q, want %q", got, content)
		}
		if string(out[again.End:]) != string(text[b.End:]) && b.Found {
			t.Fatalf("behind is %q, was %q", out[again.End:], text[b.End:])
		}
		if twice := replaced(out, again, content); string(twice) != string(out) {
			t.Fatalf("not stable: %q, then %q", out, twice)
		}
	})
}
