package extract

import (
	"regexp"
	"strings"
	"sync"
)

// forms are the shapes of lines that people paste rather than write.
type forms struct {
	log     *regexp.Regexp // a line that begins with an instant or a level
	prompt  *regexp.Regexp // a command, or the name and time of a speaker: what is below belongs to it
	says    *regexp.Regexp // the end of a line that introduces somebody's words, or output
	others  *regexp.Regexp // a mention of a text by somebody else, or how a letter begins
	printed *regexp.Regexp // a line that a program may have printed
	diff    *regexp.Regexp
	mail    *regexp.Regexp // a header
	chat    *regexp.Regexp // a name and what it says
	talk    *regexp.Regexp // words of a talk rather than of a list of values
	task    *regexp.Regexp // asks for work on the text that follows
}

var pastedForms = sync.OnceValue(func() forms {
	return forms{
		log:     regexp.MustCompile(`^\s*[\[(<]?(\d{4}[-/]\d\d[-/]\d\d(T|,? )\d\d:\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4},? \d{1,2}:\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|(TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL|PANIC)\b|([Ee]rror|[Ww]arning|[Ff]atal|[Pp]anic|\w+(Error|Exception))(\[\w+\])?: )`),
		prompt:  regexp.MustCompile(`^(\s*(\$|>>>|PS [A-Z]:\S*>|\w+@[\w.-]+[: ]\S*[$#%]) \S|[A-Z][\w.]+( [A-Z][\w.]+)* +(— )?\[?\d{1,2}:\d\d( ?[AP]M)?\]?\s*$)`),
		says:    regexp.MustCompile(`(?i:\b(wrote|writes|said|says|replied|schrieb|schreibt|sagte|sagt|meinte)\b[^!?]*|\b(logs?|output|trace|(e-?)?mail|newsletter|article|ausgabe|artikel)):$`),
		others:  regexp.MustCompile(`(?im)\b((e-?)?mail|letter|newsletter|article|logs?|output|message|thread|post|docs?|wrote|writes|said|says|schrieb|schreibt|brief|artikel|nachricht|ausgabe)\b|^(hi|hello|dear|hallo|liebe\w?|sehr geehrte\w?|guten tag)\b`),
		printed: regexp.MustCompile(`^(\s+at \S|\s*File "|Traceback|\s*\S*[a-z][./]\w+:\d+(:\d+)?:? |(npm|yarn|pnpm) |(PASS|FAIL|===?>?|---) |ok\t|[├└│])`),
		diff:    regexp.MustCompile(`^(diff --git |@@ |--- \S+/|\+\+\+ \S|index [0-9a-f]{7})`),
		mail:    regexp.MustCompile(`^(From|To|Subject|Date|Sent|Cc|Von|An|Betreff|Gesendet|Datum): \S`),
		chat:    regexp.MustCompile(`^(?:\[?\d{1,2}:\d\d\]? )?([A-Z][\w.-]+(?: [A-Z][\w.-]+)?): \S`),
		talk:    regexp.MustCompile(`(?i)\b(i|i'\w+|you|me|ich|du|ihr)\b|\?|: (ok|okay|yes|no|sure|thanks|agreed|ja|nein|danke|passt)\b`),
		task:    regexp.MustCompile(`(?i)^\s*((please|pls|bitte|can you|could you) )*(summari[sz]e|translate|proofread|rewrite|rephrase|paraphrase|shorten|polish|(fix|correct|check) the (grammar|spelling|wording)|fasse?|übersetze?|korrigiere?|formuliere?|kürze?)(\s+(this|that|the|following|below|text|e?-?mail|message|article|post|paragraph|letter|page|thread|to|into|in|for me|\d+|words?|sentences?|lines?|english|german|bitte|mir|dies\w*|den|die|das|folgende\w*|auf|ins?|deutsch\w*|englisch\w*|zusammen|um)){0,6}\s*(:|[.?]?\s*$)`),
	}
})

// begins reports whether a line introduces pasted text, which follows below it.
func (f forms) begins(line string) bool {
	line = strings.TrimSpace(line)
	return f.prompt.MatchString(line) || strings.HasSuffix(line, ":") && f.says.MatchString(line)
}

