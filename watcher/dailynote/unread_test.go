package dailynote

import (
	"strings"
	"testing"
)

// What is written in a form that is not the owner's own statement is not read as one.
func TestWhatIsNotTheOwnersStatement(t *testing.T) {
	for name, text := range map[string]string{
		"code":               "```yaml\n- decision: Tar goes on twice\n- [ ] Tar the hull by Friday\n```\n",
		"an indented block":  "Try:\n\n    Decision: Tar goes on twice\n",
		"code in a line":     "`Decision: Tar goes on twice`\n",
		"a comment":          "<!-- Decision: Tar goes on twice -->\n",
		"a long comment":     "<!--\n## [10:00] decision: Tar goes on twice\n\n- lesson: Ropes rot in salt\n- [ ] Tar the hull by Friday\n-->\n",
		"a comment of %%":    "%%\n- lesson: Ropes rot in salt\n# Decisions\n- [ ] Tar the hull by Friday\n%%\n",
		"a table":            "| what | why |\n|---|---|\n| Decision: Tar goes on twice | it rots |\n",
		"a bare table":       "Decision: tar goes on | twice\n--- | ---\nLesson: ropes rot in | salt\n",
		"a quotation":        "> Decision: Tar goes on twice\n> - [ ] Tar the hull by Friday\nas the lesson: ropes rot in salt\n",
		"a quoted item":      "- > Decision: Tar goes on twice\n",
		"another callout":    "> [!tip] Tar\n> It goes on twice, as we decided.\n",
		"a template":         "- Decision: {{what}} goes on twice\n- [ ] Tar the {{boat}} by Friday\n- lesson: <% tp.file.title %> rots\n",
		"a placeholder":      "Decision: [what was decided]\n\nLesson: <what we learned>\n",
		"a label":            "- Decision:\n- **Lessons:**\n\nRule:\n",
		"a question":         "- Decision: does tar go on twice?\n\nLesson: why do ropes rot (in salt)?\n",
		"links":              "- [[Decisions]] | [[Lessons]]\n- Decision: [[Tar goes on twice]]\n",
		"another memory":     "<claude-mem-context>\n# Recent\n\n- Decision: Tar goes on twice\n- [ ] Tar the hull by Friday\n</claude-mem-context>\n",
		"another memory too": "<!-- BEGIN team-memory -->\n- Decision: Tar goes on twice\n<!-- END team-memory -->\n",
		"a query":            "```dataview\nTASK FROM #boat\n- Decision: Tar goes on twice\n```\n",
	} {
		for _, text := range []string{text, strings.ReplaceAll(text, "\n", "\r\n")} {
			for _, opts := range []Options{{Day: day}, {}, {Kept: true}} {
				f := Parse([]byte("# Boat\n\n"+text+"\n- rule: Oil comes last\n"), opts)
				if len(f.Outcomes) > 0 || len(f.Bullets) != 1 || f.Bullets[0].Title != "Oil comes last" {
					t.Errorf("%s in %+v: %+v %+v", name, opts, f.Outcomes, f.Bullets)
				}
			}
		}
	}
}

// What another memory tool wrote as a whole says nothing of its own.
func TestFilesOfMemoryTools(t *testing.T) {
	const text = "# Boat\n\n## [10:00] decision: Tar goes on twice\n\n- Lesson: ropes rot in salt\n- [ ] Tar the hull by 2026-03-09\n\nuser: Never oil the mast.\nassistant: Noted.\nuser: Always tar twice.\n"
	for front, of := range map[string]bool{
		"source: claude-mem\n":              true,
		"type: decision\ntool: Mem0 (v2)\n": true,
		"observation_id: 17\n":              true,
		"claude_mem_session: s\n":           true,
		"source: a talk with Zeppo\n":       false,
		"topic: mem0\n":                     false,
	} {
		for _, opts := range []Options{{Day: day}, {}, {Kept: true}} {
			f := Parse([]byte("---\n"+front+"---\n"+text), opts)
			if isOf := len(f.Outcomes)+len(f.Bullets) == 0; isOf != of || len(f.Sections) == 0 {
				t.Errorf("%q in %+v: %+v %+v %+v", front, opts, f.Outcomes, f.Bullets, f.Sections)
			}
		}
	}
}

