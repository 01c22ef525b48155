// Package service installs the daemon as a service that starts at login and
// restarts after a crash: a systemd user unit on Linux, a LaunchAgent on macOS.
// Nothing here needs root.
//
// The last line of the file that it writes has a hash of the lines before it. So an edit by
// a person is recognised, and the edited file is kept next to the new one.
package service

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

// Spec describes the service to install.
type Spec struct {
	Program string   // absolute path
	Args    []string // including the subcommand
	Env     []string // NAME=VALUE, in the order in which they are written
	Log     string   // file for the output under launchd; systemd has its journal
}

// State is the state of a service.
type State struct {
	Loaded  bool         `json:"-"`       // the manager knows it
	Enabled bool         `json:"enabled"` // it starts at login
	Active  bool         `json:"active"`  // it runs, or is starting
	Detail  brain.OrNull `json:"state"`   // in the words of the manager
}

// Service manages the daemon of a brain as a service.
type Service struct {
	Location
	manager manager
	brain   string
	account string // user name, if services may run while it is not logged in
	run     runFunc
	now     func() time.Time
}

// Location has the name and the file of a service.
type Location struct {
	Manager string `json:"manager"` // systemd or launchd
	Name    string `json:"name"`
	File    string `json:"file"`
}

// signature returns the signature that marks files written by this program.
func (s *Service) signature() durable.Signature {
	return durable.Signature{
		Comment: s.manager.comment, Note: "written by brainbridge service install; changes are kept aside by the next; sha256 ", HashBytes: sha256.Size,
	}
}

// Plan is the file that an installation would write, or wrote.
type Plan struct {
	Text      string       `json:"text"`
	Same      bool         `json:"unchanged"` // the file is already up to date
	Edited    bool         `json:"edited"`    // a person wrote or changed the file
	KeptAside brain.OrNull `json:"keptAside"` // the edited file after an installation
}

// Plan renders the file and compares it with the present one. It changes nothing.
func (s *Service) Plan(spec Spec) (Plan, error) {
	if err := check(spec); err != nil {
		return Plan{}, err
	}
	text, err := s.render(spec)
	if err != nil {
		return Plan{}, fmt.Errorf("render the service file: %w", err)
	}
	p := Plan{Text: s.signature().Sign(text)}
	current, exists, err := s.read()
	p.Same, p.Edited = exists && current == p.Text, exists && !s.signature().Signed(current)
	return p, err
}

// read returns the file of the service, if there is one. A dangling link is one, too, but
// without text.
func (s *Service) read() (text string, exists bool, err error) {
	_, missing := os.Lstat(s.File)
	data, err := durable.ReadFile(s.File)
	return string(data), missing == nil, brain.Wrap(err, "read the service file")
}

// check returns an error for text that the file of a service cannot contain.
func check(spec Spec) error {
	for _, text := range slices.Concat([]string{spec.Program, spec.Log}, spec.Args, spec.Env) {
		if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\ufffd' }) {
			return brain.Errorf(brain.ErrInvalid, "use paths and settings in plain UTF-8, without new lines and tabs",
				"a service cannot be given %q", text)
		}
	}
	return nil
}

// Install writes the file and starts the service, now and at each login. A file that a
// person changed is kept.
func (s *Service) Install(ctx context.Context, spec Spec) (Plan, error) {
	p, err := s.Plan(spec)
	if err == nil && p.Edited {
		p.KeptAside, err = s.renameEdited()
	}
	if err != nil {
		return p, err
	}
	if !p.Same {
		err = durable.MakeDir(filepath.Dir(s.File), 0o755)
		if err == nil {
			err = durable.WriteFile(s.File, []byte(p.Text), durable.Options{Mode: 0o644})
		}
		if err != nil {
			return p, brain.Errorf(brain.ErrUnavailable, "check that you may write there", "write the service file: %v", err)
		}
	}
	return p, s.start(ctx)
}

