package transcripts

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/google/uuid"
	"github.com/zeebo/xxh3"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/redact"
	"github.com/brainbridge/brainbridge/watcher/transcript"
)

const (
	maxHeading = 60 // characters of the first words in a heading
	maxSession = 80 // characters of a session name
)

// sessionName returns the id of a session as one word.
func sessionName(id string) string {
	id = strings.Join(strings.FieldsFunc(id, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) || r == '#' }), "-")
	if id == "" {
		return "unnamed"
	}
	return plaintext.Shorten(id, maxSession)
}

// shortName returns a session name; of a UUID the unique part (those of Codex begin with the time).
func shortName(id string) string {
	switch u, err := uuid.Parse(id); {
	case err != nil:
		return sessionName(id)
	case u.Version() == 7:
		return u.String()[28:]
	default:
		return u.String()[:8]
	}
}

// exchange returns the heading of an exchange: time and first words.
func exchange(p piece) string {
	words := ""
	for line := range strings.Lines(p.text) {
		if strings.ContainsFunc(line, unicode.IsLetter) {
			words = strings.Join(strings.FieldsFunc(line, func(r rune) bool {
				return unicode.IsSpace(r) || !unicode.IsPrint(r) || strings.ContainsRune("#`*[]<>\\", r)
			}), " ")
			break
		}
	}
	return strings.TrimRight(p.at.Format("15:04:05")+" "+plaintext.Shorten(words, maxHeading), " ")
}

// writeTranscript writes the cleaned transcript of a day. If keep is set and the earlier one
// has lines that no session file has any more, it stays and the new messages are added.
func (r *run) writeTranscript(ctx context.Context, c *collector, report *Day, keep bool) (err error) {
	defer func() { err = brain.Wrap(err, "write the transcript of %s", report.Date) }()
	if _, err := r.o.Notes.ClaimOrCreate(ctx); err != nil {
		return err
	}
	begin, err := "# "+report.Date+" - Transcript\n", r.makeDir(relative(report.Date))
	if keep && err == nil {
		begin, err = c.beginning(begin, report)
	}
	if err != nil {
		return err
	}
	f, err := durable.Create(report.Transcript, durable.Options{KeepMode: true})
	if err != nil {
		return err
	}
	defer f.Discard()
	out := bufio.NewWriterSize(f, 1<<16) // its first error stays
	fmt.Fprint(out, begin)
	there, title, heading := linesOf(begin, true), lastTitle(begin), ""
	err = c.walk(func(p piece) error {
		text := label(p) + escaped(p.text) + "\n"
		if contains(there, linesOf(text, true)) {
			return nil
		}
		if p.title != title {
			fmt.Fprint(out, "\n## "+p.title+"\n")
		}
		if p.heading != heading {
			fmt.Fprint(out, "\n### "+p.heading+"\n")
		}
		title, heading = p.title, p.heading
		fmt.Fprint(out, "\n"+text)
		return ctx.Err()
	})
	if err := errors.Join(err, out.Flush()); err != nil {
		return err
	}
	if err = f.Replace(); errors.Is(err, durable.ErrUnsynced) {
		err = nil
	}
	return err
}

// beginning returns the earlier transcript of a day, and reports that, if it has lines that no
// session file has any more, else begin.
func (c *collector) beginning(begin string, report *Day) (string, error) {
	old, err := durable.ReadFile(report.Transcript)
	if err != nil {
		return "", err
	}
	text, _ := redact.Text(string(old)) // as those of the files
	inFiles := map[uint64]bool{}
	err = c.walk(func(p piece) error {
		maps.Copy(inFiles, linesOf(escaped(p.text), false))
		return nil
	})
	if err != nil || contains(inFiles, linesOf(text, false)) {
		return begin, err
	}
	report.Problems = append(report.Problems, Problem{File: report.Transcript, Message: "keeps messages that are no longer in the session files"})
	return strings.TrimRight(text, "\n") + "\n", nil
}

// lastTitle returns the heading of the last session of a transcript, without number signs.
func lastTitle(text string) string {
	title, _, _ := strings.Cut(text[strings.LastIndex(text, "\n## ")+1:], "\n")
	return strings.TrimPrefix(title, "## ")
}

// linesOf returns hashes of the lines of messages, without headings; labelled together with
// the line above them that has the speaker and the time.
func linesOf(text string, labelled bool) map[uint64]bool {
	all, label := map[uint64]bool{}, ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "", strings.HasPrefix(line, "# "), strings.HasPrefix(line, "## "), strings.HasPrefix(line, "### "):
			continue
		case strings.HasPrefix(line, "**") && strings.HasSuffix(line, "):") && strings.Contains(line, "** ("):
			label, line = line, ""
		case strings.HasPrefix(line, "→ "):
			label, line = "", strings.TrimPrefix(line, "→ ")
		}
		if labelled {
			line = label + line
		}
		if line != "" {
			all[xxh3.HashString(line)] = true
		}
	}
	return all
}

func contains(all, part map[uint64]bool) bool {
	for line := range part {
		if !all[line] {
			return false
		}
	}
	return true
}

// label returns the line above a message that names the speaker, or the mark before a call.
func label(p piece) string {
	at := " (" + p.at.Format("15:04:05") + "):\n\n"
	switch {
	case p.kind == transcript.Call:
		return "→ "
	case p.kind == transcript.Output:
		return "**Output**" + at
	case p.kind == transcript.Failure:
		return "**Error**" + at
	case p.takenBack:
		return "**User, taken back**" + at
	case p.role == transcript.User:
		return "**User**" + at
	}
	return "**Assistant**" + at
}

// makeDir creates the folder of a file, as readable as the notes; it must not lead out of them.
func (r *run) makeDir(rel string) error {
	if err := durable.MakeDir(r.o.Dir, 0o755); err != nil {
		return fmt.Errorf("make the notes directory: %w", err)
	}
	root, err := os.OpenRoot(r.o.Dir)
	if err == nil {
		defer root.Close() //nolint:errcheck // nothing was written to it
		err = root.MkdirAll(filepath.Dir(rel), 0o755)
	}
	if err == nil {
		_, err = root.Stat(rel)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s must not lead outside the notes directory: %w", r.path(rel), err)
	}
	return nil
}

// escaped returns the text of a message so that it can neither end nor swallow the next one:
// headings get a backslash in front, and a code fence that is left open is closed.
func escaped(text string) string {
	if !strings.ContainsAny(text, "#`~") {
		return text
	}
	d := markdown.Parse(text)
	open := slices.Concat(d.Unclosed, []int{len(d.Lines)})[0] // the first fence that is never closed
	out := d.Rewrite(func(i int, line string) string {
		if d.Lines[i].Level == 0 || i > open {
			return line
		}
		_, at := markdown.Indent(line)
		return line[:at] + `\` + line[at:]
	})
	if open == len(d.Lines) {
		return out
	}
	fence, _ := markdown.ParseFence(d.Line(open))
	return strings.TrimSuffix(out, "\n") + "\n" + fence.Mark
}
