package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// role is the use of a term in a query.
type role uint8

const (
	searched role = iota
	stopped       // a stop or question word
	inner         // one character of a longer run, covered by pairs
	whole         // a compound as one word
)

// scanner collects the terms of a text. The zero value is ready.
type scanner struct {
	terms    []string
	wholes   []string          // the compounds
	roles    []role            // of each term, if wanted
	ranking  bool              // whether roles and typed are wanted
	typed    map[string]string // the words of searched terms that may have stand-ins
	run      []string          // pending characters of a script written without blanks
	piece    []byte            // pending letters and digits, not yet folded
	emoji    []byte
	folder   folder
	segments *words.Iterator[string]
}

// scan adds the terms of text, without markers of secrets.
func (s *scanner) scan(text string) {
	for text != "" {
		before, after := cutMarker(text)
		s.plain(before)
		text = after
	}
}

// plain adds the terms of a text without markers. It works from blank to blank,
// which no word crosses, so that ASCII text needs no segmentation tables.
func (s *scanner) plain(text string) {
	text = spelled(strings.ToLower(text))
	for i := 0; i < len(text); {
		if text[i] <= ' ' {
			i++
			continue
		}
		start, high, linked := i, byte(0), false
		for ; i < len(text) && text[i] > ' '; i++ {
			high |= text[i]
			linked = linked || text[i] == '-' || text[i] == '.'
		}
		if high < utf8.RuneSelf {
			s.ascii(text[start:i])
		} else {
			s.mixed(text[start:i])
		}
		if linked || high >= utf8.RuneSelf && strings.ContainsAny(text[start:i], "\u2010\u2011") {
			s.compounds(text[start:i])
		}
	}
}

// ascii adds the terms of a chunk of ASCII in lower case. As in UAX 29, an
// apostrophe is part of a word between two letters.
func (s *scanner) ascii(c string) {
	for i := 0; i < len(c); {
		if !alphanumeric(c[i]) {
			i++
			continue
		}
		end, joined := runEnd(c, i), false
		for end+1 < len(c) && c[end] == '\'' && letter(c[end-1]) && letter(c[end+1]) {
			end, joined = runEnd(c, end+1), true
		}
		if joined {
			s.contraction(c[i:end])
		} else {
			s.word(c[i:end])
		}
		i = end
	}
}

// mixed adds the terms of a chunk that is not ASCII, by UAX 29.
func (s *scanner) mixed(c string) {
	if !utf8.ValidString(c) {
		c = strings.ToValidUTF8(c, string(utf8.RuneError))
	}
	if s.segments == nil {
		s.segments = words.FromString(c)
	} else {
		s.segments.SetText(c)
	}
	for s.segments.Next() {
		s.segment(s.segments.Value())
	}
	s.endRun()
}

func (s *scanner) segment(seg string) {
	for _, r := range seg {
		switch {
		case wordRune(r), unicode.IsMark(r) && len(s.piece) > 0:
			s.piece = utf8.AppendRune(s.piece, r)
		case apostrophe(r) && len(s.piece) > 0:
			s.piece = append(s.piece, '\'')
		case pictograph(r):
			s.endPiece()
			s.emoji = utf8.AppendRune(s.emoji, r)
		case invisible(r):
		default:
			s.endPiece()
			s.endEmoji()
			s.endRun()
		}
	}
	s.endPiece()
	s.endEmoji()
}

// endPiece folds the pending letters and adds their words.
func (s *scanner) endPiece() {
	if len(s.piece) == 0 {
		return
	}
	w := s.folder.fold(s.piece)
	s.piece = s.piece[:0]
	if strings.IndexByte(w, '\'') >= 0 {
		s.contraction(w)
	} else {
		s.letters(w)
	}
}

func (s *scanner) endEmoji() {
	if len(s.emoji) == 0 {
		return
	}
	s.endRun()
	s.emit(string(s.emoji), searched)
	s.emoji = s.emoji[:0]
}

// contraction adds the words of a folded word with apostrophes. A negation becomes
// the verb and "not", other English endings become a word, and anything else
// (rock'n'roll, l'école) is split.
func (s *scanner) contraction(w string) {
	parts := strings.Split(w, "'")
	for i, part := range parts {
		before := parts[max(0, i-1)]
		switch {
		case strings.HasSuffix(part, "n") && i+1 < len(parts) && parts[i+1] == "t":
			s.letters(verb(part))
		case i == 0:
			s.letters(part)
		case strings.HasSuffix(before, "n") && part == "t":
			s.word("not")
		default:
			s.letters(ending(before, part))
		}
	}
}

// letters adds the words of a folded run, which may have several scripts.
func (s *scanner) letters(w string) {
	for w != "" {
		n := plainPrefix(w)
		if n > 0 {
			s.endRun()
			s.word(w[:n])
		} else {
			n = characterLen(w)
			s.run = append(s.run, w[:n])
		}
		w = w[n:]
	}
}

// endRun adds the pending characters, each followed by its pair with the next.
func (s *scanner) endRun() {
	single := searched
	if len(s.run) > 1 {
		single = inner
	}
	for i, c := range s.run {
		s.emit(c, single)
		if i+1 < len(s.run) {
			s.emit(c+s.run[i+1], searched)
		}
	}
	s.run = s.run[:0]
}

// word adds the term of a folded word; English stop words are terms as they are.
func (s *scanner) word(w string) {
	if w == "cannot" {
		s.word("can")
		s.word("not")
		return
	}
	term, r := w, stopped
	if !stopWord(w) {
		term, r = termOf(w), searched
		if s.ranking && germanStopWord(w) {
			r = stopped
		}
	}
	if s.ranking && r == searched && letters(w) && !signed(w) && (len(term) >= shortestPart || len(w) >= shortestWhole) {
		s.typed[term] = w
	}
	s.emit(term, r)
}

func (s *scanner) emit(term string, r role) {
	if len(term) > maxRunes && utf8.RuneCountInString(term) > maxRunes {
		term = string([]rune(term)[:maxRunes])
	}
	if r == whole {
		s.wholes = append(s.wholes, term)
		return
	}
	s.terms = append(s.terms, term)
	if s.ranking {
		s.roles = append(s.roles, r)
	}
}

// verb returns the verb of a negation from the part before "'t": do of don, will of won.
func verb(head string) string {
	if full, ok := map[string]string{"can": "can", "won": "will", "shan": "shall", "ain": "is"}[head]; ok {
		return full
	}
	return head[:len(head)-1]
}

// ending returns the word for a part of a contraction if it is an English ending, "" for
// possession. After a pronoun, 's is taken for "is" and 'd for "would", though they may be
// "has" and "had".
func ending(before, part string) string {
	full, ok := map[string]string{"m": "am", "re": "are", "ve": "have", "ll": "will", "s": "is", "d": "would"}[part]
	switch {
	case !ok:
		return part
	case part == "s" && before == "let":
		return "us"
	case (part == "s" || part == "d") && !pronoun(before):
		return ""
	}
	return full
}

// pronoun reports whether a word is a pronoun or a question word.
func pronoun(word string) bool {
	switch word {
	case "i", "you", "he", "she", "it", "we", "they", "that", "there", "here", "what", "who", "where", "how", "why", "when":
		return true
	}
	return false
}
