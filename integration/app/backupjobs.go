package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/brain/sqlite"
)

// BackupState is what the daemon noted about backups on this machine.
type BackupState struct {
	LastFailure *BackupFailure `json:"lastFailure"` // null: the last backup of the daemon succeeded
	LastTest    *BackupTest    `json:"lastTest"`    // null: none was restored yet
}

// BackupFailure is a scheduled backup that failed.
type BackupFailure struct {
	At      time.Time `json:"at"`
	Problem string    `json:"problem"`
}

// BackupTest is a backup that the daemon restored into a temporary store.
type BackupTest struct {
	Path    string       `json:"path"`
	At      time.Time    `json:"at"`
	Problem brain.OrNull `json:"problem"` // null: what was restored is what the backup has
}

// problem says what went wrong last; "" if nothing did.
func (s BackupState) problem(now time.Time) string {
	switch {
	case s.LastTest != nil && s.LastTest.Problem != "":
		return fmt.Sprintf("the backup %s was restored for a test %s ago, and failed: %s", filepath.Base(s.LastTest.Path), moment.Rough(max(0, now.Sub(s.LastTest.At))), s.LastTest.Problem)
	case s.LastFailure != nil:
		return fmt.Sprintf("the daemon could not make a backup %s ago: %s", moment.Rough(max(0, now.Sub(s.LastFailure.At))), s.LastFailure.Problem)
	}
	return ""
}

func (a *App) backupStateFile() string { return filepath.Join(a.Settings.Paths.State, "backup.json") }

// backupState returns what was noted, without a failure before the newest backup, which a
// command may have made. A file that cannot be read notes nothing.
func (a *App) backupState(newest time.Time) (s BackupState, err error) {
	data, err := os.ReadFile(a.backupStateFile())
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		_ = json.Unmarshal(data, &s)
	}
	if s.LastFailure != nil && newest.After(s.LastFailure.At) {
		s.LastFailure = nil
	}
	return s, err
}

// noteBackup changes what is noted.
func (a *App) noteBackup(change func(*BackupState)) error {
	s, err := a.backupState(time.Time{})
	if err != nil {
		return err
	}
	change(&s)
	data, err := json.Marshal(s)
	if err == nil {
		err = durable.WriteFile(a.backupStateFile(), append(data, '\n'), durable.Options{})
	}
	return brain.Wrap(err, "note what became of a backup")
}

// addBackups adds what health says about backups. That they cannot be listed is a finding.
func (u *UseCases) addBackups(f *health.Facts) error {
	l := u.app.Settings
	newest, err := backups.Newest(l.Paths.Backups, l.Config.Brain, f.Now)
	if err != nil {
		f.BackupProblem = err.Error()
		return nil
	}
	state, err := u.app.backupState(newest.Created)
	f.LastBackup, f.BackupProblem = newest.Created, state.problem(f.Now)
	if !l.Config.Backup.Scheduled() || newest.Created.IsZero() {
		return err
	}
	due := newest.Created
	for range 3 { // one may fail, and a machine may be off for a day
		var wrong error
		if due, wrong = Cron(l.Config.Backup.Schedule, time.Local)(due); wrong != nil {
			return wrong
		}
	}
	f.BackupLimit = due.Sub(newest.Created)
	return err
}

// lastBackup returns when the newest backup of the brain was made on this machine. For a brain
// without a memory there is none to make.
func (d *Daemon) lastBackup(ctx context.Context) (time.Time, error) {
	l, now := d.use.app.Settings, time.Now()
	newest, err := backups.Newest(l.Paths.Backups, l.Config.Brain, now)
	if err != nil || !newest.Created.IsZero() {
		return newest.Created, err
	}
	counts, err := lifecycle.Read(ctx, d.brain.Base, func(r brain.Reader) (brain.Counts, error) { return r.Counts(now) })
	if counts.Current() == 0 {
		return now, err
	}
	return time.Time{}, err
}

