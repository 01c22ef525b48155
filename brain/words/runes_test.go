package words

import (
	"testing"
	"unicode"
)

// Letters that are taken not to fold must not fold by the rules either.
func TestCommonLettersAreNotFolded(t *testing.T) {
	var f folder
	for r := rune(0x3041); r <= 0xD7A3; r++ {
		if !common(r) {
			continue
		}
		if got := f.foldAny([]byte(string(r))); got != string(r) {
			t.Errorf("%q (%U) folds to %q", r, r, got)
		}
		scripts := unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
		if assigned := unicode.IsLetter(r); assigned && !scripts {
			t.Errorf("%q (%U) is of another script", r, r)
		}
	}
}
