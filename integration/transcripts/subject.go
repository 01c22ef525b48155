package transcripts

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/brain/words"
)

// subject returns the folder below knowledge/ and the name of the page of an item: for
// a person the name in the quote, for a fact its link. It returns ""
// for none: no page is better than one with a wrong name.
func subject(i extract.Item) (folder, name string) {
	switch i.Kind {
	case extract.Person:
		return "people", properName(i.Quote)
	case extract.Fact:
		return "resources", link(i.Quote)
	}
	return "", ""
}

// maxNameWords is how many words a name has at most.
const maxNameWords = 3

// properName returns the first name in a sentence: up to three capitalized words in a
// row. The first word of a sentence counts only if a verb after it shows that it is
// a subject.
func properName(sentence string) string {
	fields := strings.Fields(sentence)
	for i := 0; i < len(fields); i++ {
		var run []string
		next := i
		for ; next < len(fields) && len(run) < maxNameWords; next++ {
			word, ends := bare(fields[next])
			if !isName(word) {
				break
			}
			run = append(run, word)
			if ends {
				next++
				break
			}
		}
		if len(run) > 0 && (i > 0 && !endsSentence(fields[i-1]) || len(run) > 1 || next < len(fields) && isVerb(fields[next])) {
			return strings.Join(run, " ")
		}
		i = max(i, next-1)
	}
	return ""
}

// bare returns a word without the punctuation around it and without 's. ends reports
// whether punctuation separates it from the next word.
func bare(word string) (clean string, ends bool) {
	trimmed := strings.TrimRightFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '+' })
	ends = strings.ContainsAny(word[len(trimmed):], ".,;:!?)]}—–")
	clean = strings.TrimLeftFunc(trimmed, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for _, s := range []string{"'s", "’s"} {
		if cut, ok := strings.CutSuffix(clean, s); ok {
			return cut, true
		}
	}
	return clean, ends
}

func endsSentence(word string) bool {
	return strings.HasSuffix(word, ".") || strings.HasSuffix(word, "!") || strings.HasSuffix(word, "?") || strings.HasSuffix(word, ":")
}

// isName reports whether a word can be part of a name: it has a capital and more
// than one letter, and is not a stop word.
func isName(word string) bool {
	runes := []rune(word)
	return len(runes) > 1 && unicode.IsUpper(runes[0]) && !words.Stop(word) && !slices.Contains(datesAndTitles(), strings.ToLower(word)) &&
		!strings.ContainsAny(word, "'’/\\@")
}

func isVerb(word string) bool {
	return slices.Contains(subjectVerbs(), strings.ToLower(strings.TrimRight(word, ".,;:")))
}

// subjectVerbs follow a name at the beginning of a sentence.
func subjectVerbs() []string {
	return []string{
		"is", "was", "are", "has", "had", "will", "runs", "works", "leads", "heads", "owns", "handles", "joined", "joins", "manages",
		"maintains", "wants", "prefers", "said", "says", "knows", "uses", "looks", "takes", "moved", "left", "from", "and", "at",
	}
}

func datesAndTitles() []string {
	return []string{
		"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march", "april", "may",
		"june", "july", "august", "september", "october", "november", "december", "mr", "mrs", "ms", "dr", "prof", "i'm", "ok", "okay",
		"yes", "no", "hello", "hi", "thanks", "please", "btw", "also", "today", "tomorrow", "yesterday",
	}
}

// link returns the target of the first link in a sentence: the host, and for hosts of
// repositories the first two parts of the path.
func link(sentence string) string {
	for _, word := range strings.Fields(sentence) {
		at := max(strings.Index(word, "https://"), strings.Index(word, "http://"))
		if at < 0 {
			continue
		}
		u, err := url.Parse(strings.TrimRight(word[at:], ".,;:!?)]}>'\"`*"))
		if err != nil || u.Hostname() == "" {
			continue
		}
		host := strings.TrimPrefix(u.Hostname(), "www.")
		parts := strings.Split(strings.Trim(u.Path, "/"), "/")
		if len(parts) >= 2 && slices.Contains([]string{"github.com", "gitlab.com", "codeberg.org", "bitbucket.org"}, host) {
			return host + "/" + parts[0] + "/" + parts[1]
		}
		return host
	}
	return ""
}
