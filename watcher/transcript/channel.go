package transcript

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// fromChannel returns the words of the person in a prompt of OpenClaw, which
// puts facts about the channel around them.
func fromChannel(text string) string {
	switch {
	case strings.Contains(text, "HEARTBEAT_OK") && strings.Contains(text, "HEARTBEAT.md"),
		strings.HasPrefix(text, "Pre-compaction memory flush"),
		strings.HasPrefix(text, "A new session was started via /new or /reset"):
		return ""
	}
	return strings.TrimSpace(withoutImages(withoutTags(withoutEnvelope(withoutFacts(text)))))
}

// withoutFacts leaves out blocks such as
//
//	Conversation info (untrusted metadata):
//	```json
//	{"message_id": "4542"}
//	```
//
// and lines that the gateway writes.
func withoutFacts(text string) string {
	var kept strings.Builder
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		if end := factEnd(line, rest); end >= 0 {
			text = rest[end:]
			continue
		}
		text = rest
		if strings.HasPrefix(line, "System: [") || (strings.HasPrefix(line, "[message_id: ") && strings.HasSuffix(line, "]")) {
			continue
		}
		kept.WriteString(line)
		kept.WriteByte('\n')
	}
	return strings.TrimSpace(kept.String())
}

// factEnd is where the block that line announces ends in rest, -1 if line
// announces none.
func factEnd(line, rest string) int {
	if !strings.Contains(line, "(untrusted") || !strings.HasSuffix(line, "):") || !strings.HasPrefix(rest, "```") {
		return -1
	}
	i := strings.Index(rest, "\n```")
	if i < 0 {
		return -1
	}
	end := i + len("\n```")
	if n := strings.IndexByte(rest[end:], '\n'); n >= 0 {
		return end + n + 1
	}
	return len(rest)
}

// withoutEnvelope leaves out a leading [Sat 2026-02-14 18:49 GMT-3].
func withoutEnvelope(text string) string {
	if !strings.HasPrefix(text, "[") {
		return text
	}
	head, rest, ok := strings.Cut(text[1:], "]")
	if !ok || strings.Contains(head, "\n") || !isoDate().MatchString(head) {
		return text
	}
	return strings.TrimSpace(rest)
}

var isoDate = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\d{4}-\d{2}-\d{2}`) })

// shortAck is the length in characters up to which what stands beside
// HEARTBEAT_OK says nothing of its own.
const shortAck = 30

// toChannel returns the words of an assistant of OpenClaw to the person.
func toChannel(text string) string {
	text = withoutDirective(text)
	if rest, ok := withoutToken(text, "HEARTBEAT_OK"); ok {
		if utf8.RuneCountInString(rest) <= shortAck {
			return ""
		}
		text = rest
	}
	if rest, ok := withoutToken(text, "NO_REPLY"); ok {
		return rest
	}
	return text
}

// withoutDirective leaves out a leading [[reply_to_current]].
func withoutDirective(text string) string {
	for strings.HasPrefix(text, "[[") {
		head, rest, ok := strings.Cut(text, "]]")
		if !ok || strings.ContainsAny(head, " \n") {
			return text
		}
		text = strings.TrimSpace(rest)
	}
	return text
}

// withoutToken leaves out a token at the beginning or the end of a text, with
// the marks around it.
func withoutToken(text, token string) (rest string, ok bool) {
	const marks = "*`_~.! \n"
	bare := strings.Trim(text, marks)
	switch {
	case strings.HasPrefix(bare, token):
		return strings.Trim(bare[len(token):], marks), true
	case strings.HasSuffix(bare, token):
		return strings.TrimSpace(strings.TrimRight(bare[:len(bare)-len(token)], "*`_~ \n")), true
	}
	return text, false
}
