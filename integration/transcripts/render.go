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

// writeTranscript writes the cleaned transcript of a day. If asked to, it keeps the sessions of
// the earlier one with lines that no session file has any more, and reports them.
func (r *run) writeTranscript(ctx context.Context, c *collector, report *Day, keep bool) (err error) {
	defer func() { err = brain.Wrap(err, "write the transcript of %s", report.Date) }()
	if _, err := r.o.Notes.ClaimOrCreate(ctx); err != nil {
		return err
	}
	var kept []section
	var contained map[string]bool
	if keep {
		if kept, contained, err = c.earlierSessions(report.Transcript); err != nil {
			return fmt.Errorf("compare with the earlier one: %w", err)
		}
	}
	if len(kept) > 0 {
		report.Problems = append(report.Problems, keptProblem(report.Transcript, kept))
	}
	if err := r.makeDir(relative(report.Date)); err != nil {
		return err
	}
	f, err := durable.Create(report.Transcript, durable.Options{KeepMode: true})
	if err != nil {
		return err
	}
	defer f.Discard()
	out := bufio.NewWriterSize(f, 1<<16) // its first error stays
	fmt.Fprint(out, "# "+report.Date+" - Transcript\n")
	err = c.walk(func(p piece) error {
		for p.startsSession && len(kept) > 0 && kept[0].title <= p.title {
			fmt.Fprint(out, "\n"+kept[0].text)
			kept = kept[1:]
		}
		if !contained[sessionName(p.session)] {
			p.write(out)
		}
		return ctx.Err()
	})
	for _, s := range kept {
		fmt.Fprint(out, "\n"+s.text)
	}
	if err := errors.Join(err, out.Flush()); err != nil {
		return err
	}
	if err = f.Replace(); errors.Is(err, durable.ErrUnsynced) {
		return nil
	}
	return err
}

// section is a session in a cleaned transcript.
type section struct {
	title   string // its heading, without number signs
	session string // its name
	text    string // with the heading
}

// earlierSessions returns the sessions of an earlier transcript that have lines which the files
// no longer have. contained has the names of the sessions whose lines a kept one has.
func (c *collector) earlierSessions(path string) (kept []section, contained map[string]bool, err error) {
	old, err := durable.ReadFile(path)
	if err != nil || len(old) == 0 {
		return nil, nil, err
	}
	text, _ := redact.Text(string(old)) // as those of the files
	inFiles := map[uint64]bool{}
	bySession := map[string]map[uint64]bool{} // by name of a session, its lines in the files
	err = c.walk(func(p piece) error {
		name := sessionName(p.session)
		if bySession[name] == nil {
			bySession[name] = map[uint64]bool{}
		}
		lines := lineHashes(escaped(p.text))
		maps.Copy(inFiles, lines)
		maps.Copy(bySession[name], lines)
		return nil
	})
	contained = map[string]bool{}
	for _, s := range sectionsOf(text) {
		lines := lineHashes(s.text)
		if !contains(inFiles, lines) {
			kept = append(kept, s)
			contained[s.session] = contained[s.session] || contains(lines, bySession[s.session])
		}
	}
	return kept, contained, err
}

func sectionsOf(text string) (all []section) {
	d := markdown.Parse(text)
	end := len(text)
	for i, line := range slices.Backward(d.Lines) {
		if line.Level != 2 {
			continue
		}
		title := markdown.HeadingText(d.Line(i))
		words := strings.Fields("- " + title)
		all = append(all, section{title, words[len(words)-1], strings.TrimRight(text[line.Start:end], "\n") + "\n"})
		end = line.Start
	}
	slices.Reverse(all)
	return all
}

// lineHashes returns hashes of the lines of a text but those that depend on the time zone.
func lineHashes(text string) map[uint64]bool {
	all := map[uint64]bool{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		isLabel := strings.HasPrefix(line, "**") && strings.HasSuffix(line, "):") && strings.Contains(line, "** (")
		if line != "" && !isLabel && !strings.HasPrefix(line, "## ") && !strings.HasPrefix(line, "### ") {
			all[xxh3.HashString(strings.TrimPrefix(line, "→ "))] = true
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

// write writes a message with the headings that begin with it; the first error stays in out.
func (p piece) write(out *bufio.Writer) {
	if p.startsSession {
		fmt.Fprint(out, "\n## "+p.title+"\n")
	}
	if p.startsExchange {
		fmt.Fprint(out, "\n### "+p.heading+"\n")
	}
	fmt.Fprint(out, "\n"+label(p)+escaped(p.text)+"\n")
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
	if err != nil {
		return fmt.Errorf("open the notes directory: %w", err)
	}
	defer root.Close() //nolint:errcheck // nothing was written to it
	if err = root.MkdirAll(filepath.Dir(rel), 0o755); err == nil {
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
	if !strings.HasSuffix(out, "\n") {
		out += "\n"
	}
	fence, _ := markdown.ParseFence(d.Line(open))
	return out + fence.Mark
}
