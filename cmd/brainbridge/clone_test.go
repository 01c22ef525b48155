package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// `make install` says where the program is and, if the shell does not find it there, what to
// do. A stand-in for go builds it.
func TestInstallSaysWhereTheProgramIs(t *testing.T) {
	for name, c := range map[string]struct {
		path string // of the shell; BIN is the folder of Go's programs, OTHER has a brainbridge too
		want []string
	}{
		"found":            {"BIN", []string{"next: brainbridge install"}},
		"not found":        {"", []string{"not in your PATH", `export PATH="$PATH:BIN"`, "next: brainbridge install"}},
		"another is found": {"OTHER:BIN", []string{"another one first: OTHER/brainbridge", `export PATH="BIN:$PATH"`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			bin, other, standIn := filepath.Join(home, "go", "bin"), filepath.Join(home, "other"), filepath.Join(home, "stand-in")
			program := func(dir, name, text string) {
				if err := os.MkdirAll(dir, 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			program(other, "brainbridge", "")
			program(standIn, "go", `case "$1 $2" in
"env GOPATH") echo "`+filepath.Dir(bin)+`" ;;
build*) while [ "$1" != -o ]; do shift; done; mkdir -p "${2%/*}"; printf '#!/bin/sh\n' >"$2"; chmod +x "$2" ;;
esac
`)
			path := strings.NewReplacer("BIN", bin, "OTHER", other).Replace(c.path)
			install := exec.Command("../../scripts/build.sh", "install")
			install.Env = []string{"HOME=" + home, "PATH=" + strings.Trim(path+":"+standIn+":"+os.Getenv("PATH"), ":")}
			out, err := install.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			for _, words := range append(c.want, "about a minute the first time", "installed BIN/brainbridge") {
				if words = strings.NewReplacer("BIN", bin, "OTHER", other).Replace(words); !strings.Contains(string(out), words) {
					t.Errorf("it does not say %q:\n%s", words, out)
				}
			}
		})
	}
}

// Until there is a release, nothing sends people to a place that may not be ours.
func TestNothingNamesADownload(t *testing.T) {
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name := entry.Name(); name == ".git" || name == "bin" || name == "dist" || name == "testdata" || name == "node_modules" {
				return filepath.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(path, "_test.go") || !entry.Type().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(path)
		for _, words := range []string{"@latest", "go install github.com", "git clone http"} {
			if strings.Contains(string(text), words) {
				t.Errorf("%s has %q", path, words)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
