package transcript

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// observerTags are the tags in which tools put what they observe into prompts of their own.
var observerTags = []string{"observed_from_primary_session", "INSTRUCTIONS-TO-EPISODIC-MEMORY"}

// toolTag finds the name of a tag at the beginning of a line. Tags of tools consist of several words.
var toolTag = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[ \t]*<([A-Za-z]\w*(?:[_-]\w+)+)[^<>\n]*>`)
})

// ofProgram reports whether a prompt is a program's: it carries the tags of a tool. Tags that are
// not known count only in a session that was started through an agent's SDK: people put tags
// into the prompts that they give a command.
func ofProgram(prompt string, throughSDK bool) bool {
	if !strings.Contains(prompt, "<") {
		return false
	}
	return slices.ContainsFunc(toolTag().FindAllStringSubmatch(prompt, -1), func(tag []string) bool {
		known := slices.Contains(observerTags, tag[1])
		ofAgent := slices.Contains(strings.Fields(wrapperTags), tag[1])
		return strings.Contains(prompt, "</"+tag[1]) && (known || throughSDK && !ofAgent)
	})
}

// isObserver reports whether a folder or a file is one of sessions in which a tool observes others.
func isObserver(path string) bool { return strings.Contains(path, "observer-sessions") }

// leaveOut leaves out the rest of a session that a program ran.
func (r *reader) leaveOut() {
	r.flush()
	r.program = true
}
