package service

import (
	"context"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// New returns the service manager of this system, with the folders of the user that
// the environment names.
func New(env func(name string) string, now func() time.Time) (*Service, error) {
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
		return Systemd(filepath.Join(folder, "systemd", "user"), account(), runProgram, now), nil
	case "darwin":
		return Launchd(filepath.Join(home, "Library", "LaunchAgents"), os.Getuid(), runProgram, now), nil
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

// runProgram is the [Command] that starts a process. Over ssh or sudo the folder of
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
