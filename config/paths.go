package config

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
)

// Paths are the files and folders of one brain, all absolute.
type Paths struct {
	ConfigFile string // may not exist
	Data       string // folder of the brain's database and archive
	State      string // folder of its logs, spool, token, locks, socket
	Database   string // of the SQLite store, unless store names another
	Models     string // folder of the sentence model, of all brains
	Archive    string // folder of forgotten memories
	Backups    string // folder of backups
	Token      string // for the HTTP server of the daemon
	Spool      string // folder of captures waiting for the store
	RunLog     string // consolidation.log
	DaemonLog  string // daemon.log
	NotesDir   string
	MemoryMD   string // the file with the curated block
	CoreFile   string // core-memory.json
}

// places are the folders that do not depend on the brain.
type places struct {
	home        string // of the user; may be empty with BRAINBRIDGE_HOME
	working     string
	config      string // the file
	data, state string
	personal    string // folder of memory/
}

// findPlaces uses BRAINBRIDGE_HOME or, if it is not set, the XDG base directories. A
// relative XDG directory counts as unset, as its specification says.
func findPlaces(env func(string) string) (places, error) {
	p := places{home: env("HOME")}
	var err error
	if p.working, err = os.Getwd(); err != nil {
		p.working = "/"
	}
	if root := env("BRAINBRIDGE_HOME"); root != "" {
		root = p.absolute(root, p.working)
		p.config = filepath.Join(root, "config.toml")
		p.data, p.state, p.personal = filepath.Join(root, "data"), filepath.Join(root, "state"), root
		return p, nil
	}
	if p.home == "" {
		if p.home, err = os.UserHomeDir(); err != nil {
			return places{}, fault("there is no home folder: HOME is not set").hint("set BRAINBRIDGE_HOME to a folder for all files")
		}
	}
	p.config = filepath.Join(xdg(env, "XDG_CONFIG_HOME", p.home, ".config"), "brainbridge", "config.toml")
	p.data = filepath.Join(xdg(env, "XDG_DATA_HOME", p.home, ".local/share"), "brainbridge")
	p.state = filepath.Join(xdg(env, "XDG_STATE_HOME", p.home, ".local/state"), "brainbridge")
	p.personal = filepath.Join(p.home, "brainbridge")
	return p, nil
}

func xdg(env func(string) string, name, home, fallback string) string {
	if dir := env(name); filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(home, filepath.FromSlash(fallback))
}

// absolute resolves ~, and a path relative to folder.
func (p places) absolute(path, folder string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok && p.home != "" && (rest == "" || rest[0] == '/') {
		return filepath.Join(p.home, rest)
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(folder, path)
}

// setPaths sets all paths. fileDir is the folder of the config file.
func (l *Loaded) setPaths(base places, fileDir string) {
	c, p := &l.Config, &l.Paths
	folder := func(key string) string { // that relative paths are relative to
		if l.Origin[key] == FromFile {
			return fileDir
		}
		return base.working
	}
	for _, k := range keys(c) {
		if k.isPath {
			base.makeAbsolute(k.field, folder(k.name))
		}
	}
	p.Database = filepath.Join(base.data, c.Brain, "brain.db")
	p.Models = filepath.Join(base.data, "models")
	p.Data, p.State = filepath.Join(base.data, l.StoredBrain()), filepath.Join(base.state, l.StoredBrain())
	p.Spool = filepath.Join(p.State, "spool")
	p.Token = filepath.Join(p.State, "token")
	p.RunLog = filepath.Join(p.State, "consolidation.log")
	p.DaemonLog = filepath.Join(p.State, "daemon.log")

	if l.Test { // regardless of the settings, so that no files of the brain itself are written
		c.Notes.Dir, c.Notes.MemoryMD, c.Backup.Dir, c.Core.File = "", "", "", ""
		base.personal = p.Data
	}
	other := c.Brain != DefaultBrain && !l.Test
	if other {
		base.personal = filepath.Join(base.personal, brainsTable, c.Brain)
	}
	besideOwn := other && c.Notes.MemoryMD == "" && l.Origin["notes.dir"] != FromDefault
	c.Notes.Dir = cmp.Or(c.Notes.Dir, filepath.Join(base.personal, "memory"))
	p.Archive = filepath.Join(p.Data, "archive")
	c.Backup.Dir = cmp.Or(c.Backup.Dir, filepath.Join(p.Data, "backups"))
	c.Notes.MemoryMD = cmp.Or(c.Notes.MemoryMD, besideNotes(c.Notes.Dir))
	c.Core.File = cmp.Or(c.Core.File, filepath.Join(p.Data, "core-memory.json"))
	p.NotesDir, p.MemoryMD, p.Backups, p.CoreFile = c.Notes.Dir, c.Notes.MemoryMD, c.Backup.Dir, c.Core.File
	c.Store = base.absoluteStore(c.Store, p.Database, folder("store"))
	if besideOwn {
		l.keepMemoryMDApart(base)
	}
}

// makeAbsolute makes the paths in a setting absolute.
func (p places) makeAbsolute(field any, folder string) {
	switch f := field.(type) {
	case *string:
		if *f != "" {
			*f = p.absolute(*f, folder)
		}
	case *[]string:
		for i, path := range *f {
			if pattern, leaveOut := strings.CutPrefix(path, "!"); !leaveOut {
				(*f)[i] = p.absolute(path, folder)
			} else if filepath.IsAbs(pattern) || strings.HasPrefix(pattern, "~") {
				(*f)[i] = "!" + p.absolute(pattern, folder)
			} else { // wherever the file is
				(*f)[i] = "!**/" + strings.TrimPrefix(pattern, "**/")
			}
		}
	}
}

// absoluteStore returns the URI with an absolute path if it is a SQLite store.
func (p places) absoluteStore(uri, database, folder string) string {
	if uri == "" {
		return KindSQLite + ":" + database
	}
	s, err := ParseStore(uri)
	if err != nil || s.Kind != KindSQLite {
		return uri
	}
	return KindSQLite + ":" + p.absolute(s.Path, folder)
}
