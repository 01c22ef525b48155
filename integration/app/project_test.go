package app

import (
	"os"
	"path/filepath"
	"testing"
)

// A linked work tree counts as the main one, a submodule is a project of its own.
func TestProjectAt(t *testing.T) {
	top := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("shop/.git/worktrees/fix/commondir", "../..\n")
	write("shop/src/main.go", "")
	write("fix-1234/.git", "gitdir: "+top+"/shop/.git/worktrees/fix\n")
	write("fix-1234/src/main.go", "")
	write("atlas.git/worktrees/dev/commondir", "../..\n")
	write("dev/.git", "gitdir: ../atlas.git/worktrees/dev\n")
	write("shop/.git/modules/lib/HEAD", "")
	write("shop/lib/.git", "gitdir: ../.git/modules/lib\n")
	write("broken/.git", "gitdir: /nowhere\n")
	for folder, want := range map[string]string{
		"shop": "shop", "shop/src": "shop", "fix-1234": "shop", "fix-1234/src": "shop", "dev": "atlas",
		"shop/lib": "lib", "broken": "broken", ".": "",
	} {
		if got := ProjectAt(filepath.Join(top, folder)); got != want {
			t.Errorf("the project of %s is %q, want %q", folder, got, want)
		}
	}
}

// A folder that is gone has the project that it had, or the best guess. Nothing is stored
// unless it is asked for.
func TestProjectOf(t *testing.T) {
	top := t.TempDir()
	s := AgentSessionsIn(t.TempDir())
	gone := filepath.Join(top, "shop-wt2")
	if err := os.MkdirAll(filepath.Join(top, "shop", ".git", "worktrees", "wt2"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(gone, 0o700); err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{
		"shop/.git/worktrees/wt2/commondir": "../..\n", "shop-wt2/.git": "gitdir: ../shop/.git/worktrees/wt2\n",
	} {
		if err := os.WriteFile(filepath.Join(top, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, store := range []bool{false, true} {
		if got := s.ProjectOf(gone, "", store); got != "shop" {
			t.Errorf("the project of a work tree is %q", got)
		}
		if err := os.Rename(gone, gone+"-away"); err != nil {
			t.Fatal(err)
		}
		want := map[bool]string{false: "shop-wt2", true: "shop"}[store]
		if got := s.ProjectOf(gone, "", false); got != want {
			t.Errorf("once it is gone, stored %v, it is %q, want %q", store, got, want)
		}
		if err := os.Rename(gone+"-away", gone); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ folder, repository, want string }{
		{"/nowhere/maps-2", "git@example.org:me/maps.git", "maps"},
		{"/nowhere/maps-2", "https://example.org/me/maps/", "maps"},
		{"/nowhere/maps", "", "maps"},
		{"/nowhere/maps/.claude/worktrees/fix-1", "", "maps"},
		{top + "/shop/deleted/folder", "", "shop"},
		{`C:\src\maps`, "", "maps"},
		{top, "git@example.org:me/maps.git", ""},
		{"", "git@example.org:me/maps.git", ""},
	} {
		if got := s.ProjectOf(c.folder, c.repository, true); got != c.want {
			t.Errorf("the project of %q with %q is %q, want %q", c.folder, c.repository, got, c.want)
		}
	}
}
