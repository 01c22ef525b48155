package config

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
	"github.com/pelletier/go-toml/v2"

	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// key is one setting. The type of its field says how its value is read and written.
type key struct {
	name   string
	field  any  // pointer to it
	isPath bool // it names files or folders, which are made absolute
	check  func() *Error
}

// keys returns all settings in the order in which they are shown.
func keys(c *Config) []key {
	return []key{
		setting("brain", &c.Brain, checkBrain),
		setting("store", &c.Store, checkStore),
		setting("neo4j.user", &c.Neo4j.User, checkFilled),
		path("neo4j.password_file", &c.Neo4j.PasswordFile),
		setting("neo4j.database", &c.Neo4j.Database, checkFilled),
		path("notes.dir", &c.Notes.Dir),
		setting("notes.timezone", &c.Notes.Timezone, checkZone),
		setting("notes.max_file", &c.Notes.MaxFile, checkMaxFile),
		setting("notes.include", &c.Notes.Include, checkGlobs),
		setting("notes.exclude", &c.Notes.Exclude, checkGlobs),
		setting(projectsTable, &c.Notes.Projects, checkProjects),
		path("notes.memory_md", &c.Notes.MemoryMD),
		setting("notes.form", &c.Notes.Form, oneOf("form of MEMORY.md", FormCurated, FormFull)),
		setting("notes.budget_chars", &c.Notes.BudgetChars, atLeast(1)),
		setting("notes.budget_lines", &c.Notes.BudgetLines, atLeast(1)),
		pathList(setting("transcripts.sources", &c.Transcripts.Sources, checkGlobs)),
		setting("transcripts.schedule", &c.Transcripts.Schedule, checkCron),
		setting("llm.base_url", &c.LLM.BaseURL, checkURL("llm")),
		setting("llm.model", &c.LLM.Model, anything),
		path("llm.api_key_file", &c.LLM.APIKeyFile),
		setting("llm.daily_tokens", &c.LLM.DailyTokens, atLeast(0)),
		setting("embedding.base_url", &c.Embedding.BaseURL, checkURL("embedding")),
		setting("embedding.model", &c.Embedding.Model, anything),
		path("embedding.api_key_file", &c.Embedding.APIKeyFile),
		setting("consolidate.nightly", &c.Consolidate.Nightly, checkCron),
		setting("consolidate.forget", &c.Consolidate.Forget, anything),
		setting("journal.keep", &c.Journal.Keep, atLeastLong(time.Hour)),
		path("core.file", &c.Core.File),
		path("backup.dir", &c.Backup.Dir),
		setting("backup.schedule", &c.Backup.Schedule, checkBackupSchedule),
		setting("backup.keep", &c.Backup.Keep, checkKeep),
		setting("health.silence_days", &c.Health.SilenceDays, atLeast(1)),
		setting("hooks.recall", &c.Hooks.Recall, anything),
		setting("hooks.heartbeat", &c.Hooks.Heartbeat, atLeast(0)),
		setting("session.files", &c.Session.Files, checkNames),
		setting("web.listen", &c.Web.Listen, checkListen),
		setting("log.level", &c.Log.Level, oneOf("level", "trace", "debug", "info", "warn", "error")),
	}
}

// setting returns the key of a field.
func setting[T any](name string, field *T, check func(T) *Error) key {
	return key{name: name, field: field, check: func() *Error { return check(*field) }}
}

func path(name string, field *string) key { return pathList(setting(name, field, anything)) }

func pathList(k key) key {
	k.isPath = true
	return k
}

func findKey(c *Config, name string) (key, bool) {
	all := keys(c)
	if brain, found := BrainOf(name); found {
		all = brainKeys(brain, &brainSettings{})
		name = brainsTable + "." + brain + "." + lastPart(name)
	}
	i := slices.IndexFunc(all, func(k key) bool { return k.name == name })
	if i < 0 {
		return key{}, false
	}
	return all[i], true
}

// isTable reports whether name is the first part of a key, such as notes or brains.work.
func isTable(name string) bool {
	if rest, found := strings.CutPrefix(name+".", brainsTable+"."); found {
		return strings.Count(strings.ReplaceAll(rest, `\.`, ""), ".") <= 1
	}
	return name == projectsTable || slices.ContainsFunc(keys(&Config{}), func(k key) bool { return strings.HasPrefix(k.name, name+".") })
}

// variable returns the environment variable of a key.
func variable(key string) string {
	return "BRAINBRIDGE_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// parse reads a value of TOML, or the text of an environment variable or a flag.
// Numbers and switches may be written as texts, as variables and flags have them.
func (k key) parse(raw any) (any, *Error) {
	text := strings.TrimSpace(fmt.Sprint(raw))
	var value any
	var err error
	var problem, hint string
	switch k.field.(type) {
	case *string:
		return parseText(raw)
	case *[]string:
		return parseList(raw)
	case *Table:
		return parseTable(raw)
	case *int:
		value, err = strconv.Atoi(text)
		problem, hint = "%s is not a whole number", "write it with digits only, such as 200"
	case *Size:
		value, err = parseSize(text)
		problem, hint = "%s is not a size", "write bytes as a number, or a text such as \"8MiB\" or \"500 kB\""
	case *time.Duration:
		value, err = moment.ParseDuration(text)
		problem, hint = "cannot read %s as a duration", "write a text such as \"10m\", \"36h\" or \"90d\""
	case *bool:
		value, err = strconv.ParseBool(strings.ToLower(text))
		problem, hint = "%s is neither true nor false", "write true or false"
	}
	if err != nil {
		return nil, fault(problem, shown(raw)).hint("%s", hint)
	}
	return value, nil
}

// show returns the value in a form that parse reads.
func (k key) show() string { return show(reflect.ValueOf(k.field).Elem().Interface()) }

func show(value any) string {
	switch v := value.(type) {
	case []string:
		return QuoteList(v)
	case Table:
		return v.String()
	case time.Duration:
		return moment.FormatDuration(v)
	}
	return fmt.Sprint(value)
}

// literal returns a value as TOML, given the text that it was read from.
func literal(text string, value any) string {
	switch v := value.(type) {
	case Size:
		if strings.Trim(text, "0123456789") == "" {
			return strconv.FormatInt(int64(v), 10)
		}
	case string, time.Duration:
	default:
		return show(value)
	}
	return plaintext.Quote(strings.TrimSpace(text))
}

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

func parseSize(text string) (Size, error) {
	n, err := humanize.ParseBytes(text)
	if _, fraction, found := strings.Cut(text, "."); n > math.MaxInt64 || found && strings.Trim(fraction, "0123456789") == "" {
		err = strconv.ErrRange // too many bytes, or a part of one
	}
	return Size(n), err //nolint:gosec // checked
}

// parseList reads a list. As a text it is written as in TOML, or is one plain text.
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

// shown returns a value for an error, short; not a text that may have a password.
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
