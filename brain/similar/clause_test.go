package similar

import "testing"

func TestGermanNounsAreNotNames(t *testing.T) {
	for text, name := range map[string]bool{
		"Die Abgabe ist am Montag":   false,
		"Die Übergabe ist am Montag": false,
		"Die API ist am Montag":      true,
	} {
		if first := ClaimOf(text, "").items[0]; first.name != name {
			t.Errorf("%q: %s is a name: %v", text, first.text, first.name)
		}
	}
}
