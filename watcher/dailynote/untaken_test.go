package dailynote

import (
	"slices"
	"strings"
	"testing"
)

// A line that looks like an outcome, a task or a label, and is none, is named with the reason.
func TestUntakenLinesAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"```\n- [ ] Tar the hull\n```":                         "2 a task: it is code",
		"<!-- Decision: Tar goes on twice -->\n":               "1 a label: it is in a comment",
		"<!--\n## [10:00] decision: Tar\n-->":                  "2 an outcome: it is in a comment",
		"> Decision: Tar goes on twice":                        "1 a label: it is a quotation",
		"| - [ ] a | b |\n|---|---|\n":                         "",
		"- [ ] {{what}} by Friday":                             "1 a task: it is a template",
		"- [?] Tar the hull":                                   "1 a task: it does not begin with - [ ]",
		"- [!] important mark task":                            "1 a task: it does not begin with - [ ]",
		"- [] Tar the hull":                                    "1 a task: it does not begin with - [ ], [/], [x] or [-], and a blank",
		"[ ] Tar the hull":                                     "1 a task: it does not begin with - [ ], [/], [x] or [-], and a blank",
		"- [ ] ":                                               "1 a task: it has no text",
		"- [1] is a footnote and [a] is another":               "",
		"[10:00] decision: Tar goes on twice":                  "",
		"##### 10:00 Tar":                                      "1 an outcome: its heading is of level 5",
		"- Decision: does tar go on twice?":                    "1 a label: it is a question",
		"Lesson: [what we learned]":                            "1 a label: it is a placeholder",
		"- Rule: [[House rules]]":                              "1 a label: it is a link",
		"- Lesson: tar":                                        "1 a label: its statement has fewer than two words",
		"## [10:00] T\n\nSome words\nDecision: Tar\n- [ ] a\n": "",
		"**Lessons:**\n- Tar the hull from both sides\n":       "",
		"- [x] Tar\n- [ ] Oil\n- Decision: tar it twice":       "",
		"The decision was: tar goes on twice":                  "",
		"- Decision making\n- Bugs":                            "",
		"- Tar the hull\ndecision: tar it twice":               "2 a label: it continues the line above",
		"- Tar the hull\n  decision: tar it twice":             "2 a label: it continues the line above",
		"## [10:00] T\n\n```\n## [11:00] issue: Tar\n```":      "4 an outcome: it is code",
		"## [10:00] T\n\n```\n## 11:00 Tar\nBug: tar is\n```":  "",
		"- [ ] Tar the hull 📅 2026-02-30":                      `1 this task is not due on any day: the date "2026-02-30"`,
		"- [ ] Tar the hull by 12/15":                          `1 this task is not due on any day: the date "12/15"`,
		"- [  ] Tar the hull":                                  "1 a task: it does not begin with - [ ], [/], [x] or [-], and a blank",
		"- [ ]Tar the hull":                                    "1 a task: it does not begin with - [ ], [/], [x] or [-], and a blank",
		"- [ ](a.md) and [x]y":                                 "",
		"- [ ] Tar the hull, due 03/04/2026":                   `1 this task is not due on any day: the date "03/04/2026"`,
		"- [ ] Tar the hull on 2026-01-31 at the pier":         "",
		"- [ ] Tar the hull with tar 3.4.2026 by 1.2.3":        "",
	} {
		check := func(opts Options, want string) {
			t.Helper()
			var got []string
			for _, p := range Parse([]byte(text), opts).Problems {
				got = append(got, strings.Replace(strings.Replace(string(rune('0'+p.Line))+" "+p.Message, "this looks like ", "", 1), " and is not read as one", "", 1))
			}
			if all := strings.Join(got, "\n"); !strings.HasPrefix(all, want) || want == "" && all != "" {
				t.Errorf("%q in %+v: %q, want %q", text, opts, all, want)
			}
		}
		check(Options{Day: day}, want)
		check(Options{Day: day, Quiet: true}, "")
	}
	for text, want := range map[string]string{
		"- [ ] Tar the hull":                           "it has no date",
		"- [ ] Tar the hull 📅 2026-02-30":              `the date "2026-02-30" does not exist`,
		"Some words on the\nlesson: tar goes on twice": "it continues the line above",
		"## 10:00 Tar":                                 "the name of its file does not begin with a date",
		"Bug: tar drips off":                           "issue is a label in daily notes only",
	} {
		f := Parse([]byte(text), Options{})
		if len(f.Problems) != 1 || !strings.Contains(f.Problems[0].Message, want) {
			t.Errorf("%q in a page: %+v", text, f.Problems)
		}
	}
}

// The lines of a file of which nothing is a statement are named together.
func TestUntakenLinesOfPlainFiles(t *testing.T) {
	const text = "\n# Boat\n\n- [ ] Tar the hull 📅 2026-12-05\n- [x] Oil it\n- Decision: tar goes on twice\n"
	for front, why := range map[string]string{
		"title: Boat":               "the folder holds templates, skills or texts of others",
		"source: claude-mem":        "another memory tool wrote the file",
		"excalidraw-plugin: parsed": "the file is a drawing",
	} {
		whole := "---\n" + front + "\n---\n" + text
		opts := Options{Plain: strings.HasPrefix(front, "title")}
		want := Problem{Line: 7, Message: "lines like this one, which looks like a task, are only searched: " + why}
		if f := Parse([]byte(whole), opts); len(f.Bullets) > 0 || !slices.Equal(f.Problems, []Problem{want}) {
			t.Errorf("%s: %+v %+v", front, f.Bullets, f.Problems)
		}
		opts.Quiet = true
		if f := Parse([]byte(whole), opts); len(f.Problems) > 0 {
			t.Errorf("%s, quiet: %+v", front, f.Problems)
		}
	}
}
