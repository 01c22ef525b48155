package exchange

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"pgregory.net/rapid"
)

// misreadAs is what a text looks like when its UTF-8 is taken for c.
func misreadAs(c *charmap.Charmap, text string) string {
	var out strings.Builder
	for i := range len(text) {
		out.WriteRune(shown(c, text[i]))
	}
	return out.String()
}

func encodings() map[string]*charmap.Charmap {
	return map[string]*charmap.Charmap{"Windows-1252": charmap.Windows1252, "MacRoman": charmap.Macintosh}
}

func TestRepairMendsWhatWasMisread(t *testing.T) {
	for name, c := range map[string]struct{ misread, want string }{
		"an emoji as MacRoman":                     {"## [14:30] \uf8ffüî∑ decision: x", "## [14:30] 🔷 decision: x"},
		"an emoji whose first byte a program lost": {"## [14:30] üî∑ decision: x", "## [14:30] 🔷 decision: x"},
		"an arrow":                         {"a ‚Üí b", "a → b"},
		"an apostrophe as MacRoman":        {"it‚Äôs", "it’s"},
		"an apostrophe as Windows-1252":    {"itâ€™s", "it’s"},
		"an emoji as Windows-1252":         {"ðŸ”· decision", "🔷 decision"},
		"an accent":                        {"cafÃ©", "café"},
		"an accent beside correct text":    {"café — cafÃ©", "café — café"},
		"twice over":                       {"cafÃƒÂ©", "café"},
		"a warning sign with its selector": {"‚ö†Ô∏è issue", "⚠️ issue"},
		"a tick":                           {"âœ… done", "✅ done"},
		"a byte that is no UTF-8":          {"caf\xe9", "café"},
		"each of two words as another":     {"cafÃ© and doesn‚Äôt", "café and doesn’t"},
		"one sign both ways in one line":   {"cafÃ© ‚Äô and â€™", "café ’ and ’"},
		"both ways without a gap":          {"cafÃ©‚Äôs", "café’s"},
		"both ways, beside correct text":   {"déjà vu: cafÃ© ‚Üí cafÃ©, it‚Äôs", "déjà vu: café → café, it’s"},
		"both ways on two lines":           {"cafÃ©\n‚Äî and √©", "café\n— and é"},
		"an emoji twice as MacRoman":       {misreadAs(charmap.Macintosh, misreadAs(charmap.Macintosh, "🔷 x")), "🔷 x"},
		"quotation marks twice over":       {misreadAs(charmap.Windows1252, misreadAs(charmap.Windows1252, "“é”")), "“é”"},
		"first as one, then as the other":  {misreadAs(charmap.Macintosh, misreadAs(charmap.Windows1252, "“café”")), "“café”"},
		"a tilde that stands on no letter": {"irmÃ£ e mÃ£e", "irmã e mãe"},
		"a letter and its accent apart":    {"√© cafeÃÅ", "é cafe\u0301"},
	} {
		t.Run(name, func(t *testing.T) {
			if got, n := Repair(c.misread); got != c.want || n == 0 {
				t.Errorf("%q became %q (%d), want %q", c.misread, got, n, c.want)
			}
		})
	}
}

