package config

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/pelletier/go-toml/v2"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// projectsTable is a table of globs, so what is below it is not a key.
const projectsTable = "notes.projects"

// Table is a table of texts, the longest key first.
type Table [][2]string

// String returns the table in the form of TOML in one line.
func (t Table) String() string {
	rows := make([]string, len(t))
	for i, row := range t {
		rows[i] = plaintext.Quote(row[0]) + " = " + plaintext.Quote(row[1])
	}
	return "{" + strings.Join(rows, ", ") + "}"
}

// parseTable reads a table, as a text in the form of TOML in one line.
func parseTable(raw any) (Table, *Error) {
	table, ok := raw.(map[string]any)
	if text, isText := raw.(string); isText {
		var doc struct{ Table map[string]any }
		ok = toml.Unmarshal([]byte("Table = "+strings.TrimSpace(text)), &doc) == nil
		table = doc.Table
	}
	if !ok {
		return nil, fault("%s is not a table", shown(raw)).hint(`write a table such as {"work/shop/**" = "shop"}`)
	}
	all := Table{}
	for name, value := range table {
		text, err := parseText(value)
		if err != nil {
			return nil, err
		}
		all = append(all, [2]string{name, strings.TrimSpace(text)})
	}
	slices.SortFunc(all, func(a, b [2]string) int { return cmp.Or(len(b[0])-len(a[0]), strings.Compare(a[0], b[0])) })
	return all, nil
}

func checkProjects(t Table) *Error {
	for _, row := range t {
		if row[0] == "" || !doublestar.ValidatePattern(row[0]) || row[1] == "" {
			return fault("%s = %s is not a pattern of paths and a project", shown(row[0]), shown(row[1])).hint(`such as "work/shop/**" = "shop"`)
		}
	}
	return nil
}
