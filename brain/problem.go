package brain

import (
	"cmp"
	"slices"
)

// Problem is something in a file that a person should check.
type Problem struct {
	File    string `json:"file"` // relative to the folder that was read
	Line    int    `json:"line"` // 0 if it concerns the whole file
	Message string `json:"message"`
}

// SortProblems sorts by file, line and message.
func SortProblems(all []Problem) {
	slices.SortStableFunc(all, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Message, b.Message))
	})
}
