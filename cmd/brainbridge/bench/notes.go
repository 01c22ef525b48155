package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/watcher/dailynote"
)

// outcomesPerNote is how many outcomes a generated daily note has.
const outcomesPerNote = 5

// scans measures the first scan of a directory of daily notes, and the next.
func (b *bench) scans(ctx context.Context) error {
	h, err := b.home(ctx, "notes")
	if err != nil {
		return err
	}
	if err := b.writeNotes(ctx, h.text, h.settings.Paths.NotesDir); err != nil {
		return err
	}
	if err := h.open(ctx); err != nil {
		return err
	}
	door := h.use.NotesDirectory(h.brain)
	b.progress.start("first scan", b.Notes)
	start := time.Now()
	first, err := door.Sync(ctx, b.progress.set)
	if err != nil {
		return err
	}
	took := time.Since(start)
	if want := b.Notes * outcomesPerNote; first.New != want {
		return fmt.Errorf("the scan found %d new outcomes, not %d", first.New, want)
	}
	b.single("scanFirst", first.New, millis(took), "ms")
	var again []time.Duration
	for range b.Repeats {
		start := time.Now()
		next, err := door.Sync(ctx, nil)
		if err != nil {
			return err
		}
		again = append(again, time.Since(start))
		if next.New+next.Changed+next.Gone > 0 {
			return fmt.Errorf("%d outcomes changed though nothing did", next.New+next.Changed+next.Gone)
		}
	}
	b.single("scanUnchanged", first.New, millis(median(again)), "ms")
	return h.shut()
}

// writeNotes writes daily notes, the last one of a fixed day.
func (b *bench) writeNotes(ctx context.Context, text *textMaker, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the notes directory: %w", err)
	}
	b.progress.start("writing notes", b.Notes)
	last := time.Date(2026, 2, 5, 0, 0, 0, 0, time.UTC)
	for i := range b.Notes {
		if err := ctx.Err(); err != nil {
			return err
		}
		day := last.AddDate(0, 0, -i).Format(time.DateOnly)
		if err := os.WriteFile(filepath.Join(dir, day+".md"), []byte(dailyNote(text, day)), 0o644); err != nil {
			return fmt.Errorf("write a daily note: %w", err)
		}
		b.progress.add(1)
	}
	return nil
}

// dailyNote is a daily note as a person writes it.
func dailyNote(text *textMaker, day string) string {
	var note strings.Builder
	fmt.Fprintf(&note, "# %s - Daily Notes\n", day)
	kinds := []string{"decision", "implementation", "discovery", "issue", "lesson"}
	for i := range outcomesPerNote {
		kind := kinds[i%len(kinds)]
		fmt.Fprintf(&note, "\n## [%02d:%02d] %s %s: %s\n\n%s\n",
			9+i, text.rand.IntN(60), dailynote.Emoji(kind), kind, text.title(), text.body())
	}
	return note.String()
}
