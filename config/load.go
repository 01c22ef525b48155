package config

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/viper"
)

// Origin says where a value comes from.
type Origin string

// The origins, weakest first.
const (
	FromDefault     Origin = "default"
	FromFile        Origin = "file"
	FromEnvironment Origin = "environment"
	FromFlag        Origin = "flag"
)

// Input has the environment and the flags. An empty value counts as unset.
type Input struct {
	// Env looks up an environment variable, as os.Getenv does.
	Env func(string) string
	// Flags are settings by key (brain, store), and as config another config
	// file, which must exist.
	Flags map[string]string
	// Test selects the brain of test memories. It has the settings and the store of the
	// brain, but its own folders and files.
	Test bool
}

// Loaded has the settings in force, and the paths that follow from them.
type Loaded struct {
	Config Config
	Paths  Paths
	Origin map[string]Origin // of each key, and of "config", the file, if a flag names it
	Test   bool              // see [Input]
	Zone   *time.Location    // of the days of notes

	in     Input
	doc    *document
	brains map[string]brainSettings // of [brains.NAME]
	own    map[string]string        // see ownSettings
}

// StoredBrain returns the name of the brain in its store. The name of a brain of test
// memories ends in ~test, which names given by people cannot.
func (l Loaded) StoredBrain() string {
	if l.Test {
		return l.Config.Brain + "~test"
	}
	return l.Config.Brain
}

// ForTests returns the settings of the brain of test memories.
func (l Loaded) ForTests() (Loaded, error) {
	in := l.in
	in.Test = true
	return load(in, l.doc)
}

// WithStore returns the settings with another store for the brain.
func (l Loaded) WithStore(uri string) (Loaded, error) {
	in := l.in
	in.Flags = maps.Clone(in.Flags)
	if in.Flags == nil {
		in.Flags = map[string]string{}
	}
	in.Flags["store"] = uri
	return load(in, l.doc)
}

// SetStore writes the store of the brain to the config file.
func (l Loaded) SetStore(uri string) error {
	key := "store"
	if l.Config.Brain != DefaultBrain {
		key = brainsTable + "." + l.Config.Brain + ".store"
	}
	return Set(l.Paths.ConfigFile, key, uri)
}

// Setting is one setting as it is shown.
type Setting struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Origin Origin `json:"origin"`
}

// Load reads the settings and creates nothing. A wrong one is an *Error with key and place.
// Relative paths in the file are relative to its folder, others to the working directory.
func Load(in Input) (Loaded, error) {
	file, err := File(in.Env, in.Flags["config"])
	if err != nil {
		return Loaded{}, err
	}
	doc, err := readDocument(file)
	if err != nil {
		return Loaded{}, err
	}
	return load(in, doc)
}

// LoadWithoutFile is Load as if the config file were empty: it finds the folders while the
// file cannot be read.
func LoadWithoutFile(in Input) (Loaded, error) {
	file, err := File(in.Env, in.Flags["config"])
	if err != nil {
		return Loaded{}, err
	}
	doc, err := parseDocument(file, nil)
	if err != nil {
		return Loaded{}, err
	}
	return load(in, doc)
}

// File returns the config file: that of the flag, which must exist, or the usual one.
func File(env func(string) string, flag string) (string, error) {
	base, err := findPlaces(env)
	if err != nil {
		return "", err
	}
	if flag == "" {
		return base.config, nil
	}
	file := base.absolute(flag, base.working)
	if _, err := os.Stat(file); err != nil {
		return "", unreadable(file, err)
	}
	return file, nil
}

