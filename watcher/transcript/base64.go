package transcript

import (
	"bytes"
	"slices"
)

// minRun is the length from which bytes of the base64 alphabet in a row are
// taken for base64. Words have blanks and code has brackets; 4 KiB without
// either is nobody's text.
const minRun = 4 << 10

// dropped stands in the text where base64 was.
const dropped = "[base64]"

// stripper collects a line piece by piece and leaves out its base64. A run of it
// ends before the backslashes at its end: the last may escape the byte after it.
type stripper struct {
	text []byte
	from int  // where the next run may begin
	open bool // base64 from there on belongs to the run that was dropped before it
}

// add appends a piece.
func (s *stripper) add(piece []byte) {
	s.text = append(s.text, piece...)
	s.strip()
}

// strip looks for runs by probing: a run of minRun bytes covers every probe
// that is less than minRun away from the one before.
func (s *stripper) strip() {
	if s.open {
		s.drop(s.from, s.runEnd(s.from), "")
	}
	for probe := s.from + minRun - 1; probe < len(s.text); {
		if !inRunAt(s.text, probe) {
			probe += minRun
			continue
		}
		from := probe
		for from > s.from && inRunAt(s.text, from-1) {
			from--
		}
		to := s.runEnd(probe)
		if len(bytes.TrimRight(s.text[from:to], `\`)) < minRun {
			probe = to + minRun
			continue
		}
		s.drop(from, to, dropped)
		probe = s.from + minRun - 1
	}
	if s.open {
		return
	}
	s.from = len(s.text)
	for s.from > 0 && inRunAt(s.text, s.from-1) {
		s.from--
	}
}

// runEnd returns the index after the run that goes on at i.
func (s *stripper) runEnd(i int) int {
	for i < len(s.text) && inRunAt(s.text, i) {
		i++
	}
	return i
}

// drop puts a mark in the place of a run. At the end of the text the run stays open
// for the next piece.
func (s *stripper) drop(from, to int, mark string) {
	s.open = to == len(s.text)
	run := bytes.TrimRight(s.text[from:to], `\`)
	s.text = slices.Replace(s.text, from, from+len(run), []byte(mark)...)
	s.from = from + len(mark)
}

// inRunAt reports whether the byte at i may belong to base64. The u of an escape
// does not: Chinese or emoji written in escapes would be long runs otherwise.
func inRunAt(text []byte, i int) bool {
	return inAlphabet(text[i]) && (text[i] != 'u' || i == 0 || text[i-1] != '\\')
}

// inAlphabet reports whether c occurs in base64, in its form for URLs, or in the
// escapes of a slash or a line end in between.
func inAlphabet(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
		c == '+' || c == '/' || c == '=' || c == '-' || c == '_' || c == '\\'
}
