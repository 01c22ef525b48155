// Package config reads, validates and writes the settings of the program, and derives
// its folders from them.
//
// A setting is taken, in increasing precedence, from its default, config.toml, the
// environment (BRAINBRIDGE_NOTES_DIR for notes.dir) or a flag. An unknown key in the
// file is an error. The lifecycle numbers are kept in the store, because all machines
// that use a brain share them.
//
// [JSON] and [TOML] edit single values of settings files, also those of agents, and keep
// every other byte.
package config

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Config holds all settings. Load fills in empty paths, and makes all absolute.
type Config struct {
	Brain       string      `mapstructure:"brain"` // name of the brain
	Store       string      `mapstructure:"store"` // URI, see ParseStore
	Neo4j       Neo4j       `mapstructure:"neo4j"`
	Notes       Notes       `mapstructure:"notes"`
	Transcripts Transcripts `mapstructure:"transcripts"`
	Consolidate Consolidate `mapstructure:"consolidate"`
	LLM         LLM         `mapstructure:"llm"`
	Embedding   Endpoint    `mapstructure:"embedding"` // makes vectors of texts
	Hooks       Hooks       `mapstructure:"hooks"`
	Web         Web         `mapstructure:"web"`
	Log         Log         `mapstructure:"log"`
	Journal     struct {
		Keep time.Duration `mapstructure:"keep"` // how long runs can be undone
	} `mapstructure:"journal"`
	Core struct {
		File string `mapstructure:"file"` // path of core-memory.json
	} `mapstructure:"core"`
	Backup Backup `mapstructure:"backup"`
	Health struct {
		SilenceDays int `mapstructure:"silence_days"` // days without a capture until `health` warns
	} `mapstructure:"health"`
	Session struct {
		Files []string `mapstructure:"files"` // files in the folder of a session that are read at its end
	} `mapstructure:"session"`
}

// Neo4j has the credentials and the database for a store on a Neo4j server.
type Neo4j struct {
	User         string `mapstructure:"user"`
	PasswordFile string `mapstructure:"password_file"` // empty: no password
	Database     string `mapstructure:"database"`
}

// Notes has the settings of notes and MEMORY.md.
type Notes struct {
	Dir      string `mapstructure:"dir"`
	Timezone string `mapstructure:"timezone"` // IANA name; empty: the machine's
	MaxFile  Size   `mapstructure:"max_file"` // a larger file is reported and skipped

	// Include and Exclude are globs of paths below Dir; Exclude wins. Case does not matter.
	Include []string `mapstructure:"include"`
	Exclude []string `mapstructure:"exclude"`
	// Projects has globs of such paths, each with the project of what it matches, the longest first.
	Projects Table `mapstructure:"projects"`

	MemoryMD    string `mapstructure:"memory_md"`    // the file with the curated block
	Form        string `mapstructure:"form"`         // form of the block: FormCurated or FormFull
	BudgetChars int    `mapstructure:"budget_chars"` // maximum size of the file in characters, in the curated form
	BudgetLines int    `mapstructure:"budget_lines"` // maximum number of lines, in the curated form
}

// The forms of the block in MEMORY.md.
const (
	FormCurated = "curated" // a quick reference with one line per entry
	FormFull    = "full"    // the full text of each outcome
)

// Location returns the time zone of the days of notes.
func (n Notes) Location() (*time.Location, error) {
	if n.Timezone == "" {
		return time.Local, nil
	}
	return time.LoadLocation(n.Timezone)
}

// Transcripts says which transcripts of agents are read, and how.
type Transcripts struct {
	Sources  []string `mapstructure:"sources"`  // globs; ** matches any folders
	Schedule string   `mapstructure:"schedule"` // cron expression in the time zone of the notes
}

// Endpoint is an OpenAI-compatible endpoint. If BaseURL or Model is empty, it is not used.
type Endpoint struct {
	BaseURL    string `mapstructure:"base_url"`
	Model      string `mapstructure:"model"`
	APIKeyFile string `mapstructure:"api_key_file"` // empty: no key is sent
}

// On reports whether the endpoint is configured.
func (e Endpoint) On() bool { return e.BaseURL != "" && e.Model != "" }

