package plaintext

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// shortName is the minimum length in letters of a name that may have two errors, and
// shortPrefix the minimum length of a prefix that stands for a name, which counts as
// prefixErrors.
const (
	shortName    = 5
	shortPrefix  = 3
	prefixErrors = 1.5
)

// Nearest returns the names that are nearest to a mistyped one, in their order: the name
// itself, or those with the fewest errors, at most one or, for longer names, two. An error
// is a letter that is added, missing, different or swapped with a neighbour. A name that
// begins with the typed word, or is a prefix of it, comes after those with one error and
// before those with two.
func Nearest(typed string, names []string) (near []string) {
	fewest := prefixErrors
	if utf8.RuneCountInString(typed) >= shortName {
		fewest = 2
	}
	for _, name := range names {
		n := edits([]rune(strings.ToLower(typed)), []rune(strings.ToLower(name)))
		if n > fewest {
			continue
		}
		if n < fewest {
			near, fewest = nil, n
		}
		near = append(near, name)
	}
	return near
}

// edits returns the number of errors between two names.
func edits(a, b []rune) float64 {
	most := math.Inf(1)
	if n := min(len(a), len(b)); n >= shortPrefix && string(a[:n]) == string(b[:n]) && !slices.Contains(a, ' ') {
		most = prefixErrors
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		for j := range rows[i] {
			switch {
			case i == 0 || j == 0:
				rows[i][j] = i + j
				continue
			case a[i-1] == b[j-1]:
				rows[i][j] = rows[i-1][j-1]
			default:
				rows[i][j] = 1 + min(rows[i-1][j], rows[i][j-1], rows[i-1][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return min(float64(rows[len(a)][len(b)]), most)
}
