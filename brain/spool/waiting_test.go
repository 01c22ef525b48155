package spool

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCapturesForAnotherSpellingOfTheServerAreDrained(t *testing.T) {
	s := newSpool(t)
	stores := []string{"neo4j://127.0.0.1:7687", "neo4j://[::1]", "neo4j://LOCALHOST/"}
	others := []string{"bolt://localhost:7687", "neo4j://localhost:7688", "neo4j://db.example:7687", "sqlite:/a/brain.db"}
	for _, store := range append(stores, others...) {
		add(t, New(s.dir, s.brain, store), store)
	}
	want := map[string]int{}
	for _, store := range others {
		want[store] = 1
	}
	here, elsewhere, err := s.Waiting()
	if err != nil || here != len(stores) {
		t.Errorf("%d wait for this store, %v; want %d", here, err, len(stores))
	}
	if diff := cmp.Diff(want, elsewhere); diff != "" {
		t.Errorf("for others (-want +got):\n%s", diff)
	}
	kept := shelf{}
	if _, err := s.Drain(t.Context(), kept.store); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(stores, kept.ids); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	if here, elsewhere, err = s.Waiting(); here != 0 || err != nil || len(elsewhere) != len(others) {
		t.Errorf("after that %d wait here, %v elsewhere, %v", here, elsewhere, err)
	}
}
