package transcripts

import (
	"fmt"
	"strings"

	"github.com/brainbridge/brainbridge/watcher/transcript"
)

// lostProblems name the files that said something else of a day before they were
// rewritten.
func (r *run) lostProblems(day string) []Problem {
	var all []Problem
	for _, path := range r.lost[day] {
		all = append(all, Problem{
			File:    path,
			Message: "was rewritten or cut short; what the cleaned transcript has of messages that are no longer in it stays",
		})
	}
	return all
}

// fileProblems are those of the files that speak of a day.
func (r *run) fileProblems(day string) []Problem {
	var all []Problem
	for _, in := range r.days[day] {
		all = append(all, r.problemsOf(in.path)...)
	}
	return all
}

func (r *run) problemsOf(path string) []Problem {
	s := r.states[path]
	all := make([]Problem, 0, len(s.Problems)+1)
	for _, p := range s.Problems {
		all = append(all, Problem{File: path, Line: p.Line, Message: p.Message})
	}
	if s.Unfinished > 0 {
		all = append(all, Problem{File: path, Line: s.Unfinished, Message: "is cut in the middle; it is read when it is whole"})
	}
	for name, u := range s.Unknown {
		all = append(all, Problem{File: path, Line: u.Line, Message: u.message(name)})
	}
	if s.More > 0 {
		all = append(all, Problem{File: path, Message: fmt.Sprintf("and %d more problems", s.More)})
	}
	return all
}

// maxUnknown bounds the names of one file that are remembered; further ones
// count as "other".
const maxUnknown = 32

// leaveOut counts what a read left out because it knows no such type or role.
func (s *fileState) leaveOut(res transcript.Result) {
	for name, n := range res.Counts.Unknown {
		line := res.UnknownAt[name]
		if _, known := s.Unknown[name]; !known && len(s.Unknown) >= maxUnknown {
			name = "other"
		}
		if s.Unknown == nil {
			s.Unknown = map[string]leftOut{}
		}
		u, known := s.Unknown[name]
		if !known || line < u.Line {
			u.Line = line
		}
		u.Count += n
		s.Unknown[name] = u
	}
}

// message says what was left out under a name of transcript.Counts.Unknown.
func (u leftOut) message(name string) string {
	what, noun := "type", "line"
	if before, role, ok := strings.Cut(name, "role "); ok && (before == "" || strings.HasSuffix(before, " ")) {
		what, name = "role", role
	}
	if block, ok := strings.CutPrefix(name, "block "); ok {
		noun, name = "block", block
	}
	if item, ok := strings.CutPrefix(name, "item "); ok {
		name = item
	}
	if name == "other" {
		return fmt.Sprintf("%s of other unknown types or roles %s left out", number(u.Count, noun), were(u.Count))
	}
	return fmt.Sprintf("%s of the unknown %s %q %s left out", number(u.Count, noun), what, name, were(u.Count))
}

func number(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func were(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// otherProblems adds those of files that were read in this run and are in no
// report of a day.
func (r *run) otherProblems() {
	told := map[string]bool{}
	for _, day := range r.report.Days {
		for _, in := range r.days[day.Date] {
			told[in.path] = true
		}
	}
	for path := range r.touch {
		if !told[path] {
			r.report.Problems = append(r.report.Problems, r.problemsOf(path)...)
		}
	}
	r.report.Problems = sortProblems(r.report.Problems)
}

// tellOnce leaves a problem out of a day if an earlier one of the report has it.
func (r *Report) tellOnce() {
	told := map[Problem]bool{}
	for i := range r.Days {
		once := []Problem{}
		for _, p := range r.Days[i].Problems {
			if !told[p] {
				told[p] = true
				once = append(once, p)
			}
		}
		r.Days[i].Problems = once
	}
}
