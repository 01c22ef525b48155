package health

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/moment"
)

// The commands that act on several warnings.
const (
	doConsolidate = "brainbridge consolidate"
	doPlan        = "brainbridge consolidate --dry-run"
	doReview      = "brainbridge review"
	doQuery       = "brainbridge query --write CYPHER"
	doMend        = "brainbridge doctor --fix"
	doDoctor      = "brainbridge doctor"
)

// indicators returns all indicators, in the order in which they are shown.
func (f Facts) indicators() []Indicator {
	counted := f.Counted()
	return slices.Concat(counted[:1], []Indicator{
		atMost("stale", f.Stale, 0, doPlan, "live memory", "live memories", fmt.Sprintf(" not used for %d days", StaleDays)),
		atMost("lowEffectiveness", f.Ineffective, 0, doPlan, "memory", "memories", fmt.Sprintf(" that helped in less than %.0f %% of the cases", lowEffectiveness*100)),
		counted[1], f.orphans(),
	}, counted[2:])
}

// Counted returns the indicators of the facts of [ReadCounts].
func (f Facts) Counted() []Indicator {
	return []Indicator{
		atMost("count", f.Live(), f.MaxLive, doConsolidate, "live memory", "live memories", ""),
		atMost("duplicates", f.Duplicates, 0, doReview, "merge", "merges", " to decide on"),
		urgent(f.since("captureSilence", f.LastCapture, f.SilenceDays, "brainbridge notes status", "capture", false), true),
		urgent(f.watcher(), f.DaemonTrouble != ""),
		f.storeSize(),
		urgent(atMost("spool", f.Spooled+f.Rejected, 0, "brainbridge status", "capture", "captures", " in the spool, or rejected by the store"), true),
		urgent(f.lastBackup(), f.BackupProblem != ""),
		urgent(f.lastRun(), len(f.FailedJobs) > 0),
		atMost("review", f.Review, 0, doReview, "item", "items", " waiting for a verdict"+f.ofThemMerges()),
		urgent(atMost("unusable", len(f.Wrong), 0, f.mendCommand(), "node or value", "nodes or values", " in the graph that cannot be used"+f.checked()), true),
		urgent(f.doctor(), f.Checked != nil && slices.ContainsFunc(f.Checked.Findings, func(x Finding) bool { return x.State == Fail })),
		urgent(f.disk(), true),
	}
}

func urgent(i Indicator, is bool) Indicator {
	i.Urgent = is
	return i
}

// doctor says what the last check of the whole brain found.
func (f Facts) doctor() Indicator {
	if f.Checked == nil {
		return indicator("doctor", nil, 0, false, "", "the whole brain was never checked")
	}
	names := brain.Map(f.Checked.Findings, func(x Finding) string { return x.Name })
	detail := "the last check found nothing"
	if len(names) > 0 {
		detail = "the last check found something wrong with " + english.WordSeries(names, "and")
	}
	n := float64(len(names))
	return indicator("doctor", &n, 0, n > 0, doDoctor, detail)
}

// checked says when the whole store was last read.
func (f Facts) checked() string {
	if f.Checked == nil {
		return " (`brainbridge doctor` reads the whole store)"
	}
	return " (the whole store was last read " + moment.Rough(max(0, f.Now.Sub(f.Checked.At))) + " ago)"
}

// ofThemMerges says how many of the items in the review queue are merges.
func (f Facts) ofThemMerges() string {
	if f.Duplicates == 0 || f.Review == 1 {
		return ""
	}
	return fmt.Sprintf(", %d of them to merge", f.Duplicates)
}

// mendCommand is for what cannot be used.
func (f Facts) mendCommand() string {
	if f.Editable {
		return doQuery
	}
	return doMend
}

// Mend says what to do about what cannot be used.
func Mend(editable bool) string {
	if editable {
		return "correct or delete it with `" + doQuery + "`, or fetch it from the backups with `" + doMend + "`"
	}
	return "`" + doMend + "` brings back what the backups and the notes have"
}

func indicator(name string, value *float64, limit float64, warns bool, action, detail string) Indicator {
	i := Indicator{Name: name, State: OK, Value: value, Limit: limit, Detail: detail}
	if warns {
		i.State, i.Action = Warn, &action
	}
	return i
}

