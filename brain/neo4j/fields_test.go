package neo4j

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain"
)

// everyField has a field of each type that nodes have.
type everyField struct {
	text  string
	named brain.Importance
	json  json.RawMessage
	list  []string
	yes   bool
	whole int
	real  float64
	maybe *float64
	at    time.Time
}

func (e *everyField) fields() []brain.Field {
	return []brain.Field{
		{Name: "text", At: &e.text},
		{Name: "named", At: &e.named},
		{Name: "json", At: &e.json},
		{Name: "list", At: &e.list},
		{Name: "yes", At: &e.yes},
		{Name: "whole", At: &e.whole},
		{Name: "real", At: &e.real},
		{Name: "maybe", At: &e.maybe},
		{Name: "at", At: &e.at},
	}
}

func drawFields(t *rapid.T) everyField {
	e := everyField{
		text: rapid.String().Draw(t, "text"), named: brain.Importance(rapid.String().Draw(t, "named")),
		yes: rapid.Bool().Draw(t, "yes"), whole: rapid.Int().Draw(t, "whole"), real: rapid.Float64().Draw(t, "real"),
	}
	if list := rapid.SliceOf(rapid.String()).Draw(t, "list"); len(list) > 0 {
		e.list = list
	}
	if rapid.Bool().Draw(t, "some JSON") {
		e.json = json.RawMessage(`{"a":[1]}`)
	}
	if rapid.Bool().Draw(t, "a number") {
		e.maybe = &e.real
	}
	if rapid.Bool().Draw(t, "a time") {
		e.at = time.UnixMilli(rapid.Int64Range(-1e14, 1e14).Draw(t, "at")).UTC()
	}
	return e
}

func TestFieldsComeBackPacked(t *testing.T) {
	var u unpacker
	rapid.Check(t, func(t *rapid.T) {
		want, got := drawFields(t), drawFields(t)
		packed, err := pack(want.fields())
		if err != nil {
			t.Fatal(err)
		}
		if err := u.unpack(packed, got.fields()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(everyField{})); diff != "" {
			t.Errorf("(- written, + read)\n%s", diff)
		}
	})
}

func TestDamagedFieldsAreAnError(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawFields(t)
		b := encode(nil, want.fields())
		var got everyField
		if cut := rapid.IntRange(0, len(b)-1).Draw(t, "cut"); decode(b[:cut], got.fields()) == nil {
			t.Errorf("%d of %d bytes are read", cut, len(b))
		}
		if decode(append(b, 0), got.fields()) == nil {
			t.Error("a byte too many is read")
		}
		b[rapid.IntRange(0, len(b)-1).Draw(t, "byte")] ^= 0xff
		_ = decode(b, got.fields()) // whatever it says, it ends
	})
}

func TestFieldsWithoutAValueHaveNoProperty(t *testing.T) {
	want := props{"text": nil, "named": nil, "json": nil, "list": nil, "yes": nil, "whole": 0, "real": 0.0, "maybe": nil, "at": nil}
	if diff := cmp.Diff(want, propertiesOf((&everyField{}).fields())); diff != "" {
		t.Error(diff)
	}
}
