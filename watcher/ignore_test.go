package watcher

import "testing"

func TestIgnored(t *testing.T) {
	temporary := []string{
		"", ".", ".hidden", ".brainbridge", ".#note.md", ".note.md.swp", "note.md~", "#note.md#",
		"note.md.swp", "x.swx", "x.SWO", "4913", "note.tmp", "note.md.TMP", "note.md___jb_tmp___",
		"note.md___jb_old___", "movie.crdownload", "a.part", "b.partial", "~$report.md", "note.md.sb-1a2b3c-XyZ",
		".goutputstream-ABC", "~syncthing~note.md.tmp", "note.md.~1~",
	}
	for _, name := range temporary {
		if !Ignored(name) {
			t.Errorf("%q is a temporary file, but counts", name)
		}
	}
	kept := []string{
		"2026-02-05.md", "note", "#tag.md", "a~b.md", "4913.md", "swp", "tmp", "parts.md",
		"note.tmpl", "my.part.md", "C#", "#", "größe.md", "~note.md",
	}
	for _, name := range kept {
		if Ignored(name) {
			t.Errorf("%q is a person's file, but is ignored", name)
		}
	}
}
