package dailynote

import (
	"sort"
	"strings"
	"time"
)

// maxName bounds a name in [[ ]], in bytes.
const maxName = 256

type mention struct {
	line int
	name string
}

// names collects distinct names in order.
type names struct {
	list []string
	seen map[string]bool
}

func (n *names) add(name string) {
	if n.seen[name] {
		return
	}
	if n.seen == nil {
		n.seen = map[string]bool{}
	}
	n.seen[name] = true
	n.list = append(n.list, name)
}

func (p *parser) collectMentions() {
	if !strings.Contains(p.text, "[[") {
		return
	}
	var all names
	for i, l := range p.lines {
		if l.fenced {
			continue
		}
		eachMention(p.content(i), func(name string) {
			p.mentions = append(p.mentions, mention{i, name})
			all.add(name)
		})
	}
	p.out.Mentions = all.list
}

// eachMention calls visit for each [[Name]], [[Name|alias]] and [[Name#place]].
// From the first closing pair it looks back, never forward again, so a line of
// opening pairs alone costs nothing.
func eachMention(s string, visit func(name string)) {
	for {
		end := strings.Index(s, "]]")
		if end < 0 {
			return
		}
		if start := strings.LastIndex(s[:end], "[["); start >= 0 {
			name := s[start+2 : end]
			if cut := strings.IndexAny(name, "|#"); cut >= 0 {
				name = name[:cut]
			}
			if name = strings.TrimSpace(name); name != "" && len(name) <= maxName {
				visit(name)
			}
		}
		s = s[end+2:]
	}
}

// mentionsIn returns those of the lines from a up to b.
func (p *parser) mentionsIn(a, b int) []mention {
	from := sort.Search(len(p.mentions), func(i int) bool { return p.mentions[i].line >= a })
	to := sort.Search(len(p.mentions), func(i int) bool { return p.mentions[i].line >= b })
	return p.mentions[from:to]
}

func distinct(list []mention) []string {
	var n names
	for _, m := range list {
		n.add(m.name)
	}
	return n.list
}

// collectHashes finds the comments of older tools, each with the day of the
// dated heading that it stands under.
func (p *parser) collectHashes() {
	if !strings.Contains(p.text, hashOpen) {
		return
	}
	day := ""
	for i, l := range p.lines {
		if l.fenced {
			continue
		}
		if l.level > 0 && l.level <= 3 {
			day = datedHeading(p.content(i))
		}
		eachHash(p.content(i), func(hash string) {
			p.out.Hashes = append(p.out.Hashes, LegacyHash{Day: day, Hash: hash, Line: i + 1})
		})
	}
}

const hashOpen, hashClose = "<!-- hash:", "-->"

func eachHash(s string, visit func(hash string)) {
	for {
		_, rest, ok := strings.Cut(s, hashOpen)
		if !ok {
			return
		}
		hash := strings.TrimLeft(rest, " \t")
		if len(hash) >= 32 && isHex(hash[:32]) &&
			strings.HasPrefix(strings.TrimLeft(hash[32:], " \t"), hashClose) {
			visit(strings.ToLower(hash[:32]))
		}
		s = rest
	}
}

func isHex(s string) bool {
	for i := range len(s) {
		c := s[i] | 0x20
		if (s[i] < '0' || s[i] > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// datedHeading is the date of a heading "### [YYYY-MM-DD] …", else "".
func datedHeading(s string) string {
	_, text := headingOf(s)
	if len(text) < 12 || text[0] != '[' || text[11] != ']' {
		return ""
	}
	if _, ok := parseDay(text[1:11]); !ok {
		return ""
	}
	return text[1:11]
}

func parseDay(s string) (time.Time, bool) {
	day, err := time.Parse(time.DateOnly, s)
	return day, err == nil
}
