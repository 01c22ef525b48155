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

// all reads the JSON files of a folder.
func all[T any](dir string) (values []T, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".json") {
			v, failed := get[T](filepath.Join(dir, e.Name()))
			values, err = append(values, v), errors.Join(err, failed)
		}
	}
	return values, brain.Wrap(err, "list the sessions")
}

// Sweep removes files that have not changed for thirty days by the clock of the machine.
func (s *AgentSessions) Sweep() error {
	old := time.Now().AddDate(0, 0, -30)
	err := filepath.WalkDir(s.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || !strings.HasSuffix(path, ".json") {
			return err
		}
		if info, err := e.Info(); err == nil && info.ModTime().Before(old) {
			_ = os.Remove(path) // the next sweep tries again
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return brain.Wrap(err, "sweep the sessions")
}
