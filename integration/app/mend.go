package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/sqlite"
	"github.com/brainbridge/brainbridge/integration/notes"
)

// Mended is one thing that `doctor --fix` mended, or in a dry run would mend.
type Mended struct {
	Check string `json:"check"`
	What  string `json:"what"`
}

// Lost is what was damaged, and is in no backup, note or spool.
type Lost struct {
	Kind string       `json:"kind"` // Memory, Source, Section, Relation, or the kind of a record
	ID   string       `json:"id"`
	Why  string       `json:"why"`
	Kept brain.OrNull `json:"keptIn"` // the file with its raw content; null if there is none
}

// MendAnswer has the checks as they are after mending.
type MendAnswer struct {
	DoctorAnswer
	Mended []Mended `json:"mended"`
	Lost   []Lost   `json:"lost"`
}

// MendPlan is what [UseCases.Mend] does, in order.
type MendPlan struct {
	Found DoctorAnswer
	Steps []Mended
	// Settings is set if only the config file is mended: what else to do depends on it, and is
	// planned by an [App] with the new settings.
	Settings bool

	do []func(*mending, context.Context) error
}

// mending is what has been mended so far.
type mending struct {
	u    *UseCases
	at   time.Time
	kept string // the file with what was set aside, "" for none
	lost []Lost
	// older says that a restored backup lacks what was written after it.
	older []Lost

	before *brain.Seen // what was seen of the brain before, nil for nothing
	aside  string      // the damaged database, "" for none
	from   string      // the backup that was restored, "" for none
}

// mend adds a step to the plan. what says what it makes of things.
func (d *diagnosis) mend(check, what string, do func(*mending, context.Context) error) {
	d.plan.Steps = append(d.plan.Steps, Mended{check, what})
	d.plan.do = append(d.plan.do, do)
}

// PlanMend checks the brain and everything around it, and plans what to do about it. Nothing that
// it plans deletes anything.
func (u *UseCases) PlanMend(ctx context.Context) (MendPlan, error) {
	d, err := u.diagnose(ctx)
	if err != nil {
		return MendPlan{}, err
	}
	d.plan.Found = d.answer
	if i := slices.IndexFunc(d.plan.Steps, func(s Mended) bool { return s.Check == "settings" }); i >= 0 {
		d.plan = MendPlan{Found: d.answer, Steps: d.plan.Steps[i : i+1], do: d.plan.do[i : i+1], Settings: true}
	}
	return d.plan, u.keepCheck(d)
}

// Mend carries out a plan and checks again. A step that fails is a warning.
func (u *UseCases) Mend(ctx context.Context, p MendPlan) (MendAnswer, error) {
	a := MendAnswer{DoctorAnswer: p.Found, Mended: append([]Mended{}, p.Steps...), Lost: []Lost{}}
	if u.caller.DryRun || len(p.Steps) == 0 {
		return a, nil
	}
	m := &mending{u: u, at: u.app.Now(), before: u.app.seen()}
	a.Mended = []Mended{}
	failed := map[string]bool{} // checks of which a step failed: what follows depends on it
	for i, step := range p.Steps {
		if failed[step.Check] {
			continue
		}
		err := p.do[i](m, ctx)
		if step.Check == "permissions" { // the store may have been opened as a copy
			err = errors.Join(err, u.app.Close())
		}
		if ctx.Err() != nil {
			return a, ctx.Err()
		}
		if errors.Is(err, errNothing) {
			continue
		}
		if err != nil {
			u.caller.Notices.Warn(fmt.Errorf("%s: %w", step.Check, err))
			failed[step.Check] = true
			continue
		}
		a.Mended = append(a.Mended, step)
	}
	writes := m.older
	if len(failed) == 0 {
		writes = m.lostWrites()
	}
	var err error
	a.DoctorAnswer, err = u.Doctor(ctx)
	a.OK = a.OK && len(writes) == 0
	a.Lost = append(append(a.Lost, m.lost...), writes...)
	return a, err
}

// keepAside renames a file that cannot be used and returns its new name.
func (m *mending) keepAside(path string) (string, error) {
	name := path + ".broken-" + m.at.UTC().Format("20060102_150405")
	return durable.RenameToFree(path, func(n int) string {
		if n > 1 {
			return fmt.Sprintf("%s-%d", name, n)
		}
		return name
	})
}

