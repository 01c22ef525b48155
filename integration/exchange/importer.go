package exchange

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/watcher"
)

// Limits of one transaction.
const (
	batchItems = 200
	batchBytes = 2 << 20 // of text
)

// item is a memory to import, and its place in a file.
type item struct {
	ingest.ImportItem
	file string
	line int
}

// importer stores what readers return, in batches.
type importer struct {
	b       *services.Services
	o       Options
	report  *Report
	run     brain.Run
	queue   []item // the next batch
	size    int    // bytes of text in the queue
	tallied int    // secrets that were reported to the brain
	stored  set    // memories of this import
	texts   repeats
	// waiting has relations of which an end does not exist yet, by both ends.
	waiting map[string][]brain.Relation
}

// importFiles imports file by file, and returns why the last file was left out whole.
func (im *importer) importFiles(ctx context.Context, f Format, files []file) (refused *Problem, err error) {
	im.texts = countTexts(ctx, f, im.o, files)
	var named []brain.EntityRelation
	copied := watcher.Copied(brain.Map(files, func(f file) time.Time { return f.modified }))
	for i, file := range files {
		r := &reader{
			copied: copied, ctx: ctx, base: im.b.Base, now: im.run.Started, o: im.o, file: file, texts: im.texts, report: im.report,
			take: im.take,
		}
		if f.content == opened || r.readText(f.content) {
			f.read(r)
		}
		if err := cmp.Or(r.err, ctx.Err()); err != nil {
			return nil, err
		}
		if len(r.rejected) > 0 {
			r.problem(0, "%s", im.saveRejected(file, r.rejected))
		}
		named, refused = append(named, r.named...), r.refused
		if im.o.Progress != nil {
			im.o.Progress("files", i+1, len(files))
		}
	}
	if err := im.flush(ctx); err != nil {
		return nil, err
	}
	if len(named) > 0 { // they join the entities of the brain, or wait
		if _, im.run, err = im.b.Graph.CreateRelationsIn(ctx, im.run, named); err != nil {
			return nil, err
		}
	}
	im.reportDangling()
	return refused, nil
}

// set has the hashes of texts, which take less memory than the texts.
type set map[xxh3.Uint128]struct{}

func (s set) add(text string) { s[xxh3.HashString128(text)] = struct{}{} }

func (s set) has(text string) bool {
	_, ok := s[xxh3.HashString128(text)]
	return ok
}

// take queues an item, and imports the queue when it is a batch.
func (im *importer) take(ctx context.Context, it item) error {
	im.queue = append(im.queue, it)
	if im.size += it.bytes(); len(im.queue) < batchItems && im.size < batchBytes {
		return nil
	}
	return im.flush(ctx)
}

// bytes returns the size of the text of an item.
func (it item) bytes() int {
	n := len(it.Memory.Content) + len(strings.Join(it.Memory.Observations, ""))
	if it.Section != nil {
		n += len(it.Section.Text)
	}
	return n
}

// saveRejected writes rejected lines next to the original, and returns the problem.
func (im *importer) saveRejected(f file, rejected []string) string {
	path := f.path + ".unread"
	if im.o.DryRun {
		return fmt.Sprintf("%d unreadable lines would be saved to %s", len(rejected), path)
	}
	if err := durable.WriteFile(path, []byte(strings.Join(rejected, "\n")+"\n"), durable.Options{}); err != nil {
		return fmt.Sprintf("cannot save the unreadable lines: %v", durable.Cause(err))
	}
	return fmt.Sprintf("%d unreadable lines saved to %s", len(rejected), path)
}

// flush imports the queue.
func (im *importer) flush(ctx context.Context) error {
	if len(im.queue) == 0 {
		return nil
	}
	err := im.store(ctx, im.queue)
	im.queue, im.size = nil, 0
	return err
}

// store imports one batch, and counts the results.
func (im *importer) store(ctx context.Context, items []item) error {
	batch := ingest.ImportBatch{
		FromThisImport: func(id string) bool { return im.stored.has(id) }, Redacted: im.report.Redacted - im.tallied,
	}
	im.tallied = im.report.Redacted
	for _, it := range items {
		batch.Items = append(batch.Items, it.ImportItem)
		ids := []string{it.Memory.ID}
		if it.Source != nil {
			ids = append(ids, it.Source.ID)
		}
		for _, id := range ids {
			batch.Relations = append(batch.Relations, im.waiting[id]...)
			delete(im.waiting, id)
		}
	}
	answer, run, err := im.b.Ingest.Import(ctx, im.run, batch)
	if err != nil {
		return err
	}
	im.run = run
	for i, result := range answer.Results {
		im.count(items[i], result)
	}
	for _, r := range answer.Invalid {
		im.report.Problems = append(im.report.Problems, Problem{File: ".", Message: fmt.Sprintf(
			"the relation from %s to %s was left out: %.40q is not valid as its type", r.From, r.To, r.Type)})
	}
	for _, r := range answer.Missing {
		im.waiting[r.From] = append(im.waiting[r.From], r)
		im.waiting[r.To] = append(im.waiting[r.To], r)
	}
	return nil
}

func (im *importer) count(it item, result ingest.ImportResult) {
	counted := it.Section == nil && it.Memory.ID != "" // neither a section nor an activity
	switch {
	case result.Status == ingest.Refused:
		im.report.Problems = append(im.report.Problems, Problem{File: it.file, Line: it.line, Message: result.Reason})
	case result.Status == ingest.Imported && it.Section != nil:
		im.report.Sections++
	case !counted:
	case result.Status == ingest.Imported:
		im.report.Imported++
	case result.ID != "" && im.stored.has(result.ID):
		im.report.Duplicates++
	default:
		im.report.Unchanged++
	}
	if counted {
		im.stored.add(it.Memory.ID)
		im.stored.add(result.ID)
	}
}

func (im *importer) reportDangling() {
	reported := map[brain.Relation]bool{}
	for _, all := range im.waiting {
		for _, r := range all {
			if reported[r] || im.stored.has(r.From) && im.stored.has(r.To) {
				continue
			}
			reported[r] = true
			im.report.Problems = append(im.report.Problems, Problem{File: ".", Message: fmt.Sprintf(
				"the relation %s from %s to %s was left out: one of them is neither in the files nor in the brain", r.Type, r.From, r.To)})
		}
	}
}
