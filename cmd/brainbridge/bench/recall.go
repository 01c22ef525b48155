package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/dataset"
	"github.com/brainbridge/brainbridge/brain/embedding"
	"github.com/brainbridge/brainbridge/brain/rank"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/words"
)

// cutoffs are the numbers of answers that are looked at for a relevant one. The last is
// that of the mean reciprocal rank too.
var cutoffs = []int{1, 3, 5, 10, 20, 50}

// resamples is the number of samples of the queries from which an interval is estimated.
const resamples = 1000

// RecallSet names a file with records and queries, and the parts of the ranking that are
// switched off.
type RecallSet struct {
	File string
	Off  []string // of [RecallParts]
}

// RecallParts are the parts of the ranking that can be switched off.
func RecallParts() []string {
	return slices.Sorted(maps.Keys(parts()))
}

func parts() map[string]func(*recall.Query) {
	return map[string]func(*recall.Query){
		"context": func(q *recall.Query) {
			q.Formula.Before, q.Formula.After = [rank.Reach]float64{}, [rank.Reach]float64{}
		},
		"standin": func(q *recall.Query) { q.NoStandIns = true },
		"vectors": func(q *recall.Query) { q.Formula.Vector = 0 },
	}
}

// RecallQuality has the results of the queries of a file, by category; the last one has all.
type RecallQuality struct {
	Categories []RecallCategory `json:"categories"`
	P50        float64          `json:"p50"` // of a query, in milliseconds
	P95        float64          `json:"p95"`
}

// RecallCategory has means over the queries of a category, in percent, each with the half
// width of its 95 % interval.
type RecallCategory struct {
	Category string             `json:"category"`
	Queries  int                `json:"queries"`
	Recall   map[string]float64 `json:"recall"` // share of the relevant among the first 1, 3, 5, 10, 20 and 50
	MRR      float64            `json:"mrr"`
	Interval map[string]float64 `json:"interval"` // of recall at 10 and mrr
}

// Recall stores the records of a file, each set in a brain of its own, and measures how
// well its queries find what is relevant.
func Recall(ctx context.Context, o Options, set RecallSet) (_ RecallQuality, err error) {
	sets, err := readSets(set.File)
	if err != nil {
		return RecallQuality{}, err
	}
	b, err := begin(o, time.Now)
	if err != nil {
		return RecallQuality{}, err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	var all []asked
	for name := range maps.Keys(sets) {
		some, err := b.ask(ctx, "recall-"+strconv.Itoa(len(b.homes)), sets[name], set.Off)
		if err != nil {
			return RecallQuality{}, fmt.Errorf("set %q: %w", name, err)
		}
		all = append(all, some...)
	}
	return quality(all), nil
}

// recallSet has the lines of one set.
type recallSet struct{ records, queries []dataset.Line }

func readSets(file string) (map[string]*recallSet, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, brain.Errorf(brain.ErrInvalid, "give a file of records and queries in JSON Lines", "cannot read --dataset: %v", err)
	}
	defer func() { _ = f.Close() }()
	sets := map[string]*recallSet{}
	queries := 0
	err = dataset.Read(f, func(_ int, l dataset.Line) error {
		s := sets[l.Set]
		if s == nil {
			s = &recallSet{}
			sets[l.Set] = s
		}
		if l.Kind == dataset.Query {
			s.queries = append(s.queries, l)
			queries++
		} else {
			s.records = append(s.records, l)
		}
		return nil
	})
	if err == nil && queries == 0 {
		err = errors.New("there is no query")
	}
	if err != nil {
		return nil, brain.Errorf(brain.ErrInvalid, "docs/recall.md describes the format", "%s: %v", file, err)
	}
	return sets, nil
}

// asked is a query with its results.
type asked struct {
	category string
	found    []float64 // share of the relevant among the first of each cutoff
	rank     float64   // reciprocal of that of the first relevant one, 0 for none
	took     time.Duration
}

