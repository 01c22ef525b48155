package brain_test

import (
	"encoding/json"
	"testing"

	"github.com/brainbridge/brainbridge/brain"
)

// One record that cannot be read does not keep the others from being read.
func TestBodiesLeavesOutWhatCannotBeRead(t *testing.T) {
	recs := []brain.Record{{ID: "a", Body: json.RawMessage(`{"reason":"x"}`)}, {ID: "b", Body: json.RawMessage(`{"reason":7}`)}, {ID: "c", Body: json.RawMessage(`{`)}, {ID: "d", Body: json.RawMessage(`{"reason":"y"}`)}}
	kept, bodies, err := brain.WithBodies[brain.Action](recs, nil)
	if err != nil || len(kept) != 2 || len(bodies) != 2 || kept[1].ID != "d" || bodies[1].Reason != "y" {
		t.Errorf("read %v of %v, %v", bodies, kept, err)
	}
}
