package health_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/tiers"
)

func now() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

func ago(d time.Duration) time.Time { return now().Add(-d) }

const day = 24 * time.Hour

// well are the facts of a brain that is in order.
func well() health.Facts {
	return health.Facts{
		Now: now(), Survey: health.Survey{
			ByTier: map[tiers.Tier]int{tiers.Working: 150, tiers.Core: 50, tiers.Expired: 7}, ByType: map[string]int{"note": 207},
			Dated: 200, Days: 200 * 12.345, Entities: 10, Orphans: 2,
		},
		LastCapture: ago(3 * day), LastRun: ago(2 * day), LastBackup: ago(3 * day), BackupLimit: 3 * day,
		Watching: true, StoreBytes: new(int64(2e9)), MaxLive: 200, SilenceDays: 3,
	}
}

func TestABrainInOrderWarnsOfNothing(t *testing.T) {
	r := health.Check(well())
	if r.Status != health.OK || len(r.Warnings()) > 0 || len(r.Recommendations) > 0 {
		t.Errorf("status %s, %q, %q", r.Status, r.Warnings(), r.Recommendations)
	}
	if r.Totals.Memories != 207 || *r.AverageAgeDays != 12.35 || r.AverageEffectiveness != nil {
		t.Errorf("totals %+v, age %v, effectiveness %v", r.Totals, *r.AverageAgeDays, r.AverageEffectiveness)
	}
}

// Each limit, one step over it, warns alone, and names the command that helps.
func TestEachLimit(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(*health.Facts)
		command string
		value   float64
		limit   float64
	}{
		"count":            {func(f *health.Facts) { f.ByTier[tiers.LongTerm]++ }, "brainbridge consolidate", 201, 200},
		"stale":            {func(f *health.Facts) { f.Stale = 1 }, "brainbridge consolidate --dry-run", 1, 0},
		"lowEffectiveness": {func(f *health.Facts) { f.Ineffective = 1 }, "brainbridge consolidate --dry-run", 1, 0},
		"duplicates":       {func(f *health.Facts) { f.Duplicates = 1 }, "brainbridge review", 1, 0},
		"review":           {func(f *health.Facts) { f.Review = 3 }, "brainbridge review", 3, 0},
		"orphans":          {func(f *health.Facts) { f.Orphans = 3 }, "brainbridge relate FROM TYPE TO", 0.3, 0.2},
		"captureSilence":   {func(f *health.Facts) { f.LastCapture = ago(3*day + 15*time.Minute) }, "brainbridge notes status", 3.01, 3},
		"watcher":          {func(f *health.Facts) { f.Watching = false }, "brainbridge serve", 0, 1},
		"storeSize":        {func(f *health.Facts) { *f.StoreBytes++ }, "brainbridge consolidate", 2e9 + 1, 2e9},
		"spool":            {func(f *health.Facts) { f.Spooled = 1 }, "brainbridge status", 1, 0},
		"lastBackup":       {func(f *health.Facts) { f.LastBackup = ago(3*day + 15*time.Minute) }, "brainbridge backup create", 3.01, 3},
		"lastRun":          {func(f *health.Facts) { f.LastRun = ago(2*day + 15*time.Minute) }, "brainbridge consolidate", 2.01, 2},
	} {
		f := well()
		c.change(&f)
		r := health.Check(f)
		if w := r.Warnings(); len(w) != 1 || w[0] != name || r.Status != health.Warn {
			t.Errorf("%s: status %s, warnings %q", name, r.Status, w)
			continue
		}
		i := find(r, name)
		if *i.Value != c.value || i.Limit != c.limit || *i.Action != c.command {
			t.Errorf("%s: value %v, limit %v, action %q", name, *i.Value, i.Limit, *i.Action)
		}
		if len(r.Recommendations) != 1 || !strings.Contains(r.Recommendations[0], "`"+c.command+"`") {
			t.Errorf("%s: recommends %q", name, r.Recommendations)
		}
	}
}

func find(r health.Report, name string) health.Indicator {
	return r.Indicators[slices.IndexFunc(r.Indicators, func(i health.Indicator) bool { return i.Name == name })]
}

func TestNamesOfTheIndicators(t *testing.T) {
	var names []string
	for _, i := range health.Check(well()).Indicators {
		names = append(names, i.Name)
	}
	const want = "count stale lowEffectiveness duplicates orphans captureSilence watcher storeSize spool lastBackup lastRun review unusable doctor disk"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("indicators %s, want %s", got, want)
	}
}

// What cannot be used is named, with what to do, and past twenty it is counted.
func TestWhatCannotBeUsedIsNamed(t *testing.T) {
	f := well()
	f.Editable = true
	for i := range 22 {
		f.Wrong = append(f.Wrong, fmt.Sprintf("Memory %d cannot be read", i))
	}
	r := health.Check(f)
	if i := find(r, "unusable"); r.Status != health.Warn || i.State != health.Warn || *i.Value != 22 || len(r.Recommendations) != 22 {
		t.Errorf("status %s, %+v, %q", r.Status, i, r.Recommendations)
	}
	if r.Recommendations[0] != "Memory 0 cannot be read: correct or delete it with `brainbridge query --write CYPHER`, or fetch it from the backups with `brainbridge doctor --fix`" || !strings.HasPrefix(r.Recommendations[20], "2 more") {
		t.Errorf("recommends %q", r.Recommendations)
	}
}

