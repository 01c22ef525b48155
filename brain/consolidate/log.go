package consolidate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/brainbridge/brainbridge/brain"
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
	if err := appendLine(r.o.LogFile, line); err != nil {
		r.o.Warn(fmt.Errorf("write %s: %w", r.o.LogFile, err))
	}
}

func appendLine(path string, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(raw, '\n')) // one write, so that lines of two processes do not mix
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}
