package service

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"text/template"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// Command runs a program to its end and returns its output and error output. If
// there is no such program it is [exec.ErrNotFound].
type Command func(ctx context.Context, name string, args ...string) (output string, err error)

// manager describes the service manager of a system. In its commands NAME is the
// service, and FILE its file.
type manager struct {
	kind     string
	name     func(brain string) string // of the service
	ext      string                    // of the file, after the name of the service
	comment  string                    // format of a comment in the file
	template string                    // of the file
	funcs    template.FuncMap

	program string
	unloads bool     // it does not read a file again, and cannot stop what is not loaded
	start   []string // to load the file, and run the service now and at each login
	stop    []string // to end the service; systemd then does not start it at login either
	reload  []string // after the file was removed
	query   string   // for the state
	state   func(output string) State
	// unknownText is in the output for a service that is not loaded; "" if a query
	// does not fail then.
	unknownText string
	hint        string // for a command that fails
}

func (m manager) render(spec Spec) (string, error) {
	t, err := template.New(m.kind).Funcs(m.funcs).Parse(m.template)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = t.Execute(&b, struct {
		Spec
		Label string
	}{spec, m.name(spec.Brain)})
	return b.String(), err
}

// ask gives commands to the manager, and returns the output of the last.
func (s *Service) ask(ctx context.Context, at Location, commands ...string) (output string, err error) {
	for _, command := range commands {
		args := strings.Fields(command)
		for i, arg := range args {
			args[i] = strings.NewReplacer("NAME", at.Name, "FILE", at.File).Replace(arg)
		}
		if output, err = s.run(ctx, s.manager.program, args...); err != nil {
			return output, s.refused(args, output, err)
		}
	}
	return output, nil
}

// refused returns the error of a command that failed.
func (s *Service) refused(args []string, said string, err error) error {
	program := s.manager.program
	if errors.Is(err, exec.ErrNotFound) {
		return brain.Errorf(brain.ErrUnavailable, "start `brainbridge serve` with the service manager of this system", "there is no %s here", program)
	}
	if said == "" {
		said = err.Error()
	}
	return brain.Errorf(brain.ErrUnavailable, s.manager.hint, "%s %s: %s", program, strings.Join(args, " "), plaintext.OneLine(said))
}

// state returns the state of a service.
func (s *Service) state(ctx context.Context, at Location) (State, error) {
	output, err := s.ask(ctx, at, s.manager.query)
	if unknown := s.manager.unknownText; err != nil && unknown != "" && strings.Contains(output, unknown) {
		return State{Detail: "not loaded"}, nil
	}
	if err != nil {
		return State{}, err
	}
	return s.manager.state(output), nil
}

func (s *Service) start(ctx context.Context, at Location) error {
	if s.manager.unloads {
		if err := s.stop(ctx, at); err != nil {
			return err
		}
	}
	_, err := s.ask(ctx, at, s.manager.start...)
	return err
}

func (s *Service) stop(ctx context.Context, at Location) error {
	if s.manager.unloads {
		if st, err := s.state(ctx, at); err != nil || !st.Loaded {
			return err
		}
	}
	_, err := s.ask(ctx, at, s.manager.stop...)
	return err
}
