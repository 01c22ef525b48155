// Package statement says in one line what a memory says, and makes and reads the lines
// of a context.
package statement

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// The longest texts of one memory in a context, in characters.
const (
	maxTitle  = 180
	maxReason = 140
)

// Statement is what a memory says in one line.
type Statement struct {
	Title  string // complete without the rest
	Reason string // the rest of the first sentences, as it follows the title; may be empty
}

// String returns the title and the reason.
func (s Statement) String() string { return s.Title + s.Reason }

// Key returns the words of the title without articles: the same for the same statement.
func (s Statement) Key() string {
	return strings.Join(slices.DeleteFunc(words.Terms(s.Title), isArticle), " ")
}

func isArticle(word string) bool {
	switch word {
	case "a", "an", "the", "der", "die", "das", "ein", "eine":
		return true
	}
	return false
}

// Of returns the statement of a memory: its name if that is one, else its first sentence.
// Of an outcome in a daily note only its own prose counts.
func Of(m *brain.Memory) Statement {
	m = withOwnProse(m)
	name, text := Said(m)
	text = firstParagraph(text)
	if saysNothing(name) {
		if name = ""; !saysNothing(description(m.Content)) {
			text = cmp.Or(markdown.Plain(description(m.Content)), text)
		}
	}
	full := strings.TrimSuffix(name, plaintext.Ellipsis)
	before, after, repeated := cutName(text, full)
	if _, said, ok := strings.Cut(full, dailynote.SubjectSeparator); ok && !repeated && strings.HasPrefix(text, said) {
		before, after, repeated = "", text[len(said):], true
	}
	if repeated && name != "" && (before == "" || full != name) {
		text, name = full+after, ""
	}
	question, _, shortened := strings.Cut(full, plaintext.Ellipsis)
	sentence := plaintext.FirstSentence(text)
	next := plaintext.FirstSentence(strings.TrimSpace(text[len(sentence):]))
	switch {
	case name == "":
		return withReason(sentence, next)
	case strings.HasPrefix(name, strings.TrimRight(sentence, ". ")), // an option and what limits it
		shortened && strings.HasPrefix(text, question): // and its answer
		return withReason(name, "")
	case repeated && (isLabel(before) || !isSubject(m, name)):
		after = plaintext.FirstSentence(after)
		s := withReason(name, strings.TrimLeft(after, " ,;:."))
		if !isReason(strings.TrimSpace(after)) {
			s.Reason = strings.TrimRight(plaintext.Shorten(after, maxReason), ". ") // as it was said
		}
		return s
	case isSubject(m, name) && !isReason(sentence):
		return withReason(name+": "+sentence, next)
	}
	return withReason(name, sentence)
}

// withOwnProse returns an outcome of a daily note with only its own prose, other memories as they are.
func withOwnProse(m *brain.Memory) *brain.Memory {
	day := dailynote.DayOf(path.Base(m.Group))
	if day == "" {
		return m
	}
	own := *m
	own.Content = dailynote.OwnProse(m.Content, day)
	switch {
	case m.GivenName() != "":
	case own.Content == "":
		return m
	default:
		own.Name = brain.NameOf(own.Content)
	}
	return &own
}

// cutName is strings.Cut around a name, which may begin in lower case in the text.
func cutName(text, name string) (before, after string, found bool) {
	if before, after, found = strings.Cut(text, name); found {
		return before, after, true
	}
	first, size := utf8.DecodeRuneInString(name)
	return strings.Cut(text, string(unicode.ToLower(first))+name[size:])
}

// isLabel reports whether a text is a label: "Entscheidung:", "[fact]" or an emoji.
func isLabel(text string) bool {
	const longest = 40
	text = strings.TrimRight(text, " *_")
	named := strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：") || strings.HasSuffix(text, "]")
	return text != "" && len(text) <= longest && (named || !strings.ContainsFunc(text, unicode.IsLetter))
}

// isSubject reports whether a name says nothing without the text below it.
func isSubject(m *brain.Memory, name string) bool {
	const shortest = 4 // words of a statement
	return m.Entity || m.MemoryType == "learning" || m.MemoryType == "crystallization" ||
		m.GivenName() == "" || strings.Count(name, " ")+1 < shortest
}

