package redact

import "strings"

// inURL finds the password of scheme://user:password@host, whose first colon is at
// i. A part alone before the "@" is taken if it is long and random.
func inURL(s string, i int) (span, bool) {
	if !strings.HasPrefix(s[i:], "://") || i == 0 || classTable[s[i-1]]&alnum == 0 {
		return span{}, false
	}
	start := i + len("://")
	at := userinfo(s[start:])
	if at < 0 {
		return span{}, false
	}
	info := s[start : start+at]
	user, secret, both := strings.Cut(info, ":")
	if !both {
		return span{kind: "url credential", start: start, end: start + at},
			len(info) >= 20 && random(info, alnum) && !wordy(info)
	}
	found := span{kind: "url password", start: start + len(user) + 1, end: start + at}
	host := s[start+at+1:]
	return found, urlPassword(user, secret, host)
}

// userinfo returns the length of what is before the "@" in the authority that s
// begins with, or -1. The last "@" before the path counts, since a password may
// contain one. If no port follows the colon, the password contains a slash.
func userinfo(s string) int {
	const longest = 1024
	n := 0
	for n < len(s) && n < longest && !endsURL(s[n]) {
		n++
	}
	s = s[:n]
	path := strings.IndexAny(s, "/?#")
	if path < 0 {
		return strings.LastIndexByte(s, '@')
	}
	if at := strings.LastIndexByte(s[:path], '@'); at >= 0 {
		return at
	}
	colon := strings.IndexByte(s[:path], ':')
	if colon < 0 || s[0] == '[' || run(s[colon+1:path], digit, 0) == path-colon-1 {
		return -1
	}
	return strings.LastIndexByte(s, '@')
}

func endsURL(c byte) bool {
	return c <= ' ' || c == '<' || c == '>' || c == '\\' || c == '|' || isQuote(c)
}

// urlPassword reports whether a URL has a real password: not only an example such
// as user:pass, or a default such as postgres:postgres on localhost.
func urlPassword(user, secret, host string) bool {
	if secret == "" || placeholder(secret) || standIn(secret) || strings.Contains(secret, "://") {
		return false
	}
	local := strings.HasPrefix(host, "localhost") || strings.HasPrefix(host, "127.0.0.1") ||
		strings.HasPrefix(host, "[::1]")
	return !local || !strings.EqualFold(user, secret)
}
