package app

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
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

// mainWorkTree returns the main work tree of any, for a bare repository its folder without .git.
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

// folderProject is the stored project of a folder.
type folderProject struct {
	Folder  string `json:"folder"`
	Project string `json:"project"`
}

func (s *AgentSessions) projects() string { return filepath.Join(s.dir, "projects") }

// ProjectOf returns the project of a session in a folder, and stores it if asked to. For a
// folder that no longer exists, as a linked work tree, or is on another machine, it returns
// the stored project, or the name of the recorded repository, or the work tree around it, or
// its own name. An unknown folder has no project.
func (s *AgentSessions) ProjectOf(folder, repository string, store bool) string {
	if folder == "" {
		return ""
	}
	folder = filepath.Clean(folder)
	path := fileOf(s.projects(), folder)
	known, _ := get[folderProject](path) // it is determined again
	now := folderProject{folder, known.Project}
	if _, err := os.Stat(folder); err == nil {
		now.Project = ProjectAt(folder)
	} else if known.Folder == "" {
		now.Project = lostProject(folder, repository)
	}
	if store && now != known && durable.MakeDir(s.projects(), durable.PrivateDir) == nil {
		_ = put(path, now) // the next session in the folder tries again
	}
	return now.Project
}

func lostProject(folder, repository string) string {
	last := func(path string) string { return path[strings.LastIndexAny(path, `/\:`)+1:] }
	folder, _, _ = strings.Cut(folder, filepath.FromSlash("/.claude/worktrees/")) // of that clone
	name := cmp.Or(strings.TrimSuffix(last(strings.TrimRight(repository, "/")), ".git"), ProjectAt(folder), last(folder))
	if !brain.IsWord(name, brain.MaxName) {
		return ""
	}
	return name
}

// ProjectHere returns the project of the working directory.
func ProjectHere() string {
	folder, err := os.Getwd()
	if err != nil {
		return "" // the folder no longer exists
	}
	return ProjectAt(folder)
}
