package dailynote

import (
	"slices"
	"strings"
	"testing"
)

// One rule says what a statement is, in daily notes and in imports.
func TestStatementsOfListItems(t *testing.T) {
	for text, want := range map[string]string{
		"## Decisions\n\n- Launch on 1 May 2027\n":                                                                                "decision important: Launch on 1 May 2027",
		"- Decision: Invoice monthly, net 30\n":                                                                                   "decision important: Invoice monthly, net 30",
		"- Fact: SSH port 2222\n":                                                                                                 "fact reference: SSH port 2222",
		"- fact: SSH port: 2222\n":                                                                                                "fact reference: SSH port: 2222",
		"- Preference: no calls before 10\n":                                                                                      "preference important: no calls before 10",
		"- Beschlossen: kein Auto mehr, Carsharing ab März\n":                                                                     "decision important: kein Auto mehr, Carsharing ab März",
		"- Merke: der Drucker will A4\n":                                                                                          "lesson reference: der Drucker will A4",
		"## Rules\n\n1. **Never** send emails without asking first.\n":                                                            "preference important: Never send emails without asking first.",
		"## Rules\n\n- ❌ Don't use WhatsApp for work\n":                                                                           "preference important: Don't use WhatsApp for work",
		"## Rules\n\n- ❌ Mails ohne vorherige Rücksprache\n":                                                                      "preference important: ❌ Mails ohne vorherige Rücksprache",
		"## Rules\n\n- ❌ WhatsApp messages about work\n":                                                                          "preference important: ❌ WhatsApp messages about work",
		"## Decisions\n\n- **2026-03-14:** Move the blog to Hugo for good\n":                                                      "decision important: Move the blog to Hugo for good",
		"- Lesson: the error came from Postgres not running\n":                                                                    "lesson reference: the error came from Postgres not running",
		"- **LESSON (14 Feb):** the firewall blocks the loopback\n":                                                               "lesson reference: the firewall blocks the loopback",
		"**Model-Entscheidung:** `base` statt `tiny`\n":                                                                           "decision important: Model-Entscheidung: `base` statt `tiny`",
		"- **Slack rule**: link every ticket\n":                                                                                   "preference important: Slack rule: link every ticket",
		"- The file had a rule: restart the gateway\n":                                                                            "",
		"Found: the cache of the phones keeps the old address.\n":                                                                 "lesson reference: the cache of the phones keeps the old address.",
		"- For new people: there is one model to read and one to write\n":                                                         "",
		"- Ledger: feature complete apart from the queue of refunds\n":                                                            "",
		"- Proposal by Saskia: no limit, queues are worse than fraud\n":                                                           "",
		"- the other ones remain in Leipzig at the hotel\n":                                                                       "",
		"- Open preference: which database do we use\n":                                                                           "",
		"## Process Decisions (11 Feb, \"for good\")\n\n- The cap on open work is removed\n":                                      "decision important: The cap on open work is removed",
		"## Decisions\n\n### Work in progress (since May)\n\nThe reason first, then the rule.\n\n- The cap is removed for good\n": "decision important: Work in progress – The cap is removed for good",
		"## Decisions\n\n### Open questions\n\n- Which database do we use then\n":                                                 "",
		"## Decisions\n\n### Known issues\n\n- The import is slow on NFS\n":                                                       "",
		"## Decisions & lessons\n\n### Monday\n\n- Heartbeat every 30 minutes set up\n":                                           "",
		"# Rules of the house\n\n## Kitchen\n\n- The dishwasher broke down again\n":                                               "",
		"## Notes\n\n**Technical learnings:**\n- The socket listens on port 1999\n\n**Repo:** see the branch of the day\n":        "lesson reference: The socket listens on port 1999",
		"**Context:** the morning post\n**Lesson:** look at the last posts first\n**Impact:** minor\n":                            "lesson reference: look at the last posts first",
		"## Lessons\n\n### 1. Test the start\n\n- It runs once per deploy\n":                                                      "lesson reference: Test the start – It runs once per deploy",
		"## Lessons\n\n**What worked:**\n- Reviews every thirty minutes\n":                                                        "lesson reference: What worked – Reviews every thirty minutes",
		"## Lessons\n\n### The curve\n\n**Time saved:**\n- Found it in 60 minutes\n":                                              "",
		"Context: the morning post\nLesson: look at the last posts first\nImpact: minor\n":                                        "lesson reference: look at the last posts first",
		"- Decision: RETAIN (for now)\n":                                                                                          "",
		"- **Decision:**\n":                                                                                                       "",
		"## Decisions\n\n- Status: done\n":                                                                                        "",
		"Dear all,\nwe meet on the\n5. of May\n":                                                                                  "",
	} {
		for _, opts := range []Options{{Day: "2026-02-05"}, {Kept: true}} {
			var got []string
			for _, b := range Parse([]byte(text), opts).Bullets {
				got = append(got, b.Kind+" "+b.Importance+": "+b.Title)
			}
			if strings.Join(got, "; ") != want {
				t.Errorf("%q with %+v gives %q, want %q", text, opts, got, want)
			}
		}
	}
}

