package bench

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/brainbridge/brainbridge/config"
)

// Report is the JSON document of bench.
type Report struct {
	Floor   Floor    `json:"floor"`
	Figures []Figure `json:"figures"`
	Store   string   `json:"-"` // its kind: sqlite or neo4j
	Folder  string   `json:"-"` // in which everything was made
}

// Floor is the median time that the machine itself needs, in milliseconds.
type Floor struct {
	// ProcessStartMs is the time to start this binary and exit at once: the operating
	// system, the Go runtime and the initialisers.
	ProcessStartMs float64 `json:"processStartMs"`
	// DurableWriteMs is the time to append 4 KiB to a file and call fdatasync.
	DurableWriteMs float64 `json:"durableWriteMs"`
}

// Figure is one measured figure: two percentiles or one value.
type Figure struct {
	Name     string   `json:"name"`
	Store    string   `json:"store"`
	Memories int      `json:"memories"`
	P50      *float64 `json:"p50"`
	P95      *float64 `json:"p95"`
	Value    *float64 `json:"value"`
	Unit     string   `json:"unit"` // ms, MB of a million bytes, MB/s or bytes
}

// figureNames returns the names and labels of the figures, in the order of the table.
func figureNames() [][2]string {
	return [][2]string{
		{"version", "version, whole process"},
		{"capture", "capture, whole process"},
		{"recallProcess", "recall, whole process"},
		{"recall", "recall of 2 to 4 words, no touch"},
		{"recallQuestion", "recall of 8 to 12 words, no touch"},
		{"sweepNone", "sweep, nothing due"},
		{"sweep1pct", "sweep, 1 % due, with journal"},
		{"promote1000", "1,000 promotions"},
		{"duplicatesFull", "search for all duplicates, whole process"},
		{"duplicatesMemory", "its peak memory"},
		{"duplicatesTen", "run with ten new memories, whole process"},
		{"curate", "rewriting MEMORY.md"},
		{"health", "health, every indicator"},
		{"scanFirst", "first scan of 10,000 notes"},
		{"scanUnchanged", "scan, nothing changed"},
		{"extractMBps", "transcript of 100 MB, by patterns"},
		{"extractMemory", "its peak memory, whole process"},
		{"extractUnchanged", "day without changes, whole process"},
		{"noteToRecallable", "saved note to recallable"},
		{"mcpStart", "mcp, start to the list of tools"},
		{"mcpToolList", "list of tools"},
		{"mcpRemember", "remember over MCP"},
		{"mcpCreate", "create_entities over MCP"},
		{"mcpRecall", "recall over MCP, of 2 to 4 words"},
		{"mcpMemory", "private memory of mcp, after its start"},
		{"mcpMemoryUsed", "private memory of mcp, after those calls"},
		{"hookSessionStart", "hook SessionStart, whole process"},
		{"hookUserPromptSubmit", "hook UserPromptSubmit"},
		{"hookPostToolUse", "hook PostToolUse"},
		{"hookStop", "hook Stop"},
		{"hookPreCompact", "hook PreCompact, handing over"},
		{"hookSessionEnd", "hook SessionEnd, handing over"},
		{"memoryIdle", "private memory of the daemon, empty"},
		{"memoryLoaded", "private memory of the daemon, loaded"},
	}
}

// place returns the row of a figure in the table.
func place(name string) int {
	return slices.IndexFunc(figureNames(), func(n [2]string) bool { return n[0] == name })
}

// spread adds a figure of two percentiles.
func (b *bench) spread(name string, memories int, took []time.Duration) {
	slices.Sort(took)
	p50, p95 := millis(percentile(took, 50)), millis(percentile(took, 95))
	b.add(Figure{Name: name, Memories: memories, P50: &p50, P95: &p95, Unit: "ms"})
}

// single adds a figure that is one value.
func (b *bench) single(name string, memories int, value float64, unit string) {
	b.add(Figure{Name: name, Memories: memories, Value: &value, Unit: unit})
}

func (b *bench) add(f Figure) {
	f.Store = b.report.Store
	b.report.Figures = append(b.report.Figures, f)
}

// percentile returns the nearest-rank percentile of sorted measurements.
func percentile(sorted []time.Duration, p int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(0, (len(sorted)*p+99)/100-1)]
}

func median(took []time.Duration) time.Duration {
	return percentile(slices.Sorted(slices.Values(took)), 50)
}

// millis returns a duration in milliseconds, truncated to microseconds.
func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// sort orders the figures as in the table, and each by the number of memories.
func (r *Report) sort() {
	slices.SortStableFunc(r.Figures, func(x, y Figure) int {
		return cmp.Or(cmp.Compare(place(x.Name), place(y.Name)), cmp.Compare(x.Memories, y.Memories))
	})
}

