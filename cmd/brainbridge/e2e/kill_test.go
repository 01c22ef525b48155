package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
)

// The kill loops end init, restore and the first scan with kill -9 at random instants. The suite
// runs a few rounds of each. This measures:
//
//	BRAINBRIDGE_TEST_KILL_ROUNDS=100 go test -timeout 2h ./cmd/brainbridge/e2e -run KillLoop -v
//
// A failure prints the seed of its instants, which BRAINBRIDGE_TEST_KILL_SEED repeats.
const (
	roundsVariable = "BRAINBRIDGE_TEST_KILL_ROUNDS"
	seedVariable   = "BRAINBRIDGE_TEST_KILL_SEED"
)

// killLoop runs processes and kills them at random instants of their lives.
type killLoop struct {
	t      *testing.T
	rnd    *rand.Rand
	rounds int
	life   time.Duration // of a process that is not killed, as far as is known

	killed, ended                   int // processes
	unchanged, restored, unfinished int // restores; a command has finished those that were unfinished
	stuck, lost                     int // commands, captures
}

// newKillLoop returns a loop of so many rounds in the suite that kills what an undisturbed run does.
// It reports what it did at the end.
func newKillLoop(t *testing.T, inSuite int, undisturbed func()) *killLoop {
	t.Helper()
	start := time.Now()
	undisturbed()
	life := time.Since(start)
	seed := uint64(numberFrom(t, seedVariable, int(time.Now().UnixNano())))
	l := &killLoop{
		t: t, rnd: rand.New(rand.NewPCG(seed, 0)),
		rounds: numberFrom(t, roundsVariable, inSuite), life: life,
	}
	t.Cleanup(func() {
		t.Logf("%s=%d", seedVariable, seed)
		restores := ""
		if l.unchanged+l.restored > 0 {
			restores = fmt.Sprintf("; %d restores changed nothing, %d are complete, of which the next command finished %d", l.unchanged, l.restored, l.unfinished)
		}
		store := "SQLite"
		if strings.HasSuffix(t.Name(), "/neo4j") {
			store = "Neo4j"
		}
		testlab.Report(t, store, "%d rounds, %d processes killed, %d commands stuck, %d captures lost%s", l.rounds, l.killed, l.stuck, l.lost, restores)
		if l.killed == 0 {
			t.Errorf("no process was killed")
		}
	})
	return l
}

func numberFrom(t *testing.T, variable string, otherwise int) int {
	t.Helper()
	value := os.Getenv(variable)
	if value == "" {
		return otherwise
	}
	n, err := strconv.Atoi(value)
	must(t, err)
	return n
}

// kill runs a command and kills it at a random instant. The instants are spread evenly over the
// life of such a process, which adapts to the machine.
func (l *killLoop) kill(h *home, args ...string) answer {
	l.t.Helper()
	after := l.instant()
	start := time.Now()
	a := l.killAfter(h, time.After(after), args...)
	switch took := time.Since(start); {
	case a.code >= 0:
		l.life = (l.life + took) / 2
	case after > l.life*9/10:
		l.life = l.life * 11 / 10
	}
	return a
}

// instant returns a random time, which in one of eight cases is past the end of the process.
func (l *killLoop) instant() time.Duration {
	return time.Duration(l.rnd.Float64() * 8 / 7 * float64(l.life))
}

// since returns a random instant after a condition holds. It looks for that until ctx ends.
func (l *killLoop) since(ctx context.Context, holds func() bool) <-chan time.Time {
	after, at := l.instant()/3, make(chan time.Time, 1)
	go func() {
		look := time.NewTicker(time.Millisecond)
		defer look.Stop()
		for !holds() {
			select {
			case <-look.C:
			case <-ctx.Done():
				return
			}
		}
		at <- <-time.After(after)
	}()
	return at
}

// killAfter runs a command and kills it at an instant, unless it has ended. The exit code is that
// of a success, or -1.
func (l *killLoop) killAfter(h *home, instant <-chan time.Time, args ...string) answer {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	ended := make(chan struct{})
	go func() {
		select {
		case <-instant:
			cancel()
		case <-ended:
		}
	}()
	c := h.command(ctx, args...)
	var out, said bytes.Buffer
	c.Stdout, c.Stderr = &out, &said
	err := c.Run()
	close(ended)
	a := answer{args, 0, out.String(), said.String()}
	if err == nil {
		l.ended++
		return a
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() || !errors.As(err, &exit) && !errors.Is(err, context.Canceled) { // which it is before it started
		l.t.Fatalf("%v: %s", err, a)
	}
	a.code = -1
	l.killed++
	return a
}

// works runs a plain command, which must succeed at once and without help after a kill.
func (l *killLoop) works(h *home, args ...string) answer {
	l.t.Helper()
	a := h.run(args...)
	if a.code != 0 {
		l.stuck++
		l.t.Errorf("stuck after a kill: %s", a)
		eventually(l.t, func() error { // count further rounds all the same
			if again := h.run(args...); again.code != 0 {
				return fmt.Errorf("stuck for good: %s", again)
			}
			return nil
		})
	}
	return a
}

// anything runs one of the commands that a person or an agent may run next.
func (l *killLoop) anything(h *home) {
	l.t.Helper()
	all := [][]string{
		{"status"},
		{"list"},
		{"list", "--sources"},
		{"context"},
		{"core", "list"},
		{"runs"},
		{"health"},
		{"recall", "port", "--no-touch"},
		{"notes", "status"},
		{"backup", "list"},
	}
	l.works(h, all[l.rnd.IntN(len(all))]...)
}

// times returns how often a round kills.
func (l *killLoop) times() int { return 1 + l.rnd.IntN(3) }

// tidy wants no hidden files and folders below a folder but those that stay. It removes the others, so
// that each is reported once. A temporary file stays where nothing was written since, as may happen in
// the folders for data and state.
func (l *killLoop) tidy(dir string) {
	l.t.Helper()
	must(l.t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		name := filepath.Base(path)
		stays := name == ".brainbridge" || name == ".lock" || strings.HasPrefix(name, ".brainbridge-seen.")
		if durable.IsTemp(name) {
			above := filepath.Base(filepath.Dir(filepath.Dir(path)))
			stays = above == "data" || above == "state"
		}
		if err != nil || !strings.HasPrefix(name, ".") || stays {
			return err
		}
		l.t.Errorf("%s is left over", path)
		must(l.t, os.RemoveAll(path))
		if e.IsDir() {
			return fs.SkipDir
		}
		return nil
	}))
}
