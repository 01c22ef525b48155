package consolidate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

// logLine is one line of consolidation.log (JSON Lines).
type logLine struct {
	Timestamp  time.Time      `json:"timestamp"`
	Operation  string         `json:"operation"`
	Brain      string         `json:"brain"`
	Parameters map[string]any `json:"parameters"`
	Result     logResult      `json:"result"`
}

type logResult struct {
	TestOnly    bool       `json:"testOnly"`
	RecordCount int        `json:"recordCount"`
	Results     []logEntry `json:"results"` // the first three
	Summary     string     `json:"summary"`
}

// logEntry is one memory that an operation changed.
type logEntry struct {
	Kind   string `json:"kind"`
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

// maxLogged is the number of memories that a line of the log names.
const maxLogged = 3

// logged returns the entries of a line of the log, and its summary.
func (op *operation) logged() (entries []logEntry, summary string) {
	if op.req.Kind == brain.RunDecay { // its report counts faded memories as expired, and a decay run expires none
		return op.decayed, fmt.Sprintf("%d decayed", op.report.Decayed)
	}
	for _, a := range op.report.Done() {
		if len(entries) < maxLogged {
			entries = append(entries, logEntry{a.Kind, a.IDs[0], a.Reason})
		}
	}
	return entries, op.report.Summary()
}

// log adds a line to the log. A dry run writes none.
func (r *Runner) log(op *operation) {
	if r.o.LogFile == "" || op.req.DryRun || op.req.Background && op.report.RunID == "" {
		return
	}
	// The original program has these names; a kind that it does not have is logged as it is called here.
	names := map[string]string{brain.RunDecay: "decayEnergy", brain.RunPromote: "promoteMemories", brain.RunConsolidate: "consolidateAll"}
	entries, summary := op.logged()
	changes := len(op.report.Done())
	if op.req.Kind == brain.RunDecay {
		changes = op.report.Decayed
	}
	line := logLine{
		Timestamp: op.now, Operation: cmp.Or(names[op.req.Kind], op.req.Kind), Brain: r.base.Store.Info().Brain,
		Parameters: map[string]any{"runId": brain.OrNull(op.report.RunID)},
		Result: logResult{
			TestOnly: brain.IsTest(op.run.ID), RecordCount: changes,
			Results: append([]logEntry{}, entries...), Summary: summary,
		},
	}
	raw, err := json.Marshal(line)
	if err == nil {
		err = durable.MakeDir(filepath.Dir(r.o.LogFile), durable.PrivateDir)
	}
	if err == nil {
		err = durable.Append(r.o.LogFile, append(raw, '\n'))
	}
	if err != nil {
		r.o.Warn(fmt.Errorf("write %s: %w", r.o.LogFile, err))
	}
}
