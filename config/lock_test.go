package config

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Some come through a link, which is the same file.
func TestChangesAtOnceAreAllKept(t *testing.T) {
	values := map[string]string{
		"store": "sqlite:/x.db", "neo4j.user": "u", "neo4j.database": "d", "notes.dir": "/n",
		"notes.timezone": "UTC", "notes.form": "full", "journal.keep": "7d", "log.level": "warn",
	}
	for range 10 {
		dir, env := home(t, "# mine\n")
		files := []string{filepath.Join(dir, "config.toml"), filepath.Join(t.TempDir(), "link.toml")}
		must(t, os.Symlink(files[0], files[1]))
		start := make(chan struct{})
		errs := make(chan error, len(values))
		var all sync.WaitGroup
		for key, value := range values {
			file := files[0]
			files[0], files[1] = files[1], files[0]
			all.Go(func() {
				<-start
				errs <- Set(file, key, value)
			})
		}
		close(start)
		all.Wait()
		for range values {
			must(t, <-errs)
		}
		l, err := Load(Input{Env: env.get})
		must(t, err)
		for _, s := range l.Settings() {
			if want, ok := values[s.Key]; ok && (s.Value != want || s.Origin != FromFile) {
				t.Errorf("%+v, want %s: the change is lost", s, want)
			}
		}
		if left, _ := os.ReadDir(dir); len(left) != 1 {
			t.Errorf("left behind: %v", left)
		}
	}
}
