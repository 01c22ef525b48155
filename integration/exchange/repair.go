package exchange

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// maxMisreads is how often a text can have been misread on top of itself.
const maxMisreads = 3

// Repair mends text whose UTF-8 was read as MacRoman ("‚Üí" for →) or as
// Windows-1252 ("â€™" for ’) and stored like that, each place by the one that
// it was read as, also more than once over, and bytes that are no UTF-8, which
// are read as Windows-1252. It returns the text and how many characters it
// mended.
//
// A misread character is a run of two to four that stand for the bytes of one
// character. What such a run looks like also occurs in honest text ("MANHÃ”",
// "l’été", "√π"), so a run counts by itself only where it means nothing else;
// the others count in a line, or in a text, in which everything beyond ASCII
// is misread and at least one run of the same encoding means nothing else. So
// correct text stays as it is, and so does what both encodings explain, or
// neither.
func Repair(text string) (string, int) {
	text, mended := fromBytes(text)
	for i := range maxMisreads {
		next, n := repairOnce(text, i > 0)
		if n == 0 {
			break
		}
		text, mended = next, mended+n
	}
	return text, mended
}

// fromBytes reads bytes that are no UTF-8 as Windows-1252.
func fromBytes(text string) (string, int) {
	if utf8.ValidString(text) {
		return text, 0
	}
	var out strings.Builder
	n := 0
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && size == 1 {
			n++
			r = shown(charmap.Windows1252, text[0])
		}
		out.WriteRune(r)
		text = text[size:]
	}
	return out.String(), n
}

// repairOnce undoes one misreading, of either encoding. With whole it does so
// only where everything beyond ASCII is misread: what has been mended once may
// look misread by chance.
func repairOnce(text string, whole bool) (string, int) {
	if isASCII(text) {
		return text, 0
	}
	lines := strings.SplitAfter(text, "\n")
	parsed := make([]misreadLine, len(lines))
	all, inText := true, sureIn{}
	for i, line := range lines {
		parsed[i] = parseLine([]rune(line))
		all = all && parsed[i].whole
		inText = inText.or(parsed[i].sure)
	}
	if whole && !all {
		return text, 0
	}
	both := inText[asWindows] && inText[asMac]
	if !all {
		inText = sureIn{}
	}
	var out strings.Builder
	mended := 0
	for i, l := range parsed {
		fixed, n := l.mend(inText, both)
		if n == 0 {
			fixed = lines[i]
		}
		mended += n
		out.WriteString(fixed)
	}
	return out.String(), mended
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// sureIn tells of which encodings a line or a text holds sure runs.
type sureIn [encodingCount]bool

func (s sureIn) or(other sureIn) sureIn {
	for i := range s {
		s[i] = s[i] || other[i]
	}
	return s
}

// misreadLine is a line with the runs that it holds.
type misreadLine struct {
	runes []rune
	runs  []run
	sure  sureIn
	whole bool // everything beyond ASCII is in a run
}

// parseLine reads each stretch beyond ASCII of a line by itself.
func parseLine(runes []rune) misreadLine {
	l := misreadLine{runes: runes, whole: true}
	for from := 0; from < len(runes); {
		to := from
		for to < len(runes) && runes[to] >= utf8.RuneSelf {
			to++
		}
		if to == from {
			from++
			continue
		}
		found, whole := stretch{runes: runes, from: from, to: to}.read()
		l.runs = append(l.runs, found...)
		l.whole = l.whole && whole
		from = to
	}
	for _, r := range l.runs {
		l.sure[r.as] = l.sure[r.as] || r.sure
	}
	return l
}

// mend replaces the sure runs of a line. Where there is nothing else beyond
// ASCII it also replaces the others, of the encodings that the line, or the
// whole text, has sure runs of; in a text that holds both not those that are
// disputed between them.
func (l misreadLine) mend(inText sureIn, both bool) (string, int) {
	trusted := sureIn{}
	if l.whole {
		trusted = l.sure.or(inText)
	}
	var out strings.Builder
	at, n := 0, 0
	for _, r := range l.runs {
		if !r.sure && (!trusted[r.as] || both && r.disputed) {
			continue
		}
		out.WriteString(string(l.runes[at:r.from]))
		out.WriteRune(r.meant)
		at = r.to
		n++
	}
	out.WriteString(string(l.runes[at:]))
	return out.String(), n
}
