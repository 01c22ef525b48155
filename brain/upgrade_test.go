package brain

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"
)

// earlier returns the record of an item as an earlier version stored it.
func earlier(id, kind, state, decision string, at int) Record {
	created := time.Date(2026, 1, 1, 0, at, 0, 0, time.UTC)
	body := fmt.Sprintf(`{"id":%q,"kind":%q,"state":%q,"decision":%q,"reason":"the newer one applies until you decide","memories":["a","b"],"created":%q}`,
		id, kind, state, decision, created.Format(time.RFC3339))
	return Record{Kind: ReviewRecord, ID: id, Owner: state, At: created, Body: json.RawMessage(body)}
}

func TestEarlierReviewItems(t *testing.T) {
	for _, c := range []struct {
		kind, state, decision string
		wantKind              ReviewKind
		wantState             ReviewState
		wantVerdict           string
	}{
		{"conflict", "pending", "", ReviewPair, ReviewPending, ""},
		{"conflict", "accepted", "older", ReviewPair, ReviewDecided, VerdictOlder},
		{"conflict", "rejected", "rejected", ReviewPair, ReviewDecided, VerdictBoth},
		{"llm-merge", "pending", "", ReviewMerge, ReviewPending, ""},
		{"merge", "accepted", "merge", ReviewMerge, ReviewDecided, VerdictSame},
		{"merge", "rejected", "undone", ReviewMerge, ReviewDecided, VerdictBoth},
		{"core", "accepted", "core", ReviewCore, ReviewDecided, VerdictAccept},
		{"core", "rejected", "rejected", ReviewCore, ReviewDecided, VerdictReject},
	} {
		rec := UpgradeReviews([]Record{earlier("x", c.kind, c.state, c.decision, 0)}, nil)[0]
		item, err := Body[ReviewItem](rec)
		if err != nil || item.Kind != c.wantKind || item.State != c.wantState || item.Verdict != c.wantVerdict || rec.Owner != string(c.wantState) {
			t.Errorf("%+v: %s, %+v, %v", c, rec.Owner, item, err)
		}
		if wrong := strings.Contains(item.Reason, "applies"); wrong != (c.wantKind != ReviewPair) {
			t.Errorf("%+v: the reason is %q", c, item.Reason)
		}
	}
}

// The newest sixty conflicts stay open as pairs, in a store and in a backup, and a second
// time changes nothing.
func TestManyEarlierConflicts(t *testing.T) {
	var recs []Record
	for i := range 100 {
		recs = append(recs, earlier(fmt.Sprintf("%03d", i), "conflict", "pending", "", i))
	}
	difference, other := Relation{From: "a", Type: "DIFFERS_FROM", To: "b"}, Relation{From: "a", Type: "part_of", To: "b"}
	var pages iter.Seq2[Page, error] = func(yield func(Page, error) bool) {
		_ = yield(Page{Records: recs[:50], Relations: []Relation{difference, other}}, nil) && yield(Page{Records: recs[50:]}, nil)
	}
	var restored []Record
	for p, err := range UpgradePages(pages) {
		if err != nil || slices.Contains(p.Relations, difference) {
			t.Errorf("%+v, %v", p.Relations, err)
		}
		restored = append(restored, p.Records...)
	}
	for _, got := range [][]Record{UpgradeReviews(recs, nil), UpgradeReviews(UpgradeReviews(recs, nil), nil), restored} {
		var open []string
		for _, rec := range got {
			if rec.Owner == string(ReviewPending) {
				open = append(open, rec.ID)
			}
		}
		if len(got) != 100 || len(open) != 60 || open[0] != "040" {
			t.Errorf("%d of %d are open, the first is %v", len(open), len(got), open)
		}
	}
}

// The journal of an earlier version brings no relation of a conflict back.
func TestEarlierActions(t *testing.T) {
	var a Action
	raw := `{"id":"r-000001","kind":"keep","ids":["a","b"],"unlinked":[{"from":"a","type":"DIFFERS_FROM","to":"b"},{"from":"a","type":"part_of","to":"b"}]}`
	if err := json.Unmarshal([]byte(raw), &a); err != nil || len(a.Unlinked) != 1 || a.Unlinked[0].Type != "part_of" {
		t.Errorf("%+v, %v", a.Unlinked, err)
	}
}
