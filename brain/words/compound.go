package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// nameAt returns the word for a name with a sign that begins at i, and the end of the name:
// cpp for C++, csharp for C#, astar for A*, dotnet for .NET. The end is 0 if there is none.
// One letter may have the sign, except the words "a" and "i" (i++).
func nameAt(text string, i int) (word string, end int) {
	rest := text[i:]
	switch c := rest[0] | 0x20; {
	case rest[0] == '.' && len(rest) > 3 && strings.EqualFold(rest[1:4], "net"):
		word, end = "dotnet", i+4
	case len(rest) < 2 || !letter(c):
		return "", 0
	case c == 'a' && rest[1] == '*':
		word, end = "astar", i+2
	case c == 'a', c == 'i':
		return "", 0
	case rest[1] == '#':
		word, end = string(c)+"sharp", i+2
	case strings.HasPrefix(rest[1:], "++"):
		word, end = string(c)+"pp", i+3
	case c == 'o' && len(rest) >= len(objectiveC) && strings.EqualFold(rest[:len(objectiveC)], objectiveC):
		word, end = "objective objectivec", i+len(objectiveC)
	default:
		return "", 0
	}
	before, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(text[:i], unicode.IsMark))
	after, _ := utf8.DecodeRuneInString(text[end:])
	if inWord(before) || before == '*' || inWord(after) && !unicode.IsDigit(after) && !apostrophe(after) || strings.ContainsRune("*+#", after) {
		return "", 0
	}
	return word, end
}

// objectiveC is not the language C.
const objectiveC = "objective-c"

// spelled returns a text in lower case with names such as C++ as words.
func spelled(text string) string {
	if !strings.Contains(text, "++") && !strings.Contains(text, "#") && !strings.Contains(text, ".net") &&
		!strings.Contains(text, "a*") && !strings.Contains(text, objectiveC) {
		return text
	}
	var b strings.Builder
	written := 0
	for i := 0; i < len(text); i++ {
		if word, end := nameAt(text, i); end > 0 {
			b.WriteString(text[written:i])
			b.WriteString(word)
			b.WriteByte(' ')
			i, written = end-1, end
		}
	}
	b.WriteString(text[written:])
	return b.String()
}

const (
	mostParts    = 3 // of a compound that is written as one word, too: up-to-date
	shortestType = 2 // letters of the second part of a name with a full stop: node.js, socket.io
	longestType  = 3
)

// compoundAt returns the end of the compound whose first part begins at i, 0 if there is none:
// two or three parts with hyphens between them (pi-hole), or two with a full stop if the second
// has two or three letters (node.js). The first begins with a letter.
func compoundAt(text string, i int) (end int) {
	first, _ := utf8.DecodeRuneInString(text[i:])
	end = partEnd(text, i)
	sign, n := link(text[end:])
	if !unicode.IsLetter(first) || end == i || n == 0 || continues(text[:i], sign) {
		return 0
	}
	parts, last := 1, i
	for {
		next, size := link(text[end:])
		if size == 0 || next != sign || partEnd(text, end+size) == end+size {
			break
		}
		last, end, parts = end+size, partEnd(text, end+size), parts+1
	}
	switch {
	case parts == 1, parts > mostParts, end-i > maxRunes:
		return 0
	case sign == '.' && (parts > 2 || end-last < shortestType || end-last > longestType || !letters(strings.ToLower(text[last:end]))):
		return 0
	}
	return end
}

// continues reports whether a text ends with a part of a compound and this sign.
func continues(text string, sign byte) bool {
	r, n := utf8.DecodeLastRuneInString(text)
	if kind, _ := link(string(r)); kind != sign {
		return false
	}
	r, _ = utf8.DecodeLastRuneInString(strings.TrimRightFunc(text[:len(text)-n], unicode.IsMark))
	return inPart(r)
}

// link returns the sign between two parts that s begins with, and its length: a full stop or a
// hyphen.
func link(s string) (sign byte, n int) {
	switch {
	case s == "":
		return 0, 0
	case s[0] == '-', s[0] == '.':
		return s[0], 1
	case strings.HasPrefix(s, "\u2010"), strings.HasPrefix(s, "\u2011"):
		return '-', len("\u2010")
	}
	return 0, 0
}

// partEnd returns the end of the part of a compound that contains i.
func partEnd(text string, i int) int {
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !inPart(r) {
			break
		}
		i += n
	}
	return i
}

// inPart reports whether r is a letter or digit of a script that is written with blanks.
func inPart(r rune) bool {
	if r < utf8.RuneSelf {
		return alphanumeric(byte(r)) || 'A' <= r && r <= 'Z'
	}
	return (wordRune(lower(r)) || unicode.IsMark(r)) && !unspaced(r)
}

// compounds adds the compounds of a chunk in lower case as one word each.
func (s *scanner) compounds(chunk string) {
	for i := 0; i < len(chunk); {
		end := partEnd(chunk, i)
		if r, n := utf8.DecodeRuneInString(chunk[i:]); end == i || unicode.IsMark(r) { // a mark of what is before the part
			i += n
			continue
		}
		if whole := compoundAt(chunk, i); whole > 0 {
			s.compound(chunk[i:whole])
		}
		i = end
	}
}

// compound adds a compound as one word.
func (s *scanner) compound(text string) {
	parts := strings.FieldsFunc(text, func(r rune) bool { _, n := link(string(r)); return n > 0 })
	word := s.folder.fold([]byte(strings.Join(parts, "")))
	if !stopWord(word) {
		s.emit(termOf(word), whole)
	}
	if len(parts) == 2 && parts[1] == "net" && len(s.folder.fold([]byte(parts[0]))) <= len("asp") { // not a domain
		s.emit("dotnet", whole)
	}
}

// signed reports whether a folded word stands for a name with a sign, such as cpp for C++. Similar
// words mean other things, so none stands in for it.
func signed(word string) bool {
	return word == "astar" || word == "dotnet" || word == "objectivec" || len(word) == len("csharp") && strings.HasSuffix(word, "sharp")
}
