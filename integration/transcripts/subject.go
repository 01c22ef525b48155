package transcripts

import (
	"net/url"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain/extract"
)

// subject returns the folder below knowledge/ and the name of the page of an item, "" for none:
// no page is better than one with a wrong name.
func subject(i extract.Item) (folder, name string) {
	switch i.Kind {
	case extract.Person:
		return "people", extract.NameIn(i.Quote)
	case extract.Fact:
		return "resources", link(i.Quote)
	}
	return "", ""
}

// link returns the host of the first link in a sentence, and of a repository its owner and name.
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
