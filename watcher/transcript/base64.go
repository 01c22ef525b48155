package transcript

// minRun is the length from which bytes of the base64 alphabet in a row are
// taken for base64. Words have blanks and code has brackets; 4 KiB without
// either is nobody's text.
const minRun = 4 << 10

// dropped stands in the text where base64 was.
const dropped = "[base64]"

// stripper collects a line piece by piece and leaves out its base64.
type stripper struct {
	text    []byte
	seen    int  // bytes of text in which no run can begin that is not found yet
	inRun   bool // the run at the end of text was dropped and may go on
	slashes int  // backslashes at the end of the dropped run
}

// add appends a piece.
func (s *stripper) add(piece []byte) {
	if s.inRun {
		n := s.runOn(piece)
		s.countSlashes(piece[:n])
		piece = piece[n:]
		if len(piece) == 0 {
			return
		}
		s.endRun()
	}
	s.text = append(s.text, piece...)
	s.strip()
}

// runOn returns how many bytes of piece go on with the run that was dropped.
func (s *stripper) runOn(piece []byte) int {
	n := 0
	for n < len(piece) && inRunAt(piece, n) && (n > 0 || piece[0] != 'u' || s.slashes == 0) {
		n++
	}
	return n
}

// strip looks for runs by probing: a run of minRun bytes covers every probe
// that is less than minRun away from the one before.
func (s *stripper) strip() {
	for probe := s.seen + minRun - 1; probe < len(s.text); {
		if !inRunAt(s.text, probe) {
			probe += minRun
			continue
		}
		from, to := s.runAround(probe)
		if to-from < minRun {
			probe = to + minRun
			continue
		}
		s.cut(from, to)
		probe = s.seen + minRun - 1
	}
	s.seen = len(s.text)
	for s.seen > 0 && len(s.text)-s.seen < minRun && inRunAt(s.text, s.seen-1) {
		s.seen--
	}
}

func (s *stripper) runAround(i int) (from, to int) {
	for from = i; from > s.seen && inRunAt(s.text, from-1); {
		from--
	}
	for to = i + 1; to < len(s.text) && inRunAt(s.text, to); {
		to++
	}
	return from, to
}

// cut drops a run. At the end of the text it stays open for the next piece.
func (s *stripper) cut(from, to int) {
	s.slashes = 0
	s.countSlashes(s.text[from:to])
	rest := s.text[to:]
	s.text, s.inRun, s.seen = s.text[:from], true, from
	if len(rest) > 0 {
		s.endRun()
		s.text = append(s.text, rest...)
	}
}

// endRun closes the dropped run. A backslash at its end belongs to the byte
// after it.
func (s *stripper) endRun() {
	s.text = append(s.text, dropped...)
	if s.slashes%2 == 1 {
		s.text = append(s.text, '\\')
	}
	s.inRun, s.slashes = false, 0
	s.seen = len(s.text)
}

func (s *stripper) countSlashes(run []byte) {
	n := 0
	for n < len(run) && run[len(run)-1-n] == '\\' {
		n++
	}
	if n < len(run) {
		s.slashes = 0
	}
	s.slashes += n
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
