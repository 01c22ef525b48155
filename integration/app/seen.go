package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/config"
)

// errLost is the error for a store that has lost its brain. It counts as unreachable (exit
// code 5): a restore brings the brain back, and the spool keeps captures until then.
var errLost = fmt.Errorf("the brain is lost: %w", brain.ErrUnavailable)

// witness keeps what was last seen of a brain in a file outside its store, and compares the
// store with it.
type witness struct {
	file   string
	before *brain.Seen // nil: the brain may be new
	lost   error       // the error for a store that has lost the brain
	// lenient is for a server, where others may forget: only a missing brain is lost.
	lenient bool
	// replaces is set for a restore, which may replace a lost brain.
	replaces bool

	mu      sync.Mutex
	awaited bool       // the store has lost the brain, and the restore has not loaded it yet
	unseen  int64      // number of commits that were seen and are not in the store
	now     brain.Seen // as it is in the store
}

// newWitness returns the witness of the brain of these settings. fresh is set for a
// new brain, replaces for a restore.
func newWitness(l config.Loaded, where config.Store, fresh, replaces bool) *witness {
	w := &witness{file: seenFile(l, where), lenient: where.Kind != config.KindSQLite, replaces: replaces}
	w.before = readSeen(w.file)
	name := l.Config.Brain
	if w.before == nil && !fresh && !w.lenient && sqlite.IsEmpty(where.Path) {
		name, w.before = seenBeside(where.Path) // another brain that was in the file
	}
	if w.before != nil {
		w.lost = lostError(l, name, w.before, w.lenient)
	}
	return w
}

// watch returns what the store tells the witness. Test memories have none of their own.
func (w *witness) watch(test bool) brain.Watch {
	watch := brain.Watch{Replaces: w.replaces}
	if !w.replaces {
		watch.Missing = w.lost
	}
	if !test {
		watch.Opened, watch.Committed = w.opened, w.committed
	}
	return watch
}

// opened compares the brain in the store with what was last seen. A store that is behind is
// an older one; the file keeps what was seen until that was reported.
func (w *witness) opened(now brain.Seen) error {
	w.now = now
	switch {
	case w.before == nil && w.replaces: // it is seen when it is loaded
	case w.before == nil:
		writeSeen(w.file, now)
	case w.lenient:
		w.awaited = w.replaces
	case w.before.LostIn(now) && !w.replaces:
		return w.lost
	case w.before.LostIn(now):
		w.awaited = true
	case now.Commits < w.before.Commits:
		w.unseen = w.before.Commits - now.Commits
	case now != *w.before:
		writeSeen(w.file, now)
	}
	return nil
}

// committed keeps what was seen, but nothing of a brain that takes the place of a lost one
// until it is loaded.
func (w *witness) committed(now brain.Seen, loaded bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = now
	switch {
	case loaded: // after a power failure it would be wrong to find what was seen before
		w.awaited, w.unseen = false, 0
		_ = durable.WriteFile(w.file, encodeSeen(now), durable.Options{}) // it may fail, see writeSeen
	case !w.awaited:
		writeSeen(w.file, now)
	}
}

// lostError says in one line that a brain is lost and what to do.
func lostError(l config.Loaded, name string, before *brain.Seen, server bool) error {
	program := program(l)
	had, lost, ways := "had "+english.Plural(before.Memories, "memory", ""), "this file has none", program+" backup restore newest"
	if before.Memories == 0 {
		had, lost = "existed", "this file does not have it"
	}
	if server { // which may have its memories still
		lost, ways = "this database has no node of it", program+" doctor --fix, "+ways
	}
	return brain.Errorf(errLost, "", "the brain %s %s, %s: %s, or %s init --fresh", name, had, lost, ways, program)
}

// program returns the command that uses the brain of these settings.
func program(l config.Loaded) string {
	return strings.Join(append([]string{"brainbridge"}, l.Flags(config.FromFlag)...), " ")
}

const (
	seenPrefix = ".brainbridge-seen."
	seenSuffix = ".json"
	// seenSize is the size of a file with [brain.Seen]. Two processes may write one at
	// once: one of them replaces all of what the other wrote.
	seenSize = 160
)

