package e2e

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// footprint is what a process takes.
type footprint struct{ kilobytes, files, goroutines int }

func (f footprint) String() string {
	return fmt.Sprintf("%d MB, %d open files, %d goroutines", f.kilobytes/1024, f.files, f.goroutines)
}

// grown waits for the daemon to take about as much as before, once it is left alone: a leak does
// not go away. Its memory follows what it last read, so only what is far beyond that counts.
func (s *soak) grown() (now footprint) {
	s.t.Helper()
	f := s.before
	eventually(s.t, func() error {
		now = s.footprint()
		if now.kilobytes > 2*f.kilobytes+20*1024 || now.files > f.files+10 || now.goroutines > f.goroutines+10 {
			return fmt.Errorf("the daemon grew from %s to %s", f, now)
		}
		return nil
	})
	return now
}

// footprint reads what the daemon takes now; it is the zero value where there is no /proc.
func (s *soak) footprint() (f footprint) {
	s.t.Helper()
	text := s.metrics()
	process := fmt.Sprintf("/proc/%d", s.daemon.cmd.Process.Pid)
	open, err := os.ReadDir(process + "/fd")
	if err != nil {
		return f
	}
	raw, err := os.ReadFile(process + "/status")
	must(s.t, err)
	return footprint{number(string(raw), `VmRSS:\s+(\d+)`), len(open), number(text, `brainbridge_daemon_goroutines (\d+)`)}
}

// metrics are those of the daemon, once it answers.
func (s *soak) metrics() (text string) {
	s.t.Helper()
	eventually(s.t, func() error {
		token, err := os.ReadFile(s.state("token"))
		if err != nil {
			return err
		}
		st, err := s.try("--json", "status")
		if err != nil {
			return err
		}
		served, err := decode[struct{ Web string }](st.out)
		if err != nil {
			return fmt.Errorf("%w: %s", err, st)
		}
		req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, served.Web+"/metrics", nil)
		if err != nil {
			return err
		}
		req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		defer res.Body.Close()
		raw, err := io.ReadAll(res.Body)
		if text = string(raw); err == nil && res.StatusCode != http.StatusOK {
			err = fmt.Errorf("%s: %s", res.Status, raw)
		}
		return err
	})
	return text
}

func number(text, pattern string) int {
	found := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if found == nil {
		return 0
	}
	n, _ := strconv.Atoi(found[1]) // digits
	return n
}

// end takes in what waits, and wants everything that was said to be there.
func (s *soak) end() {
	h := s.at()
	h.ok("notes", "sync")
	got := ask[synced](h, "notes", "sync")
	want(s.t, "entries of notes that were not taken in", got.New+got.Changed+got.Gone, 0)
	st := h.status()
	want(s.t, "spooled", st.Spooled, 0)
	rejected, err := filepath.Glob(filepath.Join(s.state("spool"), "*rejected*"))
	must(s.t, err)
	want(s.t, "files of rejected captures", len(rejected), 0)
	said := h.contents()
	for name, mark := range s.marks {
		if said[mark] == 0 {
			s.t.Errorf("%s in the note %s is not in the brain", mark, name)
		}
	}
	h.ok("backup", "create")
	h.ok("backup", "restore", "newest", "--yes")
}

// missing counts what was acknowledged and is neither in the brain nor in the archive of what was
// forgotten, and what lives twice.
func (s *soak) missing() (lost, doubled int) {
	s.t.Helper()
	h := s.at()
	ids, texts, live := map[string]bool{}, map[string]bool{}, map[string]int{}
	for _, m := range h.all() {
		ids[m.ID], texts[m.Content] = true, true
	}
	for _, m := range ask[listed](h, "list", "--limit", "10000000").Memories {
		live[m.Content]++
	}
	forgotten := s.archive()
	for content, id := range s.ledger.acked {
		there := ids[id] && texts[content] || strings.Contains(forgotten, id) && strings.Contains(forgotten, content)
		if !there {
			lost++
			s.strange(fmt.Sprintf("%q was acknowledged as %s and is lost", content, id))
		}
		if live[content] > 1 {
			doubled++
			s.strange(fmt.Sprintf("%q is there %d times", content, live[content]))
		}
	}
	return lost, doubled
}

// archive is the text of all files with what was forgotten.
func (s *soak) archive() string {
	s.t.Helper()
	files, err := filepath.Glob(s.path("data", s.brain, "archive", "*-forgotten.json"))
	must(s.t, err)
	var all strings.Builder
	for _, file := range files {
		raw, err := os.ReadFile(file)
		must(s.t, err)
		all.Write(raw)
	}
	return all.String()
}
