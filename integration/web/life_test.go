package web_test

import (
	"math"
	"slices"
	"testing"
	"time"
)

type lifePoint struct {
	At                    time.Time
	Kind, Tier            string
	Energy, Added, Lambda float64
}

// The curve of a memory goes through every energy that somebody saw, and its points have the
// touches and the changes of tier.
func TestLifeGoesThroughWhatWasSeen(t *testing.T) {
	onBothStores(t, func(c client) {
		id := c.remember(`{"content": "Staging listens on port 5433"}`)
		type sight struct {
			at     time.Time
			energy float64
		}
		var seen []sight
		look := func() {
			at := time.Now().Add(*c.passed)
			seen = append(seen, sight{at, c.show(id).Energy})
		}
		after := func(hours float64, what string, body string) {
			*c.passed += time.Duration(hours * float64(time.Hour))
			look()
			*c.passed += time.Second
			do[changed](c, 200, "POST", "/memories/"+id+"/"+what, body)
			*c.passed += time.Second
			look()
		}
		after(0.5, "boost", `{}`)
		after(1.5, "used", `{"verdict": "helpful"}`)
		after(0.2, "boost", `{"amount": 2}`) // rises to shortTerm
		after(3, "boost", `{}`)
		do[changed](c, 200, "POST", "/memories/"+id+"/correct", `{"text": "Staging listens on port 5500"}`)
		after(5, "used", `{"verdict": "notHelpful"}`) // in the fourth session
		*c.passed += 24 * time.Hour
		look()

		life, _ := do[struct {
			Points    []lifePoint
			ExpiresAt *time.Time
		}](c, 200, "GET", "/memories/"+id+"/life", "")
		for _, s := range seen {
			got := 0.0
			for _, p := range life.Points {
				if !p.At.After(s.at) {
					got = p.Energy * math.Exp(-p.Lambda*s.at.Sub(p.At).Hours())
				}
			}
			if math.Abs(got-s.energy) > 0.001 {
				t.Errorf("at %v the curve has %v, and %v was seen", s.at, got, s.energy)
			}
		}
		var kinds []string
		for _, p := range life.Points {
			kinds = append(kinds, p.Kind)
		}
		for _, kind := range []string{"capture", "boost", "helpful", "promote", "now"} {
			if !slices.Contains(kinds, kind) {
				t.Errorf("there is no %s among %v", kind, kinds)
			}
		}
		if last := life.Points[len(life.Points)-1]; last.Kind != "now" || last.Tier != "longTerm" || life.ExpiresAt == nil {
			t.Errorf("it ends with %+v, expiry %v", last, life.ExpiresAt)
		}

		history, _ := do[struct {
			Events []struct {
				Kind, Run string
				Text      *struct {
					Before []string
					After  string
				}
			}
		}](c, 200, "GET", "/memories/"+id+"/history", "")
		texts := 0
		for _, e := range history.Events {
			if e.Text == nil {
				continue
			}
			texts++
			if !slices.Equal(e.Text.Before, []string{"Staging listens on port 5433"}) || e.Text.After != "Staging listens on port 5500" || e.Run == "" {
				t.Errorf("the correction says %+v", e)
			}
		}
		if texts != 1 {
			t.Errorf("%d events have texts", texts)
		}
	})
}

// What comes next is what fades first, and what is due for promotion.
func TestNextAndField(t *testing.T) {
	onBothStores(t, func(c client) {
		soon, strong := c.remember(`{"content": "The ferry leaves at seven"}`), c.remember(`{"content": "Staging moves to port 5500"}`)
		*c.passed += time.Hour
		do[changed](c, 200, "POST", "/memories/"+strong+"/boost", `{"amount": 3}`)
		type dot struct {
			ID, Tier   string
			Energy     float64
			PromoteDue *time.Time
		}
		next, _ := do[struct{ Expires, Rises []dot }](c, 200, "GET", "/next", "")
		if len(next.Expires) != 1 || next.Expires[0].ID != soon || len(next.Rises) != 1 || next.Rises[0].ID != strong || next.Rises[0].PromoteDue == nil {
			t.Errorf("next: %+v", next)
		}
		field, _ := do[struct {
			Live int
			Dots []dot
		}](c, 200, "GET", "/field", "")
		if field.Live != 2 || len(field.Dots) != 2 || field.Dots[0].ID != strong {
			t.Errorf("field: %+v", field)
		}
		density, _ := do[struct{ Cells []struct{ Count int } }](c, 200, "GET", "/field/density", "")
		if len(density.Cells) != 2 || density.Cells[0].Count != 1 {
			t.Errorf("density: %+v", density)
		}
		status, _ := do[struct {
			Numbers struct {
				Lambda, PromoteAbove map[string]float64
				ExpireBelow          float64
			}
		}](c, 200, "GET", "/status", "")
		if n := status.Numbers; n.Lambda["working"] != 0.5 || n.PromoteAbove["shortTerm"] != 5 || n.ExpireBelow != 0.1 {
			t.Errorf("numbers: %+v", n)
		}
	})
}

// A boost and a verdict of the page can be taken back, also after a later touch, which stays.
func TestTouchesAreUndone(t *testing.T) {
	onBothStores(t, func(c client) {
		id := c.remember(`{"content": "The ferry leaves at seven"}`)
		*c.passed = 3 * time.Hour // so that nothing makes it rise
		faded := c.show(id).Energy
		boosted, _ := do[changed](c, 200, "POST", "/memories/"+id+"/boost", `{"amount": 0.5}`)
		do[changed](c, 200, "POST", "/memories/"+id+"/boost", `{"amount": 0.25}`)
		helped, _ := do[changed](c, 200, "POST", "/memories/"+id+"/used", `{"verdict": "helpful"}`)
		if again, _ := do[changed](c, 200, "POST", "/memories/"+id+"/used", `{"verdict": "helpful"}`); again.RunID != "" {
			t.Errorf("a verdict that does not count is the run %s", again.RunID)
		}
		for _, run := range []string{boosted.RunID, helped.RunID} {
			do[struct{ Undone int }](c, 200, "POST", "/runs/"+run+"/undo", "")
		}
		if got := c.show(id).Energy; math.Abs(got-faded-0.25) > 0.001 {
			t.Errorf("after the undo of two of three touches the energy is %v", got)
		}
		history, _ := do[struct {
			Events []struct{ Kind, Undone string }
		}](c, 200, "GET", "/memories/"+id+"/history", "")
		var kinds []string
		for _, e := range history.Events {
			if e.Undone == "" {
				kinds = append(kinds, e.Kind)
			}
		}
		if !slices.Equal(kinds, []string{"capture", "boost"}) {
			t.Errorf("the history has %v", kinds)
		}
	})
}
