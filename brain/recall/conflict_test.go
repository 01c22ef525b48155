package recall

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brainbridge/brainbridge/brain"
)

func TestNewerFirst(t *testing.T) {
	r := func(id, by string) Recalled { return Recalled{Memory: brain.View{ID: id, ContestedBy: by}} }
	for name, c := range map[string]struct {
		found, newer []Recalled
		want         string
	}{
		"nothing contested":        {[]Recalled{r("a", ""), r("b", "")}, nil, "ab"},
		"the older one was better": {[]Recalled{r("o", "n"), r("x", ""), r("n", "")}, nil, "nox"},
		"the newer one was better": {[]Recalled{r("n", ""), r("x", ""), r("o", "n")}, nil, "nox"},
		"the newer one is added":   {[]Recalled{r("x", ""), r("o", "n")}, []Recalled{r("n", "")}, "xno"},
		"it was not found":         {[]Recalled{r("x", ""), r("o", "n")}, nil, "xo"},
		"two older ones":           {[]Recalled{r("p", "n"), r("x", ""), r("o", "n"), r("n", "")}, nil, "npox"},
		"two older, one added":     {[]Recalled{r("o", "n"), r("x", ""), r("p", "n")}, []Recalled{r("n", "")}, "nopx"},
		"they contest each other":  {[]Recalled{r("a", "b"), r("x", ""), r("b", "a")}, nil, "bax"},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			for _, f := range newerFirst(c.found, c.newer) {
				got += f.Memory.ID
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("order (-want +got):\n%s", diff)
			}
		})
	}
}

// An older memory that fits the budget is not returned without the newer one.
func TestABudgetHoldsBackBothSides(t *testing.T) {
	newer := brain.View{ID: "n", Content: strings.Repeat("The staging port is 5500. ", 40)}
	older := brain.View{ID: "o", Content: "The staging port is 5433.", ContestedBy: "n"}
	other := brain.View{ID: "x", Content: "Ports are opened by hand."}
	out := fill(30, []Recalled{{Memory: newer}, {Memory: older}, {Memory: other}})
	if len(out.Results) != 1 || out.Results[0].Memory.ID != "x" || out.HeldBack["overBudget"] != 2 {
		t.Errorf("returned %+v", out)
	}
}
