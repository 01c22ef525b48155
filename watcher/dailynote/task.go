package dailynote

import (
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode"

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

// task reads the text behind a checkbox.
func (p *parser) task(text string, sign byte) task {
	day := p.baseDay()
	t := task{done: strings.IndexByte(closedSigns, sign) >= 0 || strings.Contains(text, "✅")}
	text = withoutComments(text)
	var scheduled []string
	if strings.ContainsAny(text, "0123456789") || strings.Contains(text, ":") {
		for _, found := range dueForm().FindAllStringSubmatch(text, 1) {
			t.due = moment.Due("due "+strings.Join(found[1:], ""), day)
		}
		if !t.due.IsZero() {
			text = dueForm().ReplaceAllString(text, " ")
		}
		scheduled = scheduledForm().FindStringSubmatch(text)
	}
	t.shown = withoutMarkers(text)
	if t.due.IsZero() {
		t.due = moment.Due(t.shown, day)
	}
	if t.due.IsZero() && scheduled != nil {
		t.due = moment.Due("due "+strings.Join(scheduled[1:], ""), day)
	}
	return t
}

// withoutMarkers returns the text of a task as it is shown.
func withoutMarkers(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxLatin1 || strings.ContainsRune("[({#^:@", r) }) {
		text = taskMarkers().ReplaceAllString(text, "$1 ")
		text = wikilink().ReplaceAllString(text, "$1$2")
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		lines = append(lines, indent+strings.Join(strings.Fields(line), " "))
	}
	return strings.TrimSpace(strings.NewReplacer(" ,", ",", " ( )", "", " ()", "").Replace(strings.Join(lines, "\n")))
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
	return regexp.MustCompile(`(?i)(?:(?:📅|📆|🗓|⏰)\x{FE0F}?|@(?:due)?[({]|\b(?:due|deadline|fällig|by|until|before|bis|on|am)\b:{0,2})[ \t]*\[*(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4})\b`)
})

// notADate says what is wrong with a due date.
const notADate = "the date %q does not exist or may be two; write YYYY-MM-DD"

// wrongDueIn returns the due date in the text of a task that does not exist, or may be two, ""
// for none.
func (p *parser) wrongDueIn(text string) string {
	if found := wrongDue().FindStringSubmatch(text); found != nil && moment.Due("due "+found[1], p.baseDay()).IsZero() {
		return found[1]
	}
	return ""
}

// scheduledForm matches the date on which a task is to be started, which counts without a due date.
var scheduledForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:⏳|⌛|🛫)\x{FE0F}?[ \t]*` + isoDate + `|[\[(](?:scheduled|start)::[ \t]*` + isoDate + `[\])]`)
})

// taskMarkers matches what programs for tasks add to their text: dates of other kinds,
// recurrence, priorities, fields, ids and tags.
var taskMarkers = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:⏳|⌛|🛫|➕|✅|❌)\x{FE0F}?(?:[ \t]*` + strings.ReplaceAll(isoDate, "(\\d", "(?:\\d") + `)?` +
		`|🔁[ \t]*(?:every[\pL\pN \t,]*|[\pL\pN \t]*)|🔺|⏫|🔼|🔽|⏬️?|🆔[ \t]*[\w-]+|⛔[ \t]*[\w,-]+|🏁[ \t]*\w+` +
		`|[\[(][\w-]+::[^\])]*[\])]|\b(?:priority|scheduled|created|start|done|repeat|recurrence)::?[ \t]*(?:high|medium|low|[0-9]{4}-\d\d-\d\d)\b` +
		`|@@?\{[^}]*\}|(^|[ \t\n])#(?:task|todo)(?:/\w+)?\b|[ \t]\^[\w-]+[ \t]*$`)
})

// WithoutCarriedRemark returns the text of a task without a remark in brackets at its end that it
// comes from another day: "(carried from 11 Nov)", "(from yesterday)".
func WithoutCarriedRemark(text string) string { return carriedRemark().ReplaceAllString(text, "") }

var carriedRemark = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\s*[(\[](?:carried|moved|copied|übertragen|verschoben)\b[^()\[\]]{0,40}[)\]]$|\s*\((?:from|von|vom) (?:yesterday|gestern|[^()]{0,20}\d[^()]{0,20})\)$`)
})

// WithoutMetadata returns a text without what programs for tasks add to it.
func WithoutMetadata(text string) string {
	if !strings.ContainsAny(text, "📅📆🗓⏰⏳⌛🛫➕✅❌🔁🔺⏫🔼🔽⏬🆔⛔🏁") && !strings.Contains(text, "::") && !strings.Contains(text, "#") {
		return text
	}
	return taskMarkers().ReplaceAllString(emojiDate().ReplaceAllString(text, ""), "$1")
}

var emojiDate = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[ \t]*(?:📅|📆|🗓|⏰)\x{FE0F}?[ \t]*` + isoDate)
})

// wikilink matches [[Name]] and [[Name|shown]].
var wikilink = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`!?\[\[(?:[^\[\]|]*\|([^\[\]]*)|([^\[\]|]*))\]\]`) })

// comment matches a comment within a text.
var comment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)<!--.*?-->|%%.*?%%`) })

func withoutComments(text string) string {
	if !strings.Contains(text, "<!--") && !strings.Contains(text, "%%") {
		return text
	}
	return comment().ReplaceAllString(text, " ")
}
