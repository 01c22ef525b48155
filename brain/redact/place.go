package redact

import "strings"

// flag finds the argument of the flag that begins at i: --password value, --token value,
// --cookie name=value, and the short flags of well-known programs.
func (w *walk) flag(i int) (span, bool) {
	name, at := w.flagName(i)
	if name == "" {
		return span{}, false
	}
	v := valueAt(w.s, at)
	v.placed = true
	text := w.s[v.start:v.end]
	switch name {
	case "user", "proxy-user":
		user, _, ok := strings.Cut(text, ":")
		if !ok || placeholder(text) {
			return span{}, false
		}
		v.start += len(user) + 1
		return judge(w.s, "password", chosenPassword, v)
	case "cookie":
		w.cookies = v.end
		return span{}, false
	}
	kind, secret := secretKey(name)
	if secret != randomKey && secret != chosenPassword {
		return span{}, false
	}
	// Not "the --password flag".
	v.placed = w.s[i+1] != '-' || !strings.HasPrefix(text, "-") && run(text, lower, 0) < len(text)
	return judge(w.s, kind, secret, v)
}

// flagName returns the name of the flag at i, and where its argument begins: that of a long
// flag, or what a short flag of a well-known program stands for.
func (w *walk) flagName(i int) (name string, at int) {
	rest := w.s[i:]
	if strings.HasPrefix(rest, "--") {
		n := run(rest[2:], wordChars|dash, maxNameLen)
		if n == 0 || n+3 >= len(rest) || rest[n+2] != ' ' && (rest[n+2] != '=' || rest[2:n+2] != "user" && rest[2:n+2] != "cookie") {
			return "", 0
		}
		return rest[2 : n+2], i + n + 3
	}
	if len(rest) < 4 || i == 0 || w.s[i-1] != ' ' {
		return "", 0
	}
	const reach = 256
	line := w.s[max(0, i-reach):i]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	for _, f := range [][3]string{
		{"-u ", "curl", "user"},
		{"-b ", "curl", "cookie"},
		{"-p ", "sshpass", "password"},
		{"-p ", "docker login", "password"},
		{"-a ", "redis-cli", "password"},
		{"-P ", "zip", "password"},
		{"-p", "mysql", "password"},
	} {
		if strings.HasPrefix(rest, f[0]) && strings.Contains(line, f[1]) && rest[len(f[0])] != ' ' {
			return f[2], i + len(f[0])
		}
	}
	return "", 0
}

// cookieHeader reports whether the colon at i is that of Cookie: or Set-Cookie:, and notes the
// row of cookies after it.
func (w *walk) cookieHeader(i int, name string) bool {
	if len(name) < len("cookie") || w.s[i] != ':' || !strings.EqualFold(name[len(name)-len("cookie"):], "cookie") {
		return false
	}
	const longest = 4 << 10
	row := w.s[i:min(len(w.s), i+longest)]
	ends := "\r\n\""
	if len(name) > len("cookie") { // of Set-Cookie only the first pair is a cookie
		ends += ";"
	}
	start := blanks(row[1:], 4) + 1
	if quote, n := quoteAt(row[start:]); n > 0 {
		start += n
		ends += string(quote)
	}
	if n := strings.IndexAny(row[start:], ends); n >= 0 {
		row = row[:start+n]
	}
	w.cookies = i + len(row)
	return true
}

// passwordFileLine finds the password of a line of .pgpass, host:port:database:user:password,
// whose first colon is at i.
func passwordFileLine(s string, i int) (span, bool) {
	if i == 0 || s[i] != ':' || i+1 >= len(s) || classTable[s[i+1]]&digit == 0 && s[i+1] != '*' {
		return span{}, false
	}
	start := i - runBack(s[:i], nameClass, maxNameLen)
	if start == i && s[i-1] == '*' {
		start--
	}
	if start == i || start > 0 && s[start-1] != '\n' {
		return span{}, false
	}
	line, _, _ := strings.Cut(s[start:min(len(s), start+512)], "\n")
	fields := strings.SplitN(strings.TrimRight(line, "\r"), ":", 5)
	if len(fields) < 5 || strings.ContainsAny(line, " \t/\"") {
		return span{}, false
	}
	port, secret := fields[1], fields[4]
	hasUser := fields[2] != "" && fields[3] != "" && run(fields[3], digit, 0) < len(fields[3])
	isPort := port == "*" || len(port) >= 4 && run(port, digit, 5) == len(port)
	found := span{"password", start + len(line) - len(line[strings.LastIndex(line, ":"+secret)+1:]), start + len(strings.TrimRight(line, "\r"))}
	return found, hasUser && isPort && len(secret) >= 4 && !placeholder(secret)
}

// urlPassword finds the password of scheme://user:password@host, whose first colon is at i.
// A part alone before the "@" is taken if it is long and random.
func urlPassword(s string, i int) (span, bool) {
	if !strings.HasPrefix(s[i:], "://") || i == 0 || classTable[s[i-1]]&alnum == 0 {
		return span{}, false
	}
	start := i + len("://")
	at := userinfo(s[start:])
	if at < 0 {
		return span{}, false
	}
	info, host := s[start:start+at], s[start+at+1:]
	user, secret, both := strings.Cut(info, ":")
	if !both {
		return span{"url credential", start, start + at}, len(info) >= 20 && random(info, alnum) && !wordy(info)
	}
	return span{"url password", start + len(user) + 1, start + at}, realPassword(user, secret, host)
}

// realPassword reports whether user:secret is not only an example such as user:pass, or a
// default such as postgres:postgres on localhost.
func realPassword(user, secret, host string) bool {
	if secret == "" || placeholder(secret) || standIn(secret) || strings.Contains(secret, "://") {
		return false
	}
	local := strings.HasPrefix(host, "localhost") || strings.HasPrefix(host, "127.0.0.1") || strings.HasPrefix(host, "[::1]")
	return !local || !strings.EqualFold(user, secret)
}

// userinfo returns the length of what is before the "@" in the authority that s begins with,
// or -1. The last "@" before the path counts, since a password may contain one. If no port
// follows the colon, the password contains a slash.
func userinfo(s string) int {
	const longest = 1024
	s = s[:min(len(s), longest)]
	if n := strings.IndexAny(s, "\x00\t\n\r <>\\|\"'`"); n >= 0 {
		s = s[:n]
	}
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

// privateKey finds the key whose BEGIN line starts at i, up to the end of its END line. In
// JSON its lines are joined by \n. If it was cut off, the lines that look like a key's are
// taken.
func privateKey(s string, i int) (span, bool) {
	const longest = 16 << 10 // RSA of 16,384 bits has 12 KiB
	head, rest, ok := strings.Cut(s[i+len("-----BEGIN "):min(len(s), i+longest)], "-----")
	if !ok || len(head) > 60 || !strings.Contains(head, "PRIVATE KEY") {
		return span{}, false
	}
	body := i + len("-----BEGIN ") + len(head) + len("-----")
	n, footer := 0, "-----END "+head+"-----"
	if at := strings.Index(rest, footer); at >= 0 {
		n, rest = at+len(footer), rest[:at]
	} else {
		for n < len(rest) && (classTable[rest[n]]&base64set != 0 || strings.IndexByte("\r\n\\", rest[n]) >= 0) {
			n++
		}
		rest = strings.TrimRight(rest[:n], `\`)
		n = len(rest)
	}
	const least = 40 // characters of the shortest key; fewer are an ellipsis
	return span{"private key", i, body + n}, len(rest) >= least && !strings.Contains(rest, "...")
}
