package hooks

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// maxLog is the size at which hooks.log is started over; the one before is kept.
const maxLog = 1 << 20

// LogLine returns the line of the log for an error.
func LogLine(err error) string {
	text := strings.ReplaceAll(err.Error(), "\n", "; ")
	return time.Now().UTC().Format(time.RFC3339) + " " + plaintext.Shorten(plaintext.OneLine(text), 1000) + "\n"
}

// Log appends a line to hooks.log in a state folder.
func Log(state, line string) error {
	if err := durable.MakeDir(state, durable.PrivateDir); err != nil {
		return err
	}
	path := filepath.Join(state, "hooks.log")
	if info, err := os.Stat(path); err == nil && info.Size() > maxLog {
		_ = os.Rename(path, path+".1") // else it grows on
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, durable.PrivateFile)
	if err != nil {
		return err
	}
	_, err = f.WriteString(line)
	return errors.Join(err, f.Close())
}
