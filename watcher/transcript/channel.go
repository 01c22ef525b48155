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
	return strings.TrimSpace(withoutImages(withoutTags(envelope().ReplaceAllString(withoutFacts(text), ""))))
}

// facts matches lines that the gateway writes, and blocks such as
//
//	Conversation info (untrusted metadata):
//	```json
//	{"message_id": "4542"}
//	```
var facts = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?m)^.*\\(untrusted.*\\):\n```(?s:.*?)\n```.*\n?|^System: \\[.*\n?|^\\[message_id: .*\\]$\n?")
})

func withoutFacts(text string) string {
	if strings.Contains(text, "(untrusted") || strings.Contains(text, "System: [") || strings.Contains(text, "[message_id: ") {
		text = facts().ReplaceAllString(text, "")
	}
	return strings.TrimSpace(text)
}

// envelope matches a leading [Sat 2026-02-14 18:49 GMT-3].
var envelope = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\[[^\]\n]*\d{4}-\d{2}-\d{2}[^\]\n]*\]\s*`)
})

// shortAck is the length in characters up to which a text beside HEARTBEAT_OK is
// dropped.
const shortAck = 30

// toChannel returns the words of an assistant of OpenClaw to the person.
func toChannel(text string) string {
	text = directive().ReplaceAllString(text, "")
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

// directive matches a leading [[reply_to_current]], or several of its kind.
var directive = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\[\[[^ \n]*?\]\]\s*)+`) })

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
