package minilm

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sort"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxWord is the number of characters of the longest word that is split into pieces.
const maxWord = 100

// vocabulary is the list of word pieces. Pieces that continue a word begin with "##".
type vocabulary struct {
	ends, ids, text             []byte
	longest                     int // bytes of the longest piece
	unknown, first, last, count int // ids of [UNK], [CLS] and [SEP]; number of pieces
}

// newVocabulary returns the vocabulary in the three sections of a file, after checking that
// look-ups stay inside them.
func newVocabulary(ends, ids, text []byte) (vocabulary, error) {
	v := vocabulary{ends: ends, ids: ids, text: text, count: len(ids) / 2}
	begin := 0
	for i := range v.count {
		end := int(binary.LittleEndian.Uint32(ends[4*i:]))
		if end < begin || end > len(text) || int(binary.LittleEndian.Uint16(ids[2*i:])) >= v.count {
			return v, fmt.Errorf("%w: its vocabulary is damaged", ErrFormat)
		}
		v.longest, begin = max(v.longest, end-begin), end
	}
	for name, id := range map[string]*int{"[UNK]": &v.unknown, "[CLS]": &v.first, "[SEP]": &v.last} {
		var ok bool
		if *id, ok = v.id([]byte(name)); !ok {
			return v, fmt.Errorf("%w: its vocabulary lacks %s", ErrFormat, name)
		}
	}
	return v, nil
}

// id returns the id of a piece by binary search.
func (v vocabulary) id(piece []byte) (int, bool) {
	at, found := sort.Find(v.count, func(i int) int {
		begin := uint32(0)
		if i > 0 {
			begin = binary.LittleEndian.Uint32(v.ends[4*i-4:])
		}
		return bytes.Compare(piece, v.text[begin:binary.LittleEndian.Uint32(v.ends[4*i:])])
	})
	if !found {
		return 0, false
	}
	return int(binary.LittleEndian.Uint16(v.ids[2*at:])), true
}

// tokenize returns the ids of the first limit word pieces of a text with the marks of its
// beginning and end, as BERT's uncased tokenizer does: without case, accents and control
// characters, split at blanks and at each punctuation mark and CJK character.
func (v vocabulary) tokenize(text string, limit int) []int {
	ids := []int{v.first}
	word := make([]byte, 0, 64)
	flush := func() {
		if len(word) > 0 {
			ids = v.appendPieces(ids, word)
			word = word[:0]
		}
	}
	var it norm.Iter
	for it.InitString(norm.NFD, text); !it.Done() && len(ids) < limit; {
		for segment := it.Next(); len(segment) > 0; {
			r, size := utf8.DecodeRune(segment)
			segment = segment[size:]
			switch {
			case r == '\t' || r == '\n' || r == '\r':
				flush()
			case r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Mn):
			case unicode.IsSpace(r):
				flush()
			case unicode.IsPunct(r) || r < utf8.RuneSelf && unicode.IsSymbol(r) || isCJK(r):
				flush()
				word = utf8.AppendRune(word, r)
				flush()
			default:
				word = utf8.AppendRune(word, unicode.ToLower(r))
			}
		}
	}
	flush()
	return append(ids, v.last)[:min(len(ids)+1, limit)]
}

// appendPieces appends the ids of the pieces of a word, the longest known one first at each
// place, or that of the unknown word.
func (v vocabulary) appendPieces(ids []int, word []byte) []int {
	if utf8.RuneCount(word) > maxWord {
		return append(ids, v.unknown)
	}
	pieces, mark := ids, ""
	for len(word) > 0 {
		candidate := append([]byte(mark), word...)
		candidate = candidate[:min(len(candidate), v.longest)]
		id, ok := v.id(candidate)
		for !ok {
			if candidate = candidate[:len(candidate)-1]; len(candidate) <= len(mark) {
				return append(ids, v.unknown)
			}
			id, ok = v.id(candidate)
		}
		pieces, word, mark = append(pieces, id), word[len(candidate)-len(mark):], "##"
	}
	return pieces
}

// isCJK reports whether r is a word by itself in the published tokenizer, which leaves out the
// first characters of the block at 2B820.
func isCJK(r rune) bool {
	for _, block := range [][2]rune{
		{0x4E00, 0x9FFF},
		{0x3400, 0x4DBF},
		{0x20000, 0x2A6DF},
		{0x2A700, 0x2B73F},
		{0x2B740, 0x2B81F},
		{0x2B920, 0x2CEAF},
		{0xF900, 0xFAFF},
		{0x2F800, 0x2FA1F},
	} {
		if block[0] <= r && r <= block[1] {
			return true
		}
	}
	return false
}
