package dailynote

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

const channelTalk = "# Session: 2026-03-12 08:44:11 UTC\n\n- **Session Key**: agent:main:main\n- **Source**: webchat\n\n## Conversation Summary\n\n" +
	"assistant: Decision: I would move the kettle.\n\n- Lesson: kettles are hot things\n- important: a bug in the lid\n" +
	"user: Conversation info (untrusted metadata):\n```json\n{\"sender\": \"Ada\"}\n```\n\n[Sun 2026-03-12 20:25 UTC] Never put the kettle near the window.\n" +
	"assistant: Understood, Ada.\n## Plan\n- [ ] move the kettle\nuser: System: [2026-03-12 15:51:40 GMT+8] Exec failed, always retry it.\nWe decided to buy a copper pot instead of a steel one.\n"

func TestConversationsInNotes(t *testing.T) {
	for name, test := range map[string]struct {
		text    string
		day     string
		is      bool
		bullets []string // LINE KIND TEXT
	}{
		"of a channel":     {channelTalk, "2026-03-12", true, []string{"17 preference Never put the kettle near the window.", "22 decision We decided to buy a copper pot instead of a steel one."}},
		"outside the days": {channelTalk, "", true, []string{"17 preference Never put the kettle near the window.", "22 decision We decided to buy a copper pot instead of a steel one."}},
		"in bold type": {
			"# Talk about tea\n\n**User:** Always warm the cups first.\n\n**Assistant:** Yes. Rule: pour slowly\n\n**User:** Thanks.\n", "2026-03-12", true,
			[]string{"3 preference Always warm the cups first."},
		},
		"with headings": {
			"## 🧑 User\n\nAlways warm the cups first.\n\n## 🤖 Assistant (10:04)\n\nDecision: cups are warmed\n\n## 🧑 User\n\nThanks.\n", "", true,
			[]string{"3 preference Always warm the cups first."},
		},
		"an accepted offer": {"user: Which pot?\nassistant: Shall I take the copper pot or the steel pot?\nuser: the copper pot\n", "", true, nil},
		"with memories of another tool": {
			"user: <relevant-memories>\n- [decision:global] Never brew with rain water\n\nAlways brew at dawn.\n</relevant-memories>\nNever leave the lid open.\nassistant: Noted.\nuser: Thanks.\n", "", true,
			[]string{"6 preference Never leave the lid open."},
		},
		"an outcome behind it": {
			"user: Warm the cups.\nassistant: Decision: done so far\n\n## [14:30] decision: Tea at four\nWith milk.\n\n- Lesson: milk first is wrong\n", "2026-03-12", false,
			[]string{"7 lesson Lesson: milk first is wrong"},
		},
		"in a part of a note": {
			"# Tea\n\n" + strings.Repeat("The tea came late and we waited. ", 20) + "\n\n## Talk\n\nuser: Never boil it twice.\nassistant: Decision: boiled once\nuser: Thanks.\n\n## Afterwards\n\n- Lesson: tea needs time\n", "2026-03-12", false,
			[]string{"7 preference Never boil it twice.", "13 lesson Lesson: tea needs time"},
		},
		"behind it": {
			"# Session\n\nuser: Never boil it twice.\nassistant: Plan\n## Steps\n- Lesson: of the agent\nuser: Thanks.\n\n## Afterwards\n\n- Lesson: tea needs time\n- [ ] buy tea\n", "2026-03-12", true,
			[]string{"3 preference Never boil it twice.", "11 lesson Lesson: tea needs time", "12 reminder buy tea"},
		},
		"not the head of a page": {
			"# Session\n\n**User:** Ada\n**Assistant:** Claude\n\n## Decisions\n\n- decision: tea at four\n- [ ] buy tea\n", "2026-03-12", false,
			[]string{"8 decision decision: tea at four", "9 reminder buy tea"},
		},
		"not a form":             {"user: admin\npassword: none\n\n- decision: the form stays\n", "2026-03-12", false, []string{"4 decision decision: the form stays"}},
		"not a sample":           {"# Prompts\n\n" + strings.Repeat("A long explanation of how prompts are written. ", 20) + "\n\n- Lesson: samples help the model\n\nuser: hi\nassistant: hello\n", "", false, []string{"5 lesson Lesson: samples help the model"}},
		"not in a fence":         {"```\nuser: hi\nassistant: hello\n```\n\n- Lesson: fences are no talk\n", "", false, []string{"6 lesson Lesson: fences are no talk"}},
		"not a page about roles": {"# Roles\n\n## User\n\nDecision: the user reads\n\n## Assistant\n\nDecision: the assistant writes\n", "", false, []string{"5 decision Decision: the user reads", "9 decision Decision: the assistant writes"}},
		"not list of roles":      {"- user: may read\n- assistant: may write\n\n- decision: roles stay as they are\n", "2026-03-12", false, []string{"4 decision decision: roles stay as they are"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := Parse([]byte(test.text), Options{Day: test.day, Modified: time.Date(2026, 3, 13, 0, 0, 0, 0, time.UTC)})
			var got []string
			for _, b := range f.Bullets {
				got = append(got, fmt.Sprintf("%d %s %s", b.Line, b.Kind, b.Text))
			}
			if f.Conversation != test.is || !slices.Equal(got, test.bullets) {
				t.Errorf("conversation %v, bullets %q", f.Conversation, got)
			}
		})
	}
}

// Every word of a conversation is still found.
func TestConversationsAreSections(t *testing.T) {
	f := Parse([]byte(channelTalk), Options{Day: "2026-03-12"})
	text, ids := "", map[string]bool{}
	for _, s := range f.Sections {
		text += s.Text + "\n"
		if ids[s.Identity] {
			t.Errorf("the identity of line %d occurs twice", s.Line)
		}
		ids[s.Identity] = true
	}
	for _, words := range []string{"Session Key", "kettles are hot", "near the window", "move the kettle", "copper pot"} {
		if !strings.Contains(text, words) {
			t.Errorf("%q is lost in %q", words, text)
		}
	}
	if len(f.Problems) > 0 {
		t.Errorf("problems: %v", f.Problems)
	}
}
