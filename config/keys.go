package config

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain/moment"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/config/edit"
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
		path("notes.memory_md", &c.Notes.MemoryMD),
		setting("notes.form", &c.Notes.Form, oneOf("form of MEMORY.md", FormCurated, FormFull)),
		setting("notes.budget_chars", &c.Notes.BudgetChars, atLeast(1)),
		setting("notes.budget_lines", &c.Notes.BudgetLines, atLeast(1)),
		setting("notes.patterns", &c.Notes.Patterns, anything),
		pathList(setting("transcripts.sources", &c.Transcripts.Sources, checkGlobs)),
		setting("transcripts.schedule", &c.Transcripts.Schedule, checkCron),
		setting("transcripts.chunk_tokens", &c.Transcripts.ChunkTokens, atLeast(100)),
		setting("transcripts.side_chains", &c.Transcripts.SideChains, anything),
		setting("llm.base_url", &c.LLM.BaseURL, checkURL("llm")),
		setting("llm.model", &c.LLM.Model, anything),
		path("llm.api_key_file", &c.LLM.APIKeyFile),
		setting("llm.daily_tokens", &c.LLM.DailyTokens, atLeast(0)),
		setting("llm.daily_cost", &c.LLM.DailyCost, anything),
		setting("llm.price_prompt", &c.LLM.PricePrompt, anything),
		setting("llm.price_completion", &c.LLM.PriceCompletion, anything),
		setting("embedding.base_url", &c.Embedding.BaseURL, checkURL("embedding")),
		setting("embedding.model", &c.Embedding.Model, anything),
		path("embedding.api_key_file", &c.Embedding.APIKeyFile),
		setting("consolidate.every", &c.Consolidate.Every, atLeastLong(time.Second)),
		setting("consolidate.nightly", &c.Consolidate.Nightly, checkCron),
		setting("consolidate.forget", &c.Consolidate.Forget, anything),
		setting("journal.keep", &c.Journal.Keep, atLeastLong(time.Hour)),
		path("core.file", &c.Core.File),
		path("archive.dir", &c.Archive.Dir),
		path("backup.dir", &c.Backup.Dir),
		setting("health.silence_days", &c.Health.SilenceDays, atLeast(1)),
		setting("hooks.recall", &c.Hooks.Recall, anything),
		setting("hooks.heartbeat", &c.Hooks.Heartbeat, atLeast(0)),
		setting("session.files", &c.Session.Files, checkNames),
		setting("attention.related", &c.Attention.Related, checkRelated),
		setting("web.listen", &c.Web.Listen, checkListen),
		setting("log.level", &c.Log.Level, oneOf("level", "trace", "debug", "info", "warn", "error")),
		path("log.file", &c.Log.File),
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
	i := slices.IndexFunc(all, func(k key) bool { return k.name == name })
	if i < 0 {
		return key{}, false
	}
	return all[i], true
}

// isTable reports whether name is the first part of a key, such as notes.
func isTable(name string) bool {
	return slices.ContainsFunc(keys(&Config{}), func(k key) bool { return strings.HasPrefix(k.name, name+".") })
}

// variable returns the environment variable of a key.
func variable(key string) string {
	return "BRAINBRIDGE_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// parse reads a value of TOML, or the text of an environment variable or a flag.
func (k key) parse(raw any) (any, *Error) {
	switch k.field.(type) {
	case *int:
		return parseInteger(raw)
	case *Size:
		return parseSize(raw)
	case *time.Duration:
		return parseDuration(raw)
	case *float64:
		return parseAmount(raw)
	case *bool:
		return parseBoolean(raw)
	case *[]string:
		return parseList(raw)
	}
	return parseText(raw)
}

// show returns the value in a form that parse reads.
func (k key) show() string { return show(reflect.ValueOf(k.field).Elem().Interface()) }

func show(value any) string {
	switch v := value.(type) {
	case []string:
		return edit.QuoteList(v)
	case time.Duration:
		return moment.FormatDuration(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
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
