package recall

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/statement"
)

// contextPart is a part of a context with its possible lines, best first, and those shown.
type contextPart struct {
	name, heading string
	share         float64 // share of the budget, before the most salient lines fill the rest
	entries       []*contextEntry
	shown         []*contextEntry
}

// contextEntry is a line that a context may have.
type contextEntry struct {
	line    ContextLine
	rank    float64 // by which lines fill the rest of the budget: the salience of a memory
	date    string
	said    func() statement.Statement // made once it is needed: most memories have no line
	task    string                     // of a reminder: the key of its text without its due date
	was     string
	older   *olderEntry // of an open pair; nil for none
	short   string      // id
	reason  bool        // it is shown with its reason
	last    bool        // it is undated: it takes what others leave of the budget
	settled bool        // it is shown, or a shown line says the same
}

// olderEntry is the older statement of an open pair.
type olderEntry struct {
	date  string
	said  func() statement.Statement
	short string // id
}

const shortID = "123456" // as long as most ids in a context

func (e *contextEntry) text() string {
	said := e.said().Title
	if e.reason {
		said = e.said().String()
	}
	line := statement.ContextLine(e.date, e.line.Kind, said, e.was, cmp.Or(e.short, shortID))
	if e.older == nil {
		return line
	}
	return statement.WithOlder(line, e.older.date, e.older.said().Title, cmp.Or(e.older.short, shortID))
}

const (
	strong   = 0.5 // minimum salience for showing a memory of a kind like note next to others
	fewLines = 10  // lines up to which any memory is shown
)

// contextEntries sorts memories and reminders into the parts of a context.
func contextEntries(f contextFacts, now time.Time) []contextPart {
	shares := map[string]float64{"core": 0.3, "reminders": 0.15, "since": 0.15, "decisions": 0.25, "lessons": 0.15}
	byName := map[string][]*contextEntry{"reminders": reminderEntries(f, now)}
	for i := range f.memories {
		if part := f.memories[i].part(f.since); part != "" {
			byName[part] = append(byName[part], memoryEntry(&f.memories[i], part, now))
		}
	}
	slices.SortFunc(byName["since"], func(a, b *contextEntry) int {
		return cmp.Compare(f.since[a.line.ID], f.since[b.line.ID])
	})
	var parts []contextPart
	for _, p := range statement.ContextParts() {
		parts = append(parts, contextPart{name: p[0], heading: p[1], share: shares[p[0]], entries: byName[p[0]]})
	}
	return parts
}

// part returns the part that a memory belongs to, "" for one that is not pushed.
func (s *Salient) part(since map[string]int) string {
	m := &s.Memory
	group, _ := m.Freshness()
	_, isNew := since[m.ID]
	switch {
	case m.MemoryType == "reminder" || group == "": // shown by its source; an activity
		return ""
	case m.IsCore():
		return "core"
	case isNew:
		return "since"
	case group == brain.FreshDecisions || group == brain.FreshPreferences:
		return "decisions"
	case group == brain.FreshLessons || group == brain.FreshPatterns:
		return "lessons"
	}
	return "other"
}

func memoryEntry(s *Salient, part string, now time.Time) *contextEntry {
	at := s.Created.In(now.Location())
	e := &contextEntry{
		line: ContextLine{ID: s.ID, Part: part, Kind: s.MemoryType, Date: at.Format(time.DateOnly), Salience: s.Salience},
		rank: s.Salience,
		date: statement.RelativeDate(at, now), was: s.Was,
		said: sync.OnceValue(func() statement.Statement { return statement.Of(&s.Memory) }),
	}
	if s.Undated() {
		e.date, e.last = "undated", s.PushedLast()
	}
	if s.Older != nil {
		e.line.Older = s.Older.ID
		e.older = &olderEntry{
			date: s.Older.Created.In(now.Location()).Format(time.DateOnly),
			said: sync.OnceValue(func() statement.Statement { return statement.Of(s.Older) }),
		}
	}
	return e
}

// contextBudget has the rest of a budget, in bytes, and the statements added so far.
type contextBudget struct {
	left  int
	lines int
	said  map[string]bool
}

const maxMisses = 30 // lines found too long for the rest of a budget before no other is tried

