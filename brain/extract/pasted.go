package extract

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// forms are the shapes of lines that people paste rather than write.
type forms struct {
	log     *regexp.Regexp // a line that begins with an instant or a level
	own     *regexp.Regexp // a line that brainbridge printed
	prompt  *regexp.Regexp // a command, or the name and time of a speaker: what is below belongs to it
	says    *regexp.Regexp // the end of a line that introduces somebody's words, or output
	others  *regexp.Regexp // a mention of a text by somebody else, or how a letter begins
	printed *regexp.Regexp // a line that a program may have printed
	diff    *regexp.Regexp // a line of the head of a diff
	mail    *regexp.Regexp // a header
	chat    *regexp.Regexp // a name and what it says
	task    *regexp.Regexp // asks for work on the text that follows
}

var pastedForms = sync.OnceValue(func() forms {
	return forms{
		log:     regexp.MustCompile(`^\s*[\[(<]?(\d{4}[-/]\d\d[-/]\d\d(T|,? )\d\d:\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4},? \d{1,2}:\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|(TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL|PANIC)\b|([Ee]rror|[Ww]arning|[Ff]atal|[Pp]anic|\w+(Error|Exception))(\[\w+\])?: )`),
		own:     regexp.MustCompile("\\S \\[[0-9a-f]{6,}\\]$|kept by brainbridge|brainbridge remembers|`brainbridge show "),
		prompt:  regexp.MustCompile(`^(\s*(\$|>>>|PS [A-Z]:\S*>|\w+@[\w.-]+[: ]\S*[$#%]) \S|[A-Z][\w.]+( [A-Z][\w.]+)* +(— )?\[?\d{1,2}:\d\d( ?[AP]M)?\]?\s*$)`),
		says:    regexp.MustCompile(`(?i:\b(wrote|writes|said|says|replied|schrieb|schreibt|sagte|sagt|meinte)\b[^!?]*|\b(logs?|output|trace|(e-?)?mail|newsletter|article|ausgabe|artikel)):$`),
		others:  regexp.MustCompile(`(?im)\b((e-?)?mail|letter|newsletter|article|logs?|output|message|thread|post|docs?|wrote|writes|said|says|schrieb|schreibt|brief|artikel|nachricht|ausgabe)\b|^(hi|hello|dear|hallo|liebe\w?|sehr geehrte\w?|guten tag)\b`),
		printed: regexp.MustCompile(`^(\s+at \S|\s*File "|Traceback|\s*\S*[a-z][./]\w+:\d+(:\d+)?:? |(npm|yarn|pnpm) |(PASS|FAIL|===?>?|---) |ok\t|[├└│])`),
		diff:    regexp.MustCompile(`^(diff --git |@@ |--- \S+/|\+\+\+ \S|index [0-9a-f]{7})`),
		mail:    regexp.MustCompile(`^(From|To|Subject|Date|Sent|Cc|Von|An|Betreff|Gesendet|Datum): \S`),
		chat:    regexp.MustCompile(`^(?:\[?\d{1,2}:\d\d\]? )?([A-Z][\w.-]+(?: [A-Z][\w.-]+)?): \S`),
		task:    regexp.MustCompile(`(?i)^\s*((please|pls|bitte|can you|could you) )*(summari[sz]e|translate|proofread|rewrite|rephrase|paraphrase|shorten|polish|(fix|correct|check) the (grammar|spelling|wording)|fasse?|übersetze?|korrigiere?|formuliere?|kürze?)(\s+(this|that|the|following|below|text|e?-?mail|message|article|post|paragraph|letter|page|thread|to|into|in|for me|\d+|words?|sentences?|lines?|english|german|bitte|mir|dies\w*|den|die|das|folgende\w*|auf|ins?|deutsch\w*|englisch\w*|zusammen|um)){0,6}\s*(:|[.?]?\s*$)`),
	}
})

// opens reports whether a line introduces pasted text, which follows below it.
func (f forms) opens(line string) bool {
	line = strings.TrimSpace(line)
	return f.prompt.MatchString(line) || strings.HasSuffix(line, ":") && f.says.MatchString(line)
}

