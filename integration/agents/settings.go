package agents

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/config"
)

// settingsFile is a settings file of a person: JSON, or TOML without hooks.
type settingsFile struct {
	path      string
	hooks     []hookEvent
	servers   string // key of the MCP servers, with dots; "" if they are in another file
	variables map[string]string
}

// hookEvent is an event with a hook, and how long the agent waits for it, in its own unit.
type hookEvent struct {
	name    string
	timeout int
}

func hookEvents(timeout int, names ...string) []hookEvent {
	return brain.Map(names, func(name string) hookEvent { return hookEvent{name, timeout} })
}

func (f settingsFile) what(server string) string {
	switch {
	case f.servers == "":
		return "hooks"
	case f.hooks == nil:
		return "MCP server " + server
	}
	return "hooks and MCP server " + server
}

func (s Setup) edit(f settingsFile, data []byte, install bool) (after []byte, e serverEdit, err error) {
	if filepath.Ext(f.path) == ".toml" {
		t, err := config.ParseTOML(data)
		if err != nil {
			return nil, e, err
		}
		e, err = s.editServer(t, f, install)
		return t.Bytes(), e, err
	}
	if !install && len(bytes.TrimSpace(data)) == 0 {
		return data, e, nil
	}
	j, err := config.ParseJSON(data)
	if err != nil {
		return nil, e, err
	}
	for _, event := range f.hooks {
		if install {
			err = s.installHook(j, event)
		} else {
			err = s.removeHook(j, event.name)
		}
		if err != nil {
			return nil, e, err
		}
	}
	if f.servers != "" {
		e, err = s.editServer(j, f, install)
	}
	return j.Bytes(), e, err
}

func (p *Plan) settings(s Setup, f settingsFile, install bool) error {
	before, err := durable.ReadFile(f.path)
	if err != nil {
		return fmt.Errorf("read %s: %w", f.path, err)
	}
	after, server, err := s.edit(f, before, install)
	without := after
	if err == nil && install {
		without, _, err = s.edit(f, before, false)
	}
	if err == nil && !bytes.Equal(before, without) {
		without, err = s.restored(f, without)
	}
	var syntax *config.SyntaxError
	if errors.Is(err, config.ErrUnsafe) || errors.As(err, &syntax) && filepath.Ext(f.path) == ".json" {
		return p.byHand(s, f, before, err, install)
	}
	if err != nil {
		return brain.Errorf(brain.ErrInvalid, "repair the file, then try again; nothing was changed", "%s: %v", f.path, err)
	}
	p.Notes = append(p.Notes, server.notes...)
	if server.name != "" {
		p.server = server.name
	}
	if bytes.Equal(before, after) {
		if install {
			return nil
		}
		return p.backup(f)
	}
	if info, err := os.Stat(f.path); err == nil && info.Mode().Perm()&0o200 == 0 {
		return brain.Errorf(brain.ErrInvalid, "make it writable, then try again; nothing was changed", "%s is read-only", f.path)
	}
	if err := checkLink(f.path); err != nil {
		return err
	}
	c := Change{Path: f.path, What: f.what(server.name), before: before, after: after, mode: durable.PrivateFile} // settings may contain keys
	switch {
	case install && before != nil:
		c.backup = without
	case !install:
		c.after, c.dropBackup = without, true
	}
	p.Changes = append(p.Changes, c)
	return nil
}

// byHand says what a person has to add to a file that cannot be edited, such as one with
// comments, or remove from it. An installation that finds it there says nothing.
func (p *Plan) byHand(s Setup, f settingsFile, before []byte, reason error, install bool) error {
	if !install {
		if bytes.Contains(before, []byte("brainbridge")) {
			p.Notes = append(p.Notes, fmt.Sprintf("%s stays as it is (%v): remove brainbridge from it by hand", f.path, reason))
		}
		return nil
	}
	text, server, err := s.edit(f, nil, true)
	if err != nil {
		return err
	}
	p.server = cmp.Or(server.name, p.server)
	for line := range strings.Lines(string(text)) {
		if !bytes.Contains(before, []byte(strings.Trim(line, " \t\n,{}[]"))) {
			p.Notes = append(p.Notes, fmt.Sprintf("%s stays as it is (%v): add this to it by hand:\n%s", f.path, reason, text))
			return nil
		}
	}
	return nil
}

func (p *Plan) backup(f settingsFile) error {
	path := f.path + BackupSuffix
	before, err := durable.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the backup: %w", err)
	}
	if before != nil {
		p.Changes = append(p.Changes, Change{Path: path, What: "remove the backup", before: before})
	}
	return nil
}

// restored returns the content that a file had before the installation: that of the backup,
// unless the file was edited since; nil if there was no file.
func (s Setup) restored(f settingsFile, without []byte) ([]byte, error) {
	was, err := durable.ReadFile(f.path + BackupSuffix)
	if err != nil {
		return nil, fmt.Errorf("read the backup: %w", err)
	}
	bare, _, err := s.edit(f, was, false)
	if len(was) > 0 && (err != nil || !bytes.Equal(bare, was)) {
		return without, nil // the backup is damaged, or older
	}
	full, _, err := s.edit(f, was, true)
	if err == nil {
		full, _, err = s.edit(f, full, false)
	}
	if err != nil || !bytes.Equal(full, without) {
		return without, nil // the file was edited since
	}
	if info, err := os.Lstat(f.path); was == nil && err == nil && !info.Mode().IsRegular() {
		return without, nil // a link stays one
	}
	return was, nil
}

// checkLink refuses a link into a folder that does not exist, as on an unmounted disk.
func checkLink(path string) error {
	target, err := durable.Target(path)
	if err != nil {
		return fmt.Errorf("follow %s: %w", path, err)
	}
	if _, err := os.Stat(filepath.Dir(target)); target != path && errors.Is(err, fs.ErrNotExist) {
		return brain.Errorf(brain.ErrInvalid, "make the folder or remove the link, then try again; nothing was changed", "%s is a link to %s, whose folder does not exist", path, target)
	}
	return nil
}
