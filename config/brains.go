package config

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// DefaultBrain is the name of the brain that is made when it is first needed. The keys
// store, notes.dir and notes.memory_md are its own.
const DefaultBrain = "default"

// brainsTable holds a table for each other brain.
const brainsTable = "brains"

// brainSettings are the settings below [brains.NAME]. An empty one is not set.
type brainSettings struct{ store, notes, memoryMD string }

// brainKeys returns the keys below [brains.NAME].
func brainKeys(name string, b *brainSettings) []key {
	table := brainsTable + "." + name + "."
	return []key{
		setting(table+"store", &b.store, checkStore),
		path(table+"notes", &b.notes),
		path(table+"memory_md", &b.memoryMD),
	}
}

// BrainOf returns the name in a key below [brains.NAME]. Names of earlier versions may have
// dots.
func BrainOf(key string) (name string, found bool) {
	rest, found := strings.CutPrefix(key, brainsTable+".")
	last := strings.LastIndexByte(rest, '.')
	if !found || last < 0 {
		return "", false
	}
	return strings.ReplaceAll(rest[:last], `\.`, "."), true
}

// keyPath returns the parts of the name of a key.
func keyPath(key string) []string {
	if name, found := BrainOf(key); found {
		return []string{brainsTable, name, lastPart(key)}
	}
	return strings.Split(key, ".")
}

func lastPart(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }

// checkBrainTable returns an error if the path of a table or key is below [brains.NAME] with
// a name that no brain can have there.
func checkBrainTable(path []string) *Error {
	if len(path) < 2 || path[0] != brainsTable {
		return nil
	}
	err := checkBrain(path[1])
	if path[1] == DefaultBrain {
		err = fault("the default brain has no table").hint("its keys are store, notes.dir and notes.memory_md")
	}
	if err != nil {
		err.Key = keyName(path[:2])
	}
	return err
}

// CheckNewBrain returns an error if a new brain cannot have a name. Brains of earlier
// versions may have others.
func CheckNewBrain(name string) error {
	if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" {
		return nil
	}
	return fault("%s cannot name a new brain", shown(name)).of("brain").
		hint("use lower-case letters, digits and dashes, such as my-work")
}

// readBrains returns the settings below [brains.NAME], by name.
func (d *document) readBrains(value any) (map[string]brainSettings, *Error) {
	all := map[string]brainSettings{}
	tables, _ := value.(map[string]any) // another value is a stray key, and so below
	for name, table := range tables {
		var b brainSettings
		own, _ := table.(map[string]any)
		for _, k := range brainKeys(name, &b) {
			raw, found := own[lastPart(k.name)]
			if !found {
				continue
			}
			text, err := parseText(raw)
			if field, ok := k.field.(*string); ok && err == nil {
				*field = text
				err = k.check()
			}
			if err != nil {
				return nil, err.of(k.name).at(d.where(keyName(keyPath(k.name)), FromFile))
			}
		}
		all[name] = b
	}
	return all, nil
}

// ownSettings returns the keys whose values another brain than the default one does not
// share with it. An empty one has its default.
func (in Input) ownSettings(brains map[string]brainSettings, name string) map[string]string {
	if name == DefaultBrain {
		return nil
	}
	b, recorded := brains[name]
	if in.Flags["notes.dir"] != "" && b.memoryMD == besideNotes(b.notes) {
		b.memoryMD = "" // it moves with the notes
	}
	own := map[string]string{"notes.dir": b.notes, "notes.memory_md": b.memoryMD}
	if b.store != "" {
		own["store"] = b.store
	}
	if recorded { // earlier versions let all brains share the file
		own["core.file"] = ""
	}
	return own
}

func besideNotes(dir string) string { return filepath.Join(filepath.Dir(dir), "MEMORY.md") }

// withBrain returns the settings of a brain without flags; none if they are invalid.
func (l Loaded) withBrain(name string, env func(string) string) (Loaded, bool) {
	other, err := load(Input{Env: env, Flags: map[string]string{"brain": name}}, l.doc)
	return other, err == nil
}

// Default returns the settings of the default brain without flags; none if they are
// invalid.
func (l Loaded) Default() (Loaded, bool) { return l.withBrain(DefaultBrain, l.in.Env) }

// keepSharedNotes lets a brain of an earlier version, in which all brains shared the notes
// folder of the settings, keep that folder if it belongs to this brain.
func (l *Loaded) keepSharedNotes() {
	notShared := func(name string) string { // a variable that was set since then
		if strings.HasPrefix(name, "BRAINBRIDGE_NOTES_") {
			return ""
		}
		return l.in.Env(name)
	}
	for _, env := range []func(string) string{l.in.Env, notShared} {
		shared, ok := l.withBrain(DefaultBrain, env)
		if ok && notesOwner(shared.Paths.NotesDir) == l.Config.Brain {
			n := &l.Config.Notes
			n.Dir, l.Origin["notes.dir"] = shared.Config.Notes.Dir, shared.Origin["notes.dir"]
			if n.MemoryMD == "" {
				n.MemoryMD, l.Origin["notes.memory_md"] = shared.Config.Notes.MemoryMD, shared.Origin["notes.memory_md"]
			}
			return
		}
	}
}

// keepMemoryMDApart moves MEMORY.md away from that of another brain: notes folders may be
// side by side.
func (l *Loaded) keepMemoryMDApart(base places) {
	d, ok := l.Default()
	taken := ok && d.Paths.MemoryMD == l.Paths.MemoryMD
	for name, b := range l.brains {
		taken = taken || name != l.Config.Brain && base.absolute(b.memoryMD, filepath.Dir(l.doc.file)) == l.Paths.MemoryMD
	}
	if taken {
		l.Paths.MemoryMD = filepath.Join(base.personal, "MEMORY.md")
		l.Config.Notes.MemoryMD = l.Paths.MemoryMD
	}
}