// isMachine reports whether a line is of a log, or one that brainbridge printed.
func (f forms) isMachine(line string) bool {
	line = strings.TrimSpace(line)
	at := strings.LastIndex(line, " [") + len(" [")
	id := strings.TrimSuffix(line[at:], "]")
	return f.log.MatchString(line) || at > 1 && len(id) >= 6 && len(line) == at+len(id)+1 && strings.Trim(id, "0123456789abcdef") == "" ||
		strings.Contains(line, "kept by brainbridge") || strings.Contains(line, "brainbridge remembers") || strings.Contains(line, "`brainbridge show ")
}

// isPrinted reports whether a program may have printed a line: it has columns, pairs of names
// and values, or the marks of a compiler, a test or a package manager.
func (f forms) isPrinted(line string) bool {
	body := strings.TrimSpace(line)
	return strings.Contains(body, "   ") || strings.Contains(body, "\t") || strings.Count(body, "=") > 1 || strings.ContainsAny(lastByte(body), "{}") || f.printed.MatchString(line)
}

// pasted reports for each line of a turn whether the user pasted it: logs, output of
// commands, diffs, chats, mails, texts to work on, and what brainbridge itself printed. rest
// reports whether all that follows the turn is pasted too.
func (t Turn) pasted() (skip []bool, rest bool) {
	if t.Speaker != User {
		return nil, false
	}
	f := pastedForms()
	lines := strings.Split(t.Text, "\n")
	skip = make([]bool, len(lines))
	if rest = t.pasting || f.task.MatchString(lines[0]); rest {
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
		switch {
		case f.isMail(block):
			rest = true
			fill(skip[lo:])
		case opened:
			fill(marks)
		}
		diff = f.markDiff(block, marks, diff)
		f.markPrinted(block, marks)
		f.markChat(block, marks)
		opened = f.begins(block[len(block)-1])
	}
	return skip, rest
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

// isMail reports whether a block begins with the headers of a mail.
func (f forms) isMail(block []string) bool {
	return len(block) > 1 && f.mail.MatchString(block[0]) && f.mail.MatchString(block[1])
}

// markDiff marks the lines of a diff, which may go on from the block before, and reports
// whether there is one.
func (f forms) markDiff(block []string, marks []bool, goesOn bool) bool {
	added, removed, others := 0, 0, 0
	for i, line := range block {
		if f.diff.MatchString(line) {
			fill(marks[i:])
			return true
		}
		switch line[0] {
		case '+':
			added++
		case '-':
			removed++
		case ' ', '\\':
		default:
			others++
		}
	}
	if others > 0 || added == 0 || removed == 0 && !goesOn {
		return false
	}
	fill(marks)
	return true
}

// markPrinted marks what programs printed: single lines of logs, what follows a prompt or
// the name of a speaker, and a run of lines of which half have the form of output.
func (f forms) markPrinted(block []string, marks []bool) {
	first, last, n := len(block), 0, 0
	for i, line := range block {
		if f.begins(line) {
			fill(marks[i:])
			break
		}
		marks[i] = marks[i] || f.isMachine(line)
		if marks[i] || len(block) > 1 && f.isPrinted(line) {
			first, last, n = min(first, i), i, n+1
		}
	}
	if n > 2 && 2*n > last-first {
		fill(marks[first : last+1])
	}
}

// markChat marks the lines of two or more speakers, and what is between them.
func (f forms) markChat(block []string, marks []bool) {
	names := map[string]bool{}
	first, last, n, talk := len(block), 0, 0, 0
	for i, line := range block {
		if !strings.Contains(line, ": ") {
			continue
		}
		if m := f.chat.FindStringSubmatch(line); len(m) > 1 && !Kind(strings.ToLower(m[1])).Known() {
			names[m[1]] = true
			first, last, n, talk = min(first, i), i, n+1, talk+count(f.talk.MatchString(line))
		}
	}
	if len(names) > 1 && (2*talk >= n || n > len(names)) {
		fill(marks[first : last+1])
	}
}