// chooseLines returns the parts with the lines that fit: up to the share of each part, then
// the most salient others, then the reasons of the most salient.
func chooseLines(f contextFacts, q ContextQuery, now time.Time) []contextPart {
	parts := contextEntries(f, now)
	budget := q.Budget*plaintext.BytesPerToken - lineCost(contextHead(q)) - idReserve
	b := &contextBudget{left: budget, said: map[string]bool{}}
	var all []*contextEntry
	place := map[string]*contextPart{}
	for i := range parts {
		p := &parts[i]
		place[p.name], all = p, append(all, p.entries...)
	}
	b.fill(place["reminders"], budget) // first, as memories that say the same are left out
	for i := range parts {
		if parts[i].name != "reminders" {
			b.fill(&parts[i], budget)
		}
	}
	slices.SortStableFunc(all, func(a, b *contextEntry) int { return cmp.Compare(b.rank, a.rank) })
	misses := 0
	for _, e := range all {
		if misses == maxMisses {
			break
		}
		if e.line.Part == "other" && e.line.Salience < strong && b.lines >= fewLines || e.line.Part == "reminders" && e.rank < strong {
			continue // reminders that are not urgent have the share of their part
		}
		if _, fits := b.take(place[e.line.Part], e, b.left); !fits {
			misses++
		}
	}
	for _, e := range all {
		b.addReason(e)
	}
	for i := range parts {
		parts[i].shown = slices.DeleteFunc(parts[i].entries, func(e *contextEntry) bool { return !e.shown() })
	}
	return parts
}

// fill takes the lines of a part that fit its share of the whole budget.
func (b *contextBudget) fill(p *contextPart, budget int) {
	most := int(p.share * float64(budget))
	entries := p.entries
	if p.name == "reminders" {
		entries = slices.SortedStableFunc(slices.Values(entries), func(a, b *contextEntry) int { return cmp.Compare(b.rank, a.rank) })
	}
	for _, e := range entries {
		if e.last {
			continue
		}
		cost, fits := b.take(p, e, most)
		if !fits {
			break
		}
		most -= cost
	}
}

// take shows a line unless it costs more than most or another line says the same. It
// returns the cost, and whether the line fits.
func (b *contextBudget) take(p *contextPart, e *contextEntry, most int) (cost int, fits bool) {
	if e.settled {
		return 0, true
	}
	said := e.said().Key()
	if e.task != "" { // reminders of one text may be due on several days
		said = "reminder: " + said
	}
	if b.said[said] && e.older == nil { // an open pair hides neither statement
		e.settled = true
		return 0, true
	}
	cost = lineCost(e.text())
	if !slices.ContainsFunc(p.entries, (*contextEntry).shown) {
		cost += lineCost("\n" + p.heading)
	}
	if cost > min(most, b.left) {
		return 0, false
	}
	e.settled, e.short, b.said[said] = true, shortID, true
	if e.older != nil {
		b.said[e.older.said().Key()] = true
	}
	if e.task != "" {
		b.said[e.task] = true
	}
	b.left -= cost
	b.lines++
	return cost, true
}

func (e *contextEntry) shown() bool { return e.short != "" }

// addReason adds the reason to a line that is shown if it fits.
func (b *contextBudget) addReason(e *contextEntry) {
	if !e.shown() || e.said().Reason == "" {
		return
	}
	before := lineCost(e.text())
	e.reason = true
	if more := lineCost(e.text()) - before; more <= b.left {
		b.left -= more
	} else {
		e.reason = false
	}
}

// lineCost is the cost of a line in bytes, because tokens would be rounded up.
func lineCost(line string) int { return len(line) + 1 }

const idReserve = 16 // bytes kept for ids of more than six characters

// nothingStored is the context if nothing is stored for the project.
const nothingStored = "What brainbridge remembers for this agent: nothing yet. " +
	"Keep a decision, a preference or a lesson with the tool `remember` or `brainbridge remember --type decision \"…\"`."

// nothingFits is the context if no line fits the budget.
const nothingFits = "What brainbridge remembers for this agent: no line of it fits into %d tokens. Ask with a larger budget, or `recall`."

// contextHead returns the first line of a context.
func contextHead(q ContextQuery) string {
	head := "What brainbridge remembers"
	if !q.Since.IsZero() {
		head = "New in what brainbridge remembers"
	}
	if q.Project != "" {
		head += " of the project " + q.Project + " and of all projects"
	}
	return head + statement.ContextHead
}

// renderContext returns a context. It is empty if nothing is new since an earlier one.
func renderContext(parts []contextPart, q ContextQuery) Context {
	c := Context{Lines: []ContextLine{}}
	var text strings.Builder
	for _, p := range parts {
		for i, e := range p.shown {
			if i == 0 {
				text.WriteString("\n" + p.heading + "\n")
			}
			text.WriteString(e.text() + "\n")
			c.Lines = append(c.Lines, e.line)
		}
	}
	head := contextHead(q)
	switch {
	case text.Len() == 0 && !q.Since.IsZero():
		return c
	case text.Len() == 0 && slices.ContainsFunc(parts, func(p contextPart) bool { return len(p.entries) > 0 }):
		head = fmt.Sprintf(nothingFits, q.Budget)
	case text.Len() == 0:
		head = nothingStored
	}
	c.Text = head + "\n" + text.String()
	c.Tokens = plaintext.Tokens(c.Text)
	return c
}
