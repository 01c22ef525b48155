package app

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

// fileOf returns the file for an id. Ids come from outside, so they are hashed.
func fileOf(dir, id string) string {
	sum := sha256.Sum256([]byte(id))
	return filepath.Join(dir, fmt.Sprintf("%x.json", sum[:16]))
}

// get reads a JSON file. A missing or damaged one, which has no data of a person, is zero.
func get[T any](path string) (v T, err error) {
	data, err := durable.ReadFile(path)
	if err != nil {
		return v, fmt.Errorf("read the sessions: %w", err)
	}
	if json.Unmarshal(data, &v) != nil {
		return *new(T), nil
	}
	return v, nil
}

func put(path string, v any) error {
	data, err := json.Marshal(v)
	if err == nil {
		err = durable.MakeDir(filepath.Dir(path), durable.PrivateDir)
	}
	if err == nil {
		err = durable.WriteFile(path, data, durable.Options{})
	}
	return brain.Wrap(err, "store the session")
}

func all[T any](dir string) ([]T, error) {
	var values []T
	var failed error
	err := each(dir, func(path string, _ time.Time) {
		v, err := get[T](path)
		failed = errors.Join(failed, err)
		values = append(values, v)
	})
	return values, errors.Join(err, failed)
}

// Sweep removes files that have not changed for thirty days by the clock of the machine.
func (s *AgentSessions) Sweep() error {
	old := time.Now().AddDate(0, 0, -30)
	remove := func(path string, changed time.Time) {
		if changed.Before(old) {
			_ = os.Remove(path) // the next sweep tries again
		}
	}
	return errors.Join(each(s.dir, remove), each(s.connections(), remove), each(s.places(), remove), each(filepath.Join(s.dir, "last"), remove))
}

func each(dir string, fn func(path string, changed time.Time)) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() && strings.HasSuffix(e.Name(), ".json") {
			fn(filepath.Join(dir, e.Name()), info.ModTime())
		}
	}
	return brain.Wrap(err, "list the sessions")
}