func withReason(title, reason string) Statement {
	s := Statement{Title: plaintext.Shorten(strings.TrimRight(title, ". "), maxTitle)}
	reason = strings.TrimRight(plaintext.Shorten(reason, maxReason), ". ")
	switch {
	case reason == "":
	case isReason(reason):
		s.Reason = ", " + strings.ToLower(reason[:1]) + reason[1:]
	case strings.HasSuffix(title, "?"): // it answers a question
		s.Reason = " " + reason
	case strings.Contains(title, ": "), strings.HasSuffix(title, "."):
		s.Reason = ". " + reason
	default:
		s.Reason = ": " + reason
	}
	return s
}

// isReason reports whether a text continues the sentence before it with a reason.
func isReason(text string) bool {
	first, _, _ := strings.Cut(strings.ToLower(text), " ")
	switch first {
	case "because", "since", "so", "as", "instead", "after", "weil", "damit", "statt":
		return true
	}
	return false
}

const saidBytes = 2000 // of a content that are read for what it says

// Said returns the name of a memory and the beginning of its text, both without a label
// that repeats the kind, a date in front and the marks of Markdown. The name is the one
// that the memory was given, else the title on the first line of its content; "" if it
// has none. The text of an entity is its observations.
func Said(m *brain.Memory) (name, text string) {
	if m.Entity {
		return m.Name, markdown.Plain(strings.Join(m.Observations, "; "))
	}
	content := strings.TrimSpace(plaintext.Clip(WithoutContext(m.Content), saidBytes))
	name = m.GivenName()
	if name == "" {
		line, rest, _ := strings.Cut(content, "\n")
		if level, _ := markdown.Heading(line); level > 0 || strings.HasPrefix(rest, "\n") && isTitle(line) {
			if rest = strings.TrimSpace(rest); rest != "" {
				name, content = line, rest
			}
		}
	}
	return strings.TrimRight(plaintext.OneLine(withoutMarks(m.MemoryType, name)), ".: "), withoutMarks(m.MemoryType, content)
}

// WithoutContext returns a text without the heading in brackets at the end of a bullet.
func WithoutContext(content string) string {
	if i := strings.LastIndex(content, "\n\n("); i > 0 && strings.HasSuffix(content, ")") && !strings.Contains(content[i+2:], "\n") {
		return content[:i]
	}
	return content
}

// isTitle reports whether a line above a paragraph can be the title of it.
func isTitle(line string) bool {
	line = strings.TrimRight(line, " \r*_")
	return len(line) <= maxTitle && !strings.HasSuffix(line, ".") && !strings.HasSuffix(line, "!") && !strings.HasSuffix(line, "?")
}

// isKind reports whether a label is the kind of a memory, in any language.
func isKind(label, kind string) bool {
	return strings.EqualFold(label, kind) || dailynote.KindOf(label) == kind && kind != ""
}

// withoutMarks returns a plain text without the headings, the marks, the date and the label of
// the kind at its beginning. A heading alone stays.
func withoutMarks(kind, text string) string {
	text = markdown.Plain(text)
	for before := ""; before != text; {
		before = text
		text = strings.TrimPrefix(strings.TrimSpace(text), "> ")
		line, rest, _ := strings.Cut(text, "\n")
		if level, heading := markdown.Heading(line); level > 0 {
			text = cmp.Or(strings.TrimSpace(rest), heading)
		}
		if item, ok := markdown.ParseItem(text); ok && !item.Ordered {
			text = text[item.Text:]
		}
		text = withoutDate(text)
		if label, after, ok := strings.Cut(text, ":"); ok && after != "" && isKind(strings.TrimSpace(label), kind) {
			text = after
		}
	}
	return text
}

// withoutDate returns a text without the date that is set apart at its beginning.
func withoutDate(text string) string {
	day := moment.LeadingDay(text)
	if day == "" {
		return text
	}
	rest := strings.TrimLeft(text[len(day):], " ")
	for _, mark := range []string{":", "- ", "– ", "— "} {
		if after, ok := strings.CutPrefix(rest, mark); ok && strings.TrimSpace(after) != "" {
			return after
		}
	}
	return text
}

// firstParagraph returns the first paragraph in one line, without marks of a quote.
func firstParagraph(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line)+" ", "> "))
		if line == "" {
			break
		}
		lines = append(lines, line)
	}
	return plaintext.OneLine(strings.Join(lines, " "))
}
