package sessions

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
