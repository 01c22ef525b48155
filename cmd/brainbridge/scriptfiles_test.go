package main

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

// fileCommands change files as a person does in an editor.
func fileCommands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"edit": edit, "unline": unline, "append": appendFile, "head": head, "unzstd": unzstd, "hold": hold, "lose": lose, "sql": execSQL,
	}
}

// rewrite changes the text of a file, which must change.
func rewrite(ts *testscript.TestScript, file string, change func(string) string) {
	path := ts.MkAbs(file)
	before := ts.ReadFile(file)
	after := change(before)
	if after == before {
		ts.Fatalf("%s stays as it is:\n%s", file, before)
	}
	ts.Check(os.WriteFile(path, []byte(after), 0o600))
}

// edit replaces a text once: edit FILE OLD NEW; \n is a new line.
func edit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: edit FILE OLD NEW")
	}
	lines := strings.NewReplacer(`\n`, "\n")
	rewrite(ts, args[0], func(s string) string {
		return strings.Replace(s, lines.Replace(args[1]), lines.Replace(args[2]), 1)
	})
}

// unline deletes the lines that hold a text: unline FILE TEXT.
func unline(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: unline FILE TEXT")
	}
	rewrite(ts, args[0], func(s string) string {
		var left []string
		for _, line := range strings.SplitAfter(s, "\n") {
			if !strings.Contains(line, args[1]) {
				left = append(left, line)
			}
		}
		return strings.Join(left, "")
	})
}

// appendFile adds the text of a file to another: append FILE FROM.
func appendFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: append FILE FROM")
	}
	more := ts.ReadFile(args[1])
	rewrite(ts, args[0], func(s string) string { return s + more })
}

// head wants a file to begin with all of another: head PREFIX FILE.
func head(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: head PREFIX FILE")
	}
	if strings.HasPrefix(ts.ReadFile(args[1]), ts.ReadFile(args[0])) == neg {
		ts.Fatalf("%s does not begin as wanted:\n%s", args[1], ts.ReadFile(args[1]))
	}
}

// unzstd unpacks a compressed file: unzstd FROM TO.
func unzstd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: unzstd FROM TO")
	}
	d, err := zstd.NewReader(nil)
	ts.Check(err)
	defer d.Close()
	text, err := d.DecodeAll([]byte(ts.ReadFile(args[0])), nil)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), text, 0o600))
}

// hold takes the lock of a file, as another process does, for all that follows:
// hold FILE. A file that is gone is free again.
func hold(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: hold FILE")
	}
	release, err := durable.Lock{Path: ts.MkAbs(args[0]), Busy: brain.ErrBusy}.Acquire(context.Background())
	ts.Check(err)
	ts.Defer(release)
}

// lose deletes a database with its log, or empties it: lose FILE deleted|emptied.
func lose(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: lose FILE deleted|emptied")
	}
	path := ts.MkAbs(args[0])
	ts.Check(os.Remove(path))
	for _, part := range []string{"-wal", "-shm"} {
		if err := os.Remove(path + part); err != nil && !errors.Is(err, os.ErrNotExist) {
			ts.Fatalf("%v", err)
		}
	}
	if args[1] == "emptied" {
		ts.Check(os.WriteFile(path, nil, 0o600))
	}
}

// execSQL changes a database by hand: sql FILE STATEMENT.
func execSQL(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: sql FILE STATEMENT")
	}
	db, err := sql.Open("sqlite", ts.MkAbs(args[0])) // the driver of the store
	ts.Check(err)
	_, err = db.Exec(args[1])
	ts.Check(errors.Join(err, db.Close()))
}
