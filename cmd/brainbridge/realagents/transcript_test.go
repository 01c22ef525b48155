package realagents

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// prompt returns what a run of an agent was asked, "" if it was asked nothing.
func prompt(args []string) string {
	for _, arg := range args {
		if regexp.MustCompile(`\((first|recall|nothing|goodbye|shell)\)$`).MatchString(arg) {
			return arg
		}
	}
	return ""
}

// transcribed reports what the transcript of today lacks or has twice of the prompts, and
// what is in it that nobody said.
func (r *rig) transcribed() {
	r.t.Helper()
	day := r.day.Format(time.DateOnly)
	out := r.extract(day)
	r.is(!strings.Contains(out, "problem"), "its sessions are read without a problem: "+out)
	text := r.read(filepath.Join("..", filepath.Base(r.brain), "memory", "transcripts", day+"-transcript.md"))
	said := map[string]int{}
	for _, p := range r.prompts {
		said[p]++
	}
	for p, times := range said {
		found := len(regexp.MustCompile(`(?m)^\*\*User\*\* \(.*\):\n\n`+regexp.QuoteMeta(p)+`$`).FindAllString(text, -1))
		r.is(found == times, fmt.Sprintf("%q is in the transcript %d times, not %d", p, times, found))
	}
	r.is(strings.Count(text, "**User**") == len(r.prompts), "nobody else said anything:\n"+text)
	r.is(!matches(pushed+`|^Wall time: |^Chunk ID: |hook_context|environment_context`, text), "the transcript has nothing that was told the model:\n"+text)
	r.is(!strings.Contains(text, summary), "the summary of a compaction is no speech")
	found := r.brainbridge("recall", "--transcripts", "decided to put the staging database on port 5433")
	r.is(strings.Contains(found, "-transcript.md") || strings.Contains(found, "transcripts/"), "recall --transcripts finds what was said: "+found)
	again := r.extract(day)
	r.is(!strings.Contains(again, " added"), "a second time nothing is new: "+again)
}

// extract extracts the transcript of a day, once the extraction that the end of a session has begun
// in the background has ended.
func (r *rig) extract(day string) string {
	r.t.Helper()
	for tick, tries := time.NewTicker(100*time.Millisecond), 100; ; tries-- {
		out := r.brainbridge("transcript", "extract", day)
		if tries == 0 || !strings.Contains(out, "another process is extracting transcripts") {
			return out
		}
		<-tick.C
	}
}
