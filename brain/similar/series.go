package similar

import "strings"

// Pattern is the text with a # for every word that has a digit and for every
// day and month: what the lines of a series, such as "deployed build 1234 to
// staging", have in common. It is "" where there is no such word.
func (t Text) Pattern() string {
	var b strings.Builder
	masked := false
	for word := range strings.SplitSeq(t.normalised, " ") {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		if strings.ContainsAny(word, "0123456789") || allWords().dates[word] {
			word, masked = "#", true
		}
		b.WriteString(word)
	}
	if !masked {
		return ""
	}
	return b.String()
}

// NamedApart reports whether two texts are named after different things: the
// name of each has a word that stands nowhere in the other.
func NamedApart(a, b Text) bool {
	return a.subject != b.subject && misses(understand(a.subject).words, b.said().present) && misses(understand(b.subject).words, a.said().present)
}

// Words are the words of the text that say something, stemmed, each once, in
// their order.
func (t Text) Words() []string { return without(t.said().words, nil) }
