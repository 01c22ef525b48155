package app

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
	"golang.org/x/sys/unix"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/agents"
)

// settings says whether the config file can be read and is whole: one that is gone, or is only the
// beginning of that in the newest backup, was damaged; by hand, whole lines are removed.
func (d *diagnosis) settings() {
	l := d.u.app.Settings
	file, saved := l.Paths.ConfigFile, ""
	if newest, err := backups.Newest(l.Paths.Backups, l.StoredBrain(), d.u.app.Now()); err == nil && newest.Path != "" {
		saved = filepath.Join(newest.Path, settingsInBackup)
	}
	before, noBackup := os.ReadFile(saved)
	now, err := os.ReadFile(file)
	gone := errors.Is(err, fs.ErrNotExist)
	fix := ""
	if noBackup == nil {
		fix = d.fix() + " puts back the one of the newest backup"
	}
	switch {
	case d.u.app.BrokenSettings != nil:
		d.check("settings", "", failure(d.u.app.BrokenSettings.Error(), cmp.Or(fix, Hint(d.u.app.BrokenSettings))))
	case noBackup == nil && gone:
		d.check("settings", "", warning("there is no "+file+": every setting has its default, but the newest backup has one", fix))
	case noBackup == nil && len(now) < len(before) && bytes.HasPrefix(before, now) && !bytes.HasSuffix(now, []byte("\n")):
		d.check("settings", "", warning(file+" is only the beginning of the one in the newest backup: the settings after it have their defaults", fix))
	case gone:
		d.check("settings", "there is no "+file+": every setting has its default")
		return
	default:
		d.check("settings", file)
		return
	}
	if noBackup == nil {
		d.mend("settings", "config.toml is that of the newest backup; the present file stays beside it as config.toml.broken-…",
			func(m *mending, ctx context.Context) error {
				from, err := backups.NewestIntact(ctx, l.Paths.Backups, l.StoredBrain(), backups.Options{})
				if err == nil && from == "" {
					err = brain.Errorf(brain.ErrNotFound, "mend the file by hand", "no backup is intact")
				}
				if err != nil {
					return err
				}
				if err := m.putFileBack(file, filepath.Join(from, settingsInBackup)); err != nil {
					return err
				}
				moved := readMove(l)
				if !moved.Done {
					return nil
				}
				moved.Followed = false // that file may be older than the move
				return writeMove(l, moved)
			})
	}
}

// spool checks the captures that wait, and those that were rejected.
func (d *diagnosis) spool() {
	s := d.u.app.spool()
	waiting, elsewhere, err := s.Waiting()
	damaged, file, damagedErr := s.Damaged()
	rejected, rejectedFile, rejectedErr := s.Rejected()
	found := problemOf(errors.Join(err, damagedErr, rejectedErr), "check who owns it, and that you may read it")
	if len(damaged) > 0 {
		lines := brain.Map(damaged, strconv.Itoa)
		found = append(found, failure(fmt.Sprintf("%s of %s cannot be read: a capture that waited for the store is damaged", english.PluralWord(len(lines), "line", "lines")+" "+named(lines), file),
			d.fix()+" keeps it in rejected.jsonl and stores the others"))
	}
	if s.Cut() {
		found = append(found, failure("captures that waited for the store are lost: their file was cut or deleted", "capture again what you miss; any command goes on with what is left"))
	}
	if n := waiting - len(damaged); n > 0 {
		found = append(found, warning(english.Plural(n, "capture waits", "captures wait")+" for the store", "any command stores them once the store can be reached"))
	}
	for store, n := range elsewhere {
		found = append(found, warning(english.Plural(n, "capture waits", "captures wait")+" for "+store, "`brainbridge --store "+store+" status` stores them"))
	}
	if rejected > 0 {
		found = append(found, warning("the store did not accept "+english.Plural(rejected, "capture", "")+", kept in "+rejectedFile,
			"capture again what is still worth it, then delete the file"))
	}
	if waiting > 0 && d.reachable {
		d.mend("spool", english.Plural(waiting-len(damaged), "capture is", "captures are")+" stored; lines that cannot be read are kept in rejected.jsonl", (*mending).drainSpool)
	}
	d.check("spool", "nothing waits for the store", found...)
}

