package sessions

import (
	"os"
	"path/filepath"

	"github.com/brainbridge/brainbridge/brain"
)

// ProjectAt returns the project of a folder: the name of the git work tree that it
// is in, "" for none.
func ProjectAt(folder string) string {
	for {
		if _, err := os.Stat(filepath.Join(folder, ".git")); err == nil {
			break
		}
		above := filepath.Dir(folder)
		if above == folder {
			return ""
		}
		folder = above
	}
	if name := filepath.Base(folder); brain.IsWord(name, brain.MaxName) {
		return name
	}
	return "" // not a valid name of a project
}

// ProjectHere returns the project of the working directory.
func ProjectHere() string {
	folder, err := os.Getwd()
	if err != nil {
		return "" // the folder is gone
	}
	return ProjectAt(folder)
}
