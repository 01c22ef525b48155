package dailynote

import (
	"strings"
	"testing"
)

const day = "2026-02-05"

func parseDayNote(t *testing.T, text string) File {
	t.Helper()
	return Parse([]byte(text), Options{Day: day})
}

// one parses a text that must hold exactly one outcome.
func one(t *testing.T, text string) Outcome {
	t.Helper()
	f := parseDayNote(t, text)
	if len(f.Outcomes) != 1 {
		t.Fatalf("%q holds %d outcomes, want 1: %+v", text, len(f.Outcomes), f)
	}
	return f.Outcomes[0]
}

func TestHeaderIsTolerant(t *testing.T) {
	tests := []struct{ header, time, typ, title, importance string }{
		{"## [14:30] 🔷 decision: Use SQLite", "14:30", "decision", "Use SQLite", Reference},
		{"## [14:30:59] 🔷 decision: Use SQLite", "14:30:59", "decision", "Use SQLite", Reference},
		{"## [9:05] issue: Early", "09:05", "issue", "Early", Reference},
		{"## [14:30 CET] 🔷 decision: T", "14:30", "decision", "T", Reference},
		{"## [14:30 Europe/Berlin] decision: T", "14:30", "decision", "T", Reference},
		{"## [14:30:01 +02:00] decision: T", "14:30:01", "decision", "T", Reference},
		{"##\t[14:30]\t🔷\tdecision:\tTabs", "14:30", "decision", "Tabs", Reference},
		{"   ## [14:30] decision: Indented by three", "14:30", "decision", "Indented by three", Reference},

		{"## [14:30] 🔷 [CRITICAL] decision: T", "14:30", "decision", "T", Critical},
		{"## [14:30] 🔷 [important] decision: T", "14:30", "decision", "T", Important},
		{"## [14:30] [Reference] decision: error", "14:30", "decision", "error", Reference},
		{"## [14:30] [CRITICAL] 🔷 T", "14:30", "decision", "T", Critical},
		{"## [14:30] [CRITICAL] server down", "14:30", "note", "server down", Critical},
		{"## [14:30] [WIP] decision: T", "14:30", "note", "[WIP] decision: T", Important},

		{"## [14:30] DECISION: T", "14:30", "decision", "T", Reference},
		{"## [14:30] Action-Item_2: T", "14:30", "action-item_2", "T", Reference},
		{"## [14:30] success: T", "14:30", "resolution", "T", Reference},
		{"## [14:30] ✅ Success: T", "14:30", "resolution", "T", Reference},

		{"## [14:30] 🔷 T", "14:30", "decision", "T", Reference},
		{"## [14:30] ⚙️ T", "14:30", "implementation", "T", Reference},
		{"## [14:30] ⚙ T", "14:30", "implementation", "T", Reference},
		{"## [14:30] 🔍 T", "14:30", "discovery", "T", Reference},
		{"## [14:30] ⚠️ T", "14:30", "issue", "T", Reference},
		{"## [14:30] ⚠\ufe0e T", "14:30", "issue", "T", Reference},
		{"## [14:30] ✅ T", "14:30", "resolution", "T", Reference},
		{"## [14:30] 💡T", "14:30", "lesson", "T", Reference},
		{"## [14:30] 📝 T", "14:30", "note", "T", Reference},
		{"## [14:30] 👩🏽\u200d💻🔷 T", "14:30", "decision", "T", Reference},
		{"## [14:30] 1\ufe0f\u20e3 decision: T", "14:30", "decision", "T", Reference},
		{"## [14:30] 🎉 party: T", "14:30", "party", "T", Reference},

		{"## [14:30] decision: Quote {{name}} and <%", "14:30", "decision", "Quote {{name}} and <%", Reference},
		{"## [14:30] Just a line", "14:30", "note", "Just a line", Reference},
		{"## [14:30] 🎉 Just a line", "14:30", "note", "🎉 Just a line", Reference},
		{"## [14:30] 🎉 [IMPORTANT] a line", "14:30", "note", "🎉 a line", Important},
		{"## [14:30]", "14:30", "note", "", Reference},
		{"## [00:00] lesson:", "00:00", "lesson", "", Reference},
		{"## " + day + " 09:24 decision: T", "09:24", "decision", "T", Reference},
		{"## [" + day + " 09:24] lesson: T", "09:24", "lesson", "T", Reference},
		{"## " + day + "T09:24 lesson: T", "09:24", "lesson", "T", Reference},
		{"### " + day + " – 9 am lesson: T", "09:00", "lesson", "T", Reference},

		{"## [14:30] issue: API: see https://a.example/x?y=1:2", "14:30", "issue", "API: see https://a.example/x?y=1:2", Reference},
		{"## [14:30] https://a.example is down", "14:30", "note", "https://a.example is down", Reference},
		{"## [14:30] 🔷 Two words: the rest", "14:30", "decision", "Two words: the rest", Reference},
		{"## [14:30] lesson: Prefer C# ##", "14:30", "lesson", "Prefer C# ##", Reference},
	}
	for _, tt := range tests {
		o := one(t, tt.header+"\ntext\n")
		if o.Time != tt.time || o.Type != tt.typ || o.Title != tt.title || o.Importance != tt.importance {
			t.Errorf("%q\n got %q %q %q %q\nwant %q %q %q %q", tt.header,
				o.Time, o.Type, o.Title, o.Importance, tt.time, tt.typ, tt.title, tt.importance)
		}
		if o.Heading != tt.header || o.Body != "text\n" || o.Line != 1 || o.Date != day {
			t.Errorf("%q gave heading %q, body %q, line %d, date %q", tt.header, o.Heading, o.Body, o.Line, o.Date)
		}
	}
}

