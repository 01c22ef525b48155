package transcript

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// call emits a tool call, and remembers the questions of a form until they are answered.
func (r *reader) call(id, name string, input gjson.Result) {
	if slices.Contains(formTools[:], name) {
		if r.forms == nil {
			r.forms = map[string]string{}
		}
		r.forms[id] = cmp.Or(input.String(), "{}") // an object, in a string or not
	}
	r.hold(r.message(Tool, Call, id, callLine(name, input)))
}

// callLine returns a tool call in one line: the tool's name and its main argument.
func callLine(name string, input gjson.Result) string {
	name = cmp.Or(plaintext.OneLine(name), "tool")
	if arg := plaintext.OneLine(clean(mainArgument(input))); arg != "" {
		name += ": " + arg
	}
	return plaintext.Shorten(clean(name), MaxCall)
}

// mainArgument returns the argument that tells most. The input may be a string with JSON in it.
func mainArgument(input gjson.Result) string {
	if text := str(input); strings.HasPrefix(text, "{") && valid([]byte(text)) {
		input = gjson.Parse(text)
	} else if isString(input) {
		return text
	}
	if !input.IsObject() {
		return words(input)
	}
	members := objectIn(input)
	found := members.get("command", "cmd", "file_path", "filePath", "path", "notebook_path", "pattern", "query", "url",
		"description", "prompt", "subject", "question", "title", "skill", "name", "message", "text", "input", "action")
	for i := 0; i < len(members) && !found.Exists(); i++ {
		if v := members[i].value; isString(v) || v.IsArray() {
			found = v
		}
	}
	if isString(found) {
		return str(found)
	}
	return words(found)
}

// words joins a command and its arguments, without a shell that only runs the last of them.
func words(raw gjson.Result) string {
	var list []string
	elements(raw, func(value gjson.Result) {
		if isString(value) && len(list) < 64 {
			list = append(list, str(value))
		}
	})
	if len(list) == 3 && (list[1] == "-lc" || list[1] == "-c" || list[1] == "-Command") {
		return list[2]
	}
	return strings.Join(list, " ")
}

// toolResult emits a result. Most are long, and need no decoding.
func (r *reader) toolResult(id string, content gjson.Result, failed bool) {
	if failed || len(content.Raw) < longResult {
		r.output(id, textOf(content), failed)
	}
}

// longResult is the length of a result that is too long: a character takes at most twelve bytes.
const longResult = 12*MaxOutput + 200

// output emits the text of a tool's result if it is short or an error.
func (r *reader) output(id, text string, failed bool) {
	text = clean(withoutReminders(text))
	switch {
	case text == "":
	case failed:
		r.hold(r.message(Tool, Failure, id, middle(text, MaxFailure)))
	case utf8.RuneCountInString(text) < MaxOutput:
		r.hold(r.message(Tool, Output, id, text))
	}
}

// middle leaves out the middle of a text over limit characters: errors say most at the ends.
func middle(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	head := limit * 3 / 4
	chars := []rune(text)
	return string(chars[:head-1]) + "\n…\n" + string(chars[len(chars)-(limit-head)+2:])
}

func textOf(content gjson.Result) string { return strings.Join(textsOf(content, nil), "\n\n") }

// textsOf returns the texts of a content, a string or an array of blocks, and calls other,
// unless it is nil, with blocks that are not text. Those of Gemini CLI have no type.
func textsOf(content gjson.Result, other func(block object)) (texts []string) {
	if isString(content) {
		return []string{str(content)}
	}
	elements(content, func(raw gjson.Result) {
		block := objectIn(raw)
		switch typ := block.str("type"); {
		case isString(raw):
			texts = append(texts, str(raw))
		case typ == "text", typ == "input_text", typ == "output_text", typ == "" && isString(block.get("text")) && !block.isTrue("thought"):
			texts = append(texts, block.str("text"))
		case other != nil:
			other(block)
		}
	})
	return texts
}
