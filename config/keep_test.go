package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBackupSettings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.toml")
	for text, want := range map[string]string{
		"":                                        "",
		"keep = \"newest 1\"":                     "",
		"keep = \" weekly 4,  newest 12 \"":       "",
		"keep = \"daily 7\"":                      "the newest one at least",
		"keep = \"newest 0\"":                     "the newest one at least",
		"keep = \"newest 3, newest 4\"":           "does not say which backups are kept",
		"keep = \"newest 3, monthly 4\"":          "does not say which backups are kept",
		"keep = \"newest three\"":                 "does not say which backups are kept",
		"keep = \"newest 3,\"":                    "does not say which backups are kept",
		"keep = \"newest 3, daily -1\"":           "does not say which backups are kept",
		"keep = 3":                                "backup.keep",
		"schedule = \"off\"":                      "",
		"schedule = \"\"":                         "",
		"schedule = \"@weekly\"":                  "",
		"schedule = \"nightly\"":                  `"off" makes none`,
		"schedule = \"off\"\nschedules = \"off\"": "unknown key",
	} {
		if err := os.WriteFile(file, []byte("[backup]\n"+text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Load(Input{Env: os.Getenv, Flags: map[string]string{"config": file}})
		if bad := new(Error); errors.As(err, &bad) {
			err = fmt.Errorf("%w (%s)", err, bad.Hint)
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if got, want := Default().Backup.Kept(), (Keep{3, 7, 4}); got != want {
		t.Errorf("%+v are kept, want %+v", got, want)
	}
	if Default().Backup.Schedule != "30 3 * * *" || !Default().Backup.Scheduled() || (Backup{Schedule: "off"}).Scheduled() || (Backup{}).Scheduled() {
		t.Error("the schedule is not at night, or not off")
	}
}
