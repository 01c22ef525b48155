package unprivileged_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/brainbridge/brainbridge/watcher/unprivileged"
)

func TestPermissionsCount(t *testing.T) {
	t.Run("in a part", func(t *testing.T) {
		if unprivileged.Elsewhere(t) {
			return
		}
		own := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(own, nil, 0o600); err != nil {
			t.Fatalf("its own files are closed too: %v", err)
		}
		if err := os.Chmod(own, 0); err != nil {
			t.Fatal(err)
		}
		if _, err := os.ReadFile(own); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("a closed file is read: %v", err)
		}
	})
}

// What another process may not do stays allowed here.
func TestRightsStayWithTheTest(t *testing.T) {
	closed := filepath.Join(t.TempDir(), "closed")
	if err := os.Mkdir(closed, 0); err != nil {
		t.Fatal(err)
	}
	_, before := os.ReadDir(closed)
	t.Run("elsewhere", func(t *testing.T) { unprivileged.Elsewhere(t) })
	if _, after := os.ReadDir(closed); (before == nil) != (after == nil) {
		t.Errorf("reading a closed folder: %v, before %v", after, before)
	}
}
