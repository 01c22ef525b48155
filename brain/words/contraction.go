package words

import "strings"

// contraction adds the words of a folded word with apostrophes. A negation becomes
// the verb and "not", other English endings become a word, and anything else
// (rock'n'roll, l'école) is split.
func (s *scanner) contraction(w string) {
	part, rest, more := strings.Cut(w, "'")
	s.part(part, rest, more)
	for more {
		before := part
		part, rest, more = strings.Cut(rest, "'")
		if part == "t" && strings.HasSuffix(before, "n") {
			s.word("not")
			continue
		}
		if full, ok := ending(before, part); ok {
			part = full
		}
		s.part(part, rest, more)
	}
}

// part adds one part of a contraction, as a verb if "'t" follows.
func (s *scanner) part(part, rest string, more bool) {
	if more && strings.HasSuffix(part, "n") && (rest == "t" || strings.HasPrefix(rest, "t'")) {
		part = verb(part)
	}
	s.letters(part)
}

// verb returns the verb of a negation from the part before "'t": do of don, will of
// won.
func verb(head string) string {
	switch head {
	case "can":
		return head
	case "won":
		return "will"
	case "shan":
		return "shall"
	case "ain":
		return "is"
	}
	return head[:len(head)-1]
}

// ending returns the word for an English ending after an apostrophe, "" for
// possession. After a pronoun, 's is taken for "is" and 'd for "would", though they
// may be "has" and "had".
func ending(before, part string) (full string, ok bool) {
	switch part {
	case "m":
		return "am", true
	case "re":
		return "are", true
	case "ve":
		return "have", true
	case "ll":
		return "will", true
	case "s", "d":
		switch {
		case part == "s" && before == "let":
			return "us", true
		case !pronoun(before):
			return "", true
		case part == "d":
			return "would", true
		}
		return "is", true
	}
	return "", false
}

// pronoun reports whether a word is a pronoun, or stands for one in a question.
func pronoun(word string) bool {
	switch word {
	case "i", "you", "he", "she", "it", "we", "they", "that", "there", "here", "what", "who", "where", "how", "why", "when":
		return true
	}
	return false
}
