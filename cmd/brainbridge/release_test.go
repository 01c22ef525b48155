package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// An archive of a release has all that belongs to the program, its checksums fit, and the
// program in it knows its version.
func TestRelease(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the program twice")
	}
	dir := t.TempDir()
	release := exec.Command("../../scripts/release.sh", dir, runtime.GOOS+"/"+runtime.GOARCH)
	cgo, err := exec.Command("go", "env", "CGO_ENABLED").Output()
	if err != nil {
		t.Fatal(err)
	}
	release.Env = append(os.Environ(), "RELEASE_FLAGS=", "CGO_ENABLED="+strings.TrimSpace(string(cgo)))
	if out, err := release.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	unpack := exec.Command("sh", "-c", `sum="shasum -a 256"; command -v sha256sum >/dev/null && sum=sha256sum; $sum -c SHA256SUMS && tar -xzf *.tar.gz && cd */ && $sum -c SHA256SUMS && pwd`)
	unpack.Dir = dir
	out, err := unpack.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	archive := lines[len(lines)-1]
	for file, text := range map[string]string{
		"LICENSE": "Apache", "README.md": "brainbridge install", "man/man1/brainbridge.1": "brainbridge-recall",
		"man/man1/brainbridge-remind.1": "\\fB--due\\fP", "completions/brainbridge.bash": "__complete",
		"completions/_brainbridge": "#compdef", "completions/brainbridge.fish": "complete -c brainbridge",
	} {
		if data, err := os.ReadFile(filepath.Join(archive, file)); err != nil || !strings.Contains(string(data), text) {
			t.Errorf("%s does not have %q: %v", file, text, err)
		}
		if !strings.Contains(string(out), file+": OK") {
			t.Errorf("there is no checksum of %s", file)
		}
	}
	pages, err := filepath.Glob(filepath.Join(archive, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, filepath.Join(archive, "README.md"), filepath.Join(archive, "ARCHITECTURE.md")) {
		for _, link := range regexp.MustCompile(`\]\(([^)#:]+)[^):]*\)`).FindAllStringSubmatch(readPage(t, page), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), link[1])); err != nil {
				t.Errorf("%s links to %s, which is not in the archive", page, link[1])
			}
		}
	}
	out, err = exec.Command(filepath.Join(archive, binaryName()), "version").Output()
	if _, rest, _ := strings.Cut(filepath.Base(archive), "_"); err != nil || !strings.HasPrefix(rest, strings.Fields(string(out))[1]+"_") {
		t.Errorf("%s has the version %q: %v", archive, out, err)
	}
}
