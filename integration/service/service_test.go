package service

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
)

func noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// fakeManager records the commands and answers them.
type fakeManager struct {
	asked  []string
	answer func(line string) (string, error)
}

func (m *fakeManager) run(_ context.Context, name string, args ...string) (string, error) {
	line := strings.Join(append([]string{name}, args...), " ")
	m.asked = append(m.asked, line)
	if m.answer == nil {
		return "", nil
	}
	return m.answer(line)
}

func spec() Spec {
	return Spec{Program: "/usr/bin/true", Args: []string{"--quiet", "serve"}, Env: []string{"TZ=UTC"}, Log: "/tmp/log"}
}

// installed is nil if the service of the test is there.
func installed(s *Service) error {
	_, err := s.Uninstall(context.Background(), true)
	return err
}

func TestUnitPassesSystemdsOwnCheck(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Log("there is no systemd-analyze here: the unit is checked by the other tests alone")
		return
	}
	odd := spec()
	odd.Args = []string{"--config", `/tmp/100% of "my" $HOME\n.toml`, "serve"}
	s := systemd(t.TempDir(), "ada", "work", (&fakeManager{}).run, noon)
	for _, sp := range []Spec{spec(), odd} {
		p, err := s.Install(t.Context(), sp)
		if err != nil {
			t.Fatal(err)
		}
		c := exec.CommandContext(t.Context(), analyze, "verify", "--man=no", s.File)
		if out, err := c.CombinedOutput(); err != nil || strings.Contains(string(out), filepath.Base(s.File)) {
			t.Errorf("%v: %s\n%s", err, out, p.Text)
		}
	}
}

