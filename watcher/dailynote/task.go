package dailynote

import (
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/moment"
)

// task is the reading of a checkbox.
type task struct {
	done  bool      // or cancelled
	shown string    // the text without its markers, "" if nothing remains
	due   time.Time // zero without a date
}

// checkbox splits "[ ] text" and returns the sign in the box. Of text that another character
// stands before, ok is false.
func checkbox(text string) (rest string, sign byte, ok bool) {
	if len(text) < 3 || text[0] != '[' || text[2] != ']' || len(text) > 3 && text[3] != ' ' && text[3] != '\t' && text[3] != '\n' {
		return text, 0, false
	}
	return strings.TrimLeft(text[3:], " \t"), text[1], true
}

// Signs in the box of a task.
const (
	openSigns   = " /><" // not done, begun, and carried to another day
	closedSigns = "xX-"  // done and cancelled
)

// task reads the text behind a checkbox. shown keeps the words of the person: only dates in a form
// of their own and the marks at the end of a line are taken out.
func (p *parser) task(text string, sign byte) task {
	day := p.baseDay()
	t := task{done: strings.IndexByte(closedSigns, sign) >= 0 || doneForm().MatchString(text) || isStruck(text)}
	text = markdown.Plain(text)
	around := strings.NewReplacer() // what stood around a date
	var scheduled []string
	if strings.ContainsAny(text, "0123456789") || strings.Contains(text, ":") {
		for _, found := range dueForm().FindAllStringSubmatch(text, 1) {
			t.due = moment.Due("due "+strings.Join(found[1:], ""), day)
		}
		if !t.due.IsZero() {
			text, around = dueForm().ReplaceAllString(text, " "), strings.NewReplacer(" ( )", "", " ,", ",")
		}
		scheduled = scheduledForm().FindStringSubmatch(text)
	}
	t.shown = around.Replace(withoutMarks(text))
	if t.due.IsZero() {
		t.due = moment.Due(t.shown, day)
	}
	if t.due.IsZero() && scheduled != nil {
		t.due = moment.Due("due "+strings.Join(scheduled[1:], ""), day)
	}
	return t
}

// isStruck reports whether the first line of a text is struck through.
func isStruck(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	inner := strings.TrimPrefix(line, "~~")
	return inner != line && strings.Index(inner, "~~") == len(strings.TrimRight(inner, " \t"))-2
}

// withoutMarks returns the text of a task without dated marks, fields and the other marks at the end
// of its lines, but for tags that have a meaning.
func withoutMarks(text string) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(datedMark().ReplaceAllString(line, ""), " \t")
		line = lastMarks().ReplaceAllStringFunc(line, func(marks string) string { return taskMark().ReplaceAllString(marks, " ") })
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		lines = append(lines, indent+strings.Join(strings.Fields(line), " "))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// baseDay returns the start of the day from which a text counts: "tomorrow".
func (p *parser) baseDay() time.Time {
	for _, day := range []string{p.opts.Day, p.out.Date} {
		if t, err := time.ParseInLocation(time.DateOnly, day, p.opts.Location); err == nil {
			return t
		}
	}
	y, m, d := p.opts.Modified.In(p.opts.Location).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, p.opts.Location)
}

const isoDate = `(\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d)?)`

// dueForm matches the forms of a due date that are not part of a sentence.
var dueForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:📅|📆|🗓|⏰)\x{FE0F}?[ \t]*` + isoDate +
		`|[\[(](?:due|deadline|fällig)::[ \t]*([^\])]+)[\])]` +
		`|\b(?:due|deadline|fällig)::?[ \t]*\[*` + isoDate + `\]*` +
		`|\(?@(?:due)?[({]?\[*` + isoDate + `\]*[)}]{0,2}` +
		`|\bdue:([^\s,;)\]]+)`)
})

// wrongDue matches what follows a word or mark of a due date like a date in numbers.
var wrongDue = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:(?:📅|📆|🗓|⏰)\x{FE0F}?|@(?:due)?[({]|\b(?:due|deadline|fällig|by|until|before|bis|on|am)\b:{0,2})[ \t]*\[*(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4}|\d{1,2}/\d{1,2})\b`)
})

// notADate says what is wrong with a due date.
const notADate = "the date %q does not exist or may be two; write YYYY-MM-DD"

// wrongDueIn returns the due date in the text of a task that does not exist, or may be two, ""
// for none.
func (p *parser) wrongDueIn(text string) string {
	if found := wrongDue().FindStringSubmatch(text); len(found) > 0 && moment.Due("due "+found[1], p.baseDay()).IsZero() {
		return found[1]
	}
	return ""
}

// scheduledForm matches the date on which a task is to be started, which counts without a due date.
var scheduledForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:⏳|⌛|🛫)\x{FE0F}?[ \t]*` + isoDate + `|[\[(](?:scheduled|start)::[ \t]*` + isoDate + `[\])]`)
})

// doneForm matches the mark of a task that is done.
var doneForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)✅\x{FE0F}?[ \t]*(?:\d{4}-\d\d-\d\d|$)`)
})

// mark matches what programs for tasks add behind a text: dates of other kinds, recurrence,
// priorities, ids, fields and names of blocks.
const (
	anyDate = `\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d)?`
	taskID  = `[\w-]*\d[\w-]*`
	mark    = `(?:(?:✅\x{FE0F}?` +
		`|🔁[ \t]*every(?: \d+| other)? (?:\pL*day|week|month|year)s?(?: on [\pL\pN, ]+| when done)?` +
		`|[🔺⏫🔼🔽⏬]\x{FE0F}?|[🆔⛔][ \t]*` + taskID + `(?:,[ \t]*` + taskID + `)*|🏁[ \t]*(?:keep|delete)` +
		`|@@\{\d\d?:\d\d\}|\^[\w-]{4,}|#(?:task|todo)(?:/\w+)?(?:[ \t]|$))[ \t]*)`
)

// datedMark matches the marks that no sentence has, with the tag of the task before them.
var datedMark = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[ \t]+)(?:#(?:task|todo)[ \t]+)?(?:[⏳⌛🛫➕❌✅]\x{FE0F}?[ \t]*` + anyDate +
		`|[\[(](?:priority|created|completion|cancelled|done|scheduled|start|repeat|recurrence|oncompletion|id|dependson)::[^\])]*[\])])`)
})

var (
	taskMark  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)` + mark) })
	lastMarks = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:^|[ \t])(?:` + mark + `|#[\pL\pN_/-]+(?:[ \t]+|$))+$`)
	})
)
