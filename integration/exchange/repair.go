package exchange

import (
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// maxMisreads is how often a text can have been misread on top of itself.
const maxMisreads = 3

// Repair mends text whose UTF-8 was read as MacRoman ("‚Üí" for →) or as
// Windows-1252 ("â€™" for ’) and stored like that, also more than once over,
// and bytes that are no UTF-8, which are read as Windows-1252. It returns the
// text and how many characters it mended.
//
// A misread character is a run of two to four that stand for the bytes of one
// character. What such a run looks like also occurs in honest text ("MANHÃ”",
// "l’été", "√π"), so a run counts by itself only where it means nothing else;
// the others count in a line, or in a text, in which everything beyond ASCII
// is misread and at least one run means nothing else. So correct text stays as
// it is.
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

// repairOnce undoes one misreading, the one of the two that explains more. With
// whole it does so only where everything beyond ASCII is misread: what has been
// mended once may look misread by chance.
func repairOnce(text string, whole bool) (string, int) {
	if isASCII(text) {
		return text, 0
	}
	windows, inWindows := mend(text, windows1252(), whole)
	mac, inMac := mend(text, macRoman(), whole)
	if inMac > inWindows {
		return mac, inMac
	}
	return windows, inWindows
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// misread is one encoding that UTF-8 was taken for.
type misread struct {
	bytes map[rune]byte // of the characters from 0x80 on
	sure  func(run) bool
	// orphan: a character of four bytes may have lost the first, which this
	// encoding shows as something that many programs drop.
	orphan bool
}

var windows1252 = sync.OnceValue(func() misread {
	return misread{bytes: upperHalf(charmap.Windows1252), sure: sureWindows}
})

var macRoman = sync.OnceValue(func() misread {
	return misread{bytes: upperHalf(charmap.Macintosh), sure: sureMac, orphan: true}
})

func upperHalf(c *charmap.Charmap) map[rune]byte {
	all := make(map[rune]byte, 128)
	for b := 0x80; b <= 0xff; b++ {
		all[shown(c, byte(b))] = byte(b)
	}
	return all
}

// shown is what a byte looks like in an encoding. The five that Windows-1252
// does not define become control characters, as browsers have it.
func shown(c *charmap.Charmap, b byte) rune {
	if r := c.DecodeByte(b); r != utf8.RuneError {
		return r
	}
	return rune(b)
}

// run is a run of characters that stand for the bytes of one.
type run struct {
	from, to int    // in the runes of the text
	seen     []rune // what stands there
	meant    rune
	before   rune // what stands before it and behind it, 0 at the ends of a line
	after    rune
	inRow    bool // another run touches it
	orphan   bool // its first byte is lost
}

// mend replaces the runs of a text that are misread.
func mend(text string, m misread, whole bool) (string, int) {
	lines := strings.SplitAfter(text, "\n")
	parsed := make([]misreadLine, len(lines))
	all, anySure := true, false
	for i, line := range lines {
		parsed[i] = m.parse([]rune(line))
		all = all && parsed[i].whole
		anySure = anySure || parsed[i].sure > 0
	}
	if whole && (!all || !anySure) {
		return text, 0
	}
	var out strings.Builder
	mended := 0
	for i := range parsed {
		fixed, n := parsed[i].mend(all && anySure)
		mended += n
		if n == 0 {
			fixed = lines[i]
		}
		out.WriteString(fixed)
	}
	return out.String(), mended
}

// misreadLine is a line with the runs that it holds.
type misreadLine struct {
	runes []rune
	runs  []run
	isOK  []bool // which runs are sure
	sure  int
	whole bool // everything beyond ASCII is in a run
}

func (m misread) parse(runes []rune) misreadLine {
	l := misreadLine{runes: runes, whole: true}
	for i := 0; i < len(runes); {
		if runes[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, ok := m.runAt(runes, i)
		if !ok {
			l.whole = false
			i++
			continue
		}
		if n := len(l.runs); n > 0 && l.runs[n-1].to == i {
			r.inRow, l.runs[n-1].inRow = true, true
		}
		l.runs = append(l.runs, r)
		i = r.to
	}
	for _, r := range l.runs {
		ok := m.sure(r)
		l.isOK = append(l.isOK, ok)
		if ok {
			l.sure++
		}
	}
	return l
}

// runAt reads the run that begins at a rune.
func (m misread) runAt(runes []rune, i int) (run, bool) {
	first, ok := m.bytes[runes[i]]
	if !ok {
		return run{}, false
	}
	seq, n := []byte{first}, lengthOf(first)
	orphan := m.orphan && first == 0x9f
	if orphan {
		seq, n = []byte{0xf0, first}, 3
	}
	if n == 0 || i+n > len(runes) {
		return run{}, false
	}
	for _, r := range runes[i+1 : i+n] {
		b, ok := m.bytes[r]
		if !ok {
			return run{}, false
		}
		seq = append(seq, b)
	}
	meant, size := utf8.DecodeRune(seq)
	if meant == utf8.RuneError || size != len(seq) {
		return run{}, false
	}
	r := run{from: i, to: i + n, seen: runes[i : i+n], meant: meant, orphan: orphan}
	if i > 0 {
		r.before = runes[i-1]
	}
	if i+n < len(runes) {
		r.after = runes[i+n]
	}
	return r, true
}

// lengthOf is how many bytes a character has that begins with this one, 0
// where none does.
func lengthOf(first byte) int {
	switch {
	case first >= 0xc2 && first <= 0xdf:
		return 2
	case first >= 0xe0 && first <= 0xef:
		return 3
	case first >= 0xf0 && first <= 0xf4:
		return 4
	}
	return 0
}

// mend replaces the sure runs of a line, or all of them where there is nothing
// else beyond ASCII and the line, or the whole text, has a sure one.
func (l misreadLine) mend(sureText bool) (string, int) {
	every := l.whole && (l.sure > 0 || sureText)
	var out strings.Builder
	at, n := 0, 0
	for i, r := range l.runs {
		if !every && !l.isOK[i] {
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