// Rows returns the rows of the table, with the columns that [Columns] names.
func (r Report) Rows() [][]string {
	var rows [][]string
	for _, f := range r.Figures {
		p50 := f.P50
		if f.Value != nil {
			p50 = f.Value
		}
		label := figureNames()[place(f.Name)][1]
		rows = append(rows, []string{label, humanize.Comma(int64(f.Memories)), shown(p50, f.Unit), shown(f.P95, f.Unit), target(f, r.Floor)})
	}
	return rows
}

// Columns returns the heads of the columns of [Report.Rows].
func Columns() []string { return []string{"figure", "memories", "p50", "p95", "target"} }

// String returns the floor as text.
func (f Floor) String() string {
	return fmt.Sprintf("process start %s (this binary, ended before it does anything), durable write %s (4 KiB appended, fdatasync), p50",
		shown(&f.ProcessStartMs, "ms"), shown(&f.DurableWriteMs, "ms"))
}

// shown formats a value with about three digits; nil is "".
func shown(v *float64, unit string) string {
	switch {
	case v == nil:
		return ""
	case unit == "ms" && *v >= 10_000:
		return strconv.FormatFloat(*v/1000, 'f', 1, 64) + " s"
	case math.Abs(*v) < 10:
		return strconv.FormatFloat(*v, 'f', 2, 64) + " " + unit
	case math.Abs(*v) < 100:
		return strconv.FormatFloat(*v, 'f', 1, 64) + " " + unit
	}
	return strconv.FormatFloat(*v, 'f', 0, 64) + " " + unit
}

// target returns the target of a figure, "" if it has none.
func target(f Figure, floor Floor) string {
	if f.Store == config.KindSQLite {
		switch f.Name {
		case "capture":
			return fmt.Sprintf("15 ms, 3 × floor = %s", shown(new(3*(floor.ProcessStartMs+floor.DurableWriteMs)), "ms"))
		case "mcpRemember", "mcpCreate":
			return fmt.Sprintf("3 × write + 2 ms = %s", shown(new(3*floor.DurableWriteMs+2), "ms"))
		}
	}
	all := targets(f.Store)
	return cmp.Or(all[f.Name+"@"+strconv.Itoa(f.Memories)], all[f.Name])
}

// targets returns the targets for a kind of store. The key is the name of a figure, or
// name@memories for one number of memories.
func targets(kind string) map[string]string {
	if kind == config.KindSQLite {
		return map[string]string{
			"version": "9 ms", "recallProcess@10000": "14 ms", "recallProcess@100000": "25 ms",
			"recall@100000": "4 / 10 ms", "recall@1000000": "12 / 40 ms", "recallQuestion@100000": "8 / 20 ms",
			"sweepNone@100000": "1 ms", "sweep1pct@100000": "200 ms", "promote1000": "250 ms",
			"duplicatesFull@100000": "10 s", "duplicatesMemory@100000": "300 MB", "duplicatesTen@100000": "150 ms",
			"curate@100000": "200 ms", "health@100000": "100 ms",
			"scanFirst": "20 s", "scanUnchanged": "500 ms", "noteToRecallable": "150 ms",
			"extractMBps": "over 40 MB/s", "extractMemory": "67.1 MB", "extractUnchanged": "50 ms",
			"mcpStart": "40 ms", "mcpToolList": "18000 bytes", "mcpRecall": "4 / 8 ms", "mcpMemory": "20 MB", "mcpMemoryUsed": "20 MB",
			"hookSessionStart": "25 ms", "hookUserPromptSubmit": "25 ms", "hookPostToolUse": "25 ms", "hookStop": "25 ms",
			"hookPreCompact": "100 ms", "hookSessionEnd": "100 ms",
			"memoryIdle": "35 MB", "memoryLoaded@100000": "70 MB",
		}
	}
	return map[string]string{
		"capture": "80 ms", "recallProcess@10000": "60 ms", "recallProcess@100000": "90 ms",
		"recall@100000": "10 / 30 ms", "recall@1000000": "40 / 150 ms", "recallQuestion@100000": "20 / 60 ms",
		"sweepNone@100000": "10 ms", "sweep1pct@100000": "1 s", "promote1000": "3 s",
		"curate@100000": "1 s", "health@100000": "500 ms",
		"scanFirst": "90 s", "scanUnchanged": "1 s", "noteToRecallable": "300 ms",
		"extractMBps": "over 40 MB/s", "extractMemory": "67.1 MB", "extractUnchanged": "50 ms",
		"mcpStart": "40 ms", "mcpToolList": "18000 bytes", "mcpMemory": "20 MB", "mcpMemoryUsed": "20 MB",
		"hookSessionStart": "80 ms", "hookUserPromptSubmit": "80 ms", "hookPostToolUse": "80 ms", "hookStop": "80 ms",
		"hookPreCompact": "100 ms", "hookSessionEnd": "100 ms",
		"memoryIdle": "40 MB", "memoryLoaded@100000": "60 MB",
	}
}
