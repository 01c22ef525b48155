package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/integration/app"
)

// reportLines is how many actions a report shows, so that it fits a screen of 24 lines.
const reportLines = 12

// showReport prints what a run did, the actions that matter most first, and what to do next.
func (a *cli) showReport(rep app.ConsolidateAnswer) {
	if rep.NotDue != "" {
		a.printf("not due: %s\n", rep.NotDue)
		return
	}
	if rep.Embedded > 0 {
		a.printf("embedded %s\n", counted(rep.Embedded, "text"))
	}
	if len(rep.Actions) == 0 && rep.Flagged+rep.Waiting+rep.Remaining+rep.Skipped == 0 && !rep.Partial {
		a.printf("nothing is due\n")
		return
	}
	a.printf("%s\n", strings.Join(a.countsOf(rep), ", "))
	if a.quiet {
		return
	}
	if len(rep.Actions) > 0 {
		a.showActions(rep)
	}
	if rep.Skipped > 0 {
		a.printf("skipped %s, because one of each group changed meanwhile\n", counted(rep.Skipped, "memory"))
	}
	if rep.Candidates > 0 {
		a.printf("%s could be forgotten: `brainbridge consolidate --forget-only` does it\n", counted(rep.Candidates, "memory"))
	}
	if rep.Flagged+rep.Waiting > 0 {
		a.printf("%s\n", casesOf(rep))
	}
	if rep.Remaining > 0 || rep.Partial {
		a.printf("%s\n", unfinishedOf(rep))
	}
	if len(rep.Done()) > 0 {
		a.showUndo(rep.RunID)
	}
}

// countsOf are the counts of a report. The first two are always shown, the others if they are not 0.
func (a *cli) countsOf(rep app.ConsolidateAnswer) []string {
	var counts []string
	for i, c := range []struct {
		done, planned string
		n             int
	}{
		{"promoted", "would promote", rep.Promoted},
		{"expired", "expire", rep.Expired},
		{"merged", "merge", rep.Merged},
		{"promoted to core", "promote to core", rep.PromotedToCore},
		{"forgot", "forget", rep.Forgotten},
		{"related", "relate", rep.Related},
		{"flagged", "flag", rep.Flagged},
	} {
		if c.n > 0 || i < 2 {
			counts = append(counts, fmt.Sprintf("%s %d", a.verbFor(c.done, c.planned), c.n))
		}
	}
	if rep.CuratedFile != "" {
		counts = append(counts, a.verbFor("wrote", "write")+" "+rep.CuratedFile)
	}
	return counts
}

// unfinishedOf says how to continue a run that was not finished, and when.
func unfinishedOf(rep app.ConsolidateAnswer) string {
	line := "not all was done"
	if rep.Remaining > 0 {
		line += fmt.Sprintf(", %d left to do", rep.Remaining)
	}
	line += ": `brainbridge consolidate` continues"
	switch {
	case !rep.AskModelAt.IsZero():
		line += " from " + at(rep.AskModelAt) + " on, when the model is asked again"
	case rep.Remaining == 0: // a step failed
		line += " once the cause of the warning is fixed"
	}
	return line
}

// casesOf says how many items a person has to decide. A dry run adds none to the queue.
func casesOf(rep app.ConsolidateAnswer) string {
	const list = "`brainbridge review`"
	switch {
	case rep.DryRun:
		return counted(rep.Flagged+rep.Waiting, "item") + " to decide on: after `brainbridge consolidate`, `brainbridge review` lists them"
	case rep.Flagged == 0:
		return counted(rep.Waiting, "item") + " to decide on when those in " + list + " are decided"
	case rep.Waiting > 0:
		return fmt.Sprintf("%s to decide on: %s; %d more follow", counted(rep.Flagged, "item"), list, rep.Waiting)
	}
	return counted(rep.Flagged, "item") + " to decide on: " + list
}

// showActions prints the actions that matter most, each kind in its order.
func (a *cli) showActions(rep app.ConsolidateAnswer) {
	actions := slices.Clone(rep.Actions)
	slices.SortStableFunc(actions, func(x, y consolidate.Action) int {
		return cmp.Compare(weightOf(x), weightOf(y))
	})
	t := table{head: []string{"ACTION", "MEMORY", "WHY"}}
	for _, act := range actions[:min(len(actions), reportLines)] {
		kind := act.Kind
		if act.OnRequest {
			kind = "could " + kind
		}
		t.row(kind, subject(act.IDs), flat(act.Reason, 80))
	}
	a.print(t)
	if more := len(actions) - reportLines; more > 0 {
		where := ""
		if rep.RunID != "" {
			where = ": brainbridge runs show " + brain.ShortID(rep.RunID)
		}
		a.printf("%s\n", a.dim(fmt.Sprintf("… and %d more%s", more, where)))
	}
}

// weightOf orders actions: those that remove the most first, those only listed last.
func weightOf(act consolidate.Action) int {
	order := []string{"forget", "merge", "supersede", "promote-to-core", "promote", "revive", "expire"}
	switch i := slices.Index(order, act.Kind); {
	case act.OnRequest:
		return len(order) + 1
	case i >= 0:
		return i
	}
	return len(order)
}

// subject is the first subject of an action: a short id, or a file or a key in a file.
func subject(ids []string) string {
	id := first(ids)
	if strings.ContainsAny(id, `./\`) {
		return flat(id, 60)
	}
	return brain.ShortID(id)
}

func first(ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	return ids[0]
}

// forgetActionLines returns what a plan would forget, without lines if that is nothing.
func forgetActionLines(plan app.ConsolidateAnswer) (question string, lines []string) {
	found := slices.DeleteFunc(slices.Clone(plan.Actions), func(act consolidate.Action) bool { return act.Kind != string(brain.ActForget) })
	if len(found) == 0 {
		return "", nil
	}
	question = "forget " + counted(len(found), "memory")
	lines = append(lines, question+", archived first:")
	for _, act := range found[:min(len(found), reportLines)] {
		lines = append(lines, fmt.Sprintf("  %s  %s", subject(act.IDs), act.Reason))
	}
	if more := len(found) - reportLines; more > 0 {
		lines = append(lines, fmt.Sprintf("  … and %d more; `consolidate --forget-only --dry-run --json` names them all", more))
	}
	return question, lines
}
