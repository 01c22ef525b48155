package brain

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"
)

// TestAPromotedIDIsNearTheNextOne: the ids of a run keep the order of their
// originals (round the end of the range), and share no short prefix with them.
func TestAPromotedIDIsNearTheNextOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old := Memory{IsTest: rapid.Bool().Draw(t, "test")}
		old.ID = NewID(old.IsTest)
		chain := []string{old.ID}
		for range 2 {
			old.ID = promotedID(old)
			if strings.HasPrefix(old.ID, TestPrefix) != old.IsTest {
				t.Fatalf("%s does not say whether it is a test memory", old.ID)
			}
			id, err := uuid.Parse(strings.TrimPrefix(old.ID, TestPrefix))
			if err != nil || id.Version() != 4 || id.Variant() != uuid.RFC4122 {
				t.Fatalf("%s is no random UUID: %v", old.ID, err)
			}
			for _, before := range chain {
				if firstDigit(before) == firstDigit(old.ID) {
					t.Fatalf("%s begins as %s, which became it", old.ID, before)
				}
			}
			chain = append(chain, old.ID)
		}
	})
}

func firstDigit(id string) string { return strings.TrimPrefix(id, TestPrefix)[:1] }

func TestIDsThatAreClosePromoteToIDsThatAreClose(t *testing.T) {
	a, b := uuid.New(), uuid.New()
	copy(b[:2], a[:2])
	x := uuid.MustParse(promotedID(Memory{ID: a.String()}))
	y := uuid.MustParse(promotedID(Memory{ID: b.String()}))
	if !bytes.Equal(x[:2], y[:2]) || x == y {
		t.Errorf("%s and %s became %s and %s", a, b, x, y)
	}
}

func TestAnImportedIDPromotesToARandomOne(t *testing.T) {
	if id := promotedID(Memory{ID: "from elsewhere"}); uuid.Validate(id) != nil {
		t.Errorf("promoted to %q", id)
	}
}
