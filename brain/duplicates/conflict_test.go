package duplicates_test

import (
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain/duplicates"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
	"github.com/brainbridge/brainbridge/brain/words"
)

// Of a conflict that a run finds by other means than the claims, the newer memory holds as
// of any other, until a person decides.
func TestTheNewerOfAConflictOfARunHolds(t *testing.T) {
	s := testlab.OpenStore(t)
	const text = "Sluice, pump and lamp were tested with the crew of Basin "
	old := put(t, s, text+"4", named("harbour drill"), ofType("decision"), created(testlab.Start().Add(-48*time.Hour)))
	latest := put(t, s, text+"5", named("harbour drill"), ofType("decision"), created(testlab.Start().Add(-time.Hour)))
	b := testlab.At(s, testlab.Start().Add(time.Minute))
	if older, err := b.Review.NoteConflicts(t.Context(), latest); err != nil || len(older) > 0 {
		t.Fatal("the claims of the texts conflict, which this test is not about", older, err)
	}
	deduped(t, s, duplicates.Options{})
	for _, when := range []string{"after the run", "after the conflicts of its claim were noted again"} {
		c, err := b.Recall.Context(t.Context(), recall.ContextQuery{})
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Lines) != 1 || c.Lines[0].ID != latest || !strings.Contains(c.Text, "(was ") {
			t.Errorf("%s the context is\n%s", when, c.Text)
		}
		found, err := b.Recall.Recall(t.Context(), recall.Query{Words: words.Parse("harbour drill Basin 4")})
		if r := found.Results; err != nil || len(r) != 2 || r[0].Memory.ID != latest || r[1].Memory.ContestedBy != latest {
			t.Errorf("%s recalled %+v, %v", when, found, err)
		}
		if _, err := b.Review.NoteConflicts(t.Context(), latest); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := testlab.At(s, testlab.Start().Add(time.Hour)).Review.Reject(t.Context(), reviews(t, s)[0].ID); err != nil {
		t.Fatal(err)
	}
	if v, err := b.Recall.Show(t.Context(), old, false); err != nil || v.Memory.ContestedBy != "" {
		t.Errorf("after the decision that both hold, the older one is contested by %q, %v", v.Memory.ContestedBy, err)
	}
}
