package dailynote

import (
	"sort"

	"github.com/brainbridge/brainbridge/brain/markdown"
)

// maxName bounds a name in [[ ]], in bytes.
const maxName = 256

// mention is a name in [[ ]].
type mention struct {
	line int
	name string
}

// collectMentions adds the mentions in a document whose first line is line from of
// the file.
func (p *parser) collectMentions(d *markdown.Document, from int) {
	for i, line := range d.Prose() {
		markdown.WikiLinks(line, func(name string) {
			if len(name) <= maxName {
				p.mentions = append(p.mentions, mention{from + i, name})
			}
		})
	}
}

// mentionsIn returns those of the lines from a up to b.
func (p *parser) mentionsIn(a, b int) []mention {
	from := sort.Search(len(p.mentions), func(i int) bool { return p.mentions[i].line >= a })
	to := sort.Search(len(p.mentions), func(i int) bool { return p.mentions[i].line >= b })
	return p.mentions[from:to]
}

// distinct returns the names of mentions, each once, in order.
func distinct(all []mention) []string {
	if len(all) == 0 {
		return nil
	}
	var names []string
	seen := map[string]bool{}
	for _, m := range all {
		if !seen[m.name] {
			seen[m.name] = true
			names = append(names, m.name)
		}
	}
	return names
}