func TestHeadersThatAreNoOutcomes(t *testing.T) {
	tests := []struct {
		header, section string
		reported        bool
	}{
		{"## [25:61] decision: T", "[25:61] decision: T", true},
		{"## [24:00] decision: T", "[24:00] decision: T", true},
		{"## [14:30:60] decision: T", "[14:30:60] decision: T", true},
		{"## [14:30 decision: T", "[14:30 decision: T", true},
		{"## [123:45] T", "[123:45] T", true},
		{"## [1:1 with Bob] T", "[1:1 with Bob] T", false},
		{"## Plain ##", "Plain", false},
		{"# [14:30] decision: T", "[14:30] decision: T", true},
		{"##### [14:30] decision: T", "[14:30] decision: T", true},
		{"## 24:10 lunch", "24:10 lunch", true},
		{"### Tide table — 12:75", "Tide table — 12:75", true},
		{"## 13:20 AM — Ferry", "13:20 AM — Ferry", true},
		{"## 2025-12-31 09:24 decision: T", "2025-12-31 09:24 decision: T", true},
		{"## " + day + " 10 things to do", day + " 10 things to do", false},
		{"## Decision: two masts", "Decision: two masts", false},
		{"## Lesson (10:20): two masts", "Lesson (10:20): two masts", false},
		{"## Lesson:", "Lesson:", false},
		{"## (1:1 with Bob) T", "(1:1 with Bob) T", false},
		{"## Psalm 119:105", "Psalm 119:105", false},
		{"## John 3:16", "John 3:16", false},
		{"## ssh bastion-10:22", "ssh bastion-10:22", false},
		{"## Boats of 1:1 scale", "Boats of 1:1 scale", false},
	}
	for _, tt := range tests {
		f := parseDayNote(t, "# Day\n\n"+tt.header+"\nbody\n")
		if len(f.Outcomes) != 0 || len(f.Sections) != 2 || f.Sections[1].Heading != tt.section || f.Sections[1].Text != "body" {
			t.Errorf("%q was read as %+v", tt.header, f)
			continue
		}
		if tt.reported != (len(f.Problems) == 1) {
			t.Errorf("%q reported %+v", tt.header, f.Problems)
		}
		if tt.reported && f.Problems[0].Line != 3 {
			t.Errorf("%q was reported on line %d, want 3", tt.header, f.Problems[0].Line)
		}
	}
}

