package app

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/notes"
	"github.com/brainbridge/brainbridge/tiers"
)

// InitAnswer says where things are.
type InitAnswer struct {
	Brain  string `json:"brain"`
	Store  string `json:"store"`
	Config string `json:"config"`
	Data   string `json:"data"`
	State  string `json:"state"`
	Notes  string `json:"notes"`
	KeptAs string `json:"keptAs,omitempty"` // the old database file of --fresh
	Vault  bool   `json:"-"`                // the notes directory has pages, of projects perhaps
}

// Init creates the brain and the folders it needs, unless they exist, and writes to the
// config file where they are: what flags name, and all of a brain other than the default one.
func (u *UseCases) Init(ctx context.Context) (InitAnswer, error) {
	l := u.app.Settings
	a := InitAnswer{
		Brain: l.Config.Brain, Store: l.Config.Store, Config: l.Paths.ConfigFile,
		Data: l.Paths.Data, State: l.Paths.State, Notes: l.Paths.NotesDir,
		Vault: notes.HasPages(l.Paths.NotesDir),
	}
	err := l.CheckNotes()
	if err != nil || u.caller.DryRun {
		return a, err
	}
	err = u.Create(ctx)
	if err == nil {
		err = makeFolders(l)
	}
	if err == nil && l.Config.Brain == config.DefaultBrain {
		err = u.KeepNeighbours(ctx, l.Config.Store)
	}
	if err == nil {
		err = l.Record()
	}
	return a, err
}

// makeFolders creates the folders that the daemon needs. Only the notes are not private.
func makeFolders(l config.Loaded) error {
	for _, dir := range []string{l.Paths.Data, l.Paths.State} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return unwritable("make the folder", dir, err)
		}
	}
	if err := os.Chmod(l.Paths.State, 0o700); err != nil { // another program may have created it
		return unwritable("close to others the folder", l.Paths.State, err)
	}
	if err := os.MkdirAll(l.Paths.NotesDir, 0o755); err != nil {
		return unwritable("make the notes directory", l.Paths.NotesDir, err)
	}
	return nil
}

// SettingsAnswer lists the settings in force.
type SettingsAnswer struct {
	File     string           `json:"file"`
	Settings []config.Setting `json:"settings"`
}

// The prefix of the keys whose values are in the store, and the origin of a changed one.
const (
	lifecyclePrefix               = "lifecycle."
	fromStore       config.Origin = "store"
)

// Settings lists the settings in force, and where they come from.
func (u *UseCases) Settings(ctx context.Context) (SettingsAnswer, error) {
	l := u.app.Settings
	a := SettingsAnswer{l.Paths.ConfigFile, l.Settings()}
	numbers, err := u.lifecycle(ctx)
	if err != nil && ctx.Err() == nil {
		u.caller.Notices.Warn(fmt.Errorf("the lifecycle numbers are in the store: %w", err))
		err = nil
	}
	a.Settings = append(a.Settings, numbers...)
	return a, err
}

// SettingCommands lists the settings in force, each with the command that changes it.
type SettingCommands struct {
	File     string           `json:"file"`
	Settings []SettingCommand `json:"settings"`
}

// SettingCommand is a setting; the last word of its command stands for the new value.
type SettingCommand struct {
	config.Setting
	Command string `json:"command"`
}

// SettingCommands lists the settings in force, and how to change them.
func (u *UseCases) SettingCommands(ctx context.Context) (SettingCommands, error) {
	found, err := u.Settings(ctx)
	return SettingCommands{found.File, brain.Map(found.Settings, func(s config.Setting) SettingCommand {
		return SettingCommand{s, "brainbridge config set " + cmp.Or(u.app.Settings.OwnKey(s.Key), s.Key) + " VALUE"}
	})}, err
}

func (u *UseCases) lifecycle(ctx context.Context) ([]config.Setting, error) {
	policy, err := u.services(ctx).Base.Policy(ctx)
	if err != nil {
		return nil, err
	}
	var all []config.Setting
	usual := tiers.DefaultPolicy()
	for _, key := range tiers.Keys() {
		v, _ := policy.Get(key)
		from := config.FromDefault
		if d, _ := usual.Get(key); d != v {
			from = fromStore
		}
		all = append(all, config.Setting{Key: lifecyclePrefix + key, Value: number(v), Origin: from})
	}
	return all, nil
}

// SettingAnswer is a setting that was changed.
type SettingAnswer struct {
	Key   string `json:"key"`
	Value string `json:"value"`

	Where string `json:"-"` // it is kept
}

// IsLifecycle reports whether a setting is kept in the store.
func IsLifecycle(key string) bool { return strings.HasPrefix(key, lifecyclePrefix) }

// SetLifecycle changes a setting that is kept in the store.
func (u *UseCases) SetLifecycle(ctx context.Context, key, text string) (SettingAnswer, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil {
		return SettingAnswer{}, invalid("give a number, such as 0.5", "%s cannot be %.40q", key, text)
	}
	a := SettingAnswer{key, number(v), "the store, for every machine on this brain"}
	return a, u.services(ctx).Base.SetNumber(ctx, strings.TrimPrefix(key, lifecyclePrefix), v)
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// SetSetting changes a setting in the config file. It does not load the settings first, so
// that it can correct an invalid file. It warns of other errors in the file.
func SetSetting(in config.Input, key, value string, dry bool, n Notices) (SettingAnswer, error) {
	file, err := config.File(in.Env, in.Flags["config"])
	if err != nil {
		return SettingAnswer{}, err
	}
	var left error
	if l, err := config.Load(in); err == nil && l.Origin["brain"] == config.FromFlag && l.OwnKey(key) != "" {
		return SettingAnswer{}, invalid(fmt.Sprintf("brainbridge config set %s %s; without --brain, it is set for the brain %s", l.OwnKey(key), value, config.DefaultBrain),
			"%s is of the brain %s, not of %s", key, config.DefaultBrain, l.Config.Brain)
	}
	if dry {
		left, err = config.TrySet(in, file, key, value)
	} else if err = config.Set(file, key, value); err == nil {
		var l config.Loaded
		l, left = config.Load(in)
		if own := l.OwnKey(key); left == nil && own != "" {
			n.Warn(fmt.Errorf("%s is of the brain %s; that of the brain %s is %s", key, config.DefaultBrain, l.Config.Brain, own))
		}
	}
	if err == nil && left != nil {
		n.Warn(fmt.Errorf("the settings cannot be used yet: %w", left))
	}
	return SettingAnswer{key, value, file}, err
}
