package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
)

// The soak lives through a month with eight agents at once, and with everything that goes wrong
// in a month. The suite runs a few hundred operations; `make soak` those of SOAK_TIME, an hour.
const (
	soakVariable = "BRAINBRIDGE_TEST_SOAK"
	soakWriters  = 8
	soakDays     = 30
)

func TestSoak(t *testing.T) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		newSoak(newHome(t), nil, 1_000_000).run()
	})
	t.Run("neo4j", func(t *testing.T) {
		h, p := behindProxy(t)
		t.Parallel()
		newSoak(h, p, 50_000).run()
	})
}

// soak is one brain that is used hard.
type soak struct {
	*home
	proxy *proxy // nil on the embedded store
	total int64  // operations
	began time.Time
	due   chan func()

	done, killed atomic.Int64
	ledger       ledger
	mu           sync.Mutex
	odd          []string          // answers that nobody should get
	marks        map[string]string // the last one in each note

	daemon *daemon
	runs   int
	before footprint // of the daemon, in the middle of the month
}

func newSoak(h *home, p *proxy, hourly int64) *soak {
	h.t.Helper()
	length := 2 * time.Second
	if text := os.Getenv(soakVariable); text != "" {
		var err error
		length, err = time.ParseDuration(text)
		must(h.t, err)
	}
	return &soak{
		home: h, proxy: p, total: max(200, int64(float64(hourly)*length.Hours())), due: make(chan func()),
		began: time.Now().UTC().Truncate(time.Hour), ledger: ledger{acked: map[string]string{}},
		marks: map[string]string{},
	}
}

// now is the simulated time: the month passes as the operations are done.
func (s *soak) now() time.Time {
	return s.began.Add(time.Duration(float64(s.done.Load()) / float64(s.total) * soakDays * 24 * float64(time.Hour)))
}

// at is the home at the simulated time, for one process. It waits for a brain that has grown large, and for a slow network.
func (s *soak) at() *home {
	h := *s.home
	h.waits = time.Hour
	h.env = append(h.env[:len(h.env):len(h.env)], "BRAINBRIDGE_NOW="+s.now().Format(time.RFC3339))
	return &h
}

func (s *soak) run() {
	t := s.t
	start := time.Now()
	s.ok("init")
	s.daemon = s.serve()
	var writers sync.WaitGroup
	for i := range soakWriters {
		writers.Go(func() { newWriter(s, i).work() })
	}
	over := make(chan struct{})
	go func() { writers.Wait(); close(over) }()
	for working := true; working; {
		select {
		case task := <-s.due:
			task()
		case <-over:
			working = false
		}
	}
	if s.proxy != nil {
		s.proxy.pass()
	}
	after := s.grown()
	s.daemon.stop()
	s.end()
	s.at().ok("doctor")
	lost, doubled := s.missing()
	for _, line := range s.odd {
		t.Error(line)
	}
	testlab.Report(t, s.storeName(), "%d operations of %d writers in %s, %d captures acknowledged, %d processes killed, %d runs, %d lost, %d doubled; the daemon took %s and in the end %s; doctor found nothing wrong",
		s.done.Load(), soakWriters, time.Since(start).Round(time.Second), len(s.ledger.acked), s.killed.Load(), s.runs, lost, doubled,
		s.before, after)
}

// schedule lets the main goroutine do what an operation makes due, and waits until it begins. All is spread
// over the month by the numbers of the operations.
func (s *soak) schedule(op int64) {
	every := func(times int64, task func()) {
		if step := max(25, s.total/times); op%step == 0 { // not all at once in a short month
			s.wait(task)
		}
	}
	every(soakDays, s.night)
	every(200, func() { s.editNote(op) })
	if op < s.total/2 {
		every(40, s.killDaemon)
	}
	if op == s.total*6/10 { // it has worked for a while
		s.wait(func() { s.before = s.footprint() })
	}
	if s.proxy != nil && op%100 == 0 {
		s.wait(s.trouble)
	}
}

