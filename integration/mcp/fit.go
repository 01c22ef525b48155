package mcp

import (
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
)

// maxAnswer is how many characters the answer of a memory tool has at most:
// agents cut what is longer.
const maxAnswer = 10_000

// fitted is a recollection that fits. What does not is counted as held back, as
// what is over the budget; a text that is too long by itself is cut.
func fitted(found brain.Recollection) (answer, error) {
	if found.HeldBack == nil {
		found.HeldBack = map[string]int{}
	}
	for i := range found.Results {
		m := &found.Results[i].Memory
		m.Content = cutContent(m.Content, maxAnswer/2)
	}
	for {
		out, err := document(found, nil)
		if err != nil || utf8.RuneCountInString(out.text) <= maxAnswer || len(found.Results) <= 1 {
			return out, err
		}
		found.Results = found.Results[:len(found.Results)-1]
		found.HeldBack["overBudget"]++
	}
}

// cutContent is at most n characters of a text, and a line that says how many
// are left.
func cutContent(text string, n int) string {
	total := utf8.RuneCountInString(text)
	if total <= n {
		return text
	}
	return fmt.Sprintf("%s\n[… %d more characters; `brainbridge show ID` prints all of them]", string([]rune(text)[:n]), total-n)
}

func sortedNames(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
