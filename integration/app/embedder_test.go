package app

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/config"
)

func TestTheEmbedderNeedsAnAddressAndAModel(t *testing.T) {
	dir := t.TempDir()
	key := filepath.Join(dir, "key")
	if err := os.WriteFile(key, []byte("sk-1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		url, model, key string
		want            string // in the error
	}{
		"off":          {},
		"words alone":  {model: "none"},
		"on":           {url: "http://localhost:11434/v1", model: "bge-m3"},
		"with a key":   {url: "http://localhost:11434/v1", model: "bge-m3", key: key},
		"only address": {url: "http://localhost:11434/v1", want: "embedding.base_url is set without embedding.model"},
		"only model":   {model: "bge-m3", want: "embedding.model is set without embedding.base_url"},
		"no key file":  {url: "http://localhost:11434/v1", model: "bge-m3", key: filepath.Join(dir, "none"), want: "embedding.api_key_file: the file cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			var l config.Loaded
			l.Config.Embedding = config.Endpoint{BaseURL: test.url, Model: test.model, APIKeyFile: test.key}
			e, err := New(Options{Settings: l, Env: func(string) string { return "" }}).Embedder(false)
			if test.want != "" {
				var setting *config.Error
				if err == nil || !strings.Contains(err.Error(), test.want) || !errors.Is(err, brain.ErrInvalid) && !errors.As(err, &setting) {
					t.Errorf("%v, want an error of a setting with %q", err, test.want)
				}
				return
			}
			if err != nil || (e != nil) != (test.url != "") || e != nil && e.Model() != test.model {
				t.Errorf("%v, %v", e, err)
			}
		})
	}
}
