package words_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain/words"
)

func TestTerms(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "", ""},
		{"only punctuation", " \t\n-- !? ... \x00 ", ""},
		{"stop words stay", "to be or not to be", "to be or not to be"},
		{"case and stemming", "Deploys FAILED, running databases", "deploy fail run databas"},
		{"stop words are not stemmed", "does its having", "does its having"},
		{"underscore", "dark_mode __init__", "dark mode init"},
		{"file names", "brain_store.go node.js", "brain store go node js"},
		{"version", "v1.26.8", "v1 26 8"},
		{"numbers", "1,000 3.14 10:30 2026-11-21", "1 000 3 14 10 30 2026 11 21"},
		{"no stemming with digits", "ids 3ds x86ing", "id 3ds x86ing"},
		{"address", "a.b@example.com", "a b exampl com"},
		{"path", "/etc/app/conf.d", "etc app conf d"},
		{
			"query syntax", `a" OR (b* AND c:d) NEAR/2 -e +f ^g ~h {i} [j] \k`,
			"a or b and c d near 2 e f g h i j k",
		},
		{"invalid UTF-8 separates", "ab\xffcd \xc3 e\xf0\x9f", "ab cd e"},
		{"zero bytes separate", "ab\x00cd", "ab cd"},

		{"negation", "don't", "do not"},
		{"negation, capitals", "DON'T Isn't", "do not is not"},
		{"negation, curly", "don’t won’t Café", "do not will not cafe"},
		{"negation, modifier letter", "donʼt", "do not"},
		{"cannot", "cannot can't can not", "can not can not can not"},
		{"irregular", "won't shan't ain't", "will not shall not is not"},
		{"two endings", "couldn't've", "could not have"},
		{"possession", "John's users' it's", "john user it is"},
		{"pronouns", "I'm we're they've she'll he'd let's", "i am we are they have she will he would let us"},
		{"other apostrophes", "rock'n'roll o'clock 'quoted' 1's", "rock n roll o clock quot 1 s"},
		{"elision", "l'école d’été", "l ecol d ete"},
		{"a lone negation", "n't", "not"},

		{"diacritics", "Café naïve Ångström ÉCOLE", "cafe naiv angstrom ecol"},
		{"decomposed", "Cafe\u0301", "cafe"},
		{"letters without decomposition", "ß ẞ ø ł æ œ đ ð þ ħ ŧ ı", "ss ss o l ae oe d d th h t i"},
		{"names", "Łódź Søren Đorđe Æsir", "lodz soren dord asir"},
		{"umlauts", "Größe groesse GRÖSSE Grosse", "gross gross gross gross"},
		{"umlauts written out", "Müller Mueller Züge Zuege Käse Kaese Süden Sueden daß dass", "muller muller zuge zuge kase kase suden suden dass dass"},
		{"no umlauts", "neue Quelle request value values issued queue shoes", "neue quell request valu valu issu queue shoe"},
		{"Turkish capital", "İzmir IZMIR", "izmir izmir"},
		{"Greek final sigma", "Λόγος ΛΟΓΟΣ", "λογοσ λογοσ"},
		{"Cyrillic", "Ёлка Йод", "елка иод"},
		{"Arabic vowels", "مُحَمَّد محمد", "محمد محمد"},
		{"Hebrew points", "שָׁלוֹם", "שלום"},
		{"Devanagari keeps its vowels", "हिन्दी", "हिन्दी"},
		{"full width", "ＡＢＣ１２", "abc12"},
		{"ligature", "ﬁnal", "final"},
		{"a ligature of words with blanks", "ﷺ", "صلىاللهعليهوسلم"},
		{"symbols", "Foo™ ½ 5€ → ─", "foo 5"},
		{"soft hyphen, joiners", "co\u00ADop می\u200cخواهم", "coop میخواهم"},
		{"no-break space", "ab\u00a0cd", "ab cd"},

		{"one character", "猫", "猫"},
		{"pairs", "東京都", "東 東京 京 京都 都"},
		{"mixed scripts, one run", "猫が", "猫 猫が が"},
		{"punctuation ends a run", "猫。犬", "猫 犬"},
		{"blank ends a run", "猫 犬", "猫 犬"},
		{"Latin ends a run", "東GPU京", "東 gpu 京"},
		{"half width kana", "ｶﾞｷ ガキ", "ガ ガキ キ ガ ガキ キ"},
		{"long vowel", "カー", "カ カー ー"},
		{"Hangul", "서울", "서 서울 울"},
		{"Hangul, decomposed", norm.NFD.String("서울"), "서 서울 울"},
		{"Hangul after Latin", "K팝", "k 팝"},
		{"Thai", "สวัส", "ส สวั วั วัส ส"},

		{"emoji", "done✅ 🎉🎉", "done ✅ 🎉 🎉"},
		{"variation selector", "❤️ ❤", "❤ ❤"},
		{"skin tone", "👍🏽👍", "👍 👍"},
		{"joined sequence", "👩🏽\u200d💻👩", "👩💻 👩"},
		{"flags", "🇩🇪🇫🇷", "🇩🇪 🇫🇷"},
		{"keycap", "1️⃣", "1"},
		{"emoji between letters", "a🎉b", "a 🎉 b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := strings.Fields(tt.want)
			if got := words.Terms(tt.text); !slices.Equal(got, want) {
				t.Errorf("Terms(%q) = %q, want %q", tt.text, got, want)
			}
			terms, compounds := words.Split(tt.text)
			if got := strings.Join(slices.Concat(terms, compounds), " "); got != words.Index(tt.text) {
				t.Errorf("Index(%q) = %q, want %q", tt.text, words.Index(tt.text), got)
			}
		})
	}
}

