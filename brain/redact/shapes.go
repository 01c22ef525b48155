package redact

import "strings"

// uuid takes a UUID, as some keys are a name and a UUID.
func uuid(rest string) int {
	const length = 36
	if len(rest) < length || !isUUID(rest[:length]) || !bounded(rest, length) || placeholder(rest[:length]) {
		return 0
	}
	return length
}

func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		if hyphen := i == 8 || i == 13 || i == 18 || i == 23; hyphen != (s[i] == '-') {
			return false
		}
		if s[i] != '-' && classOf(s[i])&hexAny == 0 {
			return false
		}
	}
	return true
}

// parts takes runs of the given lengths with sep between them, each of set.
func parts(rest string, sep byte, set class, lengths ...int) int {
	at := 0
	for i, n := range lengths {
		if i > 0 {
			if at >= len(rest) || rest[at] != sep {
				return 0
			}
			at++
		}
		if run(rest[at:], set, n) < n {
			return 0
		}
		at += n
	}
	if !bounded(rest, at) || !random(rest[:at], set) {
		return 0
	}
	return at
}

// awsKey takes the 16 capitals and digits of an access key's id; in one of some
// thirty there is no digit.
func awsKey(rest string) int {
	const length = 16
	n := run(rest, capitals, length+1)
	if n != length || !bounded(rest, n) || distinct(rest[:n]) < 8 || placeholder(rest[:n]) {
		return 0
	}
	return n
}

func braintree(rest string) int { return parts(rest, '$', lowercase, 16, 32) }

func resend(rest string) int { return parts(rest, '_', alnum, 8, 24) }

func airtable(rest string) int { return parts(rest, '.', alnum, 14, 64) }

// discord takes a bot token after the first two characters of it: the id of the
// bot in base64, a time and a signature.
func discord(rest string) int {
	id := run(rest, url64, 30)
	if id < 21 || id > 26 || id >= len(rest) || rest[id] != '.' {
		return 0
	}
	at := id + 1
	stamp := run(rest[at:], url64, 7)
	if stamp != 6 || at+stamp >= len(rest) || rest[at+stamp] != '.' {
		return 0
	}
	at += stamp + 1
	n := run(rest[at:], url64, 39)
	if n < 27 || n > 38 || !random(rest[:at+n], alnum) {
		return 0
	}
	return at + n
}

// jwt takes the rest of a header, a payload that begins as a JSON object does,
// and a signature, which may be empty.
func jwt(rest string) int {
	header := run(rest, url64, longestKey)
	if header < 14 || !strings.HasPrefix(rest[header:], ".eyJ") {
		return 0
	}
	at := header + 1
	payload := run(rest[at:], url64, 4*longestKey)
	if payload < 17 || at+payload >= len(rest) || rest[at+payload] != '.' {
		return 0
	}
	at += payload + 1
	at += run(rest[at:], url64|equals, longestKey)
	if placeholder(rest[:at]) {
		return 0
	}
	return at
}

// bearer takes the token after "Bearer ", wherever that stands.
func bearer(rest string) int {
	n := run(rest, url64|dot|plusSlash|equals|percent, longestKey)
	for n > 0 && rest[n-1] == '.' {
		n--
	}
	if n < 16 || !random(rest[:n], alnum) || wordy(rest[:n]) {
		return 0
	}
	return n
}

// told takes the password of "the password is …": what nobody could read as a
// word.
func told(rest string) int {
	v := valueAt(rest, 0)
	text := rest[v.start:v.end]
	if v.start > 0 || markerLen(text) > 0 || len(text) < 6 || placeholder(text) || standIn(text) {
		return 0
	}
	in, other := classes(text)
	if in&digit == 0 || in&(lower|upper) == 0 || !other && wordy(text) && strings.ContainsAny(text, "-_./") ||
		!password(text, v) {
		return 0
	}
	return len(text)
}

// quoted takes the password of "the password is '…'" and of an SQL statement, to
// the quote.
func quoted(quote byte) func(rest string) int {
	return func(rest string) int {
		n := quoteEnd(rest, 0, quote, 1)
		if n < 4 || placeholder(rest[:n]) || standIn(rest[:n]) || strings.Contains(rest[:n], "://") || isPath(rest[:n]) {
			return 0
		}
		if strings.Contains(rest[:n], " ") && !passphrase(rest[:n]) || ofPasswords(strings.ToLower(rest[:n])) || nonASCIIWord(rest[:n]) {
			return 0
		}
		return n
	}
}

// telegram finds a bot token by the colon at i: the bot's number, then AA and 33
// characters.
func telegram(s string, i int) (span, bool) {
	const secret = 35
	if !strings.HasPrefix(s[i+1:], "AA") || run(s[i+1:], url64, secret+1) != secret {
		return span{}, false
	}
	n := runBack(s[:i], digit, 12)
	if n < 6 || n > 11 || !random(s[i+1:i+1+secret], alnum) {
		return span{}, false
	}
	return span{kind: "telegram bot token", start: i - n, end: i + 1 + secret}, true
}

// mailchimp finds 32 hexadecimal digits before the "-us" at i.
func mailchimp(s string, i int) (span, bool) {
	const length = 32
	n := run(s[i+len("-us"):], digit, 3)
	if n == 0 || !bounded(s, i+3+n) || runBack(s[:i], hexLower, length) != length ||
		!begins(s, i-length) || !random(s[i-length:i], hexLower) {
		return span{}, false
	}
	return span{kind: "mailchimp key", start: i - length, end: i + 3 + n}, true
}

// jointed finds the keys that have no prefix but a mark inside, at i.
func jointed(s string, i int) (span, bool) {
	if s[i] == '~' {
		return azureSecret(s, i)
	}
	const mark = ".atlasv1."
	const id = 14
	if i+1 >= len(s) || s[i+1] != 'a' || !strings.HasPrefix(s[i:], mark) {
		return span{}, false
	}
	after := run(s[i+len(mark):], url64|equals, 128)
	if runBack(s[:i], alnum, id) != id || !begins(s, i-id) || after < 60 {
		return span{}, false
	}
	return span{kind: "terraform token", start: i - id, end: i + len(mark) + after}, true
}

// azureSecret finds a client secret of Entra ID: three characters, a digit, "Q~"
// and 31 to 34 more.
func azureSecret(s string, i int) (span, bool) {
	if i < 5 || s[i-1] != 'Q' || classOf(s[i-2])&digit == 0 {
		return span{}, false
	}
	start := i - 5
	after := 0
	for i+1+after < len(s) && after < 40 && (classOf(s[i+1+after])&(url64|dot) != 0 || s[i+1+after] == '~') {
		after++
	}
	for after > 0 && s[i+after] == '.' {
		after--
	}
	if !begins(s, start) || runBack(s[:i-2], url64|dot, 3) < 3 || after < 31 || after > 34 {
		return span{}, false
	}
	return span{kind: "azure client secret", start: start, end: i + 1 + after}, true
}

// armour finds the private key whose BEGIN line starts at i, to the end of its
// END line. In JSON its lines are joined by \n. Of one that was cut off, what
// looks like a key's lines is taken.
func armour(s string, i int) (span, bool) {
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

// keyLines returns the length of the base64 lines that s begins with.
func keyLines(s string) int {
	n := 0
	for n < len(s) {
		c := s[n]
		escaped := c == '\\' && n+1 < len(s) && (s[n+1] == 'n' || s[n+1] == 'r')
		switch {
		case escaped:
			n += 2
		case classOf(c)&base64set != 0 || c == '\n' || c == '\r':
			n++
		default:
			return n
		}
	}
	return n
}