// The clock time makes an outcome, in whatever form agents and people write it.
func TestFormsOfTheTime(t *testing.T) {
	for header, want := range map[string]string{
		"### [14:30] lesson: Ropes rot":                 "14:30 lesson Ropes rot",
		"#### 06:15 issue: The pump leaks":              "06:15 issue The pump leaks",
		"## 06:15 The pump leaks":                       "06:15 note The pump leaks",
		"## 🔷 [06:15] The pump stays":                   "06:15 decision The pump stays",
		"## 🕐 06:15 — Harbour closed":                   "06:15 note 🕐 Harbour closed",
		"## 7:05 AM — Kiln is hot":                      "07:05 note Kiln is hot",
		"## 7:05pm: Kiln is cold":                       "19:05 note Kiln is cold",
		"## 12:10 a.m. - Kiln is lit":                   "00:10 note Kiln is lit",
		"## 9 PM Gate locked":                           "21:00 note Gate locked",
		"## [9:40 PM] resolution: Gate open":            "21:40 resolution Gate open",
		"## 04:18 ET — Switches moved":                  "04:18 note Switches moved",
		"## 04:18 API moved":                            "04:18 note API moved",
		"## 04:18 Europe/Oslo | Switches moved":         "04:18 note Switches moved",
		"## 🧭 Way point — 07:44":                        "07:44 note 🧭 Way point",
		"### decision: Two masts, one sail (17:05 UTC)": "17:05 decision Two masts, one sail",
		"## Evening round @ 8:15 PM":                    "20:15 note Evening round",
		"## Low tide 05:55":                             "05:55 note Low tide",
		"## Low tide 5:55 pm":                           "17:55 note Low tide",
		"## Low tide - 5:55":                            "05:55 note Low tide",
		"## Rowing 10:00 – 11:30":                       "10:00 note Rowing",
		"## Tide [05:55:10]":                            "05:55:10 note Tide",
		"## 10:00 – 11:30 Sail makers":                  "10:00 note Sail makers",
		"## [10:00 - 11:30] Sail makers":                "10:00 note Sail makers",
		"## Sail makers, 10:00-11:30":                   "10:00 note Sail makers",
		"## **11:20** — lesson - Hemp holds":            "11:20 lesson Hemp holds",
		"## [11:20] **Decision:** Hemp **holds**":       "11:20 decision Hemp **holds**",
		"## 🔷 **decision**: Hemp holds 17:45":           "17:45 decision Hemp holds",
		"## [11:20] **Hemp** holds: always":             "11:20 note **Hemp** holds: always",
		"## [11:20] idea - Hemp holds":                  "11:20 idea Hemp holds",
		"## [11:20] Decision – Hemp - or nylon: both":   "11:20 decision Hemp - or nylon: both",
		"## 11:20 Rowing - or sailing":                  "11:20 note Rowing - or sailing",
	} {
		o := one(t, "# Day\n\n"+header+"\n\ntext\n")
		if got := o.Time + " " + o.Type + " " + o.Title; got != want || o.Heading != header {
			t.Errorf("%q is %q, want %q", header, got, want)
		}
	}
	o := one(t, "## 04:18 ET — Switches moved\n")
	if got := o.At.Format("15:04"); got != "09:18" {
		t.Errorf("04:18 ET is %s UTC", got)
	}
}

func TestUnknownZoneIsReportedAndReadInTheDaysZone(t *testing.T) {
	f := parseDayNote(t, "## [14:30 Mars/Base] decision: T\n")
	if len(f.Problems) != 1 || !strings.Contains(f.Problems[0].Message, "Mars/Base") {
		t.Fatalf("problems: %+v", f.Problems)
	}
	if got := f.Outcomes[0].At.Format("15:04"); got != "14:30" {
		t.Errorf("read at %s", got)
	}
}

func TestEmojiAndTypeAgree(t *testing.T) {
	for _, typ := range []string{"decision", "implementation", "discovery", "issue", "resolution", "lesson"} {
		if got := emojiType(Emoji(typ)); got != typ {
			t.Errorf("%s is written as %s, which reads as %q", typ, Emoji(typ), got)
		}
	}
	if got := Emoji("preference"); got != "📝" {
		t.Errorf("preference %s", got)
	}
}