// LLM is a chat model and its budget.
type LLM struct {
	Endpoint    `mapstructure:",squash"`
	DailyTokens int `mapstructure:"daily_tokens"` // hard limit per day; 0: no limit
}

// Consolidate holds the schedule and the policy of maintenance.
type Consolidate struct {
	Nightly string `mapstructure:"nightly"` // cron expression, local time
	Forget  bool   `mapstructure:"forget"`  // every run forgets candidates without confirmation
}

// Hooks controls what hooks add to a session of an agent.
type Hooks struct {
	Recall    bool `mapstructure:"recall"`    // add the memories that match a prompt
	Heartbeat int  `mapstructure:"heartbeat"` // prompts between reminders to capture; 0: never
}

// Web configures the HTTP server of the daemon.
type Web struct {
	Listen string `mapstructure:"listen"` // an address on localhost, or WebOff
}

// WebOff turns HTTP off.
const WebOff = "off"

// On reports whether the daemon serves HTTP.
func (w Web) On() bool { return w.Listen != WebOff }

// Log has the level of the daemon's log.
type Log struct {
	Level string `mapstructure:"level"` // trace, debug, info, warn or error
}

// Backup has the settings of the backups on this machine.
type Backup struct {
	Dir      string `mapstructure:"dir"`
	Schedule string `mapstructure:"schedule"` // cron expression, local time, of the daemon's; empty or BackupsOff: none
	Keep     string `mapstructure:"keep"`     // see Kept
}

// AgentFolders returns the variables of the folders in which agents keep their sessions.
func AgentFolders() []string {
	return []string{"CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "OPENCLAW_STATE_DIR"}
}

// sessionFiles returns where the agents keep their sessions.
func sessionFiles(env func(string) string) []string {
	openclaw := cmp.Or(env("OPENCLAW_STATE_DIR"), "~/.openclaw")
	return []string{
		cmp.Or(env("CLAUDE_CONFIG_DIR"), "~/.claude") + "/projects/**/*.jsonl",
		cmp.Or(env("CODEX_HOME"), "~/.codex") + "/{sessions,archived_sessions}/**/*.{json,jsonl,jsonl.zst}",
		cmp.Or(env("GEMINI_CLI_HOME"), "~") + "/.gemini/tmp/*/chats/**/*.{json,jsonl}",
		openclaw + "/agents/*/agent/openclaw-agent.sqlite",
		openclaw + "/agents/*/sessions/**/*.{jsonl,jsonl.reset.*,jsonl.deleted.*,jsonl.archived.*,jsonl.bak*}",
	}
}

// addDefaultSources adds the default sources to a list that only leaves files out.
func (t *Transcripts) addDefaultSources(env func(string) string) {
	reads := func(source string) bool { return !strings.HasPrefix(source, "!") }
	if len(t.Sources) > 0 && !slices.ContainsFunc(t.Sources, reads) {
		t.Sources = append(sessionFiles(env), t.Sources...)
	}
}

// Default returns the default settings, except the sources of transcripts.
func Default() Config {
	c := Config{
		Brain: DefaultBrain,
		Neo4j: Neo4j{User: "neo4j", Database: "neo4j"},
		Notes: Notes{
			MaxFile: 8 << 20, Form: FormCurated, BudgetChars: 15000, BudgetLines: 200,
			Include: []string{"**/*.md", "**/*.markdown"}, Exclude: []string{"**/templates/**", "**/node_modules/**"},
		},
		Transcripts: Transcripts{Schedule: "0 23 * * *"},
		LLM:         LLM{DailyTokens: 200_000},
		Consolidate: Consolidate{Nightly: "0 3 * * *"},
		Hooks:       Hooks{Heartbeat: 10},
		Web:         Web{Listen: "127.0.0.1:4747"},
		Log:         Log{Level: "info"},
		Backup:      Backup{Schedule: "30 3 * * *", Keep: "newest 3, daily 7, weekly 4"},
	}
	c.Journal.Keep = 90 * 24 * time.Hour
	c.Health.SilenceDays = 3
	c.Session.Files = []string{"progress.md", "progress-summary.md", "prd.json"}
	return c
}
