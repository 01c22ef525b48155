package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
	"github.com/pelletier/go-toml/v2"

	"github.com/brainbridge/brainbridge/brain/moment"
)

func parseText(v any) (string, *Error) {
	s, ok := v.(string)
	switch {
	case !ok:
		return "", fault("%s is not a text", shown(v)).hint("put it in quotes")
	case !utf8.ValidString(s), strings.ContainsFunc(s, unicode.IsControl):
		return "", fault("%s holds a control character or is not UTF-8", shown(v))
	}
	return s, nil
}

func parseInteger(v any) (int, *Error) {
	switch n := v.(type) {
	case int64:
		return int(n), nil
	case string:
		if i, err := strconv.Atoi(strings.TrimSpace(n)); err == nil {
			return i, nil
		}
	}
	return 0, fault("%s is not a whole number", shown(v)).hint("write it with digits only, such as 200")
}

// Size is a number of bytes.
type Size int64

// String returns the size in the largest binary unit that shows it exactly.
func (s Size) String() string {
	for shift, unit := range []string{"GiB", "MiB", "KiB"} {
		if n := Size(1) << (30 - 10*shift); s >= n && s%n == 0 {
			return strconv.FormatInt(int64(s/n), 10) + unit
		}
	}
	return strconv.FormatInt(int64(s), 10)
}

func parseSize(v any) (Size, *Error) {
	switch n := v.(type) {
	case int64:
		return Size(n), nil
	case string:
		if bytes, err := humanize.ParseBytes(n); err == nil && bytes < math.MaxInt64 {
			return Size(bytes), nil
		}
	}
	return 0, fault("%s is not a size", shown(v)).hint("write bytes as a number, or a text such as \"8MiB\" or \"500 kB\"")
}

func parseDuration(v any) (time.Duration, *Error) {
	if s, ok := v.(string); ok {
		if d, err := moment.ParseDuration(s); err == nil {
			return d, nil
		}
	}
	return 0, fault("cannot read %s as a duration", shown(v)).hint("write a text such as \"10m\", \"36h\" or \"90d\"")
}

// parseAmount reads an amount of money, not below 0.
func parseAmount(v any) (float64, *Error) {
	n := math.NaN()
	switch v := v.(type) {
	case float64:
		n = v
	case int64:
		n = float64(v)
	case string:
		if s := strings.TrimSpace(v); s != "" && strings.Trim(s, "0123456789.") == "" {
			if f, err := strconv.ParseFloat(s, 64); err == nil {
				n = f
			}
		}
	}
	if !(n >= 0) || math.IsInf(n, 0) {
		return 0, fault("%s is not an amount", shown(v)).hint("write a number from 0 on, such as 0.5")
	}
	return n, nil
}

func parseBoolean(v any) (bool, *Error) {
	switch b := v.(type) {
	case bool:
		return b, nil
	case string:
		switch strings.ToLower(strings.TrimSpace(b)) {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
	}
	return false, fault("%s is neither true nor false", shown(v)).hint("write true or false")
}

// parseList reads a list of texts. A flag or an environment variable gives it as in
// TOML, or one text by itself.
func parseList(v any) ([]string, *Error) {
	switch l := v.(type) {
	case []any:
		texts := make([]string, len(l))
		for i := range l {
			var err *Error
			if texts[i], err = parseText(l[i]); err != nil {
				return nil, err
			}
		}
		return texts, nil
	case string:
		if !strings.HasPrefix(strings.TrimSpace(l), "[") {
			one, err := parseText(l)
			return []string{one}, err
		}
		var doc struct{ List []any }
		if err := toml.Unmarshal([]byte("List = "+strings.TrimSpace(l)), &doc); err == nil {
			return parseList(doc.List)
		}
	}
	return nil, fault("%s is not a list", shown(v)).hint(`write a list of texts, such as ["a", "b"]`)
}

// shown returns a value as an error may show it, short and on one line. A text
// that may be a URI with a password is not shown.
func shown(v any) string {
	switch n := v.(type) {
	case string:
		if strings.Contains(n, "@") {
			return "the text"
		}
		if len(n) > 60 {
			n = strings.ToValidUTF8(n[:60], "") + "…"
		}
		return strconv.Quote(n)
	case bool, int64, float64:
		return fmt.Sprint(n)
	}
	return "the value"
}