// ask stores the records of a set and asks its queries.
func (b *bench) ask(ctx context.Context, name string, set *recallSet, off []string) ([]asked, error) {
	h, err := b.home(ctx, name)
	if err != nil {
		return nil, err
	}
	if err := h.open(ctx); err != nil {
		return nil, err
	}
	ids, err := storeRecords(ctx, h, set.records)
	if err != nil {
		return nil, err
	}
	embedder := b.Embedder
	if slices.Contains(off, "vectors") {
		embedder = nil
	}
	if embedder != nil {
		b.progress.start("embed texts", len(set.records))
		if _, err := embedding.Fill(ctx, h.brain.Base, embedder, b.progress.set); err != nil {
			return nil, err
		}
	}
	b.progress.start("recall", len(set.queries))
	var all []asked
	for _, line := range set.queries {
		b.progress.add(1)
		if len(line.Relevant) == 0 {
			continue
		}
		a, err := h.answer(ctx, line, ids, embedder, off)
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, h.shut()
}

// storeRecords stores records as memories, and returns the ids of the records by those of
// the memories.
func storeRecords(ctx context.Context, h *home, records []dataset.Line) (map[string]string, error) {
	tl, err := h.brain.Base.Timeline(ctx)
	if err != nil {
		return nil, err
	}
	ids := map[string]string{}
	now := h.brain.Base.Now()
	place := 0
	for batch := range slices.Chunk(records, loadBatch) {
		ms := make([]brain.Memory, len(batch))
		for i, l := range batch {
			m := &ms[i]
			m.ID, m.Name, m.Content, m.MemoryType = brain.NewID(), l.Name, l.Text, "note"
			if m.Created, err = l.Time(time.Local); err != nil {
				return nil, fmt.Errorf("record %s: %w", l.ID, err)
			}
			m.Group, m.Position = l.Group, place
			m.State = tl.Start("working", 1, 0, now)
			m.Complete()
			ids[m.ID] = l.ID
			place++
		}
		if err := h.brain.Base.Store.Update(ctx, func(tx brain.Tx) error { return tx.PutMemories(ms...) }); err != nil {
			return nil, fmt.Errorf("store %d records: %w", len(ms), err)
		}
	}
	return ids, nil
}

// answer asks a query. The time to embed the question does not count.
func (h *home) answer(ctx context.Context, line dataset.Line, ids map[string]string, e embedding.Embedder, off []string) (asked, error) {
	formula := rank.Default()
	q := recall.Query{Words: words.Parse(line.Text), Limit: cutoffs[len(cutoffs)-1], NoTouch: true, Formula: &formula}
	if e != nil {
		vectors, err := e.Embed(ctx, line.Text)
		if err != nil {
			return asked{}, err
		}
		q.Vector = &brain.Vector{Model: e.Model(), Values: vectors[0]}
	}
	for _, part := range off {
		parts()[part](&q)
	}
	start := time.Now()
	got, err := h.brain.Recall.Recall(ctx, q)
	if err != nil && !errors.Is(err, brain.ErrInvalid) { // a query without words finds nothing
		return asked{}, err
	}
	a := asked{category: line.Category, found: make([]float64, len(cutoffs)), took: time.Since(start)}
	for place, r := range got.Results {
		if !slices.Contains(line.Relevant, ids[r.Memory.ID]) {
			continue
		}
		if a.rank == 0 {
			a.rank = 1 / float64(place+1)
		}
		for i, cutoff := range cutoffs {
			if place < cutoff {
				a.found[i] += 1 / float64(len(line.Relevant))
			}
		}
	}
	return a, nil
}

// quality returns the means of the results.
func quality(all []asked) RecallQuality {
	byCategory := map[string][]asked{}
	took := make([]time.Duration, len(all))
	for i, a := range all {
		took[i] = a.took
		if a.category != "" {
			byCategory[a.category] = append(byCategory[a.category], a)
		}
	}
	slices.Sort(took)
	q := RecallQuality{P50: millis(percentile(took, 50)), P95: millis(percentile(took, 95))}
	for _, name := range slices.Sorted(maps.Keys(byCategory)) {
		q.Categories = append(q.Categories, category(name, byCategory[name]))
	}
	q.Categories = append(q.Categories, category("all", all))
	return q
}

func category(name string, all []asked) RecallCategory {
	c := RecallCategory{Category: name, Queries: len(all), Recall: map[string]float64{}, Interval: map[string]float64{}}
	mrr := func(a asked) float64 { return a.rank }
	for i, cutoff := range cutoffs {
		c.Recall[strconv.Itoa(cutoff)] = mean(all, func(a asked) float64 { return a.found[i] })
	}
	c.MRR = mean(all, mrr)
	c.Interval["10"] = interval(all, func(a asked) float64 { return a.found[slices.Index(cutoffs, 10)] })
	c.Interval["mrr"] = interval(all, mrr)
	return c
}

// mean returns the mean of a value, in percent.
func mean(all []asked, value func(asked) float64) float64 {
	sum := 0.0
	for _, a := range all {
		sum += value(a)
	}
	return 100 * sum / float64(max(1, len(all)))
}

// interval returns half the width of the 95 % interval of a mean, by bootstrap.
func interval(all []asked, value func(asked) float64) float64 {
	random := rand.New(rand.NewPCG(seed, 0))
	sample := make([]asked, len(all))
	means := make([]float64, resamples)
	for i := range means {
		for j := range sample {
			sample[j] = all[random.IntN(len(all))]
		}
		means[i] = mean(sample, value)
	}
	slices.SortFunc(means, cmp.Compare[float64])
	return (means[resamples*975/1000] - means[resamples*25/1000]) / 2
}

// RecallColumns are the heads of the columns of [RecallQuality.Rows].
func RecallColumns() []string {
	columns := []string{"category", "queries"}
	for _, cutoff := range cutoffs {
		columns = append(columns, "recall@"+strconv.Itoa(cutoff))
	}
	return append(columns, "MRR")
}

// Rows returns the results as the rows of a table.
func (q RecallQuality) Rows() [][]string {
	rows := make([][]string, len(q.Categories))
	for i, c := range q.Categories {
		row := []string{c.Category, strconv.Itoa(c.Queries)}
		for _, cutoff := range cutoffs {
			value := fmt.Sprintf("%.1f", c.Recall[strconv.Itoa(cutoff)])
			if cutoff == 10 {
				value += fmt.Sprintf(" ±%.1f", c.Interval["10"])
			}
			row = append(row, value)
		}
		rows[i] = append(row, fmt.Sprintf("%.1f ±%.1f", c.MRR, c.Interval["mrr"]))
	}
	return rows
}
