package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"time"
)

// built is the page as `make page` builds it.
//
//go:embed ui/dist
var built embed.FS

// PageFiles serves the files of the page. Every other address that has no dot is a view, so that a
// link to one can be opened.
func PageFiles() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := path.Base(r.URL.Path)
		if path.Ext(name) == "" || path.Dir(r.URL.Path) != "/" {
			name = "index.html"
		}
		text, err := fs.ReadFile(built, "ui/dist/"+name)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		sum := sha256.Sum256(text)
		w.Header().Set("ETag", `"`+hex.EncodeToString(sum[:8])+`"`)
		w.Header().Set("Cache-Control", "no-cache")
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(text))
	})
}
