package similar

import (
	"flag"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain/words"
)

var update = flag.Bool("update", false, "write the stems of the lexicon anew")

// stemsOf returns the words of the lists that have one term, as lexicon_stems.txt has them,
// and of those with a hyphen the first part and the word without it.
func stemsOf(lists string) (lines []string) {
	all := strings.Fields(strings.NewReplacer(",", " ", "|", " ", ":", " ").Replace(lists))
	for _, word := range all {
		if first, second, hyphen := strings.Cut(word, "-"); hyphen && first != "" {
			all = append(all, first, first+second)
		}
	}
	for _, word := range all {
		switch terms := words.Terms(word); {
		case len(terms) != 1 || strings.HasPrefix(word, "#"):
		case terms[0] == word:
			lines = append(lines, word)
		default:
			lines = append(lines, word+" "+terms[0])
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

func TestStems(t *testing.T) {
	lines := stemsOf(lists)
	if *update {
		if err := os.WriteFile("lexicon_stems.txt", []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !reflect.DeepEqual(newLexicon(stems), newLexicon("")) {
		t.Error("the lexicon with stems differs from the one without")
	}
	held, missing := strings.Split(stems, "\n"), 0
	for _, line := range lines {
		if !slices.Contains(held, line) {
			missing++
		}
	}
	if missing > len(lines)/10 {
		t.Errorf("%d of %d stems are missing: go test -run TestStems -update", missing, len(lines))
	}
}

func BenchmarkLexicon(b *testing.B) {
	for b.Loop() {
		newLexicon(stems)
	}
}

func BenchmarkLexiconWithoutStems(b *testing.B) {
	for b.Loop() {
		newLexicon("")
	}
}