// Without a schedule any backup is new enough; one that failed is named.
func TestBackups(t *testing.T) {
	f := well()
	f.LastBackup, f.BackupLimit = ago(300*day), 0
	if w := health.Check(f).Warnings(); len(w) > 0 {
		t.Errorf("without a schedule: %q", w)
	}
	f.LastBackup = time.Time{}
	if w := health.Check(f).Warnings(); !slices.Equal(w, []string{"lastBackup"}) {
		t.Errorf("without a schedule and a backup: %q", w)
	}
	f = well()
	f.BackupProblem = "the disk is full"
	if i := find(health.Check(f), "lastBackup"); i.State != health.Warn || i.Detail != "the last backup was 3d ago (limit 3d); the disk is full" {
		t.Errorf("after a failure: %+v", i)
	}
}

// What never happened is missed only where there is something to lose.
func TestNever(t *testing.T) {
	f := well()
	f.LastCapture, f.LastRun, f.LastBackup = time.Time{}, time.Time{}, time.Time{}
	if w := health.Check(f).Warnings(); !slices.Equal(w, []string{"lastBackup", "lastRun"}) {
		t.Errorf("warnings %q", w)
	}
	r := health.Check(health.Facts{Now: now(), Watching: true, MaxLive: 200, SilenceDays: 3})
	if r.Status != health.OK || find(r, "orphans").Value != nil || find(r, "lastRun").Value != nil || find(r, "storeSize").Value != nil {
		t.Errorf("an empty brain: %+v", r)
	}
	raw, err := json.Marshal(r)
	if err != nil || !strings.Contains(string(raw), `"averageAgeDays":null`) || !strings.Contains(string(raw), `"byType":{}`) ||
		!strings.Contains(string(raw), `"superseded":0`) || !strings.Contains(string(raw), `"recommendations":[]`) {
		t.Errorf("%s, %v", raw, err)
	}
}

func TestRefusedCapturesAreInTheSpoolToo(t *testing.T) {
	f := well()
	f.Rejected = 2
	if i := find(health.Check(f), "spool"); i.State != health.Warn || *i.Value != 2 {
		t.Errorf("%+v", i)
	}
}

func TestOldResearchIsNamed(t *testing.T) {
	f := well()
	f.OldResearch = []brain.Memory{{ID: "1234", Name: "Rivals in Turku", Created: ago(75 * day)}}
	r := health.Check(f)
	if len(r.Recommendations) != 1 || r.Status != health.OK ||
		!strings.Contains(r.Recommendations[0], "Rivals in Turku is 75 days old") || !strings.Contains(r.Recommendations[0], "`brainbridge show 1234`") {
		t.Errorf("status %s, %q", r.Status, r.Recommendations)
	}
}

// What may be forgotten is named with its number and command, and is no warning.
func TestWhatMayBeForgottenIsNamed(t *testing.T) {
	for n, want := range map[int]string{0: "", 1: "1 memory unused", 7: "7 memories unused", 100: "100 memories unused"} {
		f := well()
		f.Forgettable = n
		r := health.Check(f)
		said := strings.Join(r.Recommendations, "")
		if r.Status != health.OK || !strings.HasPrefix(said, want) || (n > 0) != strings.Contains(said, "`brainbridge consolidate --forget-only`") {
			t.Errorf("%d: %s, %q", n, r.Status, said)
		}
	}
}

// Whatever the facts: the status is that of the worst indicator, and exactly
// the warnings have a command, which the recommendations name.
func TestWarningsHaveCommands(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(what string) int { return rapid.IntRange(0, 4).Draw(t, what) }
		when := func(what string) time.Time {
			if d := rapid.IntRange(-1, 6).Draw(t, what); d >= 0 {
				return ago(time.Duration(d) * day)
			}
			return time.Time{}
		}
		f := health.Facts{
			Now: now(), Survey: health.Survey{
				ByTier: map[tiers.Tier]int{tiers.Working: n("live"), tiers.Expired: n("expired")},
				Stale:  n("stale"), Ineffective: n("low"), Entities: n("entities"),
			},
			Duplicates:  n("duplicates"),
			LastCapture: when("capture"), LastRun: when("run"), LastBackup: when("backup"), Watching: rapid.Bool().Draw(t, "watching"),
			Spooled: n("spooled"), Rejected: n("rejected"), MaxLive: n("max") + 1, SilenceDays: n("silence") + 1,
		}
		f.Orphans = min(n("orphans"), f.Entities)
		r := health.Check(f)
		if (r.Status == health.Warn) != (len(r.Warnings()) > 0) || len(r.Recommendations) != len(r.Warnings()) {
			t.Fatalf("%+v", r)
		}
		for _, i := range r.Indicators {
			if (i.State == health.Warn) != (i.Action != nil) {
				t.Fatalf("%s: %+v", i.Name, i)
			}
			if warned := fmt.Sprint(r.Recommendations); i.Action != nil && !strings.Contains(warned, *i.Action) {
				t.Fatalf("%s does not stand in %s", *i.Action, warned)
			}
		}
	})
}