// keep appends raw content to the file of what was set aside.
func (m *mending) keep(raw []json.RawMessage) error {
	dir := m.u.app.Settings.Paths.Archive
	if m.kept == "" {
		m.kept = filepath.Join(dir, "damaged-"+m.at.UTC().Format("20060102_150405")+".jsonl")
	}
	if err := durable.MakeDir(dir, durable.PrivateDir); err != nil {
		return err
	}
	f, err := os.OpenFile(m.kept, os.O_APPEND|os.O_CREATE|os.O_WRONLY, durable.PrivateFile)
	if err != nil {
		return err
	}
	for _, line := range raw {
		_, writeErr := f.Write(append(line[:len(line):len(line)], '\n'))
		err = errors.Join(err, writeErr)
	}
	return errors.Join(err, f.Sync(), f.Close(), durable.SyncDir(dir))
}

// putFileBack keeps a file aside, if there is one, and copies that of a backup to its place.
func (m *mending) putFileBack(path, from string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if _, err := m.keepAside(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := durable.MakeDir(filepath.Dir(path), durable.PrivateDir); err != nil {
		return err
	}
	return durable.WriteFile(path, text, durable.Options{})
}

// takePermissions makes files and folders private, and lets this user write them.
func (m *mending) takePermissions(context.Context) error {
	var first error
	failed := 0
	walkPrivate(m.u.app.Settings.Paths, func(path string, info fs.FileInfo, want fs.FileMode) {
		if mode := info.Mode().Perm()&^0o077 | want; mode != info.Mode().Perm() {
			if err := os.Chmod(path, mode); err != nil {
				failed++
				first = cmp.Or(first, err)
			}
		}
	})
	return brain.Wrap(first, "%s not made private", english.Plural(failed, "file was", "files were"))
}

// restoreGraph replaces the graph of a damaged or lost store by that of a backup; files are put
// back only where they are missing. The damaged file stays beside the new one. newest says that the
// backup was made now of what could be read; what was written after another one is lost.
func (m *mending) restoreGraph(ctx context.Context, path string, newest bool) error {
	from, err := m.u.VerifyBackup(ctx, path)
	if err == nil {
		err = from.Restorable()
	}
	if err != nil {
		return err
	}
	restorer := *m.u
	restorer.keepFiles = true
	done, err := restorer.Restore(ctx, from)
	m.aside = cmp.Or(restorer.aside, m.aside)
	switch {
	case err != nil:
	case newest:
		err = m.noteMissing()
	default:
		m.noteOlder(from.Backup())
	}
	if err == nil && done.Saved != "" {
		m.u.caller.Notices.Info("the state before is kept as " + string(done.Saved))
	}
	return errors.Join(err, m.u.app.Close()) // it was opened for the restore
}

// onlyMissing returns contents of which a restore writes only the files that do not exist. Notes
// are left alone while their folder is there, since a person may have removed some.
func onlyMissing(contents []backups.Content) (missing []backups.Content) {
	for _, c := range contents {
		if _, err := os.Stat(c.Path); err == nil && c.Name == notesInBackup {
			continue
		}
		c.Once = true
		missing = append(missing, c)
	}
	return missing
}

// makeFresh makes a new brain in the place of one of which there is no backup.
func (m *mending) makeFresh(ctx context.Context) error {
	p, err := m.u.PlanFresh(ctx)
	if err != nil {
		return err
	}
	u := *m.u
	made, err := u.InitFresh(ctx, p)
	if err == nil && made.KeptAs != "" {
		m.u.caller.Notices.Info("the old database is kept as " + made.KeptAs)
	}
	return err
}

// salvaged is the reason of a backup of what could be read in a damaged file. It may lack more than
// it names.
const salvaged = "salvage"

// salvage moves everything that can be read in a damaged SQLite file to a new one.
func (m *mending) salvage(ctx context.Context) error {
	u := m.u.app.As(m.u.caller)
	b, err := u.openServices(ctx, false)
	if err != nil {
		return err
	}
	o := u.backupOptions(b)
	o.Reason = salvaged
	made, err := backups.Create(ctx, o)
	if err == nil {
		return m.restoreGraph(ctx, made.Path, true)
	}
	u.warn("what can be read could not be saved: " + err.Error())
	from, err := backups.NewestIntact(ctx, u.app.Settings.Paths.Backups, u.app.Settings.StoredBrain(), backups.Options{})
	if err == nil && from == "" {
		err = brain.Errorf(brain.ErrNotFound, "", "there is no backup to restore from")
	}
	if err != nil {
		return err
	}
	return m.restoreGraph(ctx, from, false)
}

// repair mends the structure of the store, then sets aside what shows up as unreadable.
func (m *mending) repair(ctx context.Context) error {
	b, err := m.u.openServices(ctx, false)
	if err != nil {
		return err
	}
	if err := b.Base.Store.Repair(ctx, m.keep); err != nil {
		return err
	}
	var damaged []brain.Unreadable
	for _, memories := range []bool{true, false} {
		err = errors.Join(err, b.Base.Store.Scan(ctx, memories, func(p brain.Page) error {
			damaged = append(damaged, filter(p.Unreadable, func(u brain.Unreadable) bool { return u.ID != "" })...)
			return nil
		}))
	}
	if err != nil || len(damaged) == 0 {
		return err
	}
	return m.setAside(ctx, damaged)
}

// mendFile rebuilds the indexes of a SQLite file, and moves what can be read to a new file if that
// is not enough.
func (m *mending) mendFile(ctx context.Context) error {
	b, err := m.u.openServices(ctx, false)
	if err != nil {
		return err
	}
	file, ok := b.Base.Store.(*sqlite.Store)
	if !ok {
		return m.repair(ctx)
	}
	if file.Repair(ctx, m.keep) == nil && file.Check(ctx) == nil {
		err := m.u.app.Close()
		if err == nil {
			_, err = m.u.Brain(ctx) // which sees how many memories are left
		}
		return cmp.Or(err, m.noteMissing())
	}
	return m.salvage(ctx)
}

// readNotesAgain reads every note, also those that did not change.
func (m *mending) readNotesAgain(ctx context.Context) error {
	b, err := m.u.Brain(ctx)
	if err != nil {
		return err
	}
	dir := m.u.app.Settings.Paths.NotesDir
	if _, err := notes.ReadOwner(dir); errors.Is(err, brain.ErrInvalid) {
		if _, err := m.keepAside(filepath.Join(dir, notes.OwnerFile)); err != nil {
			return err
		}
	}
	o := m.u.notesOptions()
	o.Reread = true
	_, err = notes.New(b, o).Sync(ctx, func(done, total int) { m.u.caller.Notices.Progress(NotesStep, done, total) })
	if errors.Is(err, brain.ErrNotFound) || errors.Is(err, brain.ErrBusy) { // there are none, or not of this brain
		return nil
	}
	m.u.embedChanged(ctx, b)
	return err
}

// writeCoreAgain keeps core-memory.json aside and writes it from core memory.
func (m *mending) writeCoreAgain(ctx context.Context) error {
	b, err := m.u.Brain(ctx)
	if err != nil {
		return err
	}
	aside, err := m.keepAside(m.u.app.Settings.Paths.CoreFile)
	if err != nil {
		return err
	}
	m.u.caller.Notices.Info("core-memory.json was kept as " + aside + "; numbers that you had changed in it are only there")
	return m.u.coreFile(b).Write(ctx, b.Base.Now(), false)
}

// drainSpool stores what waits. Lines that cannot be read go to the file of rejected captures.
func (m *mending) drainSpool(ctx context.Context) error {
	damaged, _, err := m.u.app.spool().Damaged()
	if err != nil {
		return err
	}
	b, err := m.u.Brain(ctx)
	if err != nil {
		return err
	}
	left, _, err := m.u.app.spool().Waiting()
	if err == nil && left > 0 {
		err = cmp.Or(writable(b.Base.Store), brain.Busy("another process is storing what waits"))
	}
	for _, line := range damaged {
		if err == nil {
			_, file, _ := m.u.app.spool().Rejected()
			m.lost = append(m.lost, Lost{Kind: "capture", Why: fmt.Sprintf("line %d of the spool could not be read", line), Kept: brain.OrNull(file)})
		}
	}
	return err
}

// backUp makes a backup, since the newest cannot be restored.
func (m *mending) backUp(ctx context.Context) error {
	_, err := m.u.app.As(m.u.caller).CreateBackup(ctx, "", "")
	return err
}

// String is for people.
func (l Lost) String() string {
	text := l.Why
	if l.ID != "" {
		text = brain.Unreadable{Kind: l.Kind, ID: l.ID}.Name() + ": " + l.Why
	}
	if l.Kept != "" {
		text += "; what was there is kept in " + string(l.Kept)
	}
	return text
}
