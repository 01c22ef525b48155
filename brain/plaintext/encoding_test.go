package plaintext_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// misreadAs is what a text looks like when its UTF-8 is taken for c.
func misreadAs(c *charmap.Charmap, text string) string {
	var out strings.Builder
	for i := range len(text) {
		if r := c.DecodeByte(text[i]); r != utf8.RuneError {
			out.WriteRune(r)
		} else {
			out.WriteRune(rune(text[i]))
		}
	}
	return out.String()
}

func encodings() map[string]*charmap.Charmap {
	return map[string]*charmap.Charmap{"Windows-1252": charmap.Windows1252, "MacRoman": charmap.Macintosh}
}

func TestRepairRestoresWhatWasMisread(t *testing.T) {
	for name, c := range map[string]struct{ misread, want string }{
		"an emoji as MacRoman":                     {"## [14:30] \uf8ffüî∑ decision: x", "## [14:30] 🔷 decision: x"},
		"an emoji whose first byte a program lost": {"## [14:30] üî∑ decision: x", "## [14:30] 🔷 decision: x"},
		"an arrow":                         {"a ‚Üí b", "a → b"},
		"an apostrophe as MacRoman":        {"it‚Äôs", "it’s"},
		"an apostrophe as Windows-1252":    {"itâ€™s", "it’s"},
		"an emoji as Windows-1252":         {"ðŸ”· decision", "🔷 decision"},
		"an accent":                        {"cafÃ©", "café"},
		"twice over":                       {"cafÃƒÂ©", "café"},
		"a warning sign with its selector": {"‚ö†Ô∏è issue", "⚠️ issue"},
		"a tick":                           {"âœ… done", "✅ done"},
		"a byte that is not UTF-8":         {"caf\xe9", "café"},
		"an emoji twice as MacRoman":       {misreadAs(charmap.Macintosh, misreadAs(charmap.Macintosh, "🔷 x")), "🔷 x"},
		"quotation marks twice over":       {misreadAs(charmap.Windows1252, misreadAs(charmap.Windows1252, "“é”")), "“é”"},
		"first as one, then as the other":  {misreadAs(charmap.Macintosh, misreadAs(charmap.Windows1252, "“café”")), "“café”"},
	} {
		t.Run(name, func(t *testing.T) {
			if got, n := plaintext.Repair(c.misread); got != c.want || n == 0 {
				t.Errorf("%q became %q (%d), want %q", c.misread, got, n, c.want)
			}
		})
	}
}

// A text of which a part is not misread stays as it is.
func TestRepairLeavesATextThatIsPartlyMisread(t *testing.T) {
	for _, text := range []string{"café — cafÃ©", "cafÃ© and doesn‚Äôt", "déjà vu: cafÃ©\nit‚Äôs"} {
		if got, n := plaintext.Repair(text); got != text || n != 0 {
			t.Errorf("%q became %q (%d)", text, got, n)
		}
	}
}

// honest is correct text of many languages, with what comes close to a misread.
func honest() []string {
	return []string{
		"Ã alone, and AMANHÃ.", "“AMANHÃ”, não", "A manhã começa às 8. Não há “pão”. IRMÃ\u00a0: sim",
		"L’été à la plage, «été», —était-il là ?", "“école” ‘être’ ‚école‘ l’âme d’Émile… À\u00a0bientôt\u00a0!",
		"Spaß” und „Öl“, „Äpfel“, »GRÜẞE« »Ü«, ‚über‘ STRAßE… GROß”", "Größe: 5 °C, 3 m², 10 € – 20 £",
		"√π ≈ 1.77, ¬∞, ≈π, ≈£100, ∆≈∂, √∑", "Él dijo: —Él, —¿Qué? «Ñandú» ÑÑ", "Zażółć gęślą jaźń „łódź” ŻÓŁĆ”",
		"Příliš žluťoučký kůň „úpěl“ ďábelské ódy. ČŠŽ…", "Привет, «мир» – это «Я»…", "Ελληνικά: «καλημέρα»… Ώ”",
		"日本語のテキスト、「括弧」…", "中文“引号”，标点……", "한국어 텍스트", "שלום ”עולם”", "مرحبا بالعالم…", "ไทยภาษา", "हिन्दी में",
		"🔷 decision ⚠️ issue ✅ done 👩‍👩‍👧 family 🇩🇪", "© 2026 Acme™ ® ½ × ÷ ‰ † ‡ • ¶ §",
	}
}

func TestRepairLeavesHonestTextAlone(t *testing.T) {
	for _, text := range append(honest(), strings.Join(honest(), "\n")) {
		if got, n := plaintext.Repair(text); got != text || n != 0 {
			t.Errorf("%q became %q (%d)", text, got, n)
		}
	}
}

// A text with an emoji and anything else comes back from either misreading.
func TestRepairUndoesAMisreading(t *testing.T) {
	pieces := []string{
		"🔷", "💡", "✅", "→", "’", "“", "”", "–", "…", "é", "è", "ü", "ö", "ä", "ß", "ñ", "ç", "à", "ã", "É", "Ü", "ø", "å", "ł", "č", "€", "°", "£",
		"word", " ", " and ", "x = 1", "\n", ".", "Привет", "日本",
	}
	for name, c := range encodings() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				text := "🔷 " + strings.Join(rapid.SliceOf(rapid.SampledFrom(pieces)).Draw(t, "pieces"), "")
				got, _ := plaintext.Repair(misreadAs(c, text))
				if got != text {
					t.Fatalf("%q\nbecame %q\nfrom   %q", text, got, misreadAs(c, text))
				}
			})
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
		got, n := plaintext.Repair(text)
		if !utf8.ValidString(got) {
			t.Errorf("%q became %q, which is not UTF-8", text, got)
		}
		if n == 0 && got != text {
			t.Errorf("%q became %q, and nothing was counted", text, got)
		}
	})
}
