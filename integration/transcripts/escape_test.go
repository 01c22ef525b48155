package transcripts

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

func TestEscaped(t *testing.T) {
	for text, want := range map[string]string{
		"# a\ntext\n   ## b":         "\\# a\ntext\n   \\## b",
		"#tag and ####### seven":     "#tag and ####### seven",
		"    # code":                 "    # code",
		"```\n# in code\n```\n# out": "```\n# in code\n```\n\\# out",
		"```go\n# open":              "```go\n# open\n```",
		"~~~~\n~~~\n# still in\n":    "~~~~\n~~~\n# still in\n~~~~",
		"a ``` b\n# out":             "a ``` b\n\\# out",
		"#":                          "\\#",
	} {
		if got := escaped(text); got != want {
			t.Errorf("escaped(%q) = %q, want %q", text, got, want)
		}
	}
}

// readBack returns the headings of a transcript with two messages, and the text
// below the second.
func readBack(first string) []string {
	text := "# day\n\n## session\n\n### one\n\n" + escaped(first) + "\n\n### two\n\nlast\n"
	var all []string
	for _, s := range dailynote.Parse([]byte(text), dailynote.Options{}).Sections {
		all = append(all, s.Heading)
	}
	return all
}

func checkHeadings(t interface{ Errorf(string, ...any) }, text string) {
	if got := readBack(text); !slices.Equal(got, []string{"day", "session", "one", "two"}) {
		t.Errorf("%q gives the headings %q", text, got)
	}
	if plain := strings.ReplaceAll(escaped(text), "\\#", "#"); !strings.HasPrefix(plain, strings.ReplaceAll(text, "\\#", "#")) {
		t.Errorf("%q lost something: %q", text, plain)
	}
}

// Whatever is said, the headings of a transcript are ours alone.
func TestNoMessageMakesAHeading(t *testing.T) {
	part := rapid.SampledFrom([]string{"#", "##", "# a", "```", "````", "~~~", "`", " ", "  ", "    ", "\t", "\n", "\n\n", "- ", "> ", "x", "```go", "\\", "---", "1. ", "\r\n"})
	rapid.Check(t, func(t *rapid.T) {
		checkHeadings(t, strings.TrimRight(strings.Join(rapid.SliceOfN(part, 0, 14).Draw(t, "parts"), ""), "\r"))
	})
}

func FuzzEscaped(f *testing.F) {
	f.Add("# a\n```\n# b")
	f.Add("- ```\n  # c\n~~~")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsAny(text, "\r\x00\ufeff") || strings.ToValidUTF8(text, "") != text {
			return // the reader of transcripts lets none of them through
		}
		checkHeadings(t, text)
	})
}

func TestNamesOfPages(t *testing.T) {
	for quote, want := range map[string]string{
		"The security officer we report to is Anneli Virtanen.":                 "Anneli Virtanen",
		"Maria runs the bakery.":                                                "Maria",
		"Talked to Kwame Boateng, Head of Sales, about it":                      "Kwame Boateng",
		"On Monday we met nobody":                                               "",
		"Great, thanks":                                                         "",
		"Our contact at the bank is now Fatima El-Sayed, Mr Brandt has retired": "Fatima El-Sayed",
		"it is Tomasz's":                                                        "Tomasz",
		"Mail to Ops@example.org and read Docs/Team, then ask O'Neill":          "O'Neill",
		"The Priya you know is back. Then Monday came. Priya owns billing":      "Priya",
		"": "",
	} {
		if got := extract.NameIn(quote); got != want {
			t.Errorf("the name in %q is %q, want %q", quote, got, want)
		}
	}
	for quote, want := range map[string]string{
		"the docs are at https://www.example.org/a/b?c=d.":            "example.org",
		"see https://github.com/modernc/sqlite/issues/12, it says so": "github.com/modernc/sqlite",
		"see (http://localhost:8080)":                                 "localhost",
		"no link":                                                     "",
		"https://":                                                    "",
	} {
		if got := link(quote); got != want {
			t.Errorf("the link in %q is %q, want %q", quote, got, want)
		}
	}
}

func TestPagesKeepWhatIsThePersons(t *testing.T) {
	p := page{rel: "knowledge/people/mo.md", name: "Mo", lines: []string{"- 2026-02-05: b"}}
	add := func(old string) string {
		t.Helper()
		text, err := p.added([]byte(old))
		if err != nil {
			t.Fatalf("%q: %v", old, err)
		}
		return string(text)
	}
	block := "<!-- brainbridge:begin -->\n- 2026-02-05: b\n<!-- brainbridge:end -->\n"
	for old, want := range map[string]string{
		"":                          "# Mo\n\n" + block,
		"# Mo\r\n\r\nMine\t":        "# Mo\r\n\r\nMine\t\n\n" + block,
		"Mine\n":                    "Mine\n\n" + block,
		"Mine\n\n":                  "Mine\n\n" + block,
		"a\n" + block + "b, no end": "a\n" + block + "b, no end",
		"a\n<!-- brainbridge:begin -->\n- 2026-02-04: a\nmine\n- 2026-02-09: c\n<!-- brainbridge:end -->b": "a\n<!-- brainbridge:begin -->\n- 2026-02-04: a\nmine\n- 2026-02-09: c\n- 2026-02-05: b\n<!-- brainbridge:end -->b",
	} {
		got := add(old)
		if got != want {
			t.Errorf("%q\ngives %q\nwant  %q", old, got, want)
		}
		if again := add(got); again != got {
			t.Errorf("a second time changes %q to %q", got, again)
		}
	}
	for _, old := range []string{markdown.BlockBegin, markdown.BlockEnd, markdown.BlockEnd + markdown.BlockBegin, markdown.BlockBegin + markdown.BlockEnd + markdown.BlockBegin + markdown.BlockEnd} {
		if text, err := p.added([]byte(old)); err == nil {
			t.Errorf("%q was taken: %q", old, text)
		}
	}
}
