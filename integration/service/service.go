package service

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

// Spec is what the service runs.
type Spec struct {
	Brain   string   // whose daemon it is; it names the service
	Program string   // absolute path
	Args    []string // all of them, the command included
	Env     []string // NAME=VALUE, in the order in which they are written
	Log     string   // where launchd puts what the daemon says; systemd has its journal
}

// State is how a service stands.
type State struct {
	Loaded  bool   // the manager knows it
	Enabled bool   // it starts by itself
	Active  bool   // it runs, or is being started
	Detail  string // in the manager's own words
}

// system is what starts services on one kind of machine.
type system interface {
	kind() string
	// name of the service of a brain, and of its file in the folder.
	name(brain string) string
	file(brain string) string
	render(Spec) (string, error)
	// comment makes one line of the file's grammar that says nothing to it.
	comment(text string) string
	// start has the manager read the file and run the service, now and later.
	start(ctx context.Context, name, path string) error
	// stop ends the service and keeps it from starting; one that is not known
	// is no error.
	stop(ctx context.Context, name, path string) error
	// removed tells the manager that the file is gone.
	removed(ctx context.Context) error
	state(ctx context.Context, name string) (State, error)
	// linger reports whether services run while nobody is logged in; nil where
	// that cannot be.
	linger(ctx context.Context) *bool
}

// Service is the daemon of brains, as a service of this machine.
type Service struct {
	system system
	folder string
	now    func() time.Time
}

// Kind names the manager: systemd or launchd.
func (s *Service) Kind() string { return s.system.kind() }

// Name is what the manager calls the service of a brain.
func (s *Service) Name(brainName string) string { return s.system.name(brainName) }

// Path is the file of the service of a brain.
func (s *Service) Path(brainName string) string {
	return filepath.Join(s.folder, s.system.file(brainName))
}

// Plan is what an installation would write.
type Plan struct {
	Path   string
	Text   string
	Exists bool // there is a file
	Same   bool // and it is this one
	Edited bool // and somebody else wrote or changed it
}

// Plan renders the file and looks at what is there. It changes nothing.
func (s *Service) Plan(spec Spec) (Plan, error) {
	if err := check(spec); err != nil {
		return Plan{}, err
	}
	text, err := s.system.render(spec)
	if err != nil {
		return Plan{}, fmt.Errorf("write the service: %w", err)
	}
	p := Plan{Path: s.Path(spec.Brain), Text: s.sealed(text)}
	there, exists, err := read(p.Path)
	p.Exists, p.Same, p.Edited = exists, exists && there == p.Text, exists && !s.intact(there)
	return p, err
}

// check refuses what no file of a service can hold.
func check(spec Spec) error {
	for _, text := range append(append([]string{spec.Program, spec.Log}, spec.Args...), spec.Env...) {
		if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\ufffd' }) {
			return brain.Errorf(brain.ErrInvalid, "use paths and settings in plain UTF-8, without new lines and tabs",
				"a service cannot be given %q", text)
		}
	}
	return nil
}

// Install writes the file, and starts the service now and whenever the manager
// does. What a person changed in the file is kept beside it under the name that
// it returns, else "". Doing it twice is doing it once, but that the daemon is
// started anew.
func (s *Service) Install(ctx context.Context, spec Spec) (p Plan, kept string, err error) {
	if p, err = s.Plan(spec); err != nil {
		return p, "", err
	}
	if p.Edited {
		if kept, err = s.keepAside(p.Path); err != nil {
			return p, "", err
		}
	}
	if !p.Same {
		if err := s.write(p); err != nil {
			return p, kept, err
		}
	}
	return p, kept, s.system.start(ctx, s.Name(spec.Brain), p.Path)
}

func (s *Service) write(p Plan) error {
	err := durable.MakeDir(s.folder, 0o755)
	if err == nil {
		err = durable.WriteFile(p.Path, []byte(p.Text), durable.Options{Mode: 0o644})
	}
	if err != nil {
		return brain.Errorf(brain.ErrUnavailable, "check that you may write there", "write the service: %v", err)
	}
	return nil
}

// Installed is nil if there is a file for the service of a brain, else
// [brain.ErrNotFound].
func (s *Service) Installed(brainName string) error {
	path := s.Path(brainName)
	_, exists, err := read(path)
	if err == nil && !exists {
		err = brain.Errorf(brain.ErrNotFound, "`brainbridge service install` installs it", "there is no service %s", path)
	}
	return err
}

// Uninstall stops the service of a brain and removes its file; one that a
// person changed is kept under the name that it returns. Without a file it is
// [brain.ErrNotFound].
func (s *Service) Uninstall(ctx context.Context, brainName string) (kept string, err error) {
	if err := s.Installed(brainName); err != nil {
		return "", err
	}
	path := s.Path(brainName)
	text, _, err := read(path)
	if err != nil {
		return "", err
	}
	if err := s.system.stop(ctx, s.Name(brainName), path); err != nil {
		return "", err
	}
	if s.intact(text) {
		err = os.Remove(path)
	} else {
		kept, err = s.keepAside(path)
	}
	if err != nil {
		return "", fmt.Errorf("remove the service: %w", err)
	}
	return kept, s.system.removed(ctx)
}

// Status is how the service of a brain stands.
type Status struct {
	Installed bool
	Edited    bool
	Linger    *bool // nil where services do not depend on a login, or nobody can tell
	State
}

// Status looks at the service of a brain. A manager that does not answer is an
// error only where there is a file.
func (s *Service) Status(ctx context.Context, brainName string) (Status, error) {
	text, exists, err := read(s.Path(brainName))
	if err != nil || !exists {
		return Status{}, err
	}
	st := Status{Installed: true, Edited: !s.intact(text), Linger: s.system.linger(ctx)}
	st.State, err = s.system.state(ctx, s.Name(brainName))
	return st, err
}

// Active reports whether the manager runs the service of a brain now.
func (s *Service) Active(ctx context.Context, brainName string) bool {
	st, err := s.Status(ctx, brainName)
	return err == nil && st.Active
}

// Linger reports whether services run while nobody is logged in; nil where
// nobody can tell.
func (s *Service) Linger(ctx context.Context) *bool { return s.system.linger(ctx) }