// wait hands a task to the main goroutine, unless the test is over.
func (s *soak) wait(task func()) {
	select {
	case s.due <- task:
	case <-s.t.Context().Done():
	}
}

func (s *soak) over() bool { return s.done.Load() >= s.total || s.t.Context().Err() != nil }

// killDaemon ends the daemon as a power cut would, and starts it again.
func (s *soak) killDaemon() {
	s.daemon.kill()
	s.killed.Add(1)
	s.daemon = s.launch("")
}

// night is what a machine does once a day, and what a person does now and then.
func (s *soak) night() {
	s.runs++
	h := s.at()
	s.does(h, "consolidate")
	switch s.runs % 5 {
	case 0:
		s.does(h, "undo", "--yes")
	case 1, 3:
		s.does(h, "backup", "create")
		s.does(h, "backup", "prune", "--yes")
	case 2:
		s.transcript()
		s.does(h, "transcript", "extract")
	case 4:
		s.does(h, "doctor")
		s.fullDisk(h)
	}
}

// does runs what may find the store away, or busy.
func (s *soak) does(h *home, args ...string) {
	a, err := h.try(args...)
	if err != nil {
		s.strange(err.Error())
		return
	}
	s.tolerate(a)
}

// fullDisk captures where the file of the store, or the spool, may grow by little or nothing.
func (s *soak) fullDisk(h *home) {
	s.t.Helper()
	size := int64(0)
	if info, err := os.Stat(s.path("data", s.brain, "brain.db-wal")); err == nil {
		size = info.Size()
	}
	content := fmt.Sprintf("what was said when the disk was full on day %d %s", s.runs, strings.Repeat("x", 3000))
	a := h.limited(int(size/512)+rand.IntN(8), "-q", "remember", content)
	if s.ledger.note(content, a) != (a.code == 0) {
		s.t.Errorf("with a full disk: %.500s", a)
	}
}

// trouble is what networks do, for a second.
func (s *soak) trouble() {
	switch rand.IntN(5) {
	case 0:
		s.proxy.refuse()
	case 1:
		s.proxy.cut(rand.Uint64(), 20_000)
	case 2:
		s.proxy.halfClose(rand.Uint64(), 20_000)
	case 3:
		s.proxy.delay(100 * time.Millisecond)
	case 4:
		time.AfterFunc(time.Second, s.proxy.hold())
	}
	time.AfterFunc(time.Second, s.proxy.pass)
}

// tolerate notes an answer that nobody should get: only a store that is away, and work that
// another process does, are excuses.
func (s *soak) tolerate(a answer) {
	if a.code == 0 || a.code == 4 || a.code == 5 && s.proxy != nil {
		return
	}
	s.strange(a.String())
}

func (s *soak) strange(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.odd) < 20 {
		s.odd = append(s.odd, what)
	}
}

// editNote adds an entry to the note of the day, or says the last one anew.
func (s *soak) editNote(op int64) {
	name := s.now().Format(time.DateOnly) + ".md"
	raw, err := os.ReadFile(s.note(name))
	if err != nil {
		raw = []byte("# Daily Notes\n\n")
	}
	text, mark := string(raw), fmt.Sprintf("notemark%d", op)
	if last := s.marks[name]; last != "" && op%3 == 0 {
		text = strings.ReplaceAll(text, last, mark)
	} else {
		text += outcome("10:00", "Entry "+mark, mark)
	}
	s.marks[name] = mark
	s.save(name, text)
}

// transcript is a session that an agent had without the program.
func (s *soak) transcript() {
	dir := s.path("user", ".claude", "projects", "p")
	must(s.t, os.MkdirAll(dir, 0o700))
	line := fmt.Sprintf(`{"type":"user","uuid":"00000000-0000-4000-8000-%012d","sessionId":"s%d","timestamp":%q,"message":{"role":"user","content":"We decided to use Postgres %d for the ledger."}}`+"\n",
		s.runs, s.runs, s.now().AddDate(0, 0, -1).Format(time.RFC3339), s.runs)
	must(s.t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("s%d.jsonl", s.runs)), []byte(line), 0o600))
}
