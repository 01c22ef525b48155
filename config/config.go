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
	Consolidate Consolidate `mapstructure:"consolidate"`
	Journal     Journal     `mapstructure:"journal"`
	Archive     Archive     `mapstructure:"archive"`
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
}

// Location returns the time zone that days of notes are in.
func (n Notes) Location() (*time.Location, error) {
	if n.Timezone == "" {
		return time.Local, nil
	}
	return time.LoadLocation(n.Timezone)
}

// Consolidate says when the daemon runs.
type Consolidate struct {
	Every   time.Duration `mapstructure:"every"`
	Nightly string        `mapstructure:"nightly"` // cron expression, local time
}

// Journal says how long a run can be undone.
type Journal struct {
	Keep time.Duration `mapstructure:"keep"`
}

// Archive says where forgotten memories are kept.
type Archive struct {
	Dir string `mapstructure:"dir"`
}

// Log says how much is logged, and where: an empty File is standard error,
// for the daemon Paths.DaemonLog.
type Log struct {
	Level string `mapstructure:"level"` // trace, debug, info, warn or error
	File  string `mapstructure:"file"`
}

// Default returns the settings of one who set nothing.
func Default() Config {
	return Config{
		Brain:       "default",
		Neo4j:       Neo4j{User: "neo4j", Database: "neo4j"},
		Notes:       Notes{MaxFile: 8 << 20},
		Consolidate: Consolidate{Every: 10 * time.Minute, Nightly: "0 3 * * *"},
		Journal:     Journal{Keep: 90 * 24 * time.Hour},
		Log:         Log{Level: "info"},
	}
}
