package sessions

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
)

// ProjectAt returns the project of a folder: the name of the git work tree that it
// is in, "" for none. A linked work tree counts as the main one.
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
	if name := filepath.Base(mainWorkTree(folder)); brain.IsWord(name, brain.MaxName) {
		return name
	}
	return "" // not a valid name of a project
}

// mainWorkTree returns the main work tree of a repository from any of its work trees.
// Of a bare repository it is its folder without ".git".
func mainWorkTree(folder string) string {
	link, err := os.ReadFile(filepath.Join(folder, ".git"))
	dir, linked := strings.CutPrefix(strings.TrimSpace(string(link)), "gitdir: ")
	if err != nil || !linked {
		return folder
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(folder, dir)
	}
	common, err := os.ReadFile(filepath.Join(dir, "commondir"))
	if err != nil {
		return folder // a submodule
	}
	dir = filepath.Join(dir, strings.TrimSpace(string(common)))
	if filepath.Base(dir) == ".git" {
		return filepath.Dir(dir)
	}
	return strings.TrimSuffix(dir, ".git")
}

// ProjectHere returns the project of the working directory.
func ProjectHere() string {
	folder, err := os.Getwd()
	if err != nil {
		return "" // the folder is gone
	}
	return ProjectAt(folder)
}