// Names with a sign are different words. A compound also is one word.
func TestNamesAndCompounds(t *testing.T) {
	tests := []struct{ text, terms, compounds string }{
		{"Port it from C to C++, not to C#.", "port it from c to cpp not to csharp", ""},
		{"(C++17) or C#12's records; F#-style; g++", "cpp 17 or csharp 12 s record fsharp style gpp", ""},
		{"C/C++", "c cpp", ""},
		{"“C++”—the", "cpp the", ""},
		{"i++; a++; x.c#L10 /a#b c## c+++", "i a x c l10 a b c c", ""},
		{"# Heading #c and #", "head c and", ""},
		{"an A* search, *plan a*, a*b", "an astar search plan astar a b", ""},
		{".NET 8, .net6, the net", "dotnet 8 dotnet 6 the net", ""},
		{"Objective-C and objective-cost", "object objectivec and object cost", "objectivecost"},
		{"ASP.NET", "asp net", "aspnet dotnet"},
		{"example.net", "exampl net", "examplenet"},
		{"Node.js-based, Socket.IO; brain_store.go", "node js base socket io brain store go", "nodej jsbase socketio storego"},
		{"Pi-hole's e\u2011mails", "pi hole e mail", "pihol email"},
		{"up-to-date state-of-the-art", "up to date state of the art", "uptod"},
		{"utf-8 SHA-256 2026-11-21 3-way", "utf 8 sha 256 2026 11 21 3 way", "utf8 sha256"},
		{"e.g. i.e. 1.26.8 v1.26 a.b.cd", "e g i e 1 26 8 v1 26 a b cd", ""},
		{"--dry-run -x- a--b", "dri run x a b", "dryrun"},
		{"Über-Kunde, Größe-klein", "uber kund gross klein", "uberkund grosseklein"},
		{"in-to", "in to", ""},
		{"東-京 a-東", "東 京 a 東", ""},
		{"f47ac10b-58cc-4372-a567-0e02b2c3d479", "f47ac10b 58cc 4372 a567 0e02b2c3d479", ""},
	}
	for _, tt := range tests {
		terms, compounds := words.Split(tt.text)
		if got := strings.Join(terms, " "); got != tt.terms {
			t.Errorf("terms of %q are %q, want %q", tt.text, got, tt.terms)
		}
		if got := strings.Join(compounds, " "); got != tt.compounds {
			t.Errorf("compounds of %q are %q, want %q", tt.text, got, tt.compounds)
		}
	}
}

func TestTermsAreBounded(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("x", 1<<20),
		strings.Repeat("é", 1<<16),
		"ก" + strings.Repeat("\u0E31", 1<<16),
		"a" + strings.Repeat("'a", 1<<16),
	} {
		for _, term := range words.Terms(text) {
			if n := utf8.RuneCountInString(term); n > 64 {
				t.Fatalf("term of %d runes from %.10q…, want at most 64", n, text)
			}
		}
	}
	long := strings.Repeat("ab", 50)
	if got := words.Terms(long); len(got) != 1 || got[0] != long[:64] {
		t.Errorf("Terms of a word of 100 letters = %q, want its first 64", got)
	}
}

// mixture draws texts from the pieces that the rules are about.
func mixture() *rapid.Generator[string] {
	pieces := []string{
		" ", "\n", "\u00a0", "\u3000", "_", ".", ",", ":", "'", "’", "\"", "“", "”", "-", "*",
		"a", "n't", "'s", "do", "cannot", "The", "running", "É", "e\u0301", "ß", "ı", "1", "26",
		"猫", "が", "ガ", "ｶ", "ﾞ", "\u3099", "서", "\u1100\u1161", "ส", "ั", "हि", "א", "ב\"ג",
		"🎉", "👩", "\u200d", "💻", "🏽", "\ufe0f", "🇩", "🇪", "\u20e3", "\u0301", "\u200b", "\u00ad",
		"½", "ﷺ", "Ⅳ", "™", "++", "#", "net", ".net", "js", "\u2011", "objective-c", "\xff", "\x00", "\U000E0067",
	}
	return rapid.Custom(func(t *rapid.T) string {
		if rapid.IntRange(0, 9).Draw(t, "any") == 0 {
			return rapid.String().Draw(t, "text")
		}
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 30).Draw(t, "pieces"), "")
	})
}

func TestTermsLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := mixture().Draw(t, "text")
		checkTerms(t, text)
		if !utf8.ValidString(text) {
			return
		}
		composed, decomposed := words.Index(norm.NFC.String(text)), words.Index(norm.NFD.String(text))
		if diff := cmp.Diff(composed, decomposed); diff != "" {
			t.Errorf("terms of NFC and NFD differ: %s", diff)
		}
	})
}

func TestMarksBelongToWhatIsBeforeThem(t *testing.T) {
	for _, text := range []string{"がobjective-c", "∄A-A", "῁A*", "É1.net"} {
		if composed, decomposed := words.Index(text), words.Index(norm.NFD.String(text)); composed != decomposed {
			t.Errorf("%s has the terms %q, decomposed %q", text, composed, decomposed)
		}
	}
}

// checkTerms fails unless the promises of Terms and Index hold for text.
func checkTerms(t interface {
	Helper()
	Errorf(string, ...any)
}, text string,
) {
	t.Helper()
	terms := words.Terms(text)
	for _, term := range terms {
		if !plainTerm(term) {
			t.Errorf("Terms(%q) has %q, not a plain term", text, term)
		}
	}
	if again := words.Terms(text); !slices.Equal(terms, again) {
		t.Errorf("Terms(%q) = %q, then %q", text, terms, again)
	}
	_, compounds := words.Split(text)
	for _, c := range compounds {
		if !plainTerm(c) {
			t.Errorf("Split(%q) has %q, not a plain term", text, c)
		}
	}
	if split := strings.Fields(words.Index(text)); !slices.Equal(slices.Concat(terms, compounds), split) {
		t.Errorf("Index(%q) splits to %q, want %q and %q", text, split, terms, compounds)
	}
}

// plainTerm holds for terms that no store can misread.
func plainTerm(term string) bool {
	for _, r := range term {
		symbol := unicode.IsSymbol(r) && r >= 0x2300
		if !unicode.In(r, unicode.L, unicode.N, unicode.M) && !symbol || 'A' <= r && r <= 'Z' {
			// Emoji newer than the tables of Go are unassigned to them.
			if r < 0x1F000 || r > 0x1FAFF {
				return false
			}
		}
	}
	return term != "" && utf8.ValidString(term) && utf8.RuneCountInString(term) <= 64
}

// The fast way for ASCII must cut as the Unicode way does.
func TestAsciiAndUnicodeCutAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		chunk := rapid.StringMatching(`[a-cnstA-C'._:,"0-9+#*-]{0,12}`).Draw(t, "chunk")
		terms, compounds := words.Split(chunk)
		got, sameCompounds := words.Split(chunk + "。猫")
		if !slices.Equal(got, append(terms, "猫")) || !slices.Equal(sameCompounds, compounds) {
			t.Errorf("Split(%q) in Unicode text = %q %q, in ASCII %q %q", chunk, got, sameCompounds, terms, compounds)
		}
	})
}

func TestSubstringOfUnspacedRunIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run := rapid.SliceOfN(rapid.SampledFrom([]rune("東京都猫がガー서울")), 1, 12).Draw(t, "run")
		from := rapid.IntRange(0, len(run)-1).Draw(t, "from")
		to := rapid.IntRange(from+1, len(run)).Draw(t, "to")
		index := " " + words.Index(string(run)) + " "
		part := string(run[from:to])
		if !strings.Contains(index, " "+words.Index(part)+" ") {
			t.Errorf("phrase %q not in %q", part, string(run))
		}
	})
}

func FuzzTerms(f *testing.F) {
	for _, seed := range []string{
		"", "don't dark_mode v1.26.8", "Café 東京都 👩🏽\u200d💻 ﷺ", "\xff'\xc3s n't", "ב\"ג's 🇩🇪🇫",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkTerms(t, text)
	})
}

const note = "We decided not to deploy the consolidation daemon on Fridays because the " +
	"database migration failed twice; Anna's configuration of redis_cache was missing, " +
	"and nobody noticed until customers complained about slow searching on v1.26.8 in production."

func BenchmarkTerms(b *testing.B) {
	for name, text := range map[string]string{
		"ascii":  note,
		"latin":  strings.ReplaceAll(note, "a", "á"),
		"cjk":    strings.Repeat("東京都へ行くことにした。", 8),
		"titled": "redis_cache",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				words.Terms(text)
			}
		})
	}
}

func TestContentLeavesOutWhatSaysNothing(t *testing.T) {
	const text = "What port does the cache use? The cache uses port 6379."
	all := words.Content(text, 0)
	if want := slices.Concat(words.Terms("port cache use"), words.Terms("6379")); !slices.Equal(all, want) {
		t.Errorf("content of %q is %q, want %q", text, all, want)
	}
	if first := words.Content(text, 2); !slices.Equal(first, all[:2]) {
		t.Errorf("the first two are %q of %q", first, all)
	}
}
