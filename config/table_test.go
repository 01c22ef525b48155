package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The globs of projects are a table in the file, whose keys may hold dots.
func TestProjectsAreATable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.toml")
	for text, want := range map[string]string{
		"[notes.projects]\n\"w/a.b/**\" = \"Shop\"\n\"w/**\" = \"rest\"\n": `{"w/a.b/**" = "Shop", "w/**" = "rest"}`,
		"[notes]\nprojects = {\"w/**\" = \"x\"}\n":                         `{"w/**" = "x"}`,
		"[notes]\nprojects = [\"w/**\"]\n":                                 "notes.projects: the value is not a table",
		"[notes.projects]\n\"w/[\" = \"x\"\n":                              "is not a pattern of paths and a project",
		"[notes.projects]\n\"w/**\" = 3\n":                                 "is not a text",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := Load(Input{Env: os.Getenv, Flags: map[string]string{"config": file}})
		if err != nil {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v, want %q", text, err, want)
			}
		} else if got := l.Config.Notes.Projects.String(); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
