package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/integration/app"
	"github.com/brainbridge/brainbridge/tiers"
)

const wholeReport = `# consolidate

- run: 465171b2-0000-4000-8000-000000000000
- date: 2026-03-01 12:00
- previous run: 2026-02-28 03:00, 0d5f9f0a
- took: 40 ms
- state: undone

| analysed | merged | promoted | promoted to core | expired | forgotten | may be forgotten | related | for review | orphans |
|---|---|---|---|---|---|---|---|---|---|
| 9 | 1 | 0 | 1 | 2 | 1 | 6 | 3 | 4 | 5 |

## Merged

- a \| b (de2a99cb): 0.97 alike
  - from a b (5c9dadc8)

## Promoted

- habit (c6de4ca0): core

## Forgotten

- stale idea (933313ee): 200 days old, 1 use, kept in /a/2026-03-01-forgotten.json

## Health

|  | before | after | change |
|---|---|---|---|
| live | 10 | 8 | -2 |
| expired | 1 | 3 | +2 |
| stale | 0 | 0 | +0 |
| low effectiveness | 1 | 0 | -1 |
| duplicates | 0 | 4 | +4 |
| orphans | 5 | 5 | +0 |
| average age (days) | 3.50 | 3.00 | -0.50 |
| average effectiveness | – | 0.75 | – |
| warnings | watcher lastRun | watcher |  |

## Recommendations

- no daemon: ` + "`brainbridge serve`" + `

## The next run is due after

- 10 new memories

## Actions

| action | as of | memory | why |
|---|---|---|---|
| merge | 2026-03-01 12:00 | de2a99cb | 0.97 alike (undone) |`

// The report of a run is Markdown that says all there is, and nothing of what
// there is not.
func TestReportOfARun(t *testing.T) {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.Local)
	before := consolidate.Vitals{Measures: consolidate.Measures{Live: 10, Expired: 1, LowEffectiveness: 1, Orphans: 5, AverageAgeDays: new(3.5)}, Warnings: []string{"watcher", "lastRun"}}
	after := consolidate.Vitals{Measures: consolidate.Measures{Live: 8, Expired: 3, Duplicates: 4, Orphans: 5, AverageAgeDays: new(3.0), AverageEffectiveness: new(0.75)}, Warnings: []string{"watcher"}}
	r := app.RunAnswer{
		Run: app.RunLine{ID: "465171b2-0000-4000-8000-000000000000", Kind: "consolidate", Started: noon, Finished: &noon, Undone: true},
		Report: &consolidate.RunReport{
			Date: noon, Previous: &consolidate.PreviousRun{RunID: new("0d5f9f0a-1111"), Date: noon.Add(-33 * time.Hour)}, DurationMs: new(int64(40)),
			Counts: consolidate.Counts{Analysed: 9, Merged: 1, PromotedToCore: 1, Expired: 2, Forgotten: 1, Candidates: 6, Related: 3, Flagged: 4, Orphans: 5},
			Merges: []consolidate.MergedMemory{{
				Named: consolidate.Named{ID: "de2a99cb-1", Name: "a | b"}, Reason: "0.97 alike",
				Originals: []consolidate.Named{{ID: "5c9dadc8-1", Name: "a\nb"}},
			}},
			Promotions: []consolidate.PromotedMemory{{Named: consolidate.Named{ID: "c6de4ca0-1", Name: "habit"}, As: tiers.Core}},
			Forgotten: []consolidate.ForgottenMemory{{
				Named: consolidate.Named{ID: "933313ee-1", Name: "stale idea"}, AgeDays: 200, Uses: 1, Archive: "/a/2026-03-01-forgotten.json",
			}},
			Health:          &consolidate.HealthChange{Before: before, After: after, Change: consolidate.Measures{AverageAgeDays: new(-0.5)}},
			Recommendations: []string{"no daemon: `brainbridge serve`"}, NextTriggers: []string{"10 new memories"},
		},
		Actions: []app.ActionLine{{Kind: "merge", IDs: []string{"de2a99cb-1"}, Reason: "0.97 alike", At: noon, Undone: true}},
	}
	if d := cmp.Diff(wholeReport+"\n", reportOf(t, r)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	bare := reportOf(t, app.RunAnswer{Run: r.Run, Report: consolidate.NewRunReport(brain.Run{}, nil)})
	if strings.Contains(bare, "##") || strings.Contains(bare, "previous") || strings.Contains(bare, "took") {
		t.Errorf("a run that kept nothing says\n%s", bare)
	}
}

func reportOf(t *testing.T, r app.RunAnswer) string {
	var text strings.Builder
	if err := writeReport(&text, r); err != nil {
		t.Fatal(err)
	}
	return text.String()
}
