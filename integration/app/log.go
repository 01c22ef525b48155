package app

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain/redact"
)

// LogAnswer has the end of the log of the daemon.
type LogAnswer struct {
	File  string    `json:"file"`
	Lines []LogLine `json:"lines"` // latest first
}

// LogLine is a line of the log, without secrets.
type LogLine struct {
	At      *time.Time `json:"at"` // null for what is not a line of the log
	Level   string     `json:"level"`
	Message string     `json:"message"`
	Detail  string     `json:"detail"` // its other fields, as key=value
}

// logTail is how much of the log is read, in bytes.
const logTail = 256 << 10

// Log returns the last lines of the log of the daemon; none before its first start.
func (u *UseCases) Log(_ context.Context, limit int) (LogAnswer, error) {
	l := u.app.Settings
	a := LogAnswer{File: l.Paths.DaemonLog, Lines: []LogLine{}}
	f, err := os.Open(a.File)
	if errors.Is(err, fs.ErrNotExist) {
		return a, nil
	}
	if err != nil {
		return a, fmt.Errorf("read the log: %w", err)
	}
	defer func() { _ = f.Close() }()
	size, err := f.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = f.Seek(max(0, size-logTail), io.SeekStart)
	}
	if err != nil {
		return a, fmt.Errorf("read the log: %w", err)
	}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, logTail+1)
	for lines.Scan() {
		if text := bytes.TrimSpace(lines.Bytes()); len(text) > 0 {
			a.Lines = append(a.Lines, logLine(text))
		}
	}
	if size > logTail && len(a.Lines) > 0 { // the first one is cut
		a.Lines = a.Lines[1:]
	}
	slices.Reverse(a.Lines)
	a.Lines = a.Lines[:min(len(a.Lines), limit)]
	return a, lines.Err()
}

func logLine(text []byte) LogLine {
	fields := map[string]any{}
	if json.Unmarshal(text, &fields) != nil {
		clean, _ := redact.Text(string(text))
		return LogLine{Message: clean}
	}
	take := func(key string) string {
		s, _ := fields[key].(string)
		delete(fields, key)
		clean, _ := redact.Text(s)
		return clean
	}
	l := LogLine{Level: take("level"), Message: take("message")}
	if at, err := time.Parse(time.RFC3339, take("time")); err == nil {
		l.At = &at
	}
	var rest []string
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		rest = append(rest, fmt.Sprintf("%s=%v", key, fields[key]))
	}
	l.Detail, _ = redact.Text(strings.Join(rest, " "))
	return l
}
