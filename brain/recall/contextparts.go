package recall

import (
	"fmt"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// contextPart is a part of a context: a heading and its candidate lines, the most
// important first.
type contextPart struct {
	title string
	// share is the fraction of the budget, in [0, 1], that the part may use before
	// the parts after it.
	share float64
	lines []contextItem
	taken int // lines looked at so far
	shown []string
}

// contextItem is a line of a part. A context shows each id once.
type contextItem struct{ id, text string }

// memoryLines returns the lines of memories. Reminders have theirs by their source.
func memoryLines(ms []brain.Memory) []contextItem {
	var lines []contextItem
	for i := range ms {
		if ms[i].MemoryType != "reminder" {
			lines = append(lines, contextItem{ms[i].ID, brain.ContextEntry(ms[i])})
		}
	}
	return lines
}

func reminderLines(ss []brain.Source) []contextItem {
	var lines []contextItem
	for i := range ss {
		due := ""
		if !ss[i].Due.IsZero() {
			due = ", due " + ss[i].Due.Format(time.RFC3339)
		}
		lines = append(lines, contextItem{ss[i].ID, fmt.Sprintf("- %s (%s%s)", plaintext.OneLine(ss[i].Text), ss[i].ID, due)})
	}
	return lines
}

// contextText tracks the remaining budget and the ids that are already shown.
type contextText struct {
	left int // tokens
	seen map[string]bool
}

// fillContext fills a budget with parts: first each up to its share, then what is
// left in the order of the parts. No heading stands alone. full reports whether a
// line did not fit any more.
func fillContext(parts []contextPart, budget int) (text string, full bool) {
	c := contextText{budget, map[string]bool{}}
	if c.pay(brain.ContextHead, c.left) {
		text = brain.ContextHead + "\n"
	}
	for i := range parts {
		c.take(&parts[i], int(parts[i].share*float64(budget)))
	}
	for i := range parts {
		if !c.take(&parts[i], c.left) {
			full = true
		}
	}
	for _, p := range parts {
		if len(p.shown) > 0 {
			text += p.head() + strings.Join(p.shown, "\n") + "\n"
		}
	}
	return text, full
}

func (p *contextPart) head() string { return "\n" + p.title + ":\n" }

// take shows lines of a part for at most most tokens, and reports whether all fit.
func (c *contextText) take(p *contextPart, most int) bool {
	for ; p.taken < len(p.lines); p.taken++ {
		l := p.lines[p.taken]
		if c.seen[l.id] {
			continue
		}
		cost := l.text
		if len(p.shown) == 0 {
			cost = p.head() + cost
		}
		before := c.left
		if !c.pay(cost, most) {
			return false
		}
		most -= before - c.left
		c.seen[l.id] = true
		p.shown = append(p.shown, l.text)
	}
	return true
}

// pay deducts the tokens of a line from the budget unless they exceed most, and
// reports whether it did.
func (c *contextText) pay(text string, most int) bool {
	cost := plaintext.Tokens(text + "\n")
	if cost > min(most, c.left) {
		return false
	}
	c.left -= cost
	return true
}
