package words_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain/words"
)

// A finder finds the terms where Terms has them. The texts have stop words, irregular
// forms, contractions and scripts without blanks.
func TestFinderFindsTerms(t *testing.T) {
	word := rapid.OneOf(
		rapid.SampledFrom([]string{
			"bought", "buys", "went", "go", "isn't", "cannot", "the", "of", "Größe", "groesse", "東京都", "京都", "🚀", "dark_mode",
			"lying", "lie", "dying", "writing", "wrote", "l'école", "O'Brien's", "C++", "5433", "willing",
		}),
		rapid.StringMatching(`[a-z]{1,6}(ing|ed|s|ly)?`),
	)
	rapid.Check(t, func(t *rapid.T) {
		text := ""
		for _, w := range rapid.SliceOfN(word, 0, 30).Draw(t, "text") {
			text += w + " "
		}
		terms := words.Parse(word.Draw(t, "first") + " " + word.Draw(t, "second")).Terms
		if len(terms) == 0 {
			return
		}
		var got, want []string
		last := -1
		length := words.NewFinder(terms).Find(text, func(term, place int) {
			got = append(got, terms[term])
			if place <= last {
				t.Fatalf("place %d after %d", place, last)
			}
			last = place
		})
		for _, term := range words.Terms(text) {
			if slices.Contains(terms, term) {
				want = append(want, term)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("found %v of %v in %q, want %v", got, terms, text, want)
		}
		if last >= length || length > len(words.Terms(text)) {
			t.Fatalf("%d places, the last is %d", length, last)
		}
	})
}

// Places count the words between, and no stop words.
func TestPlacesOfAFinder(t *testing.T) {
	var places []int
	length := words.NewFinder([]string{"port", "stage"}).Find("The staging of it is moved to another port", func(_, place int) {
		places = append(places, place)
	})
	if want := []int{0, 3}; !slices.Equal(places, want) || length != 4 {
		t.Errorf("places %v of %d, want %v of 4", places, length, want)
	}
}
