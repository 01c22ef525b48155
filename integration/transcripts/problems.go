package transcripts

import (
	"fmt"
	"strings"
)

// lostProblems names the files that said something else of a day before they were
// rewritten.
func (r *run) lostProblems(day string) []Problem {
	var all []Problem
	for _, path := range r.days[day].lost {
		all = append(all, Problem{
			File:    path,
			Message: "was rewritten or cut short; what the cleaned transcript has of messages that are no longer in it stays",
		})
	}
	return all
}

// fileProblems returns those of the files that speak of a day.
func (r *run) fileProblems(day string) []Problem {
	var all []Problem
	for _, in := range r.days[day].inputs {
		all = append(all, r.problemsOf(in.path)...)
	}
	return all
}

func (r *run) problemsOf(path string) []Problem {
	s := r.files.states[path]
	all := make([]Problem, 0, len(s.Problems)+1)
	for _, p := range s.Problems {
		all = append(all, Problem{File: path, Line: p.Line, Message: p.Message})
	}
	if s.Unfinished > 0 {
		all = append(all, Problem{File: path, Line: s.Unfinished, Message: "is cut in the middle; it is read when it is whole"})
	}
	for name, u := range s.Unknown {
		all = append(all, Problem{File: path, Line: u.Line, Message: leftOut(name, u.Count)})
	}
	if s.More > 0 {
		all = append(all, Problem{File: path, Message: fmt.Sprintf("and %d more problems", s.More)})
	}
	return all
}

// leftOut returns the message for lines or blocks that were left out. The name is
// that of transcript.Result.Unknown.
func leftOut(name string, count int) string {
	if count == 1 {
		return "1 " + name + " was left out"
	}
	noun, rest, _ := strings.Cut(name, " ")
	return fmt.Sprintf("%d %ss %s were left out", count, noun, rest)
}

// otherProblems returns those of files that were read in this run and are in no
// report of a day.
func (r *run) otherProblems(days []Day) []Problem {
	told := map[string]bool{}
	for _, day := range days {
		for _, in := range r.days[day.Date].inputs {
			told[in.path] = true
		}
	}
	var all []Problem
	for _, path := range r.files.read {
		if !told[path] {
			all = append(all, r.problemsOf(path)...)
		}
	}
	return all
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
