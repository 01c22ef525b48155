package lifecycle_test

import (
	"slices"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// A list goes on behind a page that lacks what cannot be read, whatever its caller does to the
// pages.
func TestPagesOfAList(t *testing.T) {
	pages := map[string]string{"": "ab", "b": "c", "c": "def"} // ids by the one that they come after
	got := ""
	for page, err := range lifecycle.Pages(brain.ListFilter{}, func(fs ...brain.ListFilter) (ms []brain.Memory, err error) {
		for _, id := range pages[fs[0].After] {
			ms = append(ms, brain.Memory{ID: string(id)})
		}
		return ms, nil
	}) {
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range page {
			got += m.ID
		}
		_ = slices.DeleteFunc(page, func(brain.Memory) bool { return true })
	}
	if got != "abcdef" {
		t.Errorf("read %s, want abcdef", got)
	}
}
