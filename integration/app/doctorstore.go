package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/brain/sqlite"
)

// store adds the checks that need the store. Its error is about the request, such as a brain that
// does not exist.
func (d *diagnosis) store(ctx context.Context) error {
	if d.u.app.BrokenSettings != nil {
		d.check("store", "", warning("was not checked: the settings, which cannot be read, may name another one", ""))
		return nil
	}
	b, err := d.u.openServices(ctx, false)
	var unusable []brain.Unreadable
	var newest time.Time
	if err == nil {
		unusable, newest, err = d.read(ctx, b)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && ExitCode(err) != ExitStore:
		return err
	case err != nil:
		d.away(ctx, err, b != nil)
		d.daemon(ctx, nil)
		d.model(ctx, nil)
		return nil
	}
	d.reachable = true
	d.records(b, unusable)
	d.schema(ctx, b)
	d.lostWrites()
	d.clock(newest)
	d.notes(ctx, b)
	d.memoryMD(ctx)
	d.coreMemory(ctx, b)
	d.daemon(ctx, b)
	d.model(ctx, b)
	return nil
}

// away adds the check of a store that cannot be read. A damaged or lost one is restored.
func (d *diagnosis) away(ctx context.Context, err error, opened bool) {
	l := d.u.app.Settings
	foreign := errors.Is(err, sqlite.ErrForeign) && l.UsesDefaultFile()
	if !foreign && !sqlite.IsDamage(err) && !errors.Is(err, errLost) {
		d.check("store", "", failed(err))
		return
	}
	d.check("store", "", failure(err.Error(), d.fix()))
	d.reachable, d.partly = true, true                                                        // after this
	from, _ := backups.NewestIntact(ctx, l.Paths.Backups, l.StoredBrain(), backups.Options{}) // the check of the backups says what is wrong with them
	restore := func(m *mending, ctx context.Context) error { return m.restoreGraph(ctx, from, false) }
	if from == "" {
		restore = (*mending).makeFresh
	}
	switch {
	case !opened && d.u.losesOnlyItsNode():
		d.mend("store", "the node of the brain is made again if its memories are there; otherwise the newest intact backup is restored", func(m *mending, ctx context.Context) error {
			return m.remake(ctx, restore)
		})
	case opened:
		d.mend("store", "what can be read is in a new file, the damaged one beside it as broken-….db", (*mending).salvage)
	case sqlite.IsDamage(err):
		d.mend("store", "what can be read is in a new file, the damaged one beside it as broken-….db; without anything, the newest intact backup is restored", func(m *mending, ctx context.Context) error {
			return m.salvageBroken(ctx, restore)
		})
	case from != "":
		d.mend("store", "the graph of "+from+" is restored; what is damaged stays beside it as broken-….db", restore)
	default:
		d.mend("store", "the brain is made anew, since there is no backup; an old file stays beside it as old-….db", restore)
	}
	if sqlite.IsDamage(err) {
		d.mend("store", fetches, (*mending).fetchMissing)
		return
	}
	d.mend("notes", "all notes are read again", (*mending).readNotesAgain)
}

// fetches says what [mending.fetchMissing] does.
const fetches = "what a backup has and the store has not is fetched, but for what was forgotten or undone; all notes are read again"

// fix is the command that mends.
func (d *diagnosis) fix() string { return "`" + program(d.u.app.Settings) + " doctor --fix`" }

// problemOf returns an error as a problem that fails, none for nil.
func problemOf(err error, fix string) []problem {
	if err == nil {
		return nil
	}
	if hint := Hint(err); hint != "" {
		fix = hint
	}
	return []problem{failure(err.Error(), fix)}
}

// read reads the whole brain. It returns what cannot be read, and the newest time in it.
func (d *diagnosis) read(ctx context.Context, b *services.Services) (unusable []brain.Unreadable, newest time.Time, err error) {
	unusable, wrong, err := b.Base.EachCurrent(ctx, func(page []brain.Memory) error {
		d.checked.Memories += len(page)
		for _, m := range page {
			for _, t := range []time.Time{m.Created, m.LastAccessed, m.LastDecay} {
				newest = brain.Later(newest, t)
			}
		}
		d.u.caller.Notices.Progress("reading memories", d.checked.Memories, 0)
		return nil
	})
	if err != nil {
		return nil, newest, err
	}
	others, err := b.Base.Unreadable(ctx, checkBody)
	if err != nil {
		return nil, newest, err
	}
	invalid, err := health.InvalidNumbers(ctx, b)
	unusable = append(unusable, others...)
	wrong = append(wrong, invalid...)
	d.wrong = wrong
	d.checked.Unusable = append(brain.Map(unusable, brain.Unreadable.String), d.wrong...)
	return unusable, newest, err
}

