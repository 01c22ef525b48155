package e2e

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// manyNumbers are of the last program that computed energies back through earlier lifecycle numbers.
var manyNumbers = fixtures{"24", 24, 18, "2026-04-02T15:00:00Z"}

// shownLife is what show says of the life of a memory.
type shownLife struct {
	Memory struct {
		ID, Tier  string
		Energy    float64
		ExpiresAt time.Time
	}
}

// fadesAsBefore asks for each memory at several instants, and compares with what the program of before said.
func (o old) fadesAsBefore(t *testing.T) {
	t.Helper()
	asked := 0
	for line := range bytes.Lines(unpacked(t, "24/answers.jsonl.zst")) {
		before, err := decode[struct {
			At     string
			Answer shownLife
		}](string(line))
		must(t, err)
		asked++
		o.env = append(o.env, "BRAINBRIDGE_NOW="+before.At)
		wanted, got := before.Answer.Memory, ask[shownLife](o.home, "show", before.Answer.Memory.ID).Memory
		if got.Tier != wanted.Tier || math.Abs(got.Energy-wanted.Energy) > 1e-9 || got.ExpiresAt.Sub(wanted.ExpiresAt).Abs() > time.Millisecond {
			t.Errorf("at %s: %+v, before the upgrade %+v", before.At, got, wanted)
		}
	}
	want(t, "answers", asked, 15)
	o.env = append(o.env, "BRAINBRIDGE_NOW="+manyNumbers.now)
}

// What faded under several sets of numbers goes on with the energy that it had, also from a backup.
func TestUpgradeToOneSetOfNumbers(t *testing.T) {
	t.Parallel()
	manyNumbers.onBoth(t, func(t *testing.T, o old) {
		says(t, o.ok("list", "--all").err, o.formats)
		o.fadesAsBefore(t)
		must(t, os.MkdirAll(o.state("spool"), 0o700))
		spooled := strings.ReplaceAll(string(unpacked(t, "24/captures.jsonl")), "bolt://127.0.0.1:1", o.store)
		must(t, os.WriteFile(filepath.Join(o.state("spool"), "captures.jsonl"), []byte(spooled), 0o600))
		says(t, o.ok("status").err, "stored 1 capture that had waited")
		o.ok("backup", "restore", fixturePath(t, "24/backup"), "--yes")
		o.fadesAsBefore(t)
		o.ok("consolidate")
		o.fadesAsBefore(t)
	})
}