// CheckNotes returns an error if the notes folder that a flag names, or that a brain without
// one would get, belongs to another brain, or is in the notes folder of another one or around it.
func (l Loaded) CheckNotes() error {
	if l.Origin["notes.dir"] != FromFlag && (l.Config.Brain == DefaultBrain || l.own["notes.dir"] != "") {
		return nil // it was chosen before
	}
	dir := l.Paths.NotesDir
	owner := notesOwner(dir)
	for _, name := range append(l.Brains(), DefaultBrain) {
		other, ok := l.withBrain(name, l.in.Env)
		if owner == "" && ok && name != l.Config.Brain && (contains(other.Paths.NotesDir, dir) || contains(dir, other.Paths.NotesDir)) {
			owner = name
		}
	}
	if owner == "" || owner == l.Config.Brain {
		return nil
	}
	return fault("%s has the notes of the brain %s", shown(dir), owner).of("notes.dir").hint("name another folder with --notes")
}

// contains reports whether a path is a folder or below it.
func contains(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// notesOwner returns the brain that a notes folder belongs to, "" if none has claimed it.
// Package notes writes the file.
func notesOwner(dir string) string {
	var owner struct {
		Brain string `json:"brain"`
	}
	if raw, err := os.ReadFile(filepath.Join(dir, ".brainbridge")); err == nil {
		_ = json.Unmarshal(raw, &owner) // package notes reports a damaged file
	}
	return owner.Brain
}

// Recorded reports whether the settings have the store of a brain.
func (l Loaded) Recorded(name string) bool { return l.brains[name].store != "" }

// Unrecorded reports whether a brain was made on this machine by an earlier version, which
// did not write its store to the settings.
func (l Loaded) Unrecorded(name string) bool {
	_, err := os.Stat(filepath.Join(filepath.Dir(l.Paths.Data), name))
	return err == nil && name != DefaultBrain && l.brains[name].store == "" && checkBrain(name) == nil
}

// Brains returns the names of the brains that the settings name or that have a database
// file in the data folder, in order.
func (l Loaded) Brains() []string {
	dataDir, file := filepath.Dir(filepath.Dir(l.Paths.Database)), filepath.Base(l.Paths.Database)
	names, _ := fs.Glob(os.DirFS(dataDir), "*/"+file) // the names are only a hint
	for i, path := range names {
		names[i] = filepath.Dir(path)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return checkBrain(name) != nil }) // of test memories
	names = slices.AppendSeq(names, maps.Keys(l.brains))
	slices.Sort(names)
	return slices.Compact(names)
}

// MayBeInDefaultFile reports whether the brain may be in its default file although another
// store is set: earlier versions had one store for all brains.
func (l Loaded) MayBeInDefaultFile() bool {
	_, err := os.Stat(l.Paths.Database)
	return err == nil && l.Config.Brain != DefaultBrain && l.own["store"] == "" && l.Origin["store"] != FromFlag && !l.UsesDefaultFile()
}

// InDefaultFile returns the settings with the default file as the store.
func (l Loaded) InDefaultFile() Loaded {
	l.Config.Store, l.Origin = KindSQLite+":"+l.Paths.Database, maps.Clone(l.Origin)
	l.Origin["store"] = FromDefault
	return l
}

// brainRows returns the settings of the brains other than the default one.
func (l Loaded) brainRows() []Setting {
	var all []Setting
	for _, name := range l.Brains() {
		other, ok := l.withBrain(name, l.in.Env)
		if !ok || name == DefaultBrain || other.MayBeInDefaultFile() {
			continue
		}
		table := brainsTable + "." + name + "."
		all = append(all, Setting{table + "store", other.Config.Store, other.Origin["store"]},
			Setting{table + "notes", other.Paths.NotesDir, other.Origin["notes.dir"]},
			Setting{table + "memory_md", other.Paths.MemoryMD, other.Origin["notes.memory_md"]})
	}
	return all
}

// OwnKey returns the key below [brains.NAME] that the brain has instead of a key of the
// default brain, "" if they share the key.
func (l Loaded) OwnKey(key string) string {
	field := map[string]string{"store": "store", "notes.dir": "notes", "notes.memory_md": "memory_md"}[key]
	if _, own := l.own[key]; !own || field == "" {
		return ""
	}
	return brainsTable + "." + l.Config.Brain + "." + field
}

// Record writes the store, the notes folder and MEMORY.md of the brain to the config file,
// as far as it does not have them: all of them for a brain other than the default one, of
// which only those that flags name. It changes no setting of another brain.
func (l Loaded) Record() error {
	table := brainsTable + "." + l.Config.Brain + "."
	var changed [][2]string
	for _, v := range []struct{ key, own, value string }{
		{"store", table + "store", l.Config.Store},
		{"notes.dir", table + "notes", l.Paths.NotesDir},
		{"notes.memory_md", table + "memory_md", l.Paths.MemoryMD},
	} {
		given := l.Origin[v.key] == FromFlag
		switch {
		case l.Config.Brain != DefaultBrain && (given || l.own[v.key] == ""):
			changed = append(changed, [2]string{v.own, v.value})
		case l.Config.Brain == DefaultBrain && given:
			changed = append(changed, [2]string{v.key, v.value})
		}
	}
	if len(changed) == 0 {
		return nil
	}
	return setAll(l.Paths.ConfigFile, changed)
}
