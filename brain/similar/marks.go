package similar

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// kindOf returns the index of the marks that a folded chunk belongs to, or -1.
func kindOf(s string) int {
	switch {
	case s == "" || s == "-":
		return -1
	case strings.Contains(s, "://"), strings.HasPrefix(s, "www."), strings.HasPrefix(s, "mailto:"):
		return urls
	case isDate(s):
		return dates
	case isVersion(s):
		return versions
	case isNumber(s):
		return numbers
	case isPath(s):
		return paths
	}
	return -1
}

// isDate holds for 2026-11-21, 21.11.2026, 11/21/2026, 10:30 and instants.
func isDate(s string) bool {
	if s, _, _ = strings.Cut(s, "t"); s == "" || !isDigit(s[0]) {
		return false
	}
	for _, sep := range []string{"-", ".", "/", ":"} {
		parts := strings.Split(s, sep)
		if len(parts) == 3 || len(parts) == 2 && sep == ":" && len(parts[1]) == 2 {
			return datelike(parts, sep)
		}
	}
	return false
}

// datelike holds for numbers of the lengths that dates and times have.
func datelike(parts []string, sep string) bool {
	long := 0
	for _, p := range parts {
		if !isDigits(p) || len(p) > 4 || len(p) == 3 {
			return false
		}
		if len(p) == 4 {
			long++
		}
	}
	return sep == ":" && long == 0 || sep != ":" && long == 1
}

// isVersion holds for v2, 1.2.3, v1.2-rc1 and go1.26.
func isVersion(s string) bool {
	body, prefixed := strings.CutPrefix(s, "v")
	if !prefixed {
		at := strings.IndexFunc(s, unicode.IsDigit)
		if at > 0 && at <= 6 && isLetters(s[:at]) {
			body = s[at:]
			prefixed = strings.Contains(body, ".")
		}
	}
	if body == "" || !isDigit(body[0]) {
		return false
	}
	core := body
	if at := strings.IndexAny(body, "-+~"); at > 0 {
		core = body[:at]
	}
	dots := strings.Count(core, ".")
	return isDigits(strings.ReplaceAll(core, ".", "")) && (prefixed || dots >= 2 || dots == 1 && core != body)
}

// isNumber holds for what begins with a digit, after a sign or currency, and
// goes on as a number with a unit: -1, 3.5, 1,000, 99.9%, 10GB, 30s, $20, 10-20,
// 1/2, #42.
func isNumber(s string) bool {
	s = strings.TrimLeft(s, "-+±~≈<>=$€£¥#")
	if s == "" || !isDigit(s[0]) {
		return false
	}
	_, unit := cutUnit(s)
	return utf8.RuneCountInString(unit) <= 4 || unitName(unit) != unit
}

// cutUnit cuts a number from its unit, and drops what groups its digits.
func cutUnit(s string) (number, unit string) {
	at := strings.LastIndexFunc(s, unicode.IsDigit)
	if at < 0 {
		return "", s
	}
	if first := strings.IndexFunc(s, unicode.IsLetter); first >= 0 && first < at {
		return s, ""
	}
	_, n := utf8.DecodeRuneInString(s[at:])
	number, unit = s[:at+n], strings.TrimLeft(s[at+n:], "-")
	return strings.TrimPrefix(grouped(number), "+"), unit
}

// grouped drops the commas of 1,000 and 1,000,000.
func grouped(s string) string {
	parts := strings.Split(s, ",")
	for i, p := range parts {
		if i > 0 && (len(p) != 3 && !strings.HasPrefix(p[min(3, len(p)):], ".") || !isDigits(p[:min(3, len(p))])) {
			return s
		}
	}
	return strings.Join(parts, "")
}

// unitName returns one spelling of a unit, or what is no unit as it is.
func unitName(s string) string {
	switch s {
	case "s", "sec", "secs", "second", "seconds":
		return "unit-s"
	case "ms", "millisecond", "milliseconds", "millisec":
		return "unit-ms"
	case "m", "min", "mins", "minut", "minute", "minutes":
		return "unit-min"
	case "h", "hr", "hrs", "hour", "hours":
		return "unit-h"
	case "d", "day", "days":
		return "unit-d"
	case "week", "weeks", "month", "months", "year", "years":
		return "unit-" + strings.TrimSuffix(s, "s")
	case "%", "percent", "pct":
		return "unit-%"
	case "b", "byte", "bytes", "kb", "mb", "gb", "tb", "kib", "mib", "gib", "tib":
		return "unit-" + strings.TrimSuffix(s, "s")
	}
	return s
}

// isPath holds for what has the form of a path or a file name. A slash alone
// makes none: and/or is two words.
func isPath(s string) bool {
	if strings.HasPrefix(s, "/") || strings.HasPrefix(s, "~/") || strings.HasPrefix(s, "./") ||
		strings.HasPrefix(s, "../") || s == "." || s == ".." {
		return true
	}
	if strings.Contains(s, `\`) || strings.Count(s, "/") >= 2 || strings.HasSuffix(s, "/") {
		return true
	}
	at := strings.LastIndexByte(s, '.')
	if at < 0 || at == len(s)-1 || len(s)-at > 6 {
		return strings.HasPrefix(s, ".") && len(s) > 1
	}
	return isLetters(s[at+1:at+2]) && strings.IndexFunc(s[:at], unicode.IsSpace) < 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isDigits(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

func isLetters(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
}
