package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/clipperhouse/displaywidth"
	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/integration/app"
)

// answer prints a result: v as one JSON document with --json, otherwise a text.
func (a *cli) answer(v any, printText func()) error {
	a.bar.clear()
	if !a.json {
		printText()
		return a.flush()
	}
	text, err := a.document(v)
	if err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	a.printf("%s", text)
	return a.flush()
}

// flush writes buffered output. It returns the first error since the last flush.
func (a *cli) flush() error {
	if out, buffered := a.out.(*bufio.Writer); buffered {
		return brain.Wrap(out.Flush(), "write the answer")
	}
	return nil
}

// document returns a result as JSON, indented on a terminal, with "dryRun" in a dry run.
func (a *cli) document(v any) ([]byte, error) {
	if d, ok := v.(interface{ Document() any }); ok {
		v = d.Document()
	}
	text, err := plaintext.JSON(v, "")
	if err != nil {
		return nil, err
	}
	if _, hasDryRun := v.(app.ConsolidateAnswer); a.dryRun && !hasDryRun {
		text = append(bytes.TrimSuffix(text, []byte("}\n")), `,"dryRun":true}`+"\n"...)
	}
	if !a.outTTY {
		return text, nil
	}
	var indented bytes.Buffer
	err = json.Indent(&indented, text, "", "  ")
	return indented.Bytes(), err
}

// printf prints a part of the text output.
func (a *cli) printf(format string, args ...any) {
	fmt.Fprint(a.out, shown(fmt.Sprintf(format, args...)))
}

// complain prints a line to standard error.
func (a *cli) complain(format string, args ...any) {
	fmt.Fprint(a.err, shown(fmt.Sprintf(format+"\n", args...)))
}

// styleStart begins the codes of our own styles, until [shown] makes them those of a terminal.
// Nothing that is printed can have it.
var styleStart = "\x00" + brain.NewID()

// shown returns a text as it is printed: nothing in a memory, a name or an error reaches the
// terminal as a control character.
func shown(text string) string {
	if !strings.Contains(text, styleStart) {
		return plaintext.Visible(text)
	}
	parts := strings.Split(text, styleStart)
	return strings.Join(brain.Map(parts, plaintext.Visible), "\x1b[")
}

// printQuiet prints only line if --quiet is set, and reports whether it is.
func (a *cli) printQuiet(line any) bool {
	if a.quiet {
		a.printf("%v\n", line)
	}
	return a.quiet
}

// say prints a remark to standard error, unless --quiet is set.
func (a *cli) say(format string, args ...any) {
	if !a.quiet {
		a.bar.clear()
		a.complain(format, args...)
	}
}

// next suggests a next step to a person at a terminal.
func (a *cli) next(format string, args ...any) {
	if !a.quiet && !a.json && a.outTTY {
		a.printf("%s\n", a.dim(fmt.Sprintf(format, args...)))
	}
}

// showUndo prints the command that undoes a run, if there is one.
func (a *cli) showUndo(runID brain.OrNull) {
	if runID != "" {
		a.printf("%s\n", a.dim("undo it with: brainbridge undo "+brain.ShortID(runID)))
	}
}

// warn prints a warning about something that does not stop the command.
func (a *cli) warn(message string) {
	a.bar.clear()
	a.complain("brainbridge: warning: %s", message)
}

// warnError prints an error as a warning, with its hint.
func (a *cli) warnError(err error) {
	a.warn(err.Error())
	if hint := app.Hint(err); hint != "" {
		a.complain("  %s", hint)
	}
}

func (a *cli) dim(s string) string  { return a.styled("2", s) }
func (a *cli) bold(s string) string { return a.styled("1", s) }

func (a *cli) styled(code, s string) string {
	if !a.outTTY || s == "" || a.env("NO_COLOR") != "" || a.env("TERM") == "dumb" {
		return s
	}
	return styleStart + code + "m" + s + styleStart + "0m"
}

// counted returns a number with its noun: 1 memory, 2 memories, 3 days.
func counted(n int, noun string) string {
	return humanize.Comma(int64(n)) + " " + english.PluralWord(n, noun, "")
}

// countedMemories returns a number of memories as status has it, and that of those that are
// archived or superseded.
func countedMemories(all, archived int) string {
	if archived == 0 {
		return counted(all, "memory")
	}
	return fmt.Sprintf("%s and %d archived", counted(all-archived, "memory"), archived)
}

// flat returns text on one line of at most n characters, without control characters.
func flat(text string, n int) string { return plaintext.Shorten(plaintext.OneLine(text), n) }

// indented returns text with blanks before each line.
func indented(text, blanks string) string {
	return blanks + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n"+blanks)
}

// energy formats an energy for people.
func energy(e float64) string { return strconv.FormatFloat(e, 'f', 2, 64) }

// at formats an instant in the local time zone.
func at(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.Local().Format("2006-01-02 15:04")
}

// ago returns how long before now an instant was, or how long after now it will be.
func ago(t, now time.Time) string {
	d := now.Sub(t)
	if d < 0 {
		return "in " + moment.Rough((-d).Round(time.Minute)) // it was a whole unit when somebody typed it
	}
	if d < time.Minute {
		return "now"
	}
	return moment.Rough(d) + " ago"
}

// readInput returns all of standard input, a text of a memory.
func (a *cli) readInput() (string, error) {
	data, err := io.ReadAll(io.LimitReader(a.in, brain.MaxContent+1))
	if err != nil {
		return "", fmt.Errorf("read standard input: %w", err)
	}
	if len(data) > brain.MaxContent {
		return "", usage("split it, or keep it in a file below knowledge/",
			"standard input has more than the limit of %d bytes for a memory", brain.MaxContent)
	}
	return strings.TrimRight(string(data), "\r\n"), nil
}

// table prints aligned columns for people.
type table struct {
	head []string
	rows [][]string
	ids  []string // of the rows, if they have ids
	// right has the heads of the columns that are aligned to the right.
	right string
	dim   map[int]bool // rows that are dimmed on a terminal
}

func (t *table) row(cells ...string) { t.rows = append(t.rows, cells) }

// item adds a row with an id, which --quiet prints.
func (t *table) item(id string, cells ...string) {
	t.ids = append(t.ids, id)
	t.row(cells...)
}

// printList prints a table, its ids with --quiet, or none. It reports whether it has rows.
func (a *cli) printList(t table, none string) bool {
	switch {
	case a.quiet:
		for _, id := range t.ids {
			a.printf("%s\n", id)
		}
	case len(t.rows) == 0:
		a.printf("%s\n", none)
	default:
		a.print(t)
	}
	return len(t.rows) > 0
}

// print writes the table; the last column is not padded.
func (a *cli) print(t table) {
	widths := make([]int, len(t.head))
	for _, row := range append([][]string{t.head}, t.rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], displaywidth.String(cell))
		}
	}
	a.printf("%s\n", a.dim(t.line(t.head, widths)))
	for i, row := range t.rows {
		line := t.line(row, widths)
		if t.dim[i] {
			line = a.dim(line)
		}
		a.printf("%s\n", line)
	}
}

func (t *table) line(cells []string, widths []int) string {
	var b strings.Builder
	for i, cell := range cells {
		pad := strings.Repeat(" ", widths[i]-displaywidth.String(cell))
		switch {
		case strings.Contains(t.right, t.head[i]):
			b.WriteString(pad + cell)
		case i < len(cells)-1:
			b.WriteString(cell + pad)
		default:
			b.WriteString(cell)
		}
		if i < len(cells)-1 {
			b.WriteString("  ")
		}
	}
	return strings.TrimRight(b.String(), " ")
}
