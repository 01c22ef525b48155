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
	TestOnly    bool     `json:"testOnly"`
	RecordCount int      `json:"recordCount"`
	Results     []Action `json:"results"` // the first three
	Summary     string   `json:"summary"`
}

// log adds a line to the log. A dry run writes none.
func (r *Runner) log(op *operation) {
	if r.o.LogFile == "" || op.req.DryRun || op.req.Background && op.report.RunID == "" {
		return
	}
	names := map[string]string{brain.RunDecay: "decayEnergy", brain.RunPromote: "promoteMemories"}
	line := logLine{
		Timestamp: op.now, Operation: cmp.Or(names[op.req.Kind], "consolidateAll"), Brain: r.base.Store.Info().Brain,
		Parameters: map[string]any{"runId": op.report.RunID},
		Result: logResult{
			TestOnly: brain.IsTest(op.run.ID), RecordCount: len(op.report.Actions) + op.report.Decayed,
			Results: append([]Action{}, op.report.Actions[:min(3, len(op.report.Actions))]...),
			Summary: op.report.Summary(),
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
