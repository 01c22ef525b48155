package main

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// table prints aligned columns for people.
type table struct {
	head []string
	rows [][]string
	ids  []string // of the rows, if they have one
	// right marks the columns of numbers, by their heads.
	right string
}

func (t *table) row(cells ...string) { t.rows = append(t.rows, cells) }

// item adds the row of something that has an id.
func (t *table) item(id string, cells ...string) {
	t.ids = append(t.ids, id)
	t.row(cells...)
}

// printList prints a table of items: only their ids with --quiet, and the text none
// if there are none. It reports whether there are any.
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

// columnGap separates two columns.
const columnGap = "  "

// print writes the table; the last column is not padded.
func (a *cli) print(t table) {
	widths := make([]int, len(t.head))
	for _, row := range append([][]string{t.head}, t.rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], displaywidth.String(cell))
		}
	}
	a.printf("%s\n", a.dim(t.line(t.head, widths)))
	for _, row := range t.rows {
		a.printf("%s\n", t.line(row, widths))
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
			b.WriteString(columnGap)
		}
	}
	return strings.TrimRight(b.String(), " ")
}
