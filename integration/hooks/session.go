package hooks

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// Session is how far a session of an agent has come.
type Session struct {
	ID         string    `json:"id"`
	CWD        string    `json:"cwd,omitempty"`
	Transcript string    `json:"transcript,omitempty"` // path of what the agent writes of it
	Started    time.Time `json:"started"`
	Prompts    int       `json:"prompts"`
	// Told are the ids of the memories that were added to its prompts.
	Told []string `json:"told,omitempty"`
	// Read is how far the transcript was read.
	Read transcript.Position `json:"read,omitzero"`
	// Recorded is when its end was recorded last, and RecordedPrompts how many
	// prompts it had by then; a session may go on after that.
	Recorded        time.Time `json:"recorded,omitzero"`
	RecordedPrompts int       `json:"recordedPrompts,omitempty"`
	// Latest is when something happened in it last.
	Latest time.Time `json:"latest,omitzero"`
}

// Sessions keeps the sessions of one brain on one machine, each in a file of
// its folder. It is safe for several processes.
type Sessions struct {
	dir string
}

// keptSessions is how long a session is kept after something happened in it.
const keptSessions = 30 * 24 * time.Hour

// lockWait bounds the wait for another process; each holds the lock for one
// write.
const lockWait = 2 * time.Second

// NewSessions keeps sessions in a folder, which is made when it is needed.
func NewSessions(dir string) *Sessions { return &Sessions{dir} }

// file is that of a session. Ids come from outside, so they name no file
// themselves.
func (s *Sessions) file(id string) string {
	sum := sha256.Sum256([]byte(id))
	return filepath.Join(s.dir, hex.EncodeToString(sum[:16])+".json")
}

// Load returns a session; one that is not known has no start.
func (s *Sessions) Load(id string) (Session, error) {
	data, err := durable.ReadFile(s.file(id))
	if err != nil {
		return Session{}, fmt.Errorf("read how far the session has come: %w", err)
	}
	session := Session{ID: id}
	if len(data) > 0 && json.Unmarshal(data, &session) != nil {
		return Session{ID: id}, nil // begins anew; nothing of a person is in it
	}
	session.ID = id
	return session, nil
}

// Update changes a session under the lock and returns it. A session that is not
// known starts at now.
func (s *Sessions) Update(ctx context.Context, id string, now time.Time, change func(*Session)) (Session, error) {
	if err := durable.MakeDir(s.dir, durable.PrivateDir); err != nil {
		return Session{}, fmt.Errorf("make the folder of sessions: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	unlock, err := durable.Lock(ctx, filepath.Join(s.dir, ".lock"))
	if err != nil {
		return Session{}, err
	}
	defer unlock()
	session, err := s.Load(id)
	if err != nil {
		return Session{}, err
	}
	if session.Started.IsZero() {
		session.Started = now
	}
	session.Latest = now
	change(&session)
	data, err := json.Marshal(session)
	if err != nil {
		return Session{}, fmt.Errorf("encode the session: %w", err)
	}
	if err := durable.WriteFile(s.file(id), data, durable.Options{}); err != nil {
		return Session{}, fmt.Errorf("keep how far the session has come: %w", err)
	}
	return session, nil
}

// Latest is the session in which something happened last, without an id where
// there is none.
func (s *Sessions) Latest() (Session, error) {
	all, err := s.All()
	if err != nil || len(all) == 0 {
		return Session{}, err
	}
	return slices.MaxFunc(all, func(x, y Session) int { return x.Latest.Compare(y.Latest) }), nil
}

// All are the sessions that are kept, by when they started. What cannot be read
// is left out: nothing of a person is in it.
func (s *Sessions) All() ([]Session, error) {
	var all []Session
	var failed error
	err := s.each(func(path string, _ time.Time) {
		data, err := durable.ReadFile(path)
		failed = errors.Join(failed, err)
		var session Session
		if err == nil && json.Unmarshal(data, &session) == nil && session.ID != "" {
			all = append(all, session)
		}
	})
	if err = errors.Join(err, failed); err != nil {
		return nil, fmt.Errorf("read how far sessions have come: %w", err)
	}
	slices.SortFunc(all, func(x, y Session) int { return cmp.Or(x.Started.Compare(y.Started), strings.Compare(x.ID, y.ID)) })
	return all, nil
}

// Sweep removes sessions in which nothing has happened for thirty days of the
// machine's clock.
func (s *Sessions) Sweep() error {
	old := time.Now().Add(-keptSessions)
	return s.each(func(path string, changed time.Time) {
		if changed.Before(old) {
			_ = os.Remove(path) // the next sweep meets it again
		}
	})
}

func (s *Sessions) each(fn func(path string, changed time.Time)) error {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at the sessions: %w", err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() && strings.HasSuffix(e.Name(), ".json") {
			fn(filepath.Join(s.dir, e.Name()), info.ModTime())
		}
	}
	return nil
}
