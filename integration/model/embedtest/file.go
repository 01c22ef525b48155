package embedtest

import (
	"os"
	"path/filepath"
	"testing"
)

// ModelFile returns the file of the sentence model: BRAINBRIDGE_TEST_MODEL, or the one that
// `make model` leaves in the cache folder. Without a file the test is skipped, or fails
// under CI=true.
func ModelFile(tb testing.TB) string {
	tb.Helper()
	file := os.Getenv("BRAINBRIDGE_TEST_MODEL")
	if file == "" {
		cache := os.Getenv("XDG_CACHE_HOME")
		if cache == "" {
			cache = filepath.Join(os.Getenv("HOME"), ".cache")
		}
		file = filepath.Join(cache, "brainbridge-model", "all-MiniLM-L6-v2-int8.model")
	}
	if _, err := os.Stat(file); err != nil {
		if os.Getenv("CI") == "true" {
			tb.Fatalf("the sentence model is missing: %v; make model fetches it", err)
		}
		tb.Skipf("the sentence model is missing: %v; make model fetches it", err)
	}
	return file
}
