package transcripts

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

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

// capitalized matches capitalized words in a row, of more than one letter each.
var capitalized = sync.OnceValue(func() *regexp.Regexp {
	const word = `(?:\p{Lu}['’])?\p{Lu}[\p{L}\p{N}+]+(?:-[\p{L}\p{N}+]+)*`
	return regexp.MustCompile(word + `(?: ` + word + `)*`)
})

// properName returns the first name in a sentence: up to three capitalized words in a
// row. The first word of a sentence counts only if a verb after it shows that it is
// a subject.
func properName(sentence string) string {
	for _, at := range capitalized().FindAllStringIndex(sentence, -1) {
		before, after := sentence[:at[0]], sentence[at[1]:]
		if strings.ContainsAny(before[max(0, len(before)-1):]+after[:min(1, len(after))], `/\@`) {
			continue
		}
		before = strings.TrimRight(before, " ")
		first := before == "" || strings.ContainsAny(before[len(before)-1:], ".!?:")
		run := strings.Fields(sentence[at[0]:at[1]])
		for len(run) > 0 && !isName(run[0]) {
			run, first = run[1:], false
		}
		if end := slices.IndexFunc(run, func(word string) bool { return !isName(word) }); end >= 0 {
			run, after = run[:end], ""
		}
		run = run[:min(len(run), maxNameWords)]
		if len(run) > 1 || len(run) == 1 && (!first || startsWithVerb(after)) {
			return strings.Join(run, " ")
		}
	}
	return ""
}

// isName reports whether a capitalized word can be part of a name.
func isName(word string) bool {
	return !words.Stop(word) && !slices.Contains(datesAndTitles(), strings.ToLower(word))
}

func startsWithVerb(text string) bool {
	word, _, _ := strings.Cut(strings.TrimLeft(text, " "), " ")
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
