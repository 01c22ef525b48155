package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// outcomesPerNote is how many outcomes a generated daily note has.
const outcomesPerNote = 5

// scans measures the first scan of a folder of daily notes, and scans without changes.
func (b *bench) scans(ctx context.Context, _ int) error {
	h, err := b.emptyHome(ctx, "notes")
	if err != nil {
		return err
	}
	dir := h.settings.Paths.NotesDir
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the notes folder: %w", err)
	}
	last := time.Date(2026, 2, 5, 0, 0, 0, 0, time.UTC)
	kinds := []string{"decision", "implementation", "discovery", "issue", "lesson"}
	for i := range b.notes {
		day := last.AddDate(0, 0, -i).Format(time.DateOnly)
		note := fmt.Sprintf("# %s - Daily Notes\n", day)
		for i := range outcomesPerNote {
			kind := kinds[i%len(kinds)]
			note += fmt.Sprintf("\n## [%02d:%02d] %s %s: %s\n\n%s\n", 9+i, h.text.Rand.IntN(60), dailynote.Emoji(kind), kind, h.text.Title(), h.text.Body())
		}
		if err := os.WriteFile(filepath.Join(dir, day+".md"), []byte(note), 0o644); err != nil {
			return fmt.Errorf("write a daily note: %w", err)
		}
	}
	if err := h.open(ctx); err != nil {
		return err
	}
	folder := h.use.NotesDirectory(h.brain)
	scan := func(want int) (time.Duration, error) {
		return since(func() error {
			found, err := folder.Sync(ctx, nil)
			if err == nil && found.New+found.Changed+found.Gone != want {
				err = fmt.Errorf("%d outcomes are new or changed, not %d", found.New+found.Changed+found.Gone, want)
			}
			return err
		})
	}
	n := b.notes * outcomesPerNote
	first, err := scan(n)
	if err != nil {
		return err
	}
	b.single(fmt.Sprintf("first scan of %d notes", b.notes), n, millis(first), "ms")
	again, err := repeat(0, b.repeats, func(int) (time.Duration, error) { return scan(0) })
	if err != nil {
		return err
	}
	b.single("scan, nothing changed", n, median(again), "ms")
	return h.shut()
}