// atMost warns of a number over its limit.
func atMost(name string, n, limit int, action, one, many, which string) Indicator {
	detail := english.Plural(n, one, many) + which
	if limit > 0 {
		detail += fmt.Sprintf(" (limit %d)", limit)
	}
	return indicator(name, new(float64(n)), float64(limit), n > limit, action, detail)
}

func (f Facts) orphans() Indicator {
	if f.Entities == 0 {
		return indicator("orphans", nil, orphanShare, false, "", "no entities")
	}
	share := float64(f.Orphans) / float64(f.Entities)
	return indicator("orphans", rounded(share), orphanShare, share > orphanShare, "brainbridge relate FROM TYPE TO",
		fmt.Sprintf("%d of %d entities are related to nothing", f.Orphans, f.Entities))
}

func (f Facts) watcher() Indicator {
	switch {
	case f.DaemonElsewhere != "":
		return indicator("watcher", new(0.0), 1, true, f.DaemonRestart, f.DaemonElsewhere)
	case f.DaemonTrouble != "":
		return indicator("watcher", new(0.0), 1, true, "brainbridge serve", f.DaemonTrouble)
	case f.Watching:
		return indicator("watcher", new(1.0), 1, false, "", "a daemon ingests notes as they are saved")
	}
	return indicator("watcher", new(0.0), 1, true, "brainbridge serve", "no daemon ingests notes as they are saved")
}

func (f Facts) storeSize() Indicator {
	if f.StoreBytes == nil {
		return indicator("storeSize", nil, storeLimit, false, "", "not known of a server")
	}
	size := float64(*f.StoreBytes)
	return indicator("storeSize", &size, storeLimit, size > storeLimit, doConsolidate, humanize.Bytes(uint64(size))+" on disk (limit "+humanize.Bytes(storeLimit)+")")
}

// disk warns if the disk is full.
func (f Facts) disk() Indicator {
	if f.FreeBytes == nil {
		return indicator("disk", nil, NoSpace, false, "", "the free space is not known")
	}
	free, detail := float64(*f.FreeBytes), humanize.Bytes(*f.FreeBytes)+" are free in "+f.FreeIn+" (limit "+humanize.Bytes(NoSpace)+")"
	if free < NoSpace {
		detail += ": captures fail, or will soon"
	}
	return indicator("disk", &free, NoSpace, free < NoSpace, "df -h "+f.FreeIn, detail)
}

// lastRun warns if the last run is too long ago, or if a job of the daemon failed.
func (f Facts) lastRun() Indicator {
	i := f.since("lastRun", f.LastRun, lateDays, doConsolidate, "run", true)
	if len(f.FailedJobs) > 0 {
		i.State, i.Action, i.Detail = Warn, new(doConsolidate), i.Detail+"; "+strings.Join(f.FailedJobs, "; ")
	}
	return i
}

// lastBackup warns if there is none, if the last one is too old, or if one failed.
func (f Facts) lastBackup() Indicator {
	const name, action = "lastBackup", "brainbridge backup create"
	days := func(d time.Duration) float64 { return d.Hours() / brain.Day.Hours() }
	limit, detail, problem := *rounded(days(f.BackupLimit)), "no backup yet", ""
	var value *float64
	late := f.Total() > 0
	if !f.LastBackup.IsZero() {
		ago := max(0, f.Now.Sub(f.LastBackup))
		value, late = rounded(days(ago)), late && f.BackupLimit > 0 && ago > f.BackupLimit
		detail = "the last backup was " + moment.Rough(ago) + " ago"
	}
	if f.BackupLimit > 0 {
		detail += " (limit " + moment.Rough(f.BackupLimit) + ")"
	}
	if f.BackupProblem != "" {
		problem = "; " + f.BackupProblem
	}
	return indicator(name, value, limit, late || problem != "", action, detail+problem)
}

// since warns if something happened too many days ago and, with orNever, if it never
// happened. It never warns about an empty brain. If the clock went back, the event counts
// as now.
func (f Facts) since(name string, last time.Time, days int, action, what string, orNever bool) Indicator {
	if last.IsZero() {
		return indicator(name, nil, float64(days), orNever && f.Total() > 0, action, "no "+what+" yet")
	}
	ago := max(0, f.Now.Sub(last))
	age := ago.Hours() / brain.Day.Hours()
	return indicator(name, rounded(age), float64(days), ago > time.Duration(days)*brain.Day && f.Total() > 0, action,
		fmt.Sprintf("the last %s was %s ago (limit %s)", what, moment.Rough(ago), english.Plural(days, "day", "")))
}
