package e2e

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// backupList is the answer of backup list.
type backupList struct {
	Backups []struct{ Path string }
	Next    string

	LastTest *struct{ Path, Problem string }

	LastFailure *struct{ Problem string }
}

// backupHealth is what health says about backups.
func (h *home) backupHealth() (state, detail string) {
	h.t.Helper()
	type indicator struct{ Name, State, Detail string }
	for _, i := range ask[struct{ Indicators []indicator }](h, "health").Indicators {
		if i.Name == "lastBackup" {
			return i.State, i.Detail
		}
	}
	h.t.Fatal("health has no indicator lastBackup")
	return "", ""
}

// The daemon makes up for a backup that was missed, removes old ones, and restores the newest
// one for a test.
func TestTheDaemonBacksUp(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, h *home) {
		h.ok("remember", "the harbour has 3 gates")
		h.ok("config", "set", "backup.keep", "newest 1")
		var old []string
		for day := range 3 {
			h.env = append(h.env, "BRAINBRIDGE_NOW="+time.Now().AddDate(0, 0, day-6).UTC().Format(time.RFC3339))
			old = append(old, ask[struct{ Path string }](h, "backup", "create").Path)
		}
		h.env = h.env[:len(h.env)-3]
		d := h.serve()
		var l backupList
		eventually(t, func() error {
			if l = ask[backupList](h, "backup", "list"); len(l.Backups) != 1 || l.LastTest == nil {
				return fmt.Errorf("listed %+v", l)
			}
			return nil
		})
		if slices.Contains(old, l.Backups[0].Path) || l.LastTest.Path != l.Backups[0].Path || l.LastTest.Problem != "" || l.LastFailure != nil || l.Next == "" {
			t.Errorf("the daemon left %+v", l)
		}
		if state, detail := h.backupHealth(); state != "ok" {
			t.Errorf("health: %s, %s", state, detail)
		}
		d.stop()
	})
}

// A backup that is damaged later, or cannot be made, turns health to warn.
func TestTheDaemonSaysThatABackupFailed(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.ok("remember", "the harbour has 3 gates")
	path := ask[struct{ Path string }](h, "backup", "create").Path
	damage(t, filepath.Join(path, "graph.jsonl.zst"))
	d := h.serve()
	eventually(t, func() error {
		if state, detail := h.backupHealth(); state != "warn" || !strings.Contains(detail, "the backup "+filepath.Base(path)+" was restored for a test") {
			return errors.New(state + " " + detail)
		}
		return nil
	})
	d.stop()

	must(t, os.RemoveAll(path))
	h.ok("config", "set", "backup.dir", filepath.Join(h.notes(), "backups")) // where it would be ingested
	d = h.serve()
	eventually(t, func() error {
		if l := ask[backupList](h, "backup", "list"); l.LastFailure == nil {
			return fmt.Errorf("listed %+v", l)
		}
		return nil
	})
	if state, _ := h.backupHealth(); state != "warn" {
		t.Errorf("health is %s although the backup failed", state)
	}
	d.stop()
	h.ok("config", "set", "backup.dir", h.path("free"))
	d = h.serve()
	eventually(t, func() error {
		if state, detail := h.backupHealth(); state != "ok" {
			return errors.New(state + " " + detail)
		}
		return nil
	})
	d.stop()
}

// damage flips a bit in the middle of a file.
func damage(t *testing.T, path string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	must(t, err)
	raw[len(raw)/2] ^= 1
	must(t, os.WriteFile(path, raw, 0o600))
}