func TestDrawingsAndBoards(t *testing.T) {
	const text = "## Backlog\n\n- [ ] Decision: Tar goes on twice\n- [ ] Tar the hull @{2026-03-09}\n- Lesson: ropes rot in salt\n"
	for front, want := range map[string]string{
		"kanban-plugin: board":      "open Tar the hull | 2026-03-09",
		"excalidraw-plugin: parsed": "",
	} {
		for _, opts := range []Options{{Day: day}, {}} {
			if got := tasks("---\n"+front+"\n---\n\n"+text, opts); got != want {
				t.Errorf("%s: %q, want %q", front, got, want)
			}
		}
	}
}

func TestFoldersOfForeignTexts(t *testing.T) {
	for file, want := range map[string]bool{
		"skills/boats/SKILL.md": true, "4 Templates/meeting.md": true, "3 Resources/Clippings/ropes.md": true,
		"areas/boat/skills.md": false, "4 Articles/ropes.md": false, "knowledge/projects/boat/ropes.md": false,
	} {
		if got := IsForeign(file); got != want {
			t.Errorf("%s: %v", file, got)
		}
	}
}

// A heading of a time and a sign is none of an outcome; its list is read by itself.
func TestHeadingOfATimeAndASign(t *testing.T) {
	f := Parse([]byte("# Beats\n\n## 08:04 💓\n\n- lag 60 s\n- Lesson: ropes rot in salt\n\n## 09:04\n\nThe pump stood still.\n"), Options{Day: day})
	if len(f.Outcomes) != 1 || f.Outcomes[0].Time != "09:04" || len(f.Bullets) != 1 || f.Bullets[0].Kind != "lesson" || len(f.Problems) > 0 {
		t.Errorf("%+v %+v %v", f.Outcomes, f.Bullets, f.Problems)
	}
}

// A label counts at the beginning of a line of a paragraph.
func TestLabelsInAParagraph(t *testing.T) {
	const text = "# Day\n\nWeather: fog\nMood: calm\nDecided: the mast stays white\n"
	if got, want := tasks(text, Options{Day: day}), "decision the mast stays white"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A callout with a kind in its title, or as its type, is a labelled statement.
func TestCallouts(t *testing.T) {
	for text, want := range map[string]string{
		"> [!important] Lesson\n> Ropes rot in salt.\n> Use hemp.\n":  "lesson Ropes rot in salt.",
		"> [!warning]- Rule: Oil comes last\n":                        "preference Oil comes last",
		"> [!decision]\n> Tar goes on twice\n":                        "decision Tar goes on twice",
		"> [!Decision] Tar goes on twice\n> because it rots\n":        "decision Tar goes on twice",
		"Some text\n> [!tip] Key decision\n> Tar goes on twice\nmore": "decision Key decision: Tar goes on twice",
		"> [!question] Decision\n> Does tar go on twice?\n":           "",
		"> [!note] Ropes\n> Use hemp.\n":                              "",
	} {
		for _, opts := range []Options{{Day: day}, {}} {
			if got := tasks("# Boat\n\n"+text, opts); got != want {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
		}
	}
}

// A kind in a heading counts as the whole heading or its last word, in notes and in files of
// the owner's own statements.
func TestHeadingsOfAKind(t *testing.T) {
	for heading, want := range map[string]bool{
		"Lessons learned": true, "💡 Lessons:": true, "Boat rules (2026)": true, "Lektionen": true,
		"Lessons from Rome": false, "Decision log": false, "Not decided": false, "Noch nicht entschieden": false, "How we made the decision to buy the boat": false, "Rules: the game": false,
	} {
		text := "# Boat\n\n## " + heading + "\n\n- Oil comes after the tar\n"
		for _, opts := range []Options{{Day: day}, {Kept: true}} {
			if got := len(Parse([]byte(text), opts).Bullets) == 1; got != want {
				t.Errorf("%q in %+v is read: %v, want %v", heading, opts, got, want)
			}
		}
		if f := Parse([]byte(text), Options{}); len(f.Bullets) > 0 {
			t.Errorf("%q in a page: %+v", heading, f.Bullets)
		}
	}
}