// seenFile returns the path of the file with what was seen of a brain: beside a SQLite
// database, named after both, or in the data folder, named after the server and its database.
func seenFile(l config.Loaded, where config.Store) string {
	if where.Kind != config.KindSQLite {
		sum := sha256.Sum256([]byte(where.URI + "\n" + l.Config.Neo4j.Database))
		return filepath.Join(filepath.Dir(l.Paths.Database), seenPrefix+hex.EncodeToString(sum[:6])+seenSuffix)
	}
	return seenNames(where.Path) + l.Config.Brain + seenSuffix
}

// seenNames begins the paths of the files of all brains in a database. The name of a brain
// has no dot.
func seenNames(path string) string {
	if target, err := durable.Target(path); err == nil {
		path = target
	}
	return filepath.Join(filepath.Dir(path), seenPrefix+filepath.Base(path)+".")
}

// seenBeside returns what was seen of any brain in a database file that is empty now.
func seenBeside(path string) (name string, s *brain.Seen) {
	names := seenNames(path)
	entries, err := os.ReadDir(filepath.Dir(names))
	if err != nil {
		return "", nil
	}
	for _, e := range entries {
		rest, ours := strings.CutPrefix(e.Name(), filepath.Base(names))
		name, whole := strings.CutSuffix(rest, seenSuffix)
		if !ours || !whole || strings.Contains(name, ".") {
			continue
		}
		s := readSeen(filepath.Join(filepath.Dir(names), e.Name()))
		if s != nil && sqlite.IsEmpty(path) { // otherwise another process has just created both
			return name, s
		}
	}
	return "", nil
}

// readSeen returns nil if the file does not exist or cannot be read: the loss of a brain is
// then not noticed.
func readSeen(file string) *brain.Seen {
	raw, err := os.ReadFile(file)
	var s brain.Seen
	if err != nil || json.Unmarshal(raw, &s) != nil || s.ID == "" {
		return nil
	}
	return &s
}

func encodeSeen(s brain.Seen) []byte {
	raw, _ := json.Marshal(s) // it always encodes
	return fmt.Appendf(nil, "%-*s\n", seenSize, raw)
}

// writeSeen replaces the file without waiting for the disk. It may fail, as in a folder that
// cannot be written: then the file lags.
func writeSeen(file string, s brain.Seen) {
	open := func() (*os.File, error) {
		return os.OpenFile(file+".new", os.O_WRONLY|os.O_CREATE, durable.PrivateFile)
	}
	f, err := open()
	if errors.Is(err, fs.ErrNotExist) && os.MkdirAll(filepath.Dir(file), durable.PrivateDir) == nil {
		f, err = open()
	}
	if err != nil {
		return
	}
	_, err = f.Write(encodeSeen(s))
	if err = errors.Join(err, f.Close()); err == nil {
		_ = os.Rename(file+".new", file) // unless another process has just done so
	}
}

// replaced returns an error if the brain of an open store was removed or replaced.
func replaced(s brain.Store) error {
	if r, ok := s.(interface{ Replaced() error }); ok {
		return r.Replaced()
	}
	return nil
}

// reportUnseen reports the commits that are missing from the store, and ingests the notes
// again. The states of the files are those of the store, so what it lost counts as changed.
func (u *UseCases) reportUnseen(ctx context.Context, s brain.Store, w *witness) {
	if w.unseen == 0 || u.restoring {
		return
	}
	u.warn(fmt.Sprintf("%s may be missing from the brain %s: its file is an older one, or a write-ahead log was cut or deleted; "+
		"what the notes and the spool hold is stored again, `%s backup list` shows the backups",
		english.Plural(int(w.unseen), "acknowledged write", ""), u.app.Settings.Config.Brain, program(u.app.Settings)))
	if u.caller.DryRun {
		return
	}
	err := u.noteLost(func(l *health.LostWrites) {
		again := l.Writes > 0
		if *l = (health.LostWrites{Writes: l.Writes + w.unseen, Memories: l.Memories, Last: *w.before, At: u.app.Now()}); again {
			l.At = time.Time{}
		}
	})
	if err != nil {
		u.caller.Notices.Warn(err)
	}
	o, err := u.options()
	if err == nil && !u.app.Settings.Test {
		_, err = u.NotesDirectory(services.New(s, o)).Sync(ctx, nil)
	}
	if err != nil && !errors.Is(err, brain.ErrNotFound) && !errors.Is(err, brain.ErrBusy) { // there are none, or not of this brain
		u.caller.Notices.Warn(err)
	}
	writeSeen(w.file, w.now)
}
