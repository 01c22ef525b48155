package exchange

import (
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// encoding is one that UTF-8 was taken for.
type encoding int

const (
	asWindows encoding = iota
	asMac
	encodingCount
)

// misread is what UTF-8 looks like that was taken for an encoding.
type misread struct {
	as    encoding
	bytes map[rune]byte // of the characters from 0x80 on
	sure  func(run) bool
	// orphan: a character of four bytes may have lost the first, which this
	// encoding shows as something that many programs drop.
	orphan bool
}

// misreads has one for each encoding, in their order.
var misreads = sync.OnceValue(func() []misread {
	return []misread{
		{as: asWindows, bytes: upperHalf(charmap.Windows1252), sure: sureWindows},
		{as: asMac, bytes: upperHalf(charmap.Macintosh), sure: sureMac, orphan: true},
	}
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
	from, to int    // in the runes of the line
	seen     []rune // what stands there
	meant    rune
	before   rune // what stands before it and behind it, 0 at the ends of a line
	after    rune
	as       encoding
	inRow    bool // another run of the encoding touches it
	orphan   bool // its first byte is lost
	sure     bool // it can be nothing else
	disputed bool // the two encodings by turns explain what it stands in otherwise
}

// runAt reads the run that begins at a rune. It does not ask whether what is
// meant makes sense there.
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
	r := run{from: i, to: i + n, seen: runes[i : i+n], meant: meant, as: m.as, orphan: orphan}
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
