package exchange

import (
	"bufio"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// Claude Code names the folder of a project after the path of its work tree, each character but
// letters and digits replaced: -home-mara-code-tea-shop.
var codeFolder = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:-[A-Za-z]:?-)?-?(?:Users|home)-[^-]+-(?:(?:[Cc]ode|[Ss]rc|[Ww]ork|[Pp]rojects|[Rr]epos|[Dd]ev|git|[Gg]it[Hh]ub|[Dd]ocuments|[Dd]esktop|[Dd]eveloper|[Ww]orkspace)-)*(.+)$`)
})

// codeProject returns the project of a file in the memory of Claude Code: that of the folder in
// which a session beside it ran, else as its folder is named; "" for any other file.
func (r *reader) codeProject() string {
	above, _, inMemory := strings.Cut(filepath.ToSlash(r.file.path), "/"+memoryFolder+"/")
	folder := filepath.Base(above)
	if !inMemory || !strings.HasPrefix(folder, "-") {
		return ""
	}
	if at := sessionFolder(filepath.FromSlash(above)); at != "" {
		name := ""
		if r.o.HomeOf != nil {
			name = r.o.HomeOf(at)
		}
		return cmp.Or(name, filepath.Base(at))
	}
	if found := codeFolder().FindStringSubmatch(folder); found != nil {
		return found[1]
	}
	return folder[strings.LastIndex(folder, "-")+1:]
}

// sessionFolder returns the folder in which one of the sessions in dir ran, "" if none says so.
func sessionFolder(dir string) string {
	files, _ := filepath.Glob(filepath.Join(dir, "*.jsonl")) // the pattern is valid
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			continue
		}
		lines := bufio.NewScanner(f)
		for n := 0; n < 20 && lines.Scan(); n++ {
			var line struct{ CWD string }
			if json.Unmarshal(lines.Bytes(), &line) == nil && line.CWD != "" {
				_ = f.Close() // it was only read
				return line.CWD
			}
		}
		_ = f.Close()
	}
	return ""
}
