//go:build !linux

package unprivileged

import (
	"errors"
	"os/exec"
)

// withoutRights always fails: only Linux takes single rights from root.
func withoutRights(*exec.Cmd) ([]byte, error) {
	return nil, errors.New("this system cannot take rights from root; run the tests as another user")
}
