package brain

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// The errors that callers distinguish. Stores and services wrap them; compare with
// errors.Is.
var (
	// ErrNotFound: no node has that id or name.
	ErrNotFound = errors.New("not found")
	// ErrInvalid: the input is wrong; nothing was written.
	ErrInvalid = errors.New("invalid")
	// ErrBusy: another process holds the lock.
	ErrBusy = errors.New("busy")
	// ErrHeld: another process holds the store itself, to replace its content;
	// captures may be spooled. It is an [ErrBusy].
	ErrHeld = fmt.Errorf("the store is held: %w", ErrBusy)
	// ErrConflict: something has changed since it was read, or a unique key is taken.
	ErrConflict = errors.New("changed meanwhile")
	// ErrReadOnly: the store may be read, but not be written by this program; nothing was
	// written, and captures may be spooled.
	ErrReadOnly = errors.New("the store is read-only")
	// ErrUnavailable: the store cannot be reached now; captures may be spooled.
	ErrUnavailable = errors.New("store not reachable")
	// ErrRefused: the store was reached and refused access (wrong password, made
	// by a newer version, data of another program). No reason to spool, unless it is [ErrDamaged].
	ErrRefused = errors.New("store refused")
	// ErrDamaged: a part of the store is damaged; captures may be spooled. It is an [ErrRefused].
	ErrDamaged = fmt.Errorf("damaged: %w", ErrRefused)
)

// IsUnreachable reports whether the store cannot be written for now, so that a capture may be spooled.
func IsUnreachable(err error) bool {
	return errors.Is(err, ErrUnavailable) || errors.Is(err, ErrHeld) || errors.Is(err, ErrReadOnly) || errors.Is(err, ErrDamaged)
}

// Error is an error for people: what happened, to what, and what to do next.
type Error struct {
	Kind    error  // one of the sentinels
	Message string // one line
	Hint    string // what to do next, may be empty
}

func (e *Error) Error() string { return e.Message }

// Unwrap makes errors.Is find the sentinel.
func (e *Error) Unwrap() error { return e.Kind }

// Errorf returns an [Error] of a kind with a hint and a formatted message.
func Errorf(kind error, hint, format string, args ...any) error {
	return &Error{Kind: kind, Hint: hint, Message: fmt.Sprintf(format, args...)}
}

// Wrap adds what was being done in front of an error. It returns nil for nil.
func Wrap(err error, doing string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(doing, args...), err)
}

// UnknownBrain returns the error for a brain that does not exist. It lists up to
// ten of the stored brains and leaves internal ones out.
func UnknownBrain(name string, stored []string) error {
	const most = 10
	// The test memories of a brain are in NAME~test, a restore loads into NAME/loading.
	known := slices.DeleteFunc(slices.Clone(stored), func(name string) bool { return strings.ContainsAny(name, "~/") })
	slices.Sort(known)
	message := "there is no brain " + name
	if len(known) > 0 {
		message += "; there are: " + strings.Join(known[:min(most, len(known))], ", ")
	}
	if len(known) > most {
		message += fmt.Sprintf(" and %d more", len(known)-most)
	}
	return Errorf(ErrNotFound, "check the name; `brainbridge init --brain "+name+"` creates it", "%s", message)
}

// Busy returns an [ErrBusy] that says what another process is doing.
func Busy(format string, args ...any) error { return Errorf(ErrBusy, "try again", format, args...) }

// HeldError is the error for a lease of another holder. It is an [ErrBusy].
type HeldError struct {
	Name   string
	Holder Holder
	Since  time.Time
}

func (e *HeldError) Error() string {
	return fmt.Sprintf("%s is running since %s, pid %d on %s",
		e.Name, e.Since.Local().Format(time.DateTime), e.Holder.PID, e.Holder.Host)
}

// Unwrap makes errors.Is find [ErrBusy].
func (e *HeldError) Unwrap() error { return ErrBusy }
