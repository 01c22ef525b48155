package extract

import (
	"regexp"
	"strings"
	"sync"
)

// lineForms match lines that people paste rather than write.
type lineForms struct {
	log   *regexp.Regexp // begins with an instant, a level, the name of an error or a bracket
	head  *regexp.Regexp // above pasted text: a shell command, a speaker with a time, the start of a diff
	tool  *regexp.Regexp // possibly printed by a program
	mail  *regexp.Regexp // a header
	chat  *regexp.Regexp // a name and a message
	bound *regexp.Regexp // printed by brainbridge
}

var pastedForms = sync.OnceValue(func() lineForms {
	const instant = `\d{4}[-/]\d\d[-/]\d\d(T|,? )\d\d:\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4},? \d{1,2}:\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d`
	const level = `(TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL|PANIC)\b|(\w+Error|\w+Exception|[Ee]rror|[Ww]arning|[Ff]atal|[Pp]anic)(\[\w+\])?: `
	const shell, speaker, diff = `\s*(\$|>>>|PS [A-Z]:\S*>|\w+@[\w.-]+[: ]\S*[$#%]) \S`, `[A-Z][\w.]+( [A-Z][\w.]+)* +(— )?\[?\d{1,2}:\d\d( ?[AP]M)?\]?\s*$`, `diff --git |@@ |--- \S+/|\+\+\+ \S`
	return lineForms{
		log:   regexp.MustCompile(`^\s*[\[(<]?(` + instant + `|` + level + `|[{}])`),
		head:  regexp.MustCompile(`^(` + shell + `|` + speaker + `|` + diff + `)`),
		tool:  regexp.MustCompile(`   |\t|=.*=|[{}]\s*$|^(\s+at \S|\s*File "|Traceback|\s*\S*[a-z][./]\w+:\d+|(npm|yarn|pnpm) |(PASS|FAIL|===?>?|---) |[├└│])`),
		mail:  regexp.MustCompile(`^(From|To|Subject|Date|Sent|Cc|Von|An|Betreff|Gesendet|Datum): \S`),
		chat:  regexp.MustCompile(`^(?:\[?\d{1,2}:\d\d\]? )?([A-Z][\w.-]+(?: [A-Z][\w.-]+)?): \S`),
		bound: regexp.MustCompile("\\S \\[[0-9a-f]{6,}\\]$|kept by brainbridge|brainbridge remembers|`brainbridge show "),
	}
})

const (
	// speakers and outputs end a line that introduces the words of others, with a colon.
	speakers = " wrote | writes | said | says | replied | schrieb | schreibt | sagte | sagt | meinte | log | logs | output | trace | mail | email | e-mail | newsletter | article | ausgabe | artikel "
	// tasks ask for work on the text below; roles begin a prompt that was written for many talks.
	tasks = " summarize | summarise | translate | proofread | rephrase | paraphrase | rewrite this | rewrite the following | shorten | polish this | fix the grammar | correct this | check the grammar | fasse | übersetze | korrigiere | formuliere "
	roles = " i want you to act | i want you to pretend | i want you to play | act as | act like | you are going to act | you are a | you are an | you are the | you are my | you are now | you are no longer | youre a | youre an | you will act |" +
		" you will play | you will be | pretend | imagine | roleplay | ignore all | ignore any | ignore the | ignore your | assume the role | stell dir vor | du bist ein | du bist jetzt "
)

// introducesPaste reports whether the text below a line is pasted.
func (f lineForms) introducesPaste(line string) bool {
	line = strings.TrimRight(line, " \t\r")
	return f.head.MatchString(line) || strings.HasSuffix(line, ":") && says(wordsOf(line), speakers)
}

// Texts of this size and more are mostly pasted: what is in the middle of them is not read.
const longText = 3000

// ownWords returns the text of a turn without the lines that a user pasted.
func (t Turn) ownWords() string {
	text := "\n" + t.Text
	if t.Speaker != User {
		return t.Text
	}
	if at := strings.Index(text, "\n#"); at >= 0 && strings.Count(text, "\n#") > 1 { // a document
		text = text[:at]
	}
	lines := strings.Split(strings.TrimPrefix(text, "\n"), "\n")
	first := wordsOf(lines[0])
	for cutPhrase(&first, leadIns+"| can you | could you | from now on | chatgpt | assistant | system ") {
	}
	if begins(first, tasks+"|"+roles) {
		return ""
	}
	f, inPaste := pastedForms(), false // the next block is pasted
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
	text = strings.Join(lines, "\n")
	head, rest, _ := strings.Cut(text, "\n\n")
	if at := strings.LastIndex(rest, "\n\n"); len(text) > longText && at >= 0 {
		return head + rest[at:]
	}
	return text
}

// clearPasted clears the pasted lines of a block: log lines, and all lines from one that
// introduces pasted text. It clears all of a diff, and of a block if at least half of it looks
// like output. It reports whether the next block is pasted too.
func (f lineForms) clearPasted(block []string) (nextPasted bool) {
	output, signs := 0, ""
	for i, line := range block {
		signs += line[:1]
		switch {
		case f.introducesPaste(line):
			clear(block[i:])
			return strings.HasPrefix(line, "diff ") || i == len(block)-1
		case f.log.MatchString(line), f.bound.MatchString(strings.TrimRight(line, " \t\r")):
			block[i] = ""
			output++
		case f.tool.MatchString(strings.TrimSpace(line)), line[0] == '\t':
			output++
		}
	}
	isDiff := strings.Trim(signs, "+- \\") == "" && strings.Contains(signs, "+") && strings.Contains(signs, "-")
	if output > 1 && 2*output >= len(block) || isDiff {
		clear(block)
	}
	return false
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
