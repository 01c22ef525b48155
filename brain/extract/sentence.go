package extract

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"
)

// mask copies a paragraph for the segmenter, byte for byte as long: line ends
// inside it are blanks, inline code and URLs are codeByte, and the full stops
// of abbreviations are gone, so that none of them ends a sentence.
func mask(buffer []byte, paragraph string) []byte {
	buffer = append(buffer[:0], paragraph...)
	m := buffer
	for i, c := range m {
		if c == '\n' || c == '\r' || c == '\t' {
			m[i] = ' '
		}
	}
	maskCode(m)
	maskURLs(m)
	maskAbbreviations(m)
	return m
}

// maskCode blots out what stands between two backticks.
func maskCode(m []byte) {
	for i := 0; i < len(m); {
		open := bytes.IndexByte(m[i:], '`')
		if open < 0 {
			return
		}
		open += i
		end := bytes.IndexByte(m[open+1:], '`')
		if end < 0 {
			return
		}
		i = open + end + 2
		blankOut(m[open:i])
	}
}

func maskURLs(m []byte) {
	for i := 0; ; {
		at := bytes.Index(m[i:], []byte("://"))
		if at < 0 {
			return
		}
		at += i
		start, end := at, at+3
		for start > 0 && m[start-1]|0x20-'a' < 26 {
			start--
		}
		for end < len(m) && m[end] > ' ' {
			end++
		}
		i = end
		blankOut(m[start : start+len(bytes.TrimRight(m[start:end], ".,;:!?)\"'"))])
	}
}

// blankOut overwrites m with bytes that end no sentence.
func blankOut(m []byte) {
	for i := range m {
		m[i] = codeByte
	}
}

func maskAbbreviations(m []byte) {
	for i := 1; i < len(m)-1; i++ {
		if m[i] == '.' && m[i+1] == ' ' && abbreviation(m[:i]) {
			m[i] = ' '
		}
	}
}

func abbreviation(before []byte) bool {
	start := bytes.LastIndexByte(before, ' ') + 1
	switch strings.ToLower(strings.TrimLeft(string(before[start:min(len(before), start+8)]), "(\"'")) {
	case "e.g", "i.e", "etc", "vs", "approx", "dr", "mr", "mrs", "ms", "prof", "st", "no", "inc", "ltd", "corp", "cf", "resp", "fig", "jr", "sr":
		return true
	}
	return false
}

// eachSentence calls with the bounds of each sentence of a masked paragraph.
func eachSentence(masked []byte, call func(lo, hi int)) {
	if oneSentence(masked) {
		call(0, len(masked))
		return
	}
	segments := sentences.FromBytes(masked)
	for segments.Next() {
		call(segments.Start(), segments.End())
	}
}

// oneSentence reports whether nothing inside can end a sentence, which spares
// the tables of the segmenter.
func oneSentence(masked []byte) bool {
	for i, c := range masked {
		switch {
		case c >= utf8.RuneSelf:
			return false
		case (c == '.' || c == '?' || c == '!') && len(bytes.Trim(masked[i+1:], " .?!")) > 0:
			return false
		}
	}
	return true
}

// trim leaves out blanks, list marks and a heading's signs at both ends.
func trim(text []byte, lo, hi int) (int, int) {
	for lo < hi && strings.IndexByte(" -*+#•>", text[lo]) >= 0 {
		lo++
	}
	for hi > lo && (text[hi-1] == ' ' || text[hi-1] == '*') {
		hi--
	}
	return lo, hi
}
