package words_test

import (
	"slices"
	"testing"

	"github.com/brainbridge/brainbridge/brain/words"
)

func TestStandIns(t *testing.T) {
	vocabulary := words.Terms("staging database deployment Bienenwaage Ameisensäure Oxalsäure Passwort lower start Werkstatt receive kubernetes handling useful sharp")
	for _, c := range []struct {
		name, word string
		want       []string
	}{
		{"a letter left out", "stagin", []string{"stage"}},
		{"letters in the other order", "databsae", []string{"databas"}},
		{"a wrong letter", "kubernotes", []string{"kubernet"}},
		{"part of compounds", "Säure", []string{"oxalsaur", "ameisensaur"}},
		{"a compound of a part", "Datenbankpasswort", []string{"passwort"}},
		{"a short part", "Waage", []string{"bienenwaag"}},
		{"a letter left out that changes the stem", "staing", []string{"stage"}},
		{"a letter twice in an ending", "deploymennt", []string{"deploy"}},
		{"a stem of three letters", "useufl", []string{"use"}},
		{"a short word is no typing error", "strt", nil},
		{"a short word is part of a compound", "Werk", []string{"werkstatt"}},
		{"another form", "mishandled", []string{"handl"}},
		{"a name with a sign", "C#", nil},
		{"nothing like it", "giraffe", nil},
		{"the word itself", "deployment", nil},
	} {
		var got []string
		for _, s := range words.StandIns(words.Parse(c.word).Typed[words.Index(c.word)], vocabulary) {
			got = append(got, s.Term)
			if s.Weight < 0.32 || s.Weight > 0.8 {
				t.Errorf("%s: the weight of %s is %v", c.name, s.Term, s.Weight)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: stand-ins of %q are %q, want %q", c.name, c.word, got, c.want)
		}
	}
}
