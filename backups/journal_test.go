package backups

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/brainbridge/brainbridge/brain"
)

func raws(lines ...string) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		for _, l := range lines {
			if !yield(json.RawMessage(l), nil) {
				return
			}
		}
	}
}

func appendJournal(t *testing.T, a *Archive, month time.Time, lines ...string) {
	t.Helper()
	if err := a.AppendJournal(t.Context(), month, raws(lines...)); err != nil {
		t.Fatal(err)
	}
}

func journal(ctx context.Context, a *Archive, month time.Time) (lines []string, err error) {
	for raw, err := range readLines(ctx, a.journalPath(month)) {
		if errors.Is(err, os.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return lines, err
		}
		lines = append(lines, string(raw))
	}
	return lines, nil
}

func wantJournal(t *testing.T, a *Archive, month time.Time, want ...string) {
	t.Helper()
	if got, err := journal(t.Context(), a, month); err != nil || !slices.Equal(got, want) {
		t.Errorf("journal %q, %v; want %q", got, err, want)
	}
}

func TestTheJournalOfAMonth(t *testing.T) {
	a := newArchive(t)
	wantJournal(t, a, noon)
	appendJournal(t, a, noon, `{"id":"1","text":"<b>"}`, "{\n \"id\": \"2\"\n}")
	appendJournal(t, a, noon.AddDate(0, 1, 0), `{"id":"april"}`)
	long := `{"id":"3","text":"` + strings.Repeat("long ", 100_000) + `"}`
	appendJournal(t, a, noon.AddDate(0, 0, 9), long)
	wantJournal(t, a, noon, `{"id":"1","text":"<b>"}`, `{"id":"2"}`, long)
	wantJournal(t, a, noon.AddDate(0, 1, 0), `{"id":"april"}`)
}

func TestTheJournalIsAnOrdinaryZstdFile(t *testing.T) {
	a := newArchive(t)
	appendJournal(t, a, noon, "1")
	appendJournal(t, a, noon, "2")
	f, err := os.Open(a.dir + "/journal-2026-03.jsonl.zst")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if out, err := io.ReadAll(r); err != nil || string(out) != "1\n2\n" {
		t.Errorf("any zstd reader says %q, %v", out, err)
	}
}

func TestALineThatIsNoJSONIsRefused(t *testing.T) {
	a := newArchive(t)
	if err := a.AppendJournal(t.Context(), noon, raws(`{}`, `{} {}`)); !errors.Is(err, brain.ErrInvalid) {
		t.Errorf("AppendJournal() = %v", err)
	}
	wantJournal(t, a, noon)
}

func TestAnErrorAmongTheLinesAddsNothing(t *testing.T) {
	a := newArchive(t)
	appendJournal(t, a, noon, "1")
	failed := errors.New("the store went away")
	lines := func(yield func(json.RawMessage, error) bool) {
		_ = yield(json.RawMessage("2"), nil) && yield(nil, failed)
	}
	if err := a.AppendJournal(t.Context(), noon, lines); !errors.Is(err, failed) {
		t.Errorf("AppendJournal() = %v", err)
	}
	if err := a.AppendJournal(t.Context(), noon, raws()); err != nil {
		t.Errorf("AppendJournal() of nothing = %v", err)
	}
	wantJournal(t, a, noon, "1")
	if files, err := os.ReadDir(a.dir); err != nil || len(files) != 2 { // the journal and the lock
		t.Errorf("files %v, %v", files, err)
	}
}

func TestTheJournalSinceAMonth(t *testing.T) {
	a := newArchive(t)
	for i, month := range []time.Time{noon.AddDate(0, -1, 0), noon, noon.AddDate(0, 1, 0), noon.AddDate(1, -1, 0)} {
		appendJournal(t, a, month, fmt.Sprint(i))
	}
	if err := os.WriteFile(a.dir+"/journal-2026-04-unreadable-1.jsonl.zst", []byte("what is this"), 0o600); err != nil {
		t.Fatal(err)
	}
	since := func() (lines []string, failed int) {
		for raw, err := range a.JournalSince(t.Context(), noon.AddDate(0, 0, 20)) {
			if err != nil {
				failed++
				continue
			}
			lines = append(lines, string(raw))
		}
		return lines, failed
	}
	if got, failed := since(); failed != 0 || !slices.Equal(got, []string{"1", "2", "3"}) {
		t.Errorf("%d errors, lines %v", failed, got)
	}
	if err := os.WriteFile(a.journalPath(noon), []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, failed := since(); failed != 1 || !slices.Equal(got, []string{"2", "3"}) {
		t.Errorf("with a damaged month: %d errors, lines %v; want the months after it", failed, got)
	}
	for raw, err := range a.JournalSince(t.Context(), noon.AddDate(0, 1, 0)) {
		if err != nil || string(raw) != "2" {
			t.Errorf("first line %q, %v", raw, err)
		}
		break // a reader may stop early
	}
}

func TestADamagedJournalIsSetAside(t *testing.T) {
	a := newArchive(t)
	a.warn = unheard
	appendJournal(t, a, noon, "1")
	path := a.journalPath(noon)
	first, _ := os.ReadFile(path)
	appendJournal(t, a, noon, `"`+strings.Repeat("two", 50)+`"`)
	whole, _ := os.ReadFile(path)
	flipped := bytes.Clone(whole)
	flipped[len(first)+12] ^= 0x40
	for i, damaged := range [][]byte{whole[:len(whole)-3], flipped, []byte("what is this")} {
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := journal(t.Context(), a, noon)
		if err == nil || i == 0 && !slices.Equal(got, []string{"1"}) {
			t.Errorf("case %d: read %q, %v; want what is before the damage, and an error", i, got, err)
		}
		appendJournal(t, a, noon, "3")
		wantJournal(t, a, noon, "3")
		aside := fmt.Sprintf("%s/journal-2026-03-unreadable-%d.jsonl.zst", a.dir, i+1)
		if kept, err := os.ReadFile(aside); err != nil || !bytes.Equal(kept, damaged) {
			t.Errorf("case %d: %s holds %d bytes, %v", i, aside, len(kept), err)
		}
	}
}

func TestAReaderMayStopEarly(t *testing.T) {
	a := newArchive(t)
	appendJournal(t, a, noon, "1", "2", "3")
	for raw, err := range readLines(t.Context(), a.journalPath(noon)) {
		if err != nil || string(raw) != "1" {
			t.Errorf("first line %q, %v", raw, err)
		}
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := journal(ctx, a, noon); !errors.Is(err, context.Canceled) {
		t.Errorf("after a cancel: %v", err)
	}
}
