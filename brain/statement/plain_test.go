package statement_test

import (
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/statement"
)

func TestPushedTextIsPlain(t *testing.T) {
	for text, want := range map[string]string{
		"Ask [[People/Mara|Mara]] about [the kiln](https://x.y/z \"t\")":                    "Ask Mara about the kiln",
		"We fire on **Mondays**, *never* on _Sundays_":                                      "We fire on Mondays, never on Sundays",
		"Glaze `snake_case` and `**/*.md` stay, as does __init__":                           "Glaze snake_case and **/*.md stay, as does __init__",
		"2 * 3 * 4 is snake_case_name":                                                      "2 * 3 * 4 is snake_case_name",
		"- [ ] #task Order clay ⏫ 🔁 every month 📅 2026-04-01 ^a1b2":                         "- Order clay",
		"Order clay [priority:: high] #shop/pots #todo":                                     "Order clay",
		"Issue #12 is about C# and #glaze colours":                                          "Issue #12 is about C# and glaze colours",
		"[!important] Keep ==the lid== shut[^2] <!-- really -->":                            "Keep the lid shut",
		"![[kiln.png]] ~~old~~ See <https://x.y>":                                           "kiln.png old See https://x.y",
		"Fire <b>slowly</b>, <span style=\"color: red\">never</span> above 900<br/>degrees": "Fire slowly, never above 900 degrees",
		"`<b>` and List<string>, a <kiln> and 3 < 4 > 2 stay":                               "<b> and List<string>, a <kiln> and 3 < 4 > 2 stay",
		"Nothing to do here": "Nothing to do here",
	} {
		if got := statement.Plain(text); got != want {
			t.Errorf("%q:\n got %q\nwant %q", text, got, want)
		}
	}
}

// A title that says nothing gives way to the description or the first statement.
func TestTitlesThatSayNothing(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"Notes of session 3", "The kiln is fired on Mondays.\n\nMore.", "The kiln is fired on Mondays"},
		{"Session 12", "Long text about it.\n\n(how the kiln is fired)", "how the kiln is fired"},
		{"Untitled 2", "Clay comes from Ostrava.", "Clay comes from Ostrava"},
		{"Daily log – 5 March 2026", "Clay comes from Ostrava.", "Clay comes from Ostrava"},
		{"Session tokens expire", "After an hour they are gone.", "Session tokens expire, after an hour they are gone"},
		{"Notes on glazing", "Ash is fine.", "Notes on glazing: Ash is fine"},
	} {
		m := brain.Memory{Name: c.name, Content: c.content, MemoryType: "note"}
		m.Complete()
		if got := statement.Of(&m).String(); got != c.want {
			t.Errorf("%q says %q, want %q", c.name, got, c.want)
		}
	}
}