// records adds the checks of the file and of each record.
func (d *diagnosis) records(b *services.Services, unusable []brain.Unreadable) {
	info := b.Base.Store.Info()
	var file, each []problem
	if err := writable(b.Base.Store); err != nil {
		file = append(file, warning(err.Error(), Hint(err)))
	}
	if err := d.u.app.mayWrite(); err != nil && !d.u.app.Settings.Test {
		file = append(file, failed(err))
	}
	var damaged []brain.Unreadable
	for _, u := range unusable {
		if u.ID == "" {
			file = append(file, failure(u.String(), d.fix()))
			continue
		}
		damaged = append(damaged, u)
		each = append(each, failure(u.String(), d.fix()))
	}
	each = append(each, brain.Map(d.wrong, func(text string) problem { return failure(text, health.Mend(info.Editable)) })...)
	if d.partly = len(damaged) < len(unusable); d.partly {
		d.mend("store", "indexes are rebuilt; if the file is damaged still, what can be read is in a new one, and the damaged one beside it as broken-….db", (*mending).mendFile)
		d.mend("store", fetches, (*mending).fetchMissing)
	}
	if len(damaged) > 0 {
		d.mend("records", english.Plural(len(damaged), "damaged record is", "damaged records are")+" in archive/damaged-….jsonl, and fetched again from the backups and the notes",
			func(m *mending, ctx context.Context) error { return m.setAside(ctx, damaged) })
	}
	d.check("store", info.URI+" can be read", file...)
	d.check("records", english.Plural(d.checked.Memories, "memory", "memories")+" and everything else read", each...)
}

// schema adds the check of what the store needs besides its records.
func (d *diagnosis) schema(ctx context.Context, b *services.Services) {
	if writable(b.Base.Store) != nil {
		d.check("schema", "was not checked: the store can only be read")
		return
	}
	defects, err := b.Base.Store.Inspect(ctx)
	found := problemOf(err, "")
	mendable := 0
	for _, x := range defects {
		if slices.ContainsFunc(d.checked.Unusable, func(known string) bool { return strings.HasSuffix(known, x.What) }) { // see the check of the store
			continue
		}
		fix := "`" + program(d.u.app.Settings) + " backup restore newest`"
		if x.Mendable {
			fix = d.fix()
			mendable++
		}
		found = append(found, failure(x.What+": "+x.Means, fix))
	}
	if mendable > 0 {
		d.mend("schema", english.Plural(mendable, "defect", "")+" of the structure: indexes, constraints, full text, vectors and helper properties are as they should be", (*mending).repair)
	}
	d.check("schema", "as it should be", found...)
}

// coreMemory reads core-memory.json.
func (d *diagnosis) coreMemory(ctx context.Context, b *services.Services) {
	found := problemOf(d.u.coreFile(b).Check(ctx), d.fix())
	if len(found) > 0 {
		d.mend("coreMemory", "core-memory.json is written anew from core memory; the damaged file stays beside it", (*mending).writeCoreAgain)
	}
	d.check("coreMemory", "can be read", found...)
}

// lostWrites says that writes are missing, as after a cut of the write-ahead log.
func (d *diagnosis) lostWrites() {
	if last, err := d.u.app.lastCheck(); err == nil && last != nil {
		d.checked.Lost = last.Lost
	}
	n := d.checked.Lost.Writes + int64(d.checked.Lost.Memories)
	if n == 0 {
		d.check("log", "the store has every write that was seen")
		return
	}
	d.check("log", "", warning(english.Plural(int(n), "acknowledged write", "")+" to the store may be missing: its file is an older one, or its write-ahead log was cut or deleted", d.fix()))
	d.mend("log", fetches, (*mending).fetchMissing)
}

// clock says that the newest memory is from the future.
func (d *diagnosis) clock(newest time.Time) {
	now := d.u.app.Now()
	if ahead := newest.Sub(now); ahead > brain.Day {
		d.check("clock", "", warning(fmt.Sprintf("it is %s by the clock of this machine, but a memory is dated %s, %s later: the clock is wrong now, or was wrong then",
			now.Format(time.DateTime), newest.Format(time.DateTime), moment.Rough(ahead)), "check the clock with `date`; what is dated in the future counts as now until then"))
		return
	}
	d.check("clock", "fits the newest memory")
}