// archives reads the old journal and the archive of forgotten memories.
func (d *diagnosis) archives(ctx context.Context) {
	dir := d.u.app.Settings.Paths.Archive
	wrong := backups.NewArchive(dir, d.u.warn).Check(ctx)
	d.check("journal", "the archive can be read", brain.Map(wrong, func(err error) problem {
		return failure(err.Error()+": undo and history of what is in it cannot be had", "copy the file from a backup: `"+program(d.u.app.Settings)+" backup list`")
	})...)
}

// backups reads the newest backup whole.
func (d *diagnosis) backups(ctx context.Context) {
	l := d.u.app.Settings
	again := "`" + program(l) + " backup create`"
	var found []problem
	newest, err := backups.Newest(l.Paths.Backups, l.StoredBrain(), d.u.app.Now())
	found = append(found, problemOf(err, "")...)
	_, err = backups.List(l.Paths.Backups, func(message string) { found = append(found, warning(message, again)) })
	if err == nil && newest.Path != "" {
		v, err := backups.Verify(ctx, newest.Path, backups.Options{Progress: d.u.caller.Notices.Progress})
		found = append(found, problemOf(err, again)...)
		for _, text := range v.Problems {
			found = append(found, failure(newest.Path+" cannot be restored: "+text, again))
		}
	}
	if newest.Path == "" && d.checked.Memories > 0 {
		found = append(found, warning("there is no backup: what is lost cannot be had back", again))
	}
	state, _ := d.u.app.backupState(newest.Created) // health says if it cannot be read
	if state.LastFailure != nil {
		found = append(found, warning("the daemon could not make one: "+state.LastFailure.Problem, again))
	}
	if (len(found) > 0 || d.partly) && d.reachable {
		d.mend("backups", "there is a new backup", (*mending).backUp)
	}
	d.check("backups", cmp.Or(newest.Path, "none is needed yet"), found...)
}

// littleSpace is the free space below which the check warns.
const littleSpace = 200 << 20

// space checks the free space of the disks with the files of the brain.
func (d *diagnosis) space() {
	free, dir := freeSpace(d.u.app.Settings.Paths)
	if free == nil {
		d.check("space", "not known")
		return
	}
	text := humanize.Bytes(*free) + " are free in " + dir
	switch {
	case *free < health.NoSpace:
		d.check("space", "", failure("only "+text+": captures fail, or will soon", "free some space on that disk"))
	case *free < littleSpace:
		d.check("space", "", warning("only "+text, "free some space on that disk"))
	default:
		d.check("space", text)
	}
}

// freeSpace returns the free bytes of the disk with files of the brain that has the least, and a
// folder on it; nil if they are not known.
func freeSpace(p config.Paths) (least *uint64, in string) {
	for _, dir := range []string{p.Data, p.State, p.Backups, p.NotesDir} {
		var stat syscall.Statfs_t
		if syscall.Statfs(dir, &stat) != nil {
			continue
		}
		if free := stat.Bavail * uint64(stat.Bsize); least == nil || free < *least {
			least, in = &free, dir
		}
	}
	return least, in
}

