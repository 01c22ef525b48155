package transcript

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/tidwall/gjson"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// maxAnswer is the size of the longest answer that is looked for, in bytes.
const maxAnswer = 16 << 10

// The tools with which agents ask a person.
var formTools = [...]string{"AskUserQuestion", "request_user_input", "ask_user"}

// answer emits an answer in a question form, the nth of a call, with the question on the first line.
func (r *reader) answer(call string, n int, question, answer string) {
	question, answer = plaintext.OneLine(clean(question)), clean(strings.ReplaceAll(answer, " (Recommended)", "")) // the agent's word
	if answer == "" || answer == "(no option selected)" {
		return
	}
	if !strings.HasSuffix(question, "?") {
		question += "?"
	}
	if n > 1 {
		call += "#" + strconv.Itoa(n)
	}
	r.hold(r.message(User, Answer, call, question+"\n"+answer))
}

// refused emits what a person said when they refused a tool call or a plan.
func (r *reader) refused(call, words string) {
	if words = clean(words); words != "" {
		r.hold(r.message(User, Answer, call, words))
	}
}

// answersByID emits the answers in the result of a form of Codex, {"answers": {ID: {"answers":
// [TEXT]}}}, or of Gemini CLI, {"answers": {INDEX: TEXT}}. It reports whether a result is one.
func (r *reader) answersByID(call, form, result string) bool {
	answers := gjson.Get(result, "answers")
	if form == "" || len(result) > maxAnswer || !valid([]byte(result)) || !answers.IsObject() {
		return false
	}
	given, n := objectIn(answers), 0
	elements(gjson.Get(form, "questions"), func(raw gjson.Result) {
		question := objectIn(raw)
		answer := given.get(question.str("id"))
		if question.str("id") == "" {
			answer = given.get(strconv.Itoa(n))
		}
		if n++; !question.isTrue("isSecret") {
			r.answer(call, n, question.str("question"), formAnswer(answer))
		}
	})
	return true
}

// formAnswer returns an answer as the person chose and typed it.
func formAnswer(answer gjson.Result) string {
	if isString(answer) {
		return str(answer)
	}
	var chosen []string
	elements(objectIn(answer).get("answers"), func(text gjson.Result) {
		note, typed := strings.CutPrefix(str(text), "user_note: ")
		if typed && len(chosen) == 1 && chosen[0] == "None of the above" {
			chosen = nil
		}
		chosen = append(chosen, note)
	})
	return strings.Join(chosen, ", ")
}

// claudeAnswer emits what the person answered in a question form of Claude Code, or said when
// they refused a tool call or a plan. It reports whether a tool's result is such an answer.
// toolResult is the result as the tool returned it.
func (r *reader) claudeAnswer(block, toolResult object) bool {
	content, answers := block.get("content"), toolResult.get("answers")
	if len(content.Raw) > maxAnswer {
		return false
	}
	id, text := block.str("tool_use_id"), textOf(content)
	switch {
	case block.isTrue("is_error") && strings.HasPrefix(text, "The user doesn't want to"):
		return r.claudeRefusal(id, text)
	case block.isTrue("is_error"):
	case answers.IsObject():
		notes, n := toolResult.in("annotations"), 0
		answers.ForEach(func(question, answer gjson.Result) bool {
			n++
			note := notes.in(question.Str).str("notes")
			r.answer(id, n, question.Str, strings.Trim(answer.String()+"\n"+note, "\n"))
			return true
		})
		return n > 0
	case r.forms[id] != "":
		pairs := answerPair().FindAllStringSubmatch(text, -1)
		for n, m := range pairs {
			r.answer(id, n+1, m[1], m[2])
		}
		return len(pairs) > 0
	}
	return false
}

// claudeRefusal emits the words of a refusal; those of Claude Code around them are not the person's.
func (r *reader) claudeRefusal(id, text string) bool {
	_, said, found := strings.Cut(text, "the user said:")
	if !found {
		_, said, found = strings.Cut(text, "reason for the rejection:")
	}
	said, _, _ = strings.Cut(said, "\n\nNote: The user's next message")
	said = strings.TrimSpace(said)
	if strings.HasPrefix(said, "The user wants to clarify these questions.") {
		for n, m := range unfinishedAnswer().FindAllStringSubmatch(said, -1) {
			r.answer(id, n+1, m[1], strings.Trim(m[2]+"\n"+m[3], "\n"))
		}
		return true
	}
	r.refused(id, said)
	return found && said != ""
}

// answerPair finds the answers in the text of a result, and unfinishedAnswer those in a form
// that the person left to ask something.
var (
	answerPair       = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"([^"]+)"="([^"]*)"`) })
	unfinishedAnswer = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^\s*- "(.*)"\n(?:\s+Answer: (.*)|\s+\(No answer provided\))(?:\n\s+User notes: (.*))?$`)
	})
)
