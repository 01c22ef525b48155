package recall

import "testing"

func TestCollectedMaterialIsKnownByItsFolder(t *testing.T) {
	for group, want := range map[string]bool{
		"id/skills/pdf/SKILL.md":        true,
		"id/4 Archive/2023/trip.md":     true,
		"import/vault/Clippings/tea.md": true,
		"id/knowledge/people/ada.md":    true,
		"id/2026-02-05.md":              false,
		"id/areas/archive.md":           false,
		"id/1 Projects/kiln/plan.md":    false,
		"skills/plan.md":                false, // the first part is no folder
		"":                              false,
	} {
		if got := isCollected(group); got != want {
			t.Errorf("%q: %v", group, got)
		}
	}
}
