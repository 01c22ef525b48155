package transcripts

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/google/uuid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/markdown"
	"github.com/brainbridge/brainbridge/brain/plaintext"
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

// writeTranscript writes the cleaned transcript of a day, but in a dry run. It reports whether it
// kept sessions of the earlier one with lines that no session file has any more.
func (r *run) writeTranscript(ctx context.Context, day string, c *collector) (kept bool, err error) {
	path := r.path(relative(day))
	var earlier []section
	var contained map[string]bool
	if len(c.problems) > 0 || len(r.days[day].lost) > 0 {
		if earlier, contained, err = c.earlierSessions(path); err != nil {
			return false, fmt.Errorf("compare with the earlier transcript of %s: %w", day, err)
		}
	}
	kept = len(earlier) > 0
	if r.req.DryRun {
		return kept, nil
	}
	err = r.replace(relative(day), func(out *bufio.Writer) error {
		fmt.Fprint(out, "# "+day+" - Transcript\n")
		err := c.walk(func(p piece) error {
			for p.startsSession && len(earlier) > 0 && earlier[0].title <= p.title {
				fmt.Fprint(out, "\n"+earlier[0].text)
				earlier = earlier[1:]
			}
			if !contained[sessionName(p.session)] {
				p.write(out)
			}
			return ctx.Err()
		})
		for _, s := range earlier {
			fmt.Fprint(out, "\n"+s.text)
		}
		return err
	})
	return kept, brain.Wrap(err, "write the transcript of %s", day)
}

// replace replaces a file. It ignores that the folder could not be synced.
func (r *run) replace(rel string, write func(*bufio.Writer) error) error {
	if err := r.makeDir(rel); err != nil {
		return err
	}
	f, err := durable.Create(r.path(rel), durable.Options{KeepMode: true})
	if err != nil {
		return err
	}
	defer f.Discard()
	out := bufio.NewWriterSize(f, 1<<16)
	if err := errors.Join(write(out), out.Flush()); err != nil {
		return err
	}
	if err := f.Replace(); !errors.Is(err, durable.ErrUnsynced) {
		return err
	}
	return nil
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
