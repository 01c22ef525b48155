// Package config holds the settings of the program: their defaults, where they
// are read from, what is valid, and the folders that follow from them.
//
// A setting comes from, each stronger than the one before: its default, the
// file config.toml, the environment variable BRAINBRIDGE_ with the key in upper
// case and "_" for ".", a flag. An unknown key in the file is an error that
// names it. The numbers of the lifecycle are not here: all machines on one
// brain must agree on them, so they live in the store.
package config

import (
	"time"
)

// Config is every setting. In what Default returns, an empty path means a
// place that Load works out; in what Load returns, all paths are absolute.
type Config struct {
	Brain       string      `mapstructure:"brain"` // name of the brain
	Store       string      `mapstructure:"store"` // URI, see ParseStore
	Neo4j       Neo4j       `mapstructure:"neo4j"`
	Notes       Notes       `mapstructure:"notes"`
	Transcripts Transcripts `mapstructure:"transcripts"`
	Consolidate Consolidate `mapstructure:"consolidate"`
	Journal     Journal     `mapstructure:"journal"`
	Archive     Archive     `mapstructure:"archive"`
	Core        Core        `mapstructure:"core"`
	Backup      Backup      `mapstructure:"backup"`
	Health      Health      `mapstructure:"health"`
	Attention   Attention   `mapstructure:"attention"`
	LLM         LLM         `mapstructure:"llm"`
	Hooks       Hooks       `mapstructure:"hooks"`
	Session     Session     `mapstructure:"session"`
	Web         Web         `mapstructure:"web"`
	Log         Log         `mapstructure:"log"`
}

// Neo4j says how to sign in where the store is a Neo4j server.
type Neo4j struct {
	User         string `mapstructure:"user"`
	PasswordFile string `mapstructure:"password_file"` // empty: none
	Database     string `mapstructure:"database"`
}

// Notes says where the notes are and how they are read.
type Notes struct {
	Dir      string `mapstructure:"dir"`
	Timezone string `mapstructure:"timezone"` // IANA name; empty: the machine's
	MaxFile  Size   `mapstructure:"max_file"` // a larger file is reported and skipped

	MemoryMD    string   `mapstructure:"memory_md"`    // the file with the curated block
	Form        string   `mapstructure:"form"`         // of that block: FormCurated or FormFull
	BudgetChars int      `mapstructure:"budget_chars"` // of that whole file in the curated form, in characters
	BudgetLines int      `mapstructure:"budget_lines"` // and in lines
	Patterns    []string `mapstructure:"patterns"`     // what extraction looks for beside its own patterns: "type: words"
}

// The forms of the block in MEMORY.md.
const (
	FormCurated = "curated" // a quick reference, a line an entry
	FormFull    = "full"    // each outcome whole
)

// Location returns the time zone that days of notes are in.
func (n Notes) Location() (*time.Location, error) {
	if n.Timezone == "" {
		return time.Local, nil
	}
	return time.LoadLocation(n.Timezone)
}

// Transcripts says where the sessions of agents are, and how they are read.
type Transcripts struct {
	Sources     []string `mapstructure:"sources"`      // globs, ** for any folders
	Schedule    string   `mapstructure:"schedule"`     // cron expression, in the zone of the notes; of the day so far
	ChunkTokens int      `mapstructure:"chunk_tokens"` // how much of a conversation is looked at in one piece
	SideChains  bool     `mapstructure:"side_chains"`  // also what subagents said
}

// LLM is an OpenAI-compatible endpoint; without BaseURL and Model there is
// none, and everything works by rules.
type LLM struct {
	BaseURL     string `mapstructure:"base_url"`
	Model       string `mapstructure:"model"`
	APIKeyFile  string `mapstructure:"api_key_file"` // empty: no key is sent
	DailyTokens int    `mapstructure:"daily_tokens"` // a hard limit for each day; 0: none
	// DailyCost is one in money, in the currency of the prices; 0: none.
	DailyCost       float64 `mapstructure:"daily_cost"`
	PricePrompt     float64 `mapstructure:"price_prompt"`     // per million tokens that are sent; 0: not known
	PriceCompletion float64 `mapstructure:"price_completion"` // per million tokens of the answers
}

// On reports whether there is a model to ask.
func (l LLM) On() bool { return l.BaseURL != "" && l.Model != "" }

// Consolidate says when the daemon runs.
type Consolidate struct {
	Every   time.Duration `mapstructure:"every"`
	Nightly string        `mapstructure:"nightly"` // cron expression, local time
	Forget  bool          `mapstructure:"forget"`  // nobody is asked before something is forgotten
}

// Journal says how long a run can be undone.
type Journal struct {
	Keep time.Duration `mapstructure:"keep"`
}

// Backup says where backups are made.
type Backup struct {
	Dir string `mapstructure:"dir"`
}

// Archive says where forgotten memories are kept.
type Archive struct {
	Dir string `mapstructure:"dir"`
}

// Health says what `health` warns of.
type Health struct {
	SilenceDays int `mapstructure:"silence_days"` // without a capture
}

// Core says where the file is that shows core memory.
type Core struct {
	File string `mapstructure:"file"`
}

// Hooks says what the hooks of agents add to a session.
type Hooks struct {
	Recall    bool `mapstructure:"recall"`    // the memories that fit a prompt are added to it
	Heartbeat int  `mapstructure:"heartbeat"` // prompts between two reminders to capture; 0: never
}

// Session says what is read when a session of an agent ends.
type Session struct {
	Files []string `mapstructure:"files"` // in the session's folder
}

// Web says where the daemon serves HTTP.
type Web struct {
	Listen string `mapstructure:"listen"` // an address of the loopback interface, or WebOff
}

// WebOff is the address at which nothing is served.
const WebOff = "off"

// On reports whether the daemon serves HTTP.
func (w Web) On() bool { return w.Listen != WebOff }

// Log says how much is logged, and where: an empty File is standard error,
// for the daemon Paths.DaemonLog.
type Log struct {
	Level string `mapstructure:"level"` // trace, debug, info, warn or error
	File  string `mapstructure:"file"`
}

// Default returns the settings of one who set nothing.
func Default() Config {
	return Config{
		Brain: "default",
		Neo4j: Neo4j{User: "neo4j", Database: "neo4j"},
		Notes: Notes{MaxFile: 8 << 20, Form: FormCurated, BudgetChars: 15000, BudgetLines: 200},
		Transcripts: Transcripts{
			Sources: []string{
				"~/.claude/projects/**/*.jsonl",
				"~/.openclaw/agents/*/sessions/*.jsonl",
				"~/.codex/sessions/**/*.jsonl",
			},
			Schedule: "0 23 * * *", ChunkTokens: 4000,
		},
		LLM:         LLM{DailyTokens: 200_000},
		Consolidate: Consolidate{Every: 10 * time.Minute, Nightly: "0 3 * * *"},
		Journal:     Journal{Keep: 90 * 24 * time.Hour},
		Health:      Health{SilenceDays: 3},
		Hooks:       Hooks{Heartbeat: 10},
		Session:     Session{Files: []string{"progress.md", "progress-summary.md"}},
		Attention:   Attention{Related: relatedTopics()},
		Web:         Web{Listen: "127.0.0.1:4747"},
		Log:         Log{Level: "info"},
	}
}
