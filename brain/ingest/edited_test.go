package ingest

import (
	"fmt"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
)

// list returns a note with rows written "kind: text" below one heading.
func list(rows ...string) Note {
	n := daily(day, rows...)
	for i := range n.Outcomes {
		o := &n.Outcomes[i]
		o.Bullet, o.Type, o.Time, o.TitleKey = true, o.Title, "", ""
		o.Title, o.Key, o.Description = o.Body, brain.Hash(o.Body), "List"
		if o.Type == "reminder" {
			o.Kind, o.TitleKey = brain.Reminder, brain.Hash(o.Body)
		}
	}
	return n
}

// tasks returns a note with the first n of 3,000 tasks that share no word, from number from.
func tasks(from, n int) Note {
	var rows []string
	for i := range n {
		rows = append(rows, fmt.Sprintf("reminder: a%[1]d b%[1]d c%[1]d d%[1]d e%[1]d", from+i))
	}
	return list(rows...)
}

func TestWhatIsAnEdit(t *testing.T) {
	const kiln, invoices = "decision: The kiln fires on Mondays", "decision: Invoices are sent in EUR only"
	const above, below = "decision: Ola feeds the geese", "lesson: Wool shrinks in hot water"
	for name, c := range map[string]struct {
		before, after Note
		edits         int
	}{
		"four of five words":                {list(kiln), list("lesson: The kiln fires on Tuesdays"), 1},
		"another statement, alone":          {list(kiln), list(invoices), 0},
		"another statement, last":           {list(above, kiln), list(above, invoices), 0},
		"one word in common":                {list(above, kiln), list(above, "decision: From May on, Ada heats the kiln"), 1},
		"only stop words in common":         {list(above, kiln), list(above, "decision: The cat sits on it"), 0},
		"one kind between known rows":       {list(above, kiln, below), list(above, invoices, below), 1},
		"another kind between known rows":   {list(above, kiln, below), list(above, "lesson: Invoices are sent in EUR only", below), 0},
		"a mention of no kind":              {list(above, "note: The bug is in the kiln", below), list(above, "note: Completed all invoices", below), 0},
		"two rows for two in one place":     {list(above, kiln, "decision: Tea at four", below), list(above, invoices, "decision: Mugs get a handle", below), 0},
		"two rows for one":                  {list(above, kiln, below), list(above, invoices, "decision: From May on, Ada heats the kiln", below), 0},
		"a task between known tasks":        {list("reminder: a", "reminder: b", "reminder: c"), list("reminder: a", "reminder: d", "reminder: c"), 1},
		"as many other tasks as were there": {tasks(0, 3000), tasks(3000, 3000), 0},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGraph(t)
			g.ingest(c.before)
			if p := g.ingest(c.after); p.answer.Changed != c.edits || p.answer.New != p.answer.Gone+len(c.after.Outcomes)-len(c.before.Outcomes) {
				t.Errorf("%d edits, want %d: %+v", p.answer.Changed, c.edits, p.answer)
			}
		})
	}
}

// A task that was closed by hand is open again with another text.
func TestAnEditOpensATask(t *testing.T) {
	g := newGraph(t)
	g.ingest(list("reminder: oil", "reminder: buy oat milk", "reminder: saw"))
	s := g.source("buy oat milk")
	s.Done = g.now
	g.sources[s.ID] = s
	g.ingest(list("reminder: oil", "reminder: buy oat milk", "reminder: saw"))
	if g.source("buy oat milk").Done.IsZero() {
		t.Error("an unchanged note opened it")
	}
	g.ingest(list("reminder: oil", "reminder: renew the certificate", "reminder: saw"))
	if !g.source("renew the certificate").Done.IsZero() {
		t.Error("the new task is done")
	}
}

func TestAnEditIsTheRowThatIsMostAlike(t *testing.T) {
	rowOf := func(text string) *row { return &row{words: wordsOf(text)} }
	near, nearest, empty := rowOf("deploy release one to staging now"), rowOf("deploy release two to the staging now"), rowOf("")
	list := []*row{empty, near, nearest}
	if got := mostAlike(list, wordsOf("deploy release two to the staging later")); got != nearest {
		t.Errorf("the row is %+v", got)
	}
	if got := mostAlike(list, nil); got != nil {
		t.Errorf("a row without words is %+v", got)
	}
}