func load(in Input, doc *document) (Loaded, error) {
	base, err := findPlaces(in.Env)
	if err != nil {
		return Loaded{}, err
	}
	if doc.stray != nil {
		return Loaded{}, doc.stray
	}
	v, brains, err := doc.values()
	if err != nil {
		return Loaded{}, err
	}
	if wrong := in.checkVariables(); wrong != nil {
		return Loaded{}, wrong
	}
	l := Loaded{Config: Default(), Origin: map[string]Origin{}, Test: in.Test, in: in, doc: doc, brains: brains}
	l.Config.Transcripts.Sources = sessionFiles(in.Env)
	for _, k := range keys(&l.Config) {
		raw, origin := in.raw(k, v, l.own)
		if l.Origin[k.name] = origin; origin == FromDefault {
			if _, found := l.own[k.name]; found { // that of the default brain does not count
				v.Set(k.name, "")
			}
			continue
		}
		value, wrong := k.parse(raw)
		if wrong != nil {
			return Loaded{}, wrong.of(k.name).at(doc.where(k.name, origin))
		}
		v.Set(k.name, value)
		if name, ok := value.(string); ok && k.name == "brain" { // the first key
			l.own = in.ownSettings(brains, name)
		}
	}
	if err := v.Unmarshal(&l.Config); err != nil {
		return Loaded{}, fmt.Errorf("read the settings: %w", err)
	}
	l.Config.Transcripts.addDefaultSources(in.Env)
	if wrong := l.Config.validate(); wrong != nil {
		return Loaded{}, wrong.at(doc.where(wrong.Key, l.Origin[wrong.Key]))
	}
	l.Zone, _ = l.Config.Notes.Location() // it is valid
	if l.Config.Brain != DefaultBrain && l.Config.Notes.Dir == "" && !l.Test {
		l.keepSharedNotes()
	}
	l.setPaths(base, filepath.Dir(doc.file))
	l.Paths.ConfigFile = doc.file
	if in.Flags["config"] != "" {
		l.Origin["config"] = FromFlag
	}
	return l, nil
}

// checkVariables returns an error for a variable of a setting of earlier versions.
func (in Input) checkVariables() *Error {
	for _, key := range slices.Sorted(maps.Keys(gone())) {
		if in.Env(variable(key)) != "" {
			return unknown(key).at("environment variable " + variable(key))
		}
	}
	return nil
}

// raw returns the value of a key that takes precedence.
func (in Input) raw(k key, file *viper.Viper, own map[string]string) (any, Origin) {
	if value := in.Flags[k.name]; value != "" {
		return value, FromFlag
	}
	if value, found := own[k.name]; found {
		if value == "" {
			return nil, FromDefault
		}
		return value, FromFile
	}
	if value := in.Env(variable(k.name)); value != "" {
		return value, FromEnvironment
	}
	if file.InConfig(k.name) {
		return file.Get(k.name), FromFile
	}
	return nil, FromDefault
}

// where names the place of the value of a key.
func (d *document) where(key string, o Origin) string {
	switch o {
	case FromFile:
		return fmt.Sprintf("%s:%d", d.file, d.lines[key])
	case FromEnvironment:
		return "environment variable " + variable(key)
	case FromFlag:
		return "flag --" + strings.TrimSuffix(key, ".dir") // notes.dir is that of init
	}
	return ""
}

// Settings returns all settings of the brain, without the password, in a form that the file
// accepts, and then those below [brains.NAME].
func (l Loaded) Settings() []Setting {
	var all []Setting
	for _, k := range keys(&l.Config) {
		all = append(all, Setting{Key: k.name, Value: k.show(), Origin: l.Origin[k.name]})
	}
	return append(all, l.brainRows()...)
}

// Variables returns the part of an environment that another process needs to use the same
// brain: the named variables, and the settings that come from variables; never a password.
func (l Loaded) Variables(env func(string) string, names ...string) (map[string]string, error) {
	all := map[string]string{}
	for _, name := range names {
		value := env(name)
		if value == "" {
			continue
		}
		if name == "BRAINBRIDGE_HOME" {
			var err error
			if value, err = filepath.Abs(value); err != nil {
				return nil, err
			}
		}
		all[name] = value
	}
	for _, k := range keys(&l.Config) {
		if l.Origin[k.name] == FromEnvironment {
			all[variable(k.name)] = k.show()
		}
	}
	return all, nil
}

// Flags returns the global flags, each one word, with which another process uses the same
// brain in any folder, for the settings from these origins.
func (l Loaded) Flags(from ...Origin) []string {
	var all []string
	for _, f := range [][2]string{{"brain", l.Config.Brain}, {"config", l.Paths.ConfigFile}, {"store", l.Config.Store}} {
		if slices.Contains(from, l.Origin[f[0]]) {
			all = append(all, "--"+f[0]+"="+f[1])
		}
	}
	return all
}
