package lifecycle_test

import (
	"slices"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// A list goes on behind a page that lacks what cannot be read, whatever its caller does to the
// pages, and it ends where a page brings back the memory that the one before ended with.
func TestPagesOfAList(t *testing.T) {
	for name, c := range map[string]struct {
		pages map[string]string // ids by the one that they come after
		want  string
	}{
		"nothing":                      {map[string]string{}, ""},
		"a page that lacks a memory":   {map[string]string{"": "ab", "b": "c", "c": "def"}, "abcdef"},
		"a memory that was moved back": {map[string]string{"": "ab", "b": "ab"}, "ab"},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			for page, err := range lifecycle.Pages(func(after *brain.Memory) (ms []brain.Memory, err error) {
				last := ""
				if after != nil {
					last = after.ID
				}
				for _, id := range c.pages[last] {
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
			if got != c.want {
				t.Errorf("read %s, want %s", got, c.want)
			}
		})
	}
}
