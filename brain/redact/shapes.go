package redact

import (
	"strings"
	"sync"
)

// anchored is the form of a key without a prefix, which has a fixed text inside.
type anchored struct {
	kind   string
	before charRun
	text   string
	sign   int // offset of the ":", "-", "." or "~" in the text
	after  charRun
	inWord bool // the run before may begin inside a word
}

var anchors = sync.OnceValue(func() []anchored {
	return []anchored{
		{"telegram bot token", charRun{digit, 6, 11, 0}, ":AA", 0, charRun{url64, 33, 33, 0}, true},
		{"mailchimp key", charRun{hexLower, 32, 32, 0}, "-us", 0, charRun{digit, 1, 3, 0}, false},
		{"terraform token", charRun{alnum, 14, 14, 0}, ".atlasv1.", 0, charRun{url64 | equals, 60, 128, 0}, false},
		{"azure client secret", charRun{url64 | dot, 4, 4, 0}, "Q~", 1, charRun{url64 | dot | tilde, 31, 34, 0}, false},
	}
})

// findAnchored finds the key that has its fixed text at the sign at i.
func findAnchored(s string, i int) (span, bool) {
	for _, a := range anchors() {
		at := i - a.sign
		if a.text[a.sign] != s[i] || at < 0 || !strings.HasPrefix(s[at:], a.text) {
			continue
		}
		from := at + len(a.text)
		found := span{a.kind, at - runBack(s[:at], a.before.set, a.before.most), from + run(s[from:], a.after.set, a.after.most)}
		if !a.inWord && !startsWord(s, found.start) || !bounded(s, found.end) {
			continue
		}
		found.end = from + len(strings.TrimRight(s[from:found.end], "."))
		if at-found.start >= a.before.least && found.end-from >= a.after.least && random(s[found.start:found.end], alnum) {
			return found, true
		}
	}
	return span{}, false
}

// webToken finds a JSON web token after "eyJ": a header, a payload that begins as a
// JSON object does, and a signature, which may be empty.
func webToken(rest string) (from, to int) {
	header := run(rest, url64, longestKey)
	if header < 14 || !strings.HasPrefix(rest[header:], ".eyJ") {
		return 0, 0
	}
	at := header + 1
	payload := run(rest[at:], url64, 4*longestKey)
	if payload < 17 || at+payload >= len(rest) || rest[at+payload] != '.' {
		return 0, 0
	}
	at += payload + 1
	at += run(rest[at:], url64|equals, longestKey)
	if placeholder(rest[:at]) {
		return 0, 0
	}
	return -len("eyJ"), at
}

// bearer finds the token after "Bearer ".
func bearer(rest string) (from, to int) {
	token := strings.TrimRight(rest[:run(rest, url64|dot|plusSlash|equals|percent, longestKey)], ".")
	if len(token) < 16 || !random(token, alnum) || wordy(token) {
		return 0, 0
	}
	return 0, len(token)
}

// statedPassword finds the password after "the password is", if it is in quotes, or has a
// digit and so is not a word.
func statedPassword(rest string) (from, to int) {
	before, _, _ := strings.Cut(rest, " ")
	if before != "" && before != ":" || before == rest {
		return 0, 0
	}
	at := len(before) + 1
	v := valueAt(rest, at)
	text := rest[v.start:v.end]
	if v.quote == 0 && (v.start > at || !strings.ContainsAny(text, "0123456789")) {
		return 0, 0
	}
	return judgedPassword(rest, v)
}

// sqlPassword finds the password after PASSWORD or IDENTIFIED BY.
func sqlPassword(rest string) (from, to int) {
	if !strings.HasPrefix(rest, "'") {
		return 0, 0
	}
	return judgedPassword(rest, valueAt(rest, 0))
}

// judgedPassword returns the place of a value that is a password and not a word about one.
func judgedPassword(rest string, v value) (from, to int) {
	text := rest[v.start:v.end]
	if !isSecret(text, chosenPassword, v) || listed("about passwords", strings.ToLower(text)) {
		return 0, 0
	}
	return v.start, v.end
}

// privateKey finds the key whose BEGIN line starts at i, up to the end of its END
// line. In JSON its lines are joined by \n. If it was cut off, the lines that look
// like a key's are taken.
func privateKey(s string, i int) (span, bool) {
	const longest = 16 << 10 // RSA of 16,384 bits has 12 KiB
	head, rest, ok := strings.Cut(s[i+len("-----BEGIN "):min(len(s), i+longest)], "-----")
	if !ok || len(head) > 60 || !strings.Contains(head, "PRIVATE KEY") {
		return span{}, false
	}
	found := span{kind: "private key", start: i}
	body := i + len("-----BEGIN ") + len(head) + len("-----")
	footer := "-----END " + head + "-----"
	if at := strings.Index(rest, footer); at >= 0 {
		found.end = body + at + len(footer)
		rest = rest[:at]
	} else {
		n := keyLines(rest)
		found.end, rest = body+n, rest[:n]
	}
	const least = 40 // characters of the shortest key; fewer are an ellipsis
	return found, len(rest) >= least && !strings.Contains(rest, "...")
}

// keyLines returns the length of the base64 lines that s begins with. Their ends
// may be escaped.
func keyLines(s string) int {
	n := 0
	for n < len(s) && (classTable[s[n]]&base64set != 0 || strings.IndexByte("\r\n\\", s[n]) >= 0) {
		n++
	}
	return len(strings.TrimRight(s[:n], `\`))
}