// permissions checks that only this user can read the files of the brain, and can write them.
func (d *diagnosis) permissions() {
	var open, shut, theirs []string
	walkPrivate(d.u.app.Settings.Paths, func(path string, info fs.FileInfo, want fs.FileMode) {
		if info.Mode().Perm()&0o077 != 0 {
			open = append(open, path)
		}
		switch access := uint32(want.Perm() >> 6); {
		case info.Mode().Perm()&want != want:
			shut = append(shut, path)
		case errors.Is(unix.Access(path, access), unix.EACCES):
			theirs = append(theirs, path)
		}
	})
	var found []problem
	if len(open) > 0 {
		found = append(found, warning("other users of this machine may read "+named(open), d.fix()))
	}
	if len(shut) > 0 {
		found = append(found, failure("this user may not read and write "+named(shut), d.fix()))
	}
	mendable := len(found) > 0
	if len(theirs) > 0 {
		found = append(found, failure("another user has "+named(theirs)+", which this one may not read and write",
			"run brainbridge as that user, or let root give the files to this one with `chown -R`"))
	}
	if mendable {
		d.plan.Steps = append([]Mended{{"permissions", "only this user can read and write " + english.Plural(len(open)+len(shut), "file", "")}}, d.plan.Steps...)
		d.plan.do = append([]func(*mending, context.Context) error{(*mending).takePermissions}, d.plan.do...) // the rest needs them
	}
	d.check("permissions", "only this user can read the files", found...)
}

// walkPrivate calls fn with the folders and files below the program's folders, and the mode that
// each must have at least. Backups may be read-only.
func walkPrivate(p config.Paths, fn func(path string, info fs.FileInfo, want fs.FileMode)) {
	for _, root := range []string{p.Data, p.State} {
		_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error { // a folder that cannot be read is named itself
			if e == nil {
				return nil
			}
			info, infoErr := e.Info()
			switch {
			case infoErr != nil:
			case e.IsDir():
				fn(path, info, 0o700)
			case e.Type().IsRegular() && strings.HasPrefix(path, p.Backups+string(filepath.Separator)):
				fn(path, info, 0o400)
			case e.Type().IsRegular():
				fn(path, info, 0o600)
			}
			if err != nil && e.IsDir() {
				return fs.SkipDir
			}
			return nil
		})
	}
}

// watchLimits compares the number of folders of notes with what Linux lets one user watch.
func (d *diagnosis) watchLimits() {
	const file = "/proc/sys/fs/inotify/max_user_watches"
	text, err := os.ReadFile(file)
	limit, parseErr := strconv.Atoi(strings.TrimSpace(string(text)))
	if runtime.GOOS != "linux" || err != nil || parseErr != nil {
		d.check("watchLimits", "there are none")
		return
	}
	folders := 0
	_ = filepath.WalkDir(d.u.app.Settings.Paths.NotesDir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			folders++
		}
		return nil
	})
	var found []problem
	if folders > limit*8/10 {
		found = append(found, warning(fmt.Sprintf("the notes have %s, and this user may watch %s in all: changes are found late", english.Plural(folders, "folder", ""), humanize.Comma(int64(limit))),
			"sudo sysctl fs.inotify.max_user_watches="+strconv.Itoa(4*max(limit, folders))))
	}
	d.check("watchLimits", english.Plural(folders, "folder", "")+" of "+humanize.Comma(int64(limit)), found...)
}

// agents compares the files of the agents that are set up with what install writes now.
func (d *diagnosis) agents() {
	s := d.u.Dry().setup(agents.UserScope)
	if s.Home == "" {
		d.check("agents", "there is no home folder")
		return
	}
	var err error
	if s.Variables, err = d.u.app.Settings.Variables(d.u.app.Env, agents.Variables()...); err != nil {
		d.check("agents", "", failed(err))
		return
	}
	var found []problem
	var set []string
	for _, name := range agents.All() {
		changed, is, err := s.Changed(name)
		if is {
			set = append(set, name)
		}
		fix := "`" + program(d.u.app.Settings) + " install " + name + "`"
		if err != nil {
			found = append(found, failure(name+": "+err.Error(), cmp.Or(Hint(err), fix)))
		} else if len(changed) > 0 {
			found = append(found, warning(fmt.Sprintf("%s was set up, but not everything is as install writes it now: %s", name, named(changed)), fix))
		}
	}
	d.check("agents", cmp.Or(strings.Join(set, ", "), "none is set up"), found...)
}
