package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/embedding"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/words"
	"github.com/brainbridge/brainbridge/cmd/benchmark/generate"
	"github.com/brainbridge/brainbridge/tiers"
)

// line is a record or a query of a set in JSON Lines:
//
//	{"kind": "record", "set": S, "id": I, "group": G, "text": T, "name"?, "date"?}
//	{"kind": "query", "set": S, "id": I, "text": T, "relevant": [ID, …]}
//
// Each set is a brain of its own. The records of a group stand in their order. A date is YYYY-MM-DD.
type line struct {
	Kind, Set, ID, Text string
	Group, Name, Date   string   // of a record
	Relevant            []string // of a query
}

// cutoffs are the numbers of answers that are looked at. The last is that of MRR too.
var cutoffs = []int{1, 3, 5, 10, 20, 50}

// recallParts are the parts of the ranking that can be switched off.
var recallParts = map[string]func(*recall.Query){
	"context": func(q *recall.Query) {
		q.Formula.Before, q.Formula.After = [recall.Reach]float64{}, [recall.Reach]float64{}
	},
	"standin": func(q *recall.Query) { q.NoStandIns = true },
	"vectors": func(q *recall.Query) { q.Formula.Vector = 0 },
}

// measureRecall stores the records of a file and measures how well its queries find what is
// relevant. If an embedding endpoint is configured, all records are sent to it, unless vectors
// are off.
func measureRecall(ctx context.Context, o options, file string, off []string) (_ report, err error) {
	for _, part := range off {
		if recallParts[part] == nil {
			return nil, fmt.Errorf("-off: %q is not one of %s", part, slices.Sorted(maps.Keys(recallParts)))
		}
	}
	if slices.Contains(off, "vectors") {
		o.embedder = nil
	}
	sets, err := readSets(file)
	if err != nil {
		return nil, err
	}
	b, err := begin(o, time.Now)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	q := &recallQuality{Mean: map[string]float64{}, Interval: map[string]float64{}, results: map[string][]float64{}}
	for name, lines := range sets {
		if err := b.ask(ctx, q, lines, off); err != nil {
			return nil, fmt.Errorf("set %q: %w", name, err)
		}
	}
	q.summarize()
	return q, nil
}

func readSets(file string) (map[string][]line, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	sets := map[string][]line{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 8*brain.MaxContent)
	for n := 1; lines.Scan(); n++ {
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil || l.Kind != "record" && l.Kind != "query" || l.ID == "" || l.Text == "" {
			return nil, fmt.Errorf("line %d of %s is not a record or a query with id and text", n, file)
		}
		sets[l.Set] = append(sets[l.Set], l)
	}
	return sets, lines.Err()
}

// ask stores the records of a set and asks its queries.
func (b *bench) ask(ctx context.Context, q *recallQuality, lines []line, off []string) error {
	h, err := b.emptyHome(ctx, fmt.Sprintf("recall-%d", len(b.homes)))
	if err != nil {
		return err
	}
	if err := h.open(ctx); err != nil {
		return err
	}
	ids, err := storeRecords(ctx, h, slices.DeleteFunc(slices.Clone(lines), func(l line) bool { return l.Kind != "record" }))
	if err != nil {
		return err
	}
	if b.embedder != nil {
		if _, err := embedding.Fill(ctx, h.brain.Base, b.embedder, nil); err != nil {
			return err
		}
	}
	for _, l := range lines {
		if len(l.Relevant) == 0 {
			continue
		}
		if err := h.answer(ctx, q, l, ids, b.embedder, off); err != nil {
			return err
		}
	}
	return h.shut()
}

// storeRecords stores records as memories, and returns the ids of the records by those of the
// memories.
func storeRecords(ctx context.Context, h *home, records []line) (map[string]string, error) {
	policy, err := h.brain.Base.Policy(ctx)
	if err != nil {
		return nil, err
	}
	ids := map[string]string{}
	for batch := range slices.Chunk(records, generate.Batch) {
		ms := make([]brain.Memory, len(batch))
		for i, l := range batch {
			m := brain.Memory{ID: brain.NewID(), Name: l.Name, Content: l.Text, MemoryType: "note", Group: l.Group, Position: len(ids)}
			if l.Date != "" {
				if m.Created, err = time.ParseInLocation(time.DateOnly, l.Date[:min(10, len(l.Date))], time.Local); err != nil {
					return nil, fmt.Errorf("record %s: %w", l.ID, err)
				}
			}
			m.State = policy.Start(tiers.Working, 1, 0, h.brain.Base.Now())
			m.Complete()
			ids[m.ID], ms[i] = l.ID, m
		}
		if err := h.brain.Base.Store.Update(ctx, func(tx brain.Tx) error { return tx.PutMemories(ms...) }); err != nil {
			return nil, fmt.Errorf("store %d records: %w", len(ms), err)
		}
	}
	return ids, nil
}

// answer asks a query.
func (h *home) answer(ctx context.Context, quality *recallQuality, l line, ids map[string]string, e embedding.Embedder, off []string) error {
	formula := recall.DefaultFormula()
	q := recall.Query{Words: words.Parse(l.Text), Limit: cutoffs[len(cutoffs)-1], NoTouch: true, Formula: &formula}
	if e != nil {
		vectors, err := e.Embed(ctx, l.Text)
		if err != nil {
			return err
		}
		q.Vector = &brain.Vector{Model: e.Model(), Values: vectors[0]}
	}
	for _, part := range off {
		recallParts[part](&q)
	}
	got, err := h.brain.Recall.Recall(ctx, q)
	if err != nil && !errors.Is(err, brain.ErrInvalid) { // a query without words finds nothing
		return err
	}
	found, rank := make([]float64, len(cutoffs)), 0.0
	for place, r := range got.Results {
		if !slices.Contains(l.Relevant, ids[r.Memory.ID]) {
			continue
		}
		rank = max(rank, 1/float64(place+1))
		for i, cutoff := range cutoffs {
			if place < cutoff {
				found[i] += 1 / float64(len(l.Relevant))
			}
		}
	}
	all := quality.results
	for i, name := range recallNames() {
		all[name] = append(all[name], found[i])
	}
	all["MRR"] = append(all["MRR"], rank)
	return nil
}

// recallQuality has the results of all queries.
type recallQuality struct {
	Queries  int                `json:"queries"`
	Mean     map[string]float64 `json:"mean"`     // in percent: recall@1 and so on, and MRR
	Interval map[string]float64 `json:"interval"` // half the width of the 95 % interval

	results map[string][]float64 // of each query, from 0 to 1
}

func recallNames() []string {
	return brain.Map(cutoffs, func(n int) string { return "recall@" + strconv.Itoa(n) })
}

func (q *recallQuality) summarize() {
	q.Queries = len(q.results["MRR"])
	for name, all := range q.results {
		sum, squares, n := 0.0, 0.0, float64(len(all))
		for _, v := range all {
			sum += v
			squares += v * v
		}
		q.Mean[name] = 100 * sum / n
		q.Interval[name] = 100 * 1.96 * math.Sqrt(max(0, squares/n-sum/n*sum/n)/n)
	}
}

func (q *recallQuality) print(w io.Writer) {
	for _, name := range append(recallNames(), "MRR") {
		fmt.Fprintf(w, "%s\t%.1f ±%.1f %%\n", name, q.Mean[name], q.Interval[name])
	}
	fmt.Fprintf(w, "\n%d queries\n", q.Queries)
}