// notes compares the notes with what the store has read of them.
func (d *diagnosis) notes(ctx context.Context, b *services.Services) {
	dir := d.u.app.Settings.Paths.NotesDir
	changed, gone, err := d.u.NotesDirectory(b).Compare(ctx)
	if errors.Is(err, brain.ErrBusy) {
		d.check("notes", err.Error())
		return
	}
	found := problemOf(err, "")
	fix := "`" + program(d.u.app.Settings) + " notes sync`"
	if len(changed) > 0 {
		found = append(found, warning(fmt.Sprintf("%s not as the store has read %s: %s", english.Plural(len(changed), "note is", "notes are"),
			english.PluralWord(len(changed), "it", "them"), named(changed)), fix))
	}
	if len(gone) > 0 {
		found = append(found, warning(fmt.Sprintf("%s that the store has %s gone from the folder: %s", english.Plural(len(gone), "note", ""),
			english.PluralWord(len(gone), "is", "are"), named(gone)), fix))
	}
	if len(found) > 0 {
		d.mend("notes", "all notes are read again", (*mending).readNotesAgain)
	}
	d.check("notes", "the store has read "+dir, found...)
}

// named returns the first of several names.
func named(names []string) string {
	const most = 3
	if more := len(names) - most; more > 0 {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
}

// memoryMD plans the next writing of MEMORY.md, which fails if the block in it is damaged.
func (d *diagnosis) memoryMD(ctx context.Context) {
	dry := d.u.Dry()
	b, err := dry.openServices(ctx, false)
	if err == nil {
		_, _, err = dry.Curator(b, CurateRequest{}).Preview(ctx)
	}
	if errors.Is(err, brain.ErrBusy) || errors.Is(err, brain.ErrNotFound) { // it has no notes of its own; see there
		err = nil
	}
	d.check("memoryMd", "can be written", problemOf(err, "mend it by hand")...)
}

// daemonCheck is the name of the check of the daemon.
const daemonCheck = "daemon"

// daemon checks the daemon, if one runs: its heartbeat is the settling every ten minutes. b is nil
// if the store cannot be opened.
func (d *diagnosis) daemon(ctx context.Context, b *services.Services) {
	state, paths := d.u.app.daemonState(), d.u.app.Settings.Paths
	if state == nil {
		d.check(daemonCheck, "none runs")
		return
	}
	var found []problem
	restart := "stop the daemon (pid " + fmt.Sprint(state.PID) + ") and start it again"
	if where, how := d.u.daemonElsewhere(state); where != "" {
		found = append(found, warning(where, "`"+how+"`"))
	}
	if state.Notes == Scanned && state.Why != "" {
		found = append(found, warning("the daemon scans the notes now and then, because it cannot watch them: "+state.Why, ""))
	}
	if state.Web != "" {
		info, err := os.Stat(paths.Token)
		switch {
		case err != nil || info.Size() == 0:
			found = append(found, failure("the token of the daemon is gone from "+paths.Token+": agents and the page cannot be let in", restart))
		case info.Mode().Perm()&0o077 != 0:
			found = append(found, failure("others can read the token in "+paths.Token, restart))
		}
	}
	if b != nil {
		const late = 6 * settleEvery
		last, err := b.Base.JobFinished(ctx, lifecycle.ConsolidationJob)
		if ago := time.Since(last); err == nil && !last.IsZero() && ago > late {
			found = append(found, warning("the daemon runs, but has not settled the memories for "+moment.Rough(ago), restart))
		}
	}
	d.check(daemonCheck, "works", found...)
}

// model checks what makes vectors.
func (d *diagnosis) model(ctx context.Context, b *services.Services) {
	e := d.u.app.Settings.Config.Embedding
	install := "`" + program(d.u.app.Settings) + " model install`"
	if e.BaseURL != "" || e.Model == noModel {
		_, err := d.u.app.Embedder(true)
		d.check("model", "as the settings say", problemOf(err, "")...)
		return
	}
	m, path, err := d.u.app.sentenceModel()
	if m == nil && err == nil {
		d.check("model", "none is installed: recall finds by words; "+install+" adds meaning")
		return
	}
	found := problemOf(err, install)
	if m != nil {
		found = append(found, problemOf(m.Verify(), install)...)
	}
	if b != nil && m != nil {
		if counts, err := d.u.vectorCounts(ctx, b); err == nil && counts != nil && counts.Stored != "" {
			found = append(found, warning("the texts have vectors of another model, "+counts.Stored+": recall finds by words alone until they are made anew", "`"+program(d.u.app.Settings)+" consolidate --embed`"))
		}
	}
	d.check("model", path+" is intact", found...)
}