// honest is correct text of many languages, with what comes close to a misread.
func honest() []string {
	return []string{
		"Ã alone, and AMANHÃ.", "“AMANHÃ”", "AMANHÃ… AMANHÔ…", "A manhã começa às 8. Não há “pão”. IRMÃ\u00a0: sim",
		"L’été à la plage, «été», —était-il là ?", "“école” ‘être’ ‚école‘ l’âme d’Émile… À\u00a0bientôt\u00a0!",
		"Spaß” und „Öl“, „Äpfel“, »GRÜẞE« »Ü«, ‚über‘ STRAßE… GROß”", "Größe: 5 °C, 3 m², 10 € – 20 £",
		"√π ≈ 1.77, ¬∞, ≈π, ≈£100, ∆≈∂, √∑", "Él dijo: —Él, —¿Qué? «Ñandú» ÑÑ", "„Ästhetik“ – „Üb’ immer Treu’“",
		"PÅ”, “PÅ”, blåbær, Å…, ÆØÅ»", "öö, jäääär, kuuuurija, „öö“, süvaüöö, püüüe, süüüü", "Zażółć gęślą jaźń „łódź” ŻÓŁĆ”",
		"Příliš žluťoučký kůň „úpěl“ ďábelské ódy. ČŠŽ…", "Привет, «мир» – это «Я»…", "Ελληνικά: «καλημέρα»… Ώ”",
		"日本語のテキスト、「括弧」…", "中文“引号”，标点……", "한국어 텍스트", "שלום ”עולם”", "مرحبا بالعالم…", "ไทยภาษา", "हिन्दी में",
		"🔷 decision ⚠️ issue ✅ done 👩‍👩‍👧 family 🇩🇪", "© 2026 Acme™ ® ½ × ÷ ‰ † ‡ • ¶ §", "İstanbul’da ÜÇ “ğüşıöç”, Ş”", "Bună “ziua” â” — mâine țară, â…",
		"Đây là “tiếng Việt”, Ở ‘Ấ’ â”", "TÃ MÃ, “NÃO”, GIÃ…, VÃI", "Nguyễn Thị Ánh: “Ủa, ấy à?” ÂU Ê Ô", "„Ändern‘ und ‚Öl‘, ‚Ä‘ „Ü‘ „ö‘, ‚ß‘",
		"à demain — où ça ? « Ça » ÇÀ ÊTRE Â‘ ÎLE Î” Ô… Û»", "e\u0301te\u0301, A\u0303", "“à”—“é”—‘ü’…‘Ä’", "Ð er íslenskur stafur: “Ð”, ðÞ",
	}
}

func TestRepairLeavesHonestTextAlone(t *testing.T) {
	for _, text := range honest() {
		if got, n := Repair(text); got != text || n != 0 {
			t.Errorf("%q became %q (%d)", text, got, n)
		}
	}
	all := strings.Join(honest(), "\n")
	if got, _ := Repair(all); got != all {
		t.Error("all of them together change")
	}
}

// Words of honest text in any order are honest text.
func TestRepairLeavesAnyMixtureAlone(t *testing.T) {
	words := strings.Fields(strings.Join(honest(), " "))
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom(words)).Draw(t, "words"), rapid.SampledFrom([]string{" ", "\n", ", "}).Draw(t, "between"))
		if got, _ := Repair(text); got != text {
			t.Fatalf("%q became %q", text, got)
		}
	})
}

// A text with an emoji or two and accents comes back from either misreading.
func TestRepairUndoesAMisreading(t *testing.T) {
	pieces := []string{
		"🔷", "💡", "✅", "→", "’", "“", "”", "–", "…", "é", "è", "ü", "ö", "ä", "ß", "ñ", "ç", "à", "ã", "Ã", "É", "Ü", "ø", "å", "ł", "č", "€", "°", "£",
		"word", " ", " and ", "x = 1", "\n", ".", "Привет", "日本",
	}
	for name, c := range encodings() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				text := "🔷 " + strings.Join(rapid.SliceOf(rapid.SampledFrom(pieces)).Draw(t, "pieces"), "")
				got, _ := Repair(misreadAs(c, text))
				if got != text {
					t.Fatalf("%q\nbecame %q\nfrom   %q", text, got, misreadAs(c, text))
				}
			})
		})
	}
}

// A text whose pieces were misread as one or the other, or not at all, comes
// back where each misread piece can be nothing else.
func TestRepairUndoesBothMisreadingsInOneText(t *testing.T) {
	pieces := []string{"🔷", "💡", "✅", "→", "’", "“", "–", "…", "é", "è", "ü", "ä", "ç", "cafés", "it’s", "naïve"}
	rapid.Check(t, func(t *rapid.T) {
		var want, misread strings.Builder
		for range rapid.IntRange(1, 12).Draw(t, "pieces") {
			piece := rapid.SampledFrom(pieces).Draw(t, "piece")
			between := rapid.SampledFrom([]string{" ", " and ", ".", "\n", "x"}).Draw(t, "between")
			want.WriteString(piece + between)
			switch rapid.IntRange(0, 2).Draw(t, "as") {
			case 0:
				misread.WriteString(misreadAs(charmap.Windows1252, piece) + between)
			case 1:
				misread.WriteString(misreadAs(charmap.Macintosh, piece) + between)
			default:
				misread.WriteString(piece + between)
			}
		}
		if got, _ := Repair(misread.String()); got != want.String() {
			t.Fatalf("%q\nbecame %q\nwant   %q", misread.String(), got, want.String())
		}
	})
}

