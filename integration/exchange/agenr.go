package exchange

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"modernc.org/sqlite"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/moment"
)

// readAgenr imports the entries but retired ones; a superseded one as such a memory. All of the
// database is read first: a damaged one is left out whole.
func readAgenr(r *reader) {
	a := agenr{reader: r, taken: map[string]bool{}}
	db, err := openDatabase(r.file.path)
	if err != nil {
		r.err = err
		return
	}
	defer db.Close()           //nolint:errcheck // it was only read
	tables := map[string]int{} // the numbers of their rows
	var entries []row
	err = eachRow(r.ctx, db, `SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('durables', 'entries', 'episodes', 'procedures')`,
		func(table row) { tables[table["name"]] = 0 })
	for table := range tables {
		err = cmp.Or(err, eachRow(r.ctx, db, inOrder(table), func(row row) {
			tables[table]++
			if table == "durables" {
				entries, a.taken[row["id"]] = append(entries, row), !retired(row)
			}
		}))
	}
	_, hasDurables := tables["durables"]
	_, hasEntries := tables["entries"]
	switch {
	case err != nil:
		r.refuse(0, "is damaged, or is not a SQLite database, or is in use (%v); if agenr is running, stop it and try again", durable.Cause(err))
		return
	case !hasDurables && hasEntries:
		r.refuse(0, "was written by agenr before 2026; start the present agenr once, which converts it")
		return
	case !hasDurables:
		r.refuse(0, "is not a database of agenr: it has no durables")
		return
	}
	for _, row := range entries {
		a.entry(row)
	}
	for _, other := range []string{"episodes", "procedures"} {
		if n := tables[other]; n > 0 {
			r.leaveOut(0, fmt.Sprintf("%d %s, which are not entries", n, other))
		}
	}
	r.report.Files++
	r.report.Bytes += r.file.size
}

// inOrder returns the query for the rows of a table in creation order.
func inOrder(table string) string { return `SELECT * FROM "` + table + `" NOT INDEXED ORDER BY rowid` }

type agenr struct {
	*reader
	taken map[string]bool // entries that are imported
}

// id returns the id of an entry here, always the same.
func (a *agenr) id(theirs string) string { return a.base.IDOf("agenr " + theirs) }

func (a *agenr) entry(row map[string]string) {
	id := row["id"]
	switch {
	case !a.taken[id]:
		a.leaveOut(0, strings.TrimSuffix(fmt.Sprintf("entry %s was retired: %s", id, row["supersession_reason"]), ": "))
		return
	case len(row["content"]) > brain.MaxContent:
		a.problem(0, "entry %s has %d bytes, more than the limit of %d for a memory; left out", id, len(row["content"]), brain.MaxContent)
		return
	}
	extra := restOf(row, "id", "type", "subject", "content", "project", "tags", "created_at")
	extra["agenrId"] = id
	raw, _ := json.Marshal(extra) // strings always encode
	importance, _ := strconv.ParseFloat(row["importance"], 64)
	m := brain.Memory{
		ID: a.id(id), Name: a.clean(row["subject"]), Content: a.clean(row["content"]), MemoryType: row["type"],
		Project: cmp.Or(row["project"], a.o.Project), Created: a.instant(row["created_at"]),
		Importance: brain.ImportanceOf(importance), Tags: brain.CleanTags(slices.Concat(a.o.Tags, listOf(row["tags"]))),
		Extra: raw, Group: ingest.ImportDir + "/" + a.file.rel, Position: a.count,
	}
	if slices.Contains([]string{"core", "permanent", "temporary"}, row["expiry"]) {
		m.Retention = row["expiry"]
	}
	item := ingest.ImportItem{Memory: m}
	if by := row["superseded_by"]; by != "" && by != id || row["valid_to"] != "" && a.instant(row["valid_to"]).Before(a.now) {
		item = a.past(item, row)
	}
	a.push(item, 0)
}

func retired(row map[string]string) bool {
	return row["supersession_kind"] == "stale" && row["superseded_by"] == ""
}

// past returns a superseded memory for an entry that has ended or was replaced.
func (a *agenr) past(item ingest.ImportItem, row map[string]string) ingest.ImportItem {
	item.AsIs = true
	m := &item.Memory
	m.Version, m.AccessCount = 1, 1
	m.Past(brain.Later(m.Created, a.instant(cmp.Or(row["valid_to"], row["updated_at"]))))
	if by := row["superseded_by"]; by != row["id"] && a.taken[by] {
		item.Relations = append(item.Relations, brain.Relation{From: a.id(by), Type: brain.Supersedes, To: m.ID})
	}
	return item
}

// instant reads a time as agenr writes it; the time of the file if it is none.
func (a *agenr) instant(text string) time.Time {
	if at, ok := moment.ParseTimestamp(text); ok {
		return brain.Instant(at)
	}
	return brain.Instant(a.file.modified)
}

// listOf reads tags in one column: as JSON, or separated by bars or commas.
func listOf(text string) []string {
	var list []string
	if json.Unmarshal([]byte(text), &list) == nil {
		return list
	}
	return strings.FieldsFunc(text, func(r rune) bool { return r == '|' || r == ',' })
}

// restOf returns the fields that have a value and for which a memory has no place.
func restOf(fields map[string]string, taken ...string) map[string]string {
	rest := maps.Clone(fields)
	maps.DeleteFunc(rest, func(name, value string) bool { return value == "" || slices.Contains(taken, name) })
	return rest
}

// row is a row of a table: its columns without those that are NULL or binary.
type row = map[string]string

// openDatabase opens a database of another program for reading.
func openDatabase(path string) (*sql.DB, error) {
	// writable_schema accepts a schema with functions of other builds of SQLite, such
	// as the vector indexes of libSQL.
	connector, err := sqlite.NewConnector(durable.ForeignDatabase(path, "_pragma=busy_timeout(5000)&_pragma=writable_schema(1)&_pragma=query_only(1)"))
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(1)
	return db, nil
}

// eachRow calls fn with every row that a query finds.
func eachRow(ctx context.Context, db *sql.DB, query string, fn func(row)) error {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	values, pointers := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		pointers[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(pointers...); err != nil {
			return err
		}
		r := row{}
		for i, column := range columns {
			if _, binary := values[i].([]byte); values[i] != nil && !binary {
				r[column] = fmt.Sprint(values[i])
			}
		}
		fn(r)
	}
	return rows.Err()
}
