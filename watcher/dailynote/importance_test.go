package dailynote

import "testing"

func TestImportanceByWords(t *testing.T) {
	tests := []struct{ text, want string }{
		{"a critical thing", Critical},
		{"Blocker", Critical},
		{"BLOCKED by review", Critical},
		{"(error)", Critical},
		{"_bug_ and **broken**", Critical},
		{"failure.", Critical},
		{"error_code is set", Critical},
		{"decision", Important},
		{"we Decided", Important},
		{"an insight, a pattern", Important},
		{"Success!", Important},
		{"important, then an error", Critical},

		{"debug the debugger", Reference},
		{"no errors", Reference},
		{"errors, bugs, failures, decisions", Reference},
		{"patterned", Reference},

		{"no error", Reference},
		{"not critical", Reference},
		{"non-critical", Reference},
		{"without failure", Reference},
		{"never broken", Reference},
		{"this isn't a bug", Reference},
		{"this ISN’T a bug", Reference},
		{"no longer blocked", Reference},
		{"no known critical bug", Reference},
		{"no bug or error", Reference},
		{"hard-wrapped: not\ncritical", Reference},
		{"not important", Reference},

		{"no, an error", Critical},
		{"no. Critical", Critical},
		{"no time left for the bug", Critical},
		{"is it fine? no\n\ncritical", Critical},
		{"- no\n- error", Critical},
		{"no error at first, then an error", Critical},
		{"not critical but important", Important},
		{"don't forget: error", Critical},
		{"", Reference},
	}
	for _, tt := range tests {
		if got := ImportanceOf(tt.text); got != tt.want {
			t.Errorf("%q is %s, want %s", tt.text, got, tt.want)
		}
	}
}

func TestImportanceRules(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"field before bracket", "## [14:30] [CRITICAL] x: T\n**Importance:** reference\nerror\n", Reference},
		{"bracket before words", "## [14:30] [REFERENCE] x: T\nerror\n", Reference},
		{"words of the title", "## [14:30] x: A bug\n", Critical},
		{"words of the body", "## [14:30] x: T\n\nwe saw a pattern\n", Important},
		{"the type is no word", "## [14:30] decision: T\n", Reference},
		{"title and body are apart", "## [14:30] x: is it? no\ncritical\n", Critical},
	}
	for _, tt := range tests {
		if got := one(t, tt.text).Importance; got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestKindOf(t *testing.T) {
	for word, want := range map[string]string{
		"Decision": "decision", "Entscheidungen": "decision", "Lessons": "lesson", "Lessons learned": "lesson", "Präferenz": "preference",
		"PRAEFERENZ": "preference", "Erkenntnis": "lesson", "Aufgabe": "commitment", "Fakt": "fact", "Fehler": "issue", "教训": "lesson",
		"Praferenz": "preference", "leccion": "lesson", "Lösung": "resolution", "LOESUNG": "resolution", "probleme": "issue", "problème": "issue",
		"": "", "Rationale": "", "Status": "", "to decide": "",
		"Commit": "", "Commits": "", "Styling": "", "Personal": "",
	} {
		if got := KindOf(word); got != want {
			t.Errorf("KindOf(%q) is %q, want %q", word, got, want)
		}
	}
}