// renameEdited renames the file to a free name that no service manager reads.
func (s *Service) renameEdited() (brain.OrNull, error) {
	base := s.File + ".kept-" + s.now().UTC().Format("20060102T150405Z")
	kept, err := durable.RenameToFree(s.File, func(n int) string {
		if n > 1 {
			return fmt.Sprintf("%s-%d", base, n)
		}
		return base
	})
	return brain.OrNull(kept), err
}

// Uninstall stops the service and removes its file; one that a person edited is kept as kept.
// Without a file it returns [brain.ErrNotFound]. A dry run only looks for the file.
func (s *Service) Uninstall(ctx context.Context, dry bool) (kept brain.OrNull, err error) {
	text, exists, err := s.read()
	if err == nil && !exists {
		err = brain.Errorf(brain.ErrNotFound, "`brainbridge service install` installs it", "there is no service %s", s.File)
	}
	if err != nil || dry {
		return "", err
	}
	if err := s.stop(ctx); err != nil {
		return "", err
	}
	if s.signature().Signed(text) {
		err = os.Remove(s.File)
	} else {
		kept, err = s.renameEdited()
	}
	if err != nil {
		return "", fmt.Errorf("remove the service: %w", err)
	}
	_, err = s.ask(ctx, s.manager.reload...)
	return kept, err
}

// Status describes a service.
type Status struct {
	Installed bool  `json:"installed"`
	Edited    bool  `json:"edited"`
	Linger    *bool `json:"linger"` // see [Service.Linger]
	State
}

// Status returns the status of the service. It asks the manager only if there is a file.
func (s *Service) Status(ctx context.Context) (Status, error) {
	text, exists, err := s.read()
	if err != nil || !exists {
		return Status{}, err
	}
	st := Status{Installed: true, Edited: !s.signature().Signed(text), Linger: s.Linger(ctx)}
	st.State, err = s.state(ctx)
	return st, err
}

// Linger reports whether services run while nobody is logged in; nil if that is not known.
func (s *Service) Linger(ctx context.Context) *bool {
	if s.account == "" {
		return nil
	}
	output, err := s.run(ctx, "loginctl", "show-user", "--property=Linger", s.account)
	on, known := properties(output)["Linger"]
	if err != nil || !known { // loginctl does not know users without a session
		return nil
	}
	return new(on == "yes")
}

// New returns the service of a brain on this system, with the folders in the environment.
func New(env func(name string) string, now func() time.Time, brainName string) (*Service, error) {
	home := env("HOME")
	if home == "" {
		return nil, brain.Errorf(brain.ErrInvalid, "set HOME to your home folder", "HOME is not set, and services belong below it")
	}
	switch runtime.GOOS {
	case "linux":
		folder := env("XDG_CONFIG_HOME")
		if !filepath.IsAbs(folder) {
			folder = filepath.Join(home, ".config")
		}
		return systemd(filepath.Join(folder, "systemd", "user"), account(), brainName, runProgram, now), nil
	case "darwin":
		return launchd(filepath.Join(home, "Library", "LaunchAgents"), os.Getuid(), brainName, runProgram, now), nil
	}
	return nil, brain.Errorf(brain.ErrUnavailable, "have it run `brainbridge serve`",
		"brainbridge does not know the service manager of %s", runtime.GOOS)
}

// account returns the name of the user, or the number if it has no name.
func account() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return strconv.Itoa(os.Getuid())
}

// runProgram is the [runFunc] that starts a process. Over ssh or sudo the folder of
// the user's service manager may be missing from the environment.
func runProgram(ctx context.Context, name string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Env = os.Environ()
	folder := "/run/user/" + strconv.Itoa(os.Getuid())
	if _, err := os.Stat(folder); err == nil && os.Getenv("XDG_RUNTIME_DIR") == "" {
		c.Env = append(c.Env, "XDG_RUNTIME_DIR="+folder)
	}
	out, err := c.CombinedOutput()
	return string(out), err
}