// isPrinted reports whether a program may have printed a line: it has columns, pairs of names
// and values, or the marks of a compiler, a test or a package manager.
func (f forms) isPrinted(line string) bool {
	body := strings.TrimSpace(line)
	return strings.Contains(body, "   ") || strings.Contains(body, "\t") || strings.Count(body, "=") > 1 || strings.ContainsAny(lastByte(body), "{}") || f.printed.MatchString(line)
}

// pasted reports for each line of a turn whether the user pasted it: logs, output of
// commands, diffs, chats, mails, texts to work on, and what brainbridge itself printed.
func (t Turn) pasted() (skip []bool) {
	if t.Speaker != User {
		return nil
	}
	f := pastedForms()
	lines := strings.Split(t.Text, "\n")
	skip = make([]bool, len(lines))
	if f.task.MatchString(lines[0]) {
		fill(skip)
	}
	f.markLetters(lines, skip)
	diff, opened := false, false
	for lo, hi := 0, 0; lo < len(lines); lo = hi + 1 {
		for hi = lo; hi < len(lines) && strings.TrimSpace(lines[hi]) != ""; {
			hi++
		}
		if lo == hi {
			continue
		}
		block, marks := lines[lo:hi], skip[lo:hi]
		isDiff := changesLines(block, diff)
		switch {
		case len(block) > 1 && f.mail.MatchString(block[0]) && f.mail.MatchString(block[1]):
			fill(skip[lo:])
		case opened || isDiff:
			fill(marks)
		}
		f.mark(block, marks)
		diff = isDiff || slices.ContainsFunc(block, f.diff.MatchString)
		opened = f.opens(block[len(block)-1])
	}
	return skip
}

// markLetters marks what is between two rules, such as "---", if it begins like a letter or
// is introduced as a text by somebody else.
func (f forms) markLetters(lines []string, marks []bool) {
	rules := map[string]int{} // the line behind each rule that is open
	for i, line := range lines {
		rule := strings.TrimSpace(line)
		if len(rule) < 3 || strings.Trim(rule, rule[:1]) != "" || strings.IndexByte("-=*_~\"'", rule[0]) < 0 {
			continue
		}
		from, open := rules[rule]
		rules[rule] = i + 1
		if open && f.others.MatchString(strings.Join(lines[max(0, from-3):from+1], "\n")) {
			fill(marks[from:i])
		}
		if open {
			delete(rules, rule)
		}
	}
}

func fill(marks []bool) {
	for i := range marks {
		marks[i] = true
	}
}

// changesLines reports whether all lines of a block are of a diff, which may go on from the
// block before.
func changesLines(block []string, goesOn bool) bool {
	signs := ""
	for _, line := range block {
		signs += line[:1]
	}
	return strings.Trim(signs, "+- \\") == "" && strings.Contains(signs, "+") && (goesOn || strings.Contains(signs, "-"))
}

// mark marks what is pasted in a block: single lines of logs, what follows a line that opens
// pasted text or the head of a diff, a run of lines of which half have the form of output,
// and the lines of speakers who take turns.
func (f forms) mark(block []string, marks []bool) {
	var output, chat run
	names := map[string]bool{}
	for i, line := range block {
		if f.opens(line) || f.diff.MatchString(line) {
			fill(marks[i:])
			break
		}
		marks[i] = marks[i] || f.log.MatchString(line) || f.own.MatchString(strings.TrimSpace(line))
		if marks[i] || len(block) > 1 && f.isPrinted(line) {
			output.add(i)
		}
		if m := f.chat.FindStringSubmatch(line); len(m) > 1 && !Kind(strings.ToLower(m[1])).Known() {
			names[m[1]] = true
			chat.add(i)
		}
	}
	if output.lines > 2 && 2*output.lines > output.last-output.first {
		fill(marks[output.first : output.last+1])
	}
	if len(names) > 1 && chat.lines > len(names) {
		fill(marks[chat.first : chat.last+1])
	}
}

// run has the first and the last of some lines of a block, and their number.
type run struct{ first, last, lines int }

func (r *run) add(line int) {
	if r.lines == 0 {
		r.first = line
	}
	r.last = line
	r.lines++
}
