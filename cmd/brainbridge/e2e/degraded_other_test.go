//go:build !linux

package e2e

import "errors"

func serveWithoutEvents(string) error {
	return errors.New("only Linux can take file events from a process")
}