// A list item of a daily note that only has a keyword is found, and hardly ever pushed. In a
// file without headings a paragraph is one too.
func TestKeywordsMakeReferenceNotes(t *testing.T) {
	const text = "- The printer has a bug with A4\n- Debugging took all day long\n  * a PROBLEM of the tray came up\n\nThe other bug is in the paragraph.\n\n" +
		"- is the printer an issue now?\n- run `fixed` and `error` on the host\n"
	const first, second, third = "The printer has a bug with A4", "a PROBLEM of the tray came up", "The other bug is in the paragraph."
	for head, want := range map[string]string{"# Day\n\n": first + "; " + second, "": first + "; " + second + "; " + third} {
		var got []string
		for _, b := range Parse([]byte(head+text), Options{Day: day}).Bullets {
			if got = append(got, b.Title); b.Kind != "note" || b.Importance != Reference {
				t.Errorf("%+v", b)
			}
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("below %q: %q, want %q", head, got, want)
		}
		for _, opts := range []Options{{Quiet: true}, {}} {
			if f := Parse([]byte(head+text), opts); len(f.Bullets) > 0 {
				t.Errorf("with %+v: %+v", opts, f.Bullets)
			}
		}
	}
}

func TestProblemsOfFrontMatter(t *testing.T) {
	for front, want := range map[string]string{
		"title: A\nproject: alpha":        "alpha",
		"project: \"[[Alpha]]\"":          "Alpha",
		"project: [[Alpha]]":              "Alpha",
		"title: [broken":                  "not YAML",
		"a: &a [*a]":                      "not YAML",
		"project: [one, two]":             "several projects",
		"project: ../../etc":              "project in the front matter cannot be read",
		"project: x\ncreated: 2026-13-45": "created in the front matter is not a date",
	} {
		f := Parse([]byte("---\n"+front+"\n---\ntext\n"), Options{})
		if f.Project == want && len(f.Problems) == 0 {
			continue
		}
		if !slices.ContainsFunc(f.Problems, func(p Problem) bool { return p.Line == 1 && strings.Contains(p.Message, want) }) {
			t.Errorf("%q: project %q, problems %+v; want %q", front, f.Project, f.Problems, want)
		}
	}
}

// A label at the beginning of a line counts below a list item too, and with it the lines that follow.
func TestLabelsBelowListItems(t *testing.T) {
	for text, want := range map[string]string{
		"- Tar came\nDecision: we tar twice":                        "decision we tar twice",
		"- Tar came\n  Decision: we tar twice\n  because of rain":   "decision we tar twice",
		"- Tar came\n  **Rule:** no tar in rain\n  Lesson: it rots": "preference no tar in rain, lesson it rots",
		"- [ ] Tar the hull\nTODO: oil the mast":                    "reminder Tar the hull, commitment oil the mast",
		"- [ ] Tar the hull\n  TODO: oil the mast":                  "reminder Tar the hull, commitment oil the mast",
		"- lesson: tar rots wood\n  Decision: we tar twice":         "lesson tar rots wood, decision we tar twice",
		"- [ ] Tar the hull\n  Mood: it is fine":                    "reminder Tar the hull",
		"- lesson: tar rots\n  Decision: oil it\n\n  and sand":      "lesson tar rots, decision oil it",
		"Todo:\n- oil the mast in the rain":                         "",
		"- **15:00** lesson: tar rots wood":                         "15:00 lesson tar rots wood",
		"- **15:00 Lesson:** tar rots wood":                         "15:00 lesson tar rots wood",
		"14:20 decision: tar it twice\n14:30 lesson: tar rots wood": "14:20 decision tar it twice, 14:30 lesson tar rots wood",
		"- **Decision** – tar it twice":                             "decision tar it twice",
		"- Lesson - tar rots wood":                                  "lesson tar rots wood",
		"- Todo — oil the mast":                                     "commitment oil the mast",
		"- Tar – an old rule of the sea":                            "",
		"- Important: the gate has a code":                          "note Important: the gate has a code",
		"- **15 masts** are a lesson for all of us":                 "note 15 masts are a lesson for all of us",
	} {
		for _, head := range []string{"", "## [10:00] T\n\n"} {
			var got []string
			for _, b := range Parse([]byte(head+text), Options{Day: day}).Bullets {
				got = append(got, strings.TrimSpace(b.Time+" "+b.Kind+" "+b.Title))
			}
			if all := strings.Join(got, ", "); all != want && (head == "" || !strings.HasPrefix(want, "note") && strings.HasPrefix(text, "-")) {
				t.Errorf("%q is %q, want %q", head+text, all, want)
			}
		}
	}
}

func TestLabelWithinASentenceIsNone(t *testing.T) {
	for text, want := range map[string]int{
		"The wording follows the rule: never push to main.": 0,
		"One more rule: never push to main.":                1,
		"We talked. Rule: never push to main.":              1,
	} {
		if f := Parse([]byte(text), Options{Day: day}); len(f.Bullets) != want {
			t.Errorf("%q: %+v", text, f.Bullets)
		}
	}
}
