package transcripts

import (
	"context"
	"io/fs"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/redact"
	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// Turn is what one side of a session said.
type Turn struct {
	Speaker string `json:"speaker"` // user or assistant
	Time    string `json:"time"`    // HH:MM:SS in the time zone of the notes
	Text    string `json:"text"`    // at most 4,000 characters
}

// maxTurn is the length of the text of a [Turn], and turnsAround how many are returned before and
// after an instant.
const maxTurn, turnsAround = 4000, 3

// Around returns what was said in a session just before and after an instant, from the cleaned
// transcript of its day or, before that is written, from the file of the session, "" for none.
// The session may be given by its short name. The error is [fs.ErrNotExist] if neither has it.
func (x *Extractor) Around(ctx context.Context, session string, at time.Time, file string) ([]Turn, error) {
	text, err := durable.ReadFile(x.path(relative(x.dayOf(at))))
	if err != nil {
		return nil, err
	}
	turns := around(turnsOf(string(text), session), at.In(x.o.Location).Format(time.TimeOnly))
	if len(turns) > 0 {
		return turns, nil
	}
	if file == "" {
		return nil, fs.ErrNotExist
	}
	return x.aroundInFile(ctx, file, at)
}

// aroundInFile reads the file of a session, of which it holds few turns.
func (x *Extractor) aroundInFile(ctx context.Context, file string, at time.Time) ([]Turn, error) {
	version, err := versionOf(file)
	if err != nil {
		return nil, err
	}
	l := run{Extractor: x}
	var before, after []Turn
	_, err = l.read(ctx, file, version.ModTime, math.MaxInt64, func(m transcript.Message) {
		if m.Kind != transcript.Said || m.TakenBack || len(after) == turnsAround {
			return
		}
		text, _ := redact.Text(m.Text)
		turn := Turn{strings.ToLower(string(m.Role)), m.At.In(x.o.Location).Format(time.TimeOnly), plaintext.Shorten(text, maxTurn)}
		if m.At.After(at) {
			after = append(after, turn)
		} else {
			before = append(before, turn)
			before = before[max(0, len(before)-turnsAround):]
		}
	})
	if turns := slices.Concat(before, after); len(turns) > 0 || err != nil {
		return turns, err
	}
	return nil, fs.ErrNotExist
}

// turnLabel is the line above what somebody said in a cleaned transcript, see label.
var turnLabel = regexp.MustCompile(`^\*\*(User|Assistant)\*\* \((\d\d:\d\d:\d\d)\):$`)

// turnsOf returns the turns of a session in a cleaned transcript.
func turnsOf(text, session string) (turns []Turn) {
	inSession, speaking := false, false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		label := turnLabel.FindStringSubmatch(line)
		switch {
		case strings.HasPrefix(line, "## "):
			name := line[strings.LastIndexByte(line, ' ')+1:]
			inSession, speaking = name == sessionName(session) || shortName(name) == session, false
		case label != nil && inSession:
			turns, speaking = append(turns, Turn{Speaker: strings.ToLower(label[1]), Time: label[2]}), true
		case strings.HasPrefix(line, "### "), strings.HasPrefix(line, "→ "), strings.HasPrefix(line, "**") && strings.HasSuffix(line, "):"):
			speaking = false
		case speaking:
			turns[len(turns)-1].Text += line + "\n"
		}
	}
	for i := range turns {
		turns[i].Text = plaintext.Shorten(strings.TrimSpace(turns[i].Text), maxTurn)
	}
	return turns
}

// around returns the turns next to a time of the day.
func around(turns []Turn, at string) []Turn {
	n := slices.IndexFunc(turns, func(t Turn) bool { return t.Time > at })
	if n < 0 {
		n = len(turns)
	}
	return turns[max(0, n-turnsAround):min(len(turns), n+turnsAround)]
}
