package memorymd

import "github.com/rogpeppe/go-internal/diff"

// Diff is what a plan would change, in unified form, "" for nothing.
func Diff(name string, before, after []byte) string {
	return string(diff.Diff(name, before, name+" (planned)", after))
}