// backUp makes a backup and prunes the older ones, unless it lacks something or the clock may
// have jumped ahead.
func (d *Daemon) backUp(ctx context.Context) error {
	ahead, err := d.clockAhead()
	if err != nil {
		return err
	}
	made, err := d.use.CreateBackup(ctx, "", "")
	if errors.Is(err, brain.ErrBusy) || ctx.Err() != nil {
		return err
	}
	noted := d.use.app.noteBackup(func(s *BackupState) {
		s.LastFailure = nil
		if err != nil {
			s.LastFailure = &BackupFailure{time.Now().UTC().Truncate(time.Second), err.Error()}
		}
	})
	if err != nil {
		return err
	}
	d.log.Info().Str("path", made.Backup.Path).Int("memories", made.Memories).Int64("bytes", made.Bytes).Msg("made a backup")
	if ahead {
		d.log.Warn().Msg("the clock is more than a month after the last backup was due: no old backup is removed until the next one")
	}
	if ahead || len(made.Unreadable()) > 0 {
		return noted
	}
	pruned, err := d.use.PruneBackups(ctx)
	for _, path := range pruned.Removed {
		d.log.Info().Str("path", path).Msg("removed an old backup")
	}
	return errors.Join(noted, err)
}

// clockAhead reports whether a backup is so late that the clock may have jumped ahead. The next
// one agrees with it.
func (d *Daemon) clockAhead() (bool, error) {
	l, now := d.use.app.Settings, d.use.app.Now()
	last, err := backups.Newest(l.Paths.Backups, l.Config.Brain, now)
	if err != nil || last.Created.IsZero() || !l.Config.Backup.Scheduled() {
		return false, err
	}
	due, err := Cron(l.Config.Backup.Schedule, time.Local)(last.Created)
	return now.Sub(due) > 30*brain.Day, err
}

// testDue returns when the newest backup is to be restored for a test: after a month, or once
// there is another one if the last test failed.
func (d *Daemon) testDue(last time.Time) (time.Time, error) {
	s, err := d.use.app.backupState(time.Time{})
	l := d.use.app.Settings
	if err == nil && s.LastTest != nil && s.LastTest.Problem != "" {
		newest, err := backups.Newest(l.Paths.Backups, l.Config.Brain, time.Now())
		if newest.Path != s.LastTest.Path {
			return last, err
		}
	}
	return last.AddDate(0, 1, 0), err
}

func (d *Daemon) lastTest(context.Context) (time.Time, error) {
	s, err := d.use.app.backupState(time.Time{})
	if s.LastTest == nil {
		return time.Time{}, err
	}
	return s.LastTest.At, err
}

// testBackup restores the newest backup into a temporary store, and notes what came of it.
func (d *Daemon) testBackup(ctx context.Context) error {
	l := d.use.app.Settings
	path, err := backups.Resolve(l.Paths.Backups, backups.NewestName, l.Config.Brain, nil)
	if errors.Is(err, brain.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	problem, err := d.use.rehearse(ctx, path)
	if err != nil || ctx.Err() != nil {
		return errors.Join(err, ctx.Err())
	}
	test := &BackupTest{Path: path, At: time.Now().UTC().Truncate(time.Second)}
	if problem != nil {
		test.Problem = brain.OrNull(problem.Error())
		d.log.Warn().Str("path", path).Err(problem).Msg("a backup could not be restored for a test")
	} else {
		d.log.Info().Str("path", path).Msg("restored a backup for a test: it is what was backed up")
	}
	return d.use.app.noteBackup(func(s *BackupState) { s.LastTest = test })
}

// rehearse restores a backup into a temporary store. problem is about the backup, err about this
// machine.
func (u *UseCases) rehearse(ctx context.Context, path string) (problem, err error) {
	dir := filepath.Join(u.app.Settings.Paths.State, "test-restore")
	if err := errors.Join(os.RemoveAll(dir), durable.MakeDir(dir, durable.PrivateDir)); err != nil { // a killed daemon left it
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // the next test removes it
	v, err := backups.Verify(ctx, path, backups.Options{})
	if err != nil {
		return nil, err
	}
	s, err := sqlite.Open(ctx, filepath.Join(dir, "brain.db"), u.app.Settings.Config.Brain, sqlite.Program(u.app.Version))
	if err != nil {
		return nil, err
	}
	problem = backups.Rehearse(ctx, v, s)
	if errors.Is(problem, brain.ErrUnavailable) || errors.Is(problem, brain.ErrRefused) { // as without space
		problem, err = nil, problem
	}
	return problem, errors.Join(err, s.Close())
}
