package config

import (
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/adhocore/gronx"
	"github.com/bmatcuk/doublestar/v4"

	"github.com/brainbridge/brainbridge/brain/moment"
)

// validate returns the error of the first key with an invalid value. It checks no files.
func (c *Config) validate() *Error {
	for _, k := range keys(c) {
		if err := k.check(); err != nil {
			return err.of(k.name)
		}
	}
	return nil
}

// anything accepts every value.
func anything[T any](T) *Error { return nil }

// checkBrain accepts names that are valid folder names on every file system.
func checkBrain(name string) *Error {
	const alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	if name != "" && len(name) <= 64 && strings.Contains(alphanumeric, name[:1]) && strings.Trim(name, alphanumeric+"._-") == "" {
		return nil
	}
	return fault("%s cannot name a brain", shown(name)).
		hint("1 to 64 letters, digits, dots, dashes or underscores, the first a letter or a digit")
}

func checkStore(uri string) *Error {
	if uri == "" {
		return nil // the default place
	}
	_, err := parseStore(uri)
	return err
}

func checkFilled(s string) *Error {
	if strings.TrimSpace(s) == "" {
		return fault("is empty").hint("leave the key out for the default")
	}
	return nil
}

func checkZone(name string) *Error {
	if _, err := (Notes{Timezone: name}).Location(); err != nil {
		return fault("%s is not a known time zone", shown(name)).hint("use an IANA name such as Europe/Berlin")
	}
	return nil
}

func checkMaxFile(s Size) *Error {
	if s < 1<<10 || s > 1<<30 {
		return fault("%s is out of range", s).hint("from 1KiB to 1GiB")
	}
	return nil
}

func atLeastLong(least time.Duration) func(time.Duration) *Error {
	return func(d time.Duration) *Error {
		if d < least {
			return fault("%s is too short", moment.FormatDuration(d)).hint("at least %s", moment.FormatDuration(least))
		}
		return nil
	}
}

func atLeast(least int) func(int) *Error {
	return func(n int) *Error {
		if n < least {
			return fault("%d is too small", n).hint("at least %d", least)
		}
		return nil
	}
}

// checkCron accepts the five fields of a crontab, or a tag such as @daily.
func checkCron(expr string) *Error {
	fields := len(strings.Fields(expr))
	if (fields == 5 || fields == 1 && strings.HasPrefix(expr, "@")) && gronx.IsValid(expr) {
		return nil
	}
	return fault("%s is not a schedule", shown(expr)).
		hint("five fields as in a crontab: minute, hour, day, month, weekday; 0 3 * * * is each night at three")
}

func oneOf(what string, values ...string) func(string) *Error {
	return func(s string) *Error {
		if slices.Contains(values, s) {
			return nil
		}
		last := len(values) - 1
		return fault("%s is not a %s", shown(s), what).hint("%s or %s", strings.Join(values[:last], ", "), values[last])
	}
}

func checkGlobs(globs []string) *Error {
	for _, g := range globs {
		if pattern := strings.TrimPrefix(g, "!"); strings.TrimSpace(pattern) == "" || !doublestar.ValidatePathPattern(pattern) {
			return fault("%s is not a pattern of paths", shown(g)).hint("such as **/*.md or ~/.claude/projects/**/*.jsonl")
		}
	}
	return nil
}

// checkNames refuses files outside the folder of the session.
func checkNames(files []string) *Error {
	for _, f := range files {
		if !filepath.IsLocal(f) {
			return fault("%s is not a file in the session's folder", shown(f)).hint("such as progress.md")
		}
	}
	return nil
}

// checkURL accepts addresses of the endpoint of a section.
func checkURL(section string) func(string) *Error {
	return func(address string) *Error {
		u, err := url.Parse(address)
		if address == "" || err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil {
			return nil
		}
		return fault("%s is not the address of an endpoint", shown(address)).
			hint("such as http://localhost:11434/v1; a key goes into the file of %s.api_key_file", section)
	}
}

// checkListen accepts addresses on localhost only.
func checkListen(address string) *Error {
	if address == WebOff {
		return nil
	}
	host, port, err := net.SplitHostPort(address)
	if _, bad := strconv.ParseUint(port, 10, 16); err != nil || bad != nil {
		return fault("%s is not an address", shown(address)).hint("such as 127.0.0.1:4747, or off")
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fault("%s is not on localhost", shown(address)).hint("use 127.0.0.1, localhost or [::1]; reach it from elsewhere through an SSH tunnel")
	}
	return nil
}

// Error says what is wrong with a setting. Only the user can fix it.
type Error struct {
	Key   string // as in the file, such as notes.dir; empty if the error is not about one key
	Where string // file and line, environment variable or flag; may be empty
	Text  string // what is wrong
	Hint  string // what to do, may be empty
	Err   error  // the cause, may be nil
}

// Error returns place, key and text, without the hint.
func (e *Error) Error() string {
	text := e.Text
	if e.Key != "" {
		text = e.Key + ": " + text
	}
	if e.Where != "" {
		text = e.Where + ": " + text
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

func fault(text string, args ...any) *Error {
	return &Error{Text: fmt.Sprintf(text, args...)}
}

func (e *Error) hint(text string, args ...any) *Error {
	e.Hint = fmt.Sprintf(text, args...)
	return e
}

// of sets the key.
func (e *Error) of(key string) *Error {
	e.Key = key
	return e
}

// at sets the place.
func (e *Error) at(where string) *Error {
	e.Where = where
	return e
}
