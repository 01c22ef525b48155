package model_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/model"
)

// A hub that stops in the middle of a file does not hold up the install, and what an install
// that was killed left goes.
func TestInstallGivesUpOnAStalledHub(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte("half of it"))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	t.Cleanup(server.Close)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	models := t.TempDir()
	if err := os.Mkdir(filepath.Join(models, "download-123"), 0o700); err != nil {
		t.Fatal(err)
	}
	err := model.Install(t.Context(), model.InstallOptions{
		Path: filepath.Join(models, "the.model"), Hub: server.URL, Progress: func(int, int) {}, Idle: 20 * time.Millisecond,
	})
	if !errors.Is(err, brain.ErrUnavailable) || !strings.Contains(err.Error(), "the server sent nothing for 20ms") {
		t.Errorf("got %v", err)
	}
	if left, _ := os.ReadDir(models); len(left) > 0 {
		t.Errorf("the install left %v", left)
	}
}
