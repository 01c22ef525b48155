package app

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// checkBody returns an error for a record whose body is not what the program reads.
func checkBody(rec brain.Record) error {
	check := map[brain.RecordKind]func(brain.Record) error{
		brain.RunRecord: decodes[brain.Run], brain.ActionRecord: decodes[brain.Action], brain.UseEventRecord: decodes[brain.UseEvent],
		brain.TouchRecord: decodes[brain.UseEvent], brain.ReviewRecord: decodes[brain.ReviewItem], brain.RejectionRecord: decodes[brain.Rejection],
		brain.ConfigRecord: decodes[brain.PolicyBody], brain.TombstoneRecord: decodes[lifecycle.Tombstone], brain.PendingRecord: decodes[lifecycle.PendingNamedBody],
		brain.NoteFileRecord: decodes[ingest.NoteState], brain.NotesDirRecord: decodes[ingest.NotesPlace], brain.ModelSpendRecord: decodes[consolidate.Spending],
		brain.AttentionRecord: decodes[health.Attention], brain.DayTallyRecord: decodes[health.Day],
	}[rec.Kind]
	if check == nil || len(rec.Body) == 0 {
		return nil
	}
	err := check(rec)
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		kind, _, _ := strings.Cut(wrong.Value, " ") // "number 1.5"
		kind = cmp.Or(map[string]string{"string": "text", "bool": "truth value", "array": "list"}[kind], kind)
		return fmt.Errorf("its property %s has the wrong type (a %s)", wrong.Field[strings.LastIndex(wrong.Field, ".")+1:], kind)
	}
	return err
}

func decodes[T any](rec brain.Record) error {
	_, err := brain.Body[T](rec)
	return err
}
