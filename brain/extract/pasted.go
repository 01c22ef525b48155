package extract

import (
	"regexp"
	"strings"
	"sync"
)

// lineForms match lines that people paste rather than write.
type lineForms struct {
	log         *regexp.Regexp // begins with an instant, a level or a bracket
	brainbridge *regexp.Regexp // printed by brainbridge
	head        *regexp.Regexp // of pasted text: a shell command, a speaker with a time, the start of a diff
	intro       *regexp.Regexp // ends by introducing somebody's words, or output
	output      *regexp.Regexp // possibly printed by a program
	mail        *regexp.Regexp // a header
	chat        *regexp.Regexp // a name and a message
	task        *regexp.Regexp // asks for work on the text that follows
	role        *regexp.Regexp // gives the assistant a role: a prompt that was written for many talks
}

var pastedForms = sync.OnceValue(func() lineForms {
	return lineForms{
		log:         regexp.MustCompile(`^\s*[\[(<]?(\d{4}[-/]\d\d[-/]\d\d(T|,? )\d\d:\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4},? \d{1,2}:\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|(TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL|PANIC)\b|([Ee]rror|[Ww]arning|[Ff]atal|[Pp]anic|\w+(Error|Exception))(\[\w+\])?: |[{}])`),
		brainbridge: regexp.MustCompile("\\S \\[[0-9a-f]{6,}\\]$|kept by brainbridge|brainbridge remembers|`brainbridge show "),
		head: regexp.MustCompile(`^(\s*(\$|>>>|PS [A-Z]:\S*>|\w+@[\w.-]+[: ]\S*[$#%]) \S|[A-Z][\w.]+( [A-Z][\w.]+)* +(— )?\[?\d{1,2}:\d\d( ?[AP]M)?\]?\s*$` +
			`|diff --git |@@ |--- \S+/|\+\+\+ \S|index [0-9a-f]{7})`),
		intro:  regexp.MustCompile(`(?i:\b(wrote|writes|said|says|replied|schrieb|schreibt|sagte|sagt|meinte)\b[^!?]*|\b(logs?|output|trace|(e-?)?mail|newsletter|article|ausgabe|artikel)):$`),
		output: regexp.MustCompile(`^(\s+at \S|\s*File "|Traceback|\s*\S*[a-z][./]\w+:\d+(:\d+)?:? |(npm|yarn|pnpm) |(PASS|FAIL|===?>?|---) |ok\t|[├└│])`),
		mail:   regexp.MustCompile(`^(From|To|Subject|Date|Sent|Cc|Von|An|Betreff|Gesendet|Datum): \S`),
		chat:   regexp.MustCompile(`^(?:\[?\d{1,2}:\d\d\]? )?([A-Z][\w.-]+(?: [A-Z][\w.-]+)?): \S`),
		task:   regexp.MustCompile(`(?i)^\s*((please|pls|bitte|can you|could you) )*(summari[sz]e|translate|proofread|rewrite|rephrase|paraphrase|shorten|polish|(fix|correct|check) the (grammar|spelling|wording)|fasse?|übersetze?|korrigiere?|formuliere?|kürze?)(\s+(this|that|the|following|below|text|e?-?mail|message|article|post|paragraph|letter|page|thread|to|into|in|for me|\d+|words?|sentences?|lines?|english|german|bitte|mir|dies\w*|den|die|das|folgende\w*|auf|ins?|deutsch\w*|englisch\w*|zusammen|um)){0,6}\s*(:|[.?]?\s*$)`),
		role:   regexp.MustCompile(`(?i)^\W*(?:(hi|hello|hey|please|from now on|now|chatgpt|claude|assistant|system)\W+)*(i want you to (act|pretend|play|be|become|roleplay)|act (as|like)|you are (going to (act|play|pretend)|an? |the |my |now an? |no longer)|you're an? |you will (act|play|pretend|be) |pretend|imagine (you|that you)|roleplay|let's (role-?play|play)|ignore (all|any|the|your)|assume the role|stelle? dir vor|du bist (ein|jetzt ein))`),
	}
})

// introducesPaste reports whether the text below a line is pasted.
func (f lineForms) introducesPaste(line string) bool {
	line = strings.TrimRight(line, " \t\r")
	return f.head.MatchString(line) || strings.HasSuffix(line, ":") && f.intro.MatchString(line)
}

// isPasted reports whether a line is from a log or was printed by brainbridge.
func (f lineForms) isPasted(line string) bool {
	line = strings.TrimRight(line, " \t\r")
	return (strings.HasSuffix(line, "]") || strings.Contains(line, "brainbridge")) && f.brainbridge.MatchString(line) || f.log.MatchString(line)
}

// maybeOutput reports whether a program may have printed a line: columns, values, marks of tools.
func (f lineForms) maybeOutput(line string) bool {
	body := strings.TrimSpace(line)
	return strings.Contains(body, "   ") || strings.Contains(body, "\t") || strings.Count(body, "=") > 1 || strings.ContainsAny(lastByte(body), "{}") || f.output.MatchString(line)
}

var headingLines = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^#{1,6} `) })

// Texts of this size and more are mostly pasted: what is in the middle of them is not read.
const longText = 3000

// ownWords returns the text of a turn without the lines that a user pasted.
func (t Turn) ownWords() string {
	if t.Speaker != User {
		return t.Text
	}
	f := pastedForms()
	lines := strings.Split(t.Text, "\n")
	if headings := headingLines().FindAllStringIndex(t.Text, 2); len(headings) > 1 { // a document
		lines = strings.Split(t.Text[:headings[0][0]], "\n")
	}
	if f.task.MatchString(lines[0]) || f.role.MatchString(lines[0]) {
		return ""
	}
	inPaste := false // the next block is pasted
	for lo, hi := 0, 0; lo < len(lines); lo = hi + 1 {
		for hi = lo; hi < len(lines) && strings.TrimSpace(lines[hi]) != ""; {
			hi++
		}
		switch block := lines[lo:hi]; {
		case len(block) == 0:
		case len(block) > 1 && f.mail.MatchString(block[0]) && f.mail.MatchString(block[1]):
			clear(lines[lo:])
		case inPaste || f.isChat(block):
			inPaste = f.introducesPaste(block[len(block)-1])
			clear(block)
		default:
			inPaste = f.clearPasted(block)
		}
	}
	text := strings.Join(lines, "\n")
	first, rest, _ := strings.Cut(text, "\n\n")
	if at := strings.LastIndex(rest, "\n\n"); len(text) > longText && at >= 0 {
		return first + rest[at:]
	}
	return text
}

// clearPasted clears the pasted lines of a block: log lines, and all lines from one that
// introduces pasted text. It clears all of a diff, and of a block if at least half of it looks
// like output. It reports whether the next block is pasted too.
func (f lineForms) clearPasted(block []string) (nextPasted bool) {
	output, diff := 0, isDiff(block)
	for i, line := range block {
		switch {
		case f.introducesPaste(line):
			clear(block[i:])
			return strings.HasPrefix(line, "diff ") || i == len(block)-1
		case f.isPasted(line):
			block[i] = ""
			output++
		case f.maybeOutput(line):
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

// isChat reports whether a block is a conversation of several people.
func (f lineForms) isChat(block []string) bool {
	names, lines := map[string]bool{}, 0
	for _, line := range block {
		if m := f.chat.FindStringSubmatch(line); len(m) > 1 && !Kind(strings.ToLower(m[1])).Known() {
			names[m[1]] = true
			lines++
		}
	}
	return len(names) > 1 && lines > len(names)
}
