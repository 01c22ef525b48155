package transcripts

import (
	"maps"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/markdown"
)

// section is a session in a cleaned transcript.
type section struct {
	title   string // its heading, without number signs
	session string // its name
	text    string // with the heading
}

// earlierSessions returns the sessions of an earlier transcript that have lines which the files
// no longer have. contained has the names of the sessions whose lines a kept one has.
func (c *collector) earlierSessions(path string) (kept []section, contained map[string]bool, err error) {
	old, err := durable.ReadFile(path)
	if err != nil || len(old) == 0 {
		return nil, nil, err
	}
	inFiles := map[uint64]bool{}
	bySession := map[string]map[uint64]bool{} // by name of a session, its lines in the files
	err = c.walk(func(p piece) error {
		name := sessionName(p.session)
		if p.startsSession {
			bySession[name] = map[uint64]bool{}
		}
		lines := lineHashes(escaped(p.text))
		maps.Copy(inFiles, lines)
		maps.Copy(bySession[name], lines)
		return nil
	})
	contained = map[string]bool{}
	for _, s := range sectionsOf(string(old)) {
		lines := lineHashes(s.text)
		if contains(inFiles, lines) {
			continue
		}
		kept = append(kept, s)
		contained[s.session] = contained[s.session] || contains(lines, bySession[s.session])
	}
	return kept, contained, err
}

func sectionsOf(text string) (all []section) {
	d := markdown.Parse(text)
	end := len(text)
	for i, line := range slices.Backward(d.Lines) {
		if line.Level != 2 {
			continue
		}
		title := markdown.HeadingText(d.Line(i))
		words := strings.Fields("- " + title)
		all = append(all, section{title, words[len(words)-1], strings.TrimRight(text[line.Start:end], "\n") + "\n"})
		end = line.Start
	}
	slices.Reverse(all)
	return all
}

// lineHashes returns hashes of the lines of a text but those that depend on the time zone.
func lineHashes(text string) map[uint64]bool {
	all := map[uint64]bool{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		isLabel := strings.HasPrefix(line, "**") && strings.HasSuffix(line, "):") && strings.Contains(line, "** (")
		if line != "" && !isLabel && !strings.HasPrefix(line, "## ") && !strings.HasPrefix(line, "### ") {
			all[xxh3.HashString(strings.TrimPrefix(line, "→ "))] = true
		}
	}
	return all
}

func contains(all, part map[uint64]bool) bool {
	for line := range part {
		if !all[line] {
			return false
		}
	}
	return true
}
