package extract

import (
	"regexp"
	"strings"
	"sync"
)

// forms are the shapes of lines that people paste rather than write.
type forms struct {
	log     *regexp.Regexp // a line that begins with an instant, a level or a bracket
	own     *regexp.Regexp // a line that brainbridge printed
	prompt  *regexp.Regexp // a command, the name and time of a speaker, or the head of a diff: what is below belongs to it
	says    *regexp.Regexp // the end of a line that introduces somebody's words, or output
	printed *regexp.Regexp // a line that a program may have printed
	mail    *regexp.Regexp // a header
	chat    *regexp.Regexp // a name and what it says
	task    *regexp.Regexp // asks for work on the text that follows
}

var pastedForms = sync.OnceValue(func() forms {
	return forms{
		log: regexp.MustCompile(`^\s*[\[(<]?(\d{4}[-/]\d\d[-/]\d\d(T|,? )\d\d:\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4},? \d{1,2}:\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|(TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL|PANIC)\b|([Ee]rror|[Ww]arning|[Ff]atal|[Pp]anic|\w+(Error|Exception))(\[\w+\])?: |[{}])`),
		own: regexp.MustCompile("\\S \\[[0-9a-f]{6,}\\]$|kept by brainbridge|brainbridge remembers|`brainbridge show "),
		prompt: regexp.MustCompile(`^(\s*(\$|>>>|PS [A-Z]:\S*>|\w+@[\w.-]+[: ]\S*[$#%]) \S|[A-Z][\w.]+( [A-Z][\w.]+)* +(— )?\[?\d{1,2}:\d\d( ?[AP]M)?\]?\s*$` +
			`|diff --git |@@ |--- \S+/|\+\+\+ \S|index [0-9a-f]{7})`),
		says:    regexp.MustCompile(`(?i:\b(wrote|writes|said|says|replied|schrieb|schreibt|sagte|sagt|meinte)\b[^!?]*|\b(logs?|output|trace|(e-?)?mail|newsletter|article|ausgabe|artikel)):$`),
		printed: regexp.MustCompile(`^(\s+at \S|\s*File "|Traceback|\s*\S*[a-z][./]\w+:\d+(:\d+)?:? |(npm|yarn|pnpm) |(PASS|FAIL|===?>?|---) |ok\t|[├└│])`),
		mail:    regexp.MustCompile(`^(From|To|Subject|Date|Sent|Cc|Von|An|Betreff|Gesendet|Datum): \S`),
		chat:    regexp.MustCompile(`^(?:\[?\d{1,2}:\d\d\]? )?([A-Z][\w.-]+(?: [A-Z][\w.-]+)?): \S`),
		task:    regexp.MustCompile(`(?i)^\s*((please|pls|bitte|can you|could you) )*(summari[sz]e|translate|proofread|rewrite|rephrase|paraphrase|shorten|polish|(fix|correct|check) the (grammar|spelling|wording)|fasse?|übersetze?|korrigiere?|formuliere?|kürze?)(\s+(this|that|the|following|below|text|e?-?mail|message|article|post|paragraph|letter|page|thread|to|into|in|for me|\d+|words?|sentences?|lines?|english|german|bitte|mir|dies\w*|den|die|das|folgende\w*|auf|ins?|deutsch\w*|englisch\w*|zusammen|um)){0,6}\s*(:|[.?]?\s*$)`),
	}
})

// opens reports whether a line introduces pasted text, which follows below it.
func (f forms) opens(line string) bool {
	line = strings.TrimRight(line, " \t\r")
	return f.prompt.MatchString(line) || strings.HasSuffix(line, ":") && f.says.MatchString(line)
}

// isPasted reports whether a line is of a log, or was printed by brainbridge.
func (f forms) isPasted(line string) bool {
	line = strings.TrimRight(line, " \t\r")
	return (strings.HasSuffix(line, "]") || strings.Contains(line, "brainbridge")) && f.own.MatchString(line) || f.log.MatchString(line)
}

// isPrinted reports whether a program may have printed a line: columns, values, marks of tools.
func (f forms) isPrinted(line string) bool {
	body := strings.TrimSpace(line)
	return strings.Contains(body, "   ") || strings.Contains(body, "\t") || strings.Count(body, "=") > 1 || strings.ContainsAny(lastByte(body), "{}") || f.printed.MatchString(line)
}

// written returns the text of a turn without the lines that a user pasted.
func (t Turn) written() string {
	if t.Speaker != User {
		return t.Text
	}
	f := pastedForms()
	lines := strings.Split(t.Text, "\n")
	if f.task.MatchString(lines[0]) {
		return ""
	}
	opened := false
	for lo, hi := 0, 0; lo < len(lines); lo = hi + 1 {
		for hi = lo; hi < len(lines) && strings.TrimSpace(lines[hi]) != ""; {
			hi++
		}
		switch block := lines[lo:hi]; {
		case len(block) == 0:
		case len(block) > 1 && f.mail.MatchString(block[0]) && f.mail.MatchString(block[1]):
			clear(lines[lo:])
		case opened || f.isChat(block):
			opened = f.opens(block[len(block)-1])
			clear(block)
		default:
			opened = f.clear(block)
		}
	}
	return strings.Join(lines, "\n")
}

// clear clears the lines of a block that are pasted: lines of logs, what follows a line that
// introduces pasted text, and all of it if half of its lines have the form of output. It
// reports whether the text after the block is pasted, too.
func (f forms) clear(block []string) (opens bool) {
	output, diff := 0, isDiff(block)
	for i, line := range block {
		switch {
		case f.opens(line):
			clear(block[i:])
			return strings.HasPrefix(line, "diff ") || i == len(block)-1
		case f.isPasted(line):
			block[i] = ""
			output++
		case f.isPrinted(line):
			output++
		}
	}
	if output > 1 && 2*output >= len(block) || diff {
		clear(block)
	}
	return false
}

func isDiff(block []string) bool {
	signs := ""
	for _, line := range block {
		signs += line[:1]
	}
	return strings.Trim(signs, "+- \\") == "" && strings.Contains(signs, "+") && strings.Contains(signs, "-")
}

// isChat reports whether people take turns in a block.
func (f forms) isChat(block []string) bool {
	names, lines := map[string]bool{}, 0
	for _, line := range block {
		if m := f.chat.FindStringSubmatch(line); len(m) > 1 && !Kind(strings.ToLower(m[1])).Known() {
			names[m[1]] = true
			lines++
		}
	}
	return len(names) > 1 && lines > len(names)
}
