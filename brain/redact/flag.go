package redact

import "strings"

// flag finds the argument of the flag that begins at i: --password value, --token
// value, and the short flags of well-known programs.
func (w *walk) flag(i int) (span, bool) {
	if !strings.HasPrefix(w.s[i:], "--") {
		return w.shortFlag(i)
	}
	n := run(w.s[i+2:], wordChars|dash, maxNameLen)
	name := w.s[i+2 : i+2+n]
	at := i + 2 + n
	if n == 0 || at+1 >= len(w.s) || w.s[at] != ' ' {
		return span{}, false
	}
	if name == "user" || name == "proxy-user" {
		return w.userArgument(at + 1)
	}
	kind, secret := secretKey(name)
	if secret != randomKey && secret != chosenPassword {
		return span{}, false
	}
	v := valueAt(w.s, at+1)
	text := w.s[v.start:v.end]
	v.flag = !strings.HasPrefix(text, "-") && run(text, lower, 0) < len(text) // not "the --password flag"
	return w.judge(kind, secret, v)
}

// shortFlag finds the passwords of curl -u user:password, mysql -ppassword, sshpass
// -p password, docker login -p password and redis-cli -a password.
func (w *walk) shortFlag(i int) (span, bool) {
	rest := w.s[i:]
	if len(rest) < 4 || i == 0 || w.s[i-1] != ' ' {
		return span{}, false
	}
	switch {
	case strings.HasPrefix(rest, "-u ") && w.command(i, "curl"):
		return w.userArgument(i + 3)
	case strings.HasPrefix(rest, "-p ") && (w.command(i, "sshpass") || w.command(i, "docker login")),
		strings.HasPrefix(rest, "-a ") && w.command(i, "redis-cli"):
		return w.argument(valueAt(w.s, i+3))
	case strings.HasPrefix(rest, "-p") && rest[2] != ' ' && w.command(i, "mysql"):
		return w.argument(valueAt(w.s, i+2))
	}
	return span{}, false
}

// command reports whether a program is named before i on the same line.
func (w *walk) command(i int, program string) bool {
	const reach = 256
	line := w.s[max(0, i-reach):i]
	return strings.Contains(line[strings.LastIndexByte(line, '\n')+1:], program)
}

// argument finds a password that is the argument of a flag.
func (w *walk) argument(v value) (span, bool) {
	v.flag = true
	return w.judge("password", chosenPassword, v)
}

// userArgument finds the password of user:password.
func (w *walk) userArgument(at int) (span, bool) {
	v := valueAt(w.s, at)
	user, _, ok := strings.Cut(w.s[v.start:v.end], ":")
	if !ok {
		return span{}, false
	}
	v.start += len(user) + 1
	return w.argument(v)
}