// Whatever a word holds, systemd reads it as it was: as systemd.syntax(7) and
// systemd.service(5) have it.
func TestUnitQuotesWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[ -~äß]*`).Draw(t, "word")
		got := strings.TrimSuffix(strings.TrimPrefix(argument(word), `"`), `"`)
		for _, r := range []struct{ escaped, plain string }{{"$$", "$"}, {"%%", "%"}} {
			if strings.Count(got, r.plain)%2 != 0 {
				t.Fatalf("%q holds a %s that means something", got, r.plain)
			}
			got = strings.ReplaceAll(got, r.escaped, r.plain)
		}
		var read strings.Builder
		for i := 0; i < len(got); i++ {
			if got[i] == '"' {
				t.Fatalf("%q ends in its middle", got)
			}
			if got[i] == '\\' {
				i++
			}
			read.WriteByte(got[i])
		}
		if read.String() != word {
			t.Fatalf("%q is read as %q", word, read.String())
		}
	})
}

func TestServiceRefusesControlCharacters(t *testing.T) {
	s := systemd(t.TempDir(), "ada", "work", (&fakeManager{}).run, noon)
	for _, bad := range []string{"A=1\nExecStart=/bin/evil", "A=\x00", "A=\xff"} {
		sp := spec()
		sp.Env = []string{bad}
		if _, err := s.Plan(sp); !errors.Is(err, brain.ErrInvalid) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// A LaunchAgent is well-formed and holds every word as it was.
func TestAgentHoldsItsWords(t *testing.T) {
	m := &fakeManager{answer: func(line string) (string, error) {
		if strings.Contains(line, " print ") {
			return "Could not find service \"x\" in domain", errors.New("exit status 113")
		}
		return "", nil
	}}
	s := launchd(t.TempDir(), 501, "work", m.run, noon)
	sp := spec()
	sp.Args, sp.Env = []string{`--config`, `/a & <b> "c"`, "serve"}, []string{"A=b=c"}
	p, err := s.Install(t.Context(), sp)
	if err != nil {
		t.Fatal(err)
	}
	words := []string{}
	d := xml.NewDecoder(strings.NewReader(p.Text))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, p.Text)
		}
		if text, ok := token.(xml.CharData); ok && strings.TrimSpace(string(text)) != "" {
			words = append(words, string(text))
		}
	}
	for _, want := range []string{"com.github.brainbridge.work", `/a & <b> "c"`, "A", "b=c", "/tmp/log", "/usr/bin/true"} {
		if !slices.Contains(words, want) {
			t.Errorf("%q is not in %q", want, words)
		}
	}
	want := []string{
		"launchctl print gui/501/com.github.brainbridge.work", "launchctl enable gui/501/com.github.brainbridge.work",
		"launchctl bootstrap gui/501 " + s.File,
	}
	if !slices.Equal(m.asked, want) {
		t.Errorf("asked %q, want %q", m.asked, want)
	}
}

// An agent that is loaded is taken out before the file is read again, and its
// state is what launchd says first.
func TestAgentIsReplaced(t *testing.T) {
	m := &fakeManager{answer: func(line string) (string, error) {
		if strings.Contains(line, " print ") {
			return "x = {\n\tstate = running\n\tjob = {\n\t\tstate = exited\n\t}\n}\n", nil
		}
		return "", nil
	}}
	s := launchd(t.TempDir(), 501, "work", m.run, noon)
	if _, err := s.Install(t.Context(), spec()); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(m.asked, "launchctl bootout gui/501/com.github.brainbridge.work") {
		t.Errorf("asked %q", m.asked)
	}
	if st, err := s.Status(t.Context()); err != nil || !st.Active || st.Detail != "running" || st.Linger != nil {
		t.Errorf("%+v, %v", st, err)
	}
	if _, err := s.Uninstall(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if err := installed(s); !errors.Is(err, brain.ErrNotFound) {
		t.Errorf("it is still there: %v", err)
	}
}

// A file that somebody else wrote, or changed, stays beside the new one, also
// when the service goes.
func TestEditedFileStays(t *testing.T) {
	s := systemd(t.TempDir(), "ada", "work", (&fakeManager{}).run, noon)
	path := s.File
	for _, theirs := range []string{"", "[Unit]\n", "no new line at the end"} {
		if err := os.WriteFile(path, []byte(theirs), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := s.Install(t.Context(), spec())
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(string(p.KeptAside)); err != nil || string(got) != theirs {
			t.Errorf("kept %q, want %q: %v", got, theirs, err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(string(text), "RestartSec=5", "RestartSec=1", 1)
	if err := os.WriteFile(path, []byte(edited), 0o600); err != nil {
		t.Fatal(err)
	}
	kept, err := s.Uninstall(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(string(kept)); err != nil || string(got) != edited {
		t.Errorf("kept %q: %v", got, err)
	}
}

// Without a manager nothing is lost, and the error says what to do.
func TestDanglingLinkIsSetAside(t *testing.T) {
	s := systemd(t.TempDir(), "ada", "work", (&fakeManager{}).run, noon)
	path := s.File
	if err := os.Symlink("/missing/brainbridge.service", path); err != nil {
		t.Fatal(err)
	}
	p, err := s.Install(t.Context(), spec())
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		t.Errorf("the service is not a file: %v", err)
	}
	if target, err := os.Readlink(string(p.KeptAside)); err != nil || target != "/missing/brainbridge.service" {
		t.Errorf("kept %q: %v", target, err)
	}
}

func TestManagerIsMissing(t *testing.T) {
	m := &fakeManager{answer: func(string) (string, error) {
		return "", &exec.Error{Name: "systemctl", Err: exec.ErrNotFound}
	}}
	s := systemd(t.TempDir(), "ada", "work", m.run, noon)
	if _, err := s.Install(t.Context(), spec()); !errors.Is(err, brain.ErrUnavailable) {
		t.Errorf("install: %v", err)
	}
	if _, err := s.Uninstall(t.Context(), false); !errors.Is(err, brain.ErrUnavailable) {
		t.Errorf("uninstall: %v", err)
	}
	if err := installed(s); err != nil {
		t.Errorf("the file went though the service could not be stopped: %v", err)
	}
}