// sign is one of a text and what it was misread as.
type sign struct{ meant, seen string }

func misreadSigns(t *rapid.T) []sign {
	signs := []string{
		"🔷", "→", "’", "”", "–", "…", "é", "ö", "ß", "ñ", "à", "Ã", "É", "ø", "ł", "€", "°", "£", "П", "р", "日", "本", "word", " ", "\n",
	}
	pieces := make([]sign, rapid.IntRange(0, 12).Draw(t, "pieces"))
	for i := range pieces {
		meant := rapid.SampledFrom(signs).Draw(t, "piece")
		c := rapid.SampledFrom([]*charmap.Charmap{charmap.Windows1252, charmap.Macintosh}).Draw(t, "as")
		pieces[i] = sign{meant: meant, seen: misreadAs(c, meant)}
	}
	return pieces
}

// Where everything is misread, and something surely so as either, all of it
// comes back.
func TestRepairUndoesAnAlternation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want, misread := "🔷 🔷", misreadAs(charmap.Windows1252, "🔷 ")+misreadAs(charmap.Macintosh, "🔷")
		for _, p := range misreadSigns(t) {
			want, misread = want+" "+p.meant, misread+" "+p.seen
		}
		if got, _ := Repair(misread); got != want {
			t.Fatalf("%q\nbecame %q\nwant   %q", misread, got, want)
		}
	})
}

// Without a gap some can be read in more ways than one. Then they stay: each
// piece is what was meant or what stood there.
func TestRepairInventsNothingInAnAlternation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := append([]sign{{"🔷 ", misreadAs(charmap.Windows1252, "🔷 ")}, {"🔷 ", misreadAs(charmap.Macintosh, "🔷 ")}}, misreadSigns(t)...)
		var misread strings.Builder
		for _, p := range pieces {
			misread.WriteString(p.seen)
		}
		got, _ := Repair(misread.String())
		ends := map[int]bool{0: true}
		for _, p := range pieces {
			next := map[int]bool{}
			for at := range ends {
				for _, s := range []string{p.meant, p.seen} {
					if strings.HasPrefix(got[at:], s) {
						next[at+len(s)] = true
					}
				}
			}
			ends = next
		}
		if !ends[len(got)] {
			t.Fatalf("%q\nbecame %q", misread.String(), got)
		}
	})
}

// What makes no sense, or as much sense one way as the other, stays and is not
// counted, also in the midst of what is mended.
func TestRepairNeverGuesses(t *testing.T) {
	for name, c := range map[string]struct {
		text, want string
		mended     int
	}{
		"a mark on no letter":             {"‚Äô Ã∞", "’ Ã∞", 1},
		"a private sign":                  {"√© Ó†Ä", "é Ó†Ä", 1},
		"a control":                       {"cafÃ© Â\u0081", "café Â\u0081", 1},
		"a character that is none":        {"cafÃ© â\u2018\u017e", "café â\u2018\u017e", 1},
		"what both explain, neither sure": {"‚Äô â€™ Ã£", "’ ’ ã", 3},
		"honest signs beside both":        {"„AMANHÃ” – cafÃ© ‚Üí √π", "„AMANHÃ” – café → √π", 2},
	} {
		t.Run(name, func(t *testing.T) {
			if got, n := Repair(c.text); got != c.want || n != c.mended {
				t.Errorf("%q became %q (%d), want %q (%d)", c.text, got, n, c.want, c.mended)
			}
		})
	}
}

func FuzzRepair(f *testing.F) {
	for _, text := range honest() {
		f.Add(text)
		for _, c := range encodings() {
			f.Add(misreadAs(c, text))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, _ := Repair(text)
		if !utf8.ValidString(got) {
			t.Errorf("%q became %q, which is not UTF-8", text, got)
		}
		if isASCII(text) && got != text {
			t.Errorf("ASCII changed: %q became %q", text, got)
		}
	})
}
