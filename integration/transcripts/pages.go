package transcripts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/extract"
	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// page has the lines to add to one page of knowledge/.
type page struct {
	rel   string // in the notes directory
	name  string
	lines []string
}

// maxFileName is the longest name of a page, in bytes without the extension.
const maxFileName = 60

func pages(day string, items []extract.Item) []page {
	var all []page
	for _, i := range items {
		folder, name := subject(i)
		file := plaintext.Slug(name, maxFileName)
		if folder == "" || file == "" {
			continue
		}
		rel := "knowledge/" + folder + "/" + file + ".md"
		n := slices.IndexFunc(all, func(p page) bool { return p.rel == rel })
		if n < 0 {
			n = len(all)
			all = append(all, page{rel: rel, name: name})
		}
		all[n].lines = append(all[n].lines, fmt.Sprintf("- %s: %s (%s)", day, plaintext.OneLine(i.Quote), location(day, i)))
	}
	return all
}

// writePages adds items to the pages of people, projects and resources, and ingests those. A
// page that cannot be written is a problem.
func (r *run) writePages(ctx context.Context, items []extract.Item, report *Day) error {
	var written []string
	for _, p := range pages(report.Date, items) {
		changed, err := r.writePage(p)
		if err != nil {
			report.Problems = append(report.Problems, Problem{File: r.path(p.rel), Message: err.Error()})
			continue
		}
		if changed {
			written = append(written, p.rel)
		}
	}
	if len(written) == 0 {
		return nil
	}
	return r.o.Notes.Take(ctx, written)
}

// writePage reports whether there was something to add.
func (r *run) writePage(p page) (changed bool, err error) {
	if err := r.makeDir(p.rel); err != nil {
		return false, err
	}
	busy := errors.New("it kept changing while it was being written; run `brainbridge transcript extract` again")
	err = durable.RetryChanged(busy, func() error {
		seen, err := durable.ReadSnapshot(r.path(p.rel))
		if err != nil {
			return fmt.Errorf("read it: %w", durable.Cause(err))
		}
		text, err := p.added(seen.Text)
		if err != nil || bytes.Equal(text, seen.Text) {
			return err
		}
		err = seen.Replace(text, durable.Options{KeepMode: true}, nil)
		changed = err == nil || errors.Is(err, durable.ErrUnsynced)
		return err
	})
	if changed {
		err = nil
	}
	return changed, err
}

// added returns a page with those lines at the end of its block that it does not hold yet.
func (p page) added(old []byte) ([]byte, error) {
	text := string(old)
	before, rest, begins := strings.Cut(text, markdown.BlockBegin)
	inside, after, ends := strings.Cut(rest, markdown.BlockEnd)
	if !begins && !strings.Contains(text, markdown.BlockEnd) {
		if strings.TrimSpace(text) == "" {
			before = "# " + p.name + "\n\n"
		}
		before, after, ends = before+markdown.Gap(before, "\n"), "\n", true
	}
	if !ends || strings.Contains(inside+after, markdown.BlockBegin) || strings.Contains(after, markdown.BlockEnd) {
		return nil, fmt.Errorf("it has half a block, or several: leave one line %s and one line %s below it", markdown.BlockBegin, markdown.BlockEnd)
	}
	held := strings.FieldsFunc(inside, func(r rune) bool { return r == '\r' || r == '\n' })
	fresh := slices.DeleteFunc(slices.Clone(p.lines), func(line string) bool { return slices.Contains(held, line) })
	if len(fresh) == 0 {
		return old, nil
	}
	inside = "\n" + strings.Join(append(held, fresh...), "\n") + "\n"
	return []byte(before + markdown.BlockBegin + inside + markdown.BlockEnd + after), nil
}

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
