package model_test

import (
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/brain/extract"
)

// FuzzAnswer lets the endpoint answer anything: what comes out is a failure,
// or items of known types with literal quotes on one line each.
func FuzzAnswer(f *testing.F) {
	f.Add(completion(items(item("decision", "we decided to drop Redis")), "stop"))
	f.Add(completion("prose", "stop"))
	f.Add(`{"choices":null}`)
	f.Add(strings.Replace(completion(items(""), "stop"), "700", "-700", 1))
	f.Fuzz(func(t *testing.T, body string) {
		budget := &account{left: 1 << 40}
		s := &script{steps: []step{{status: 200, body: body}}}
		c := open(t, &memory{}, budget, s)
		got, _, err := c.Extract(t.Context(), chunk())
		if err != nil && len(got) > 0 || budget.reserved != 0 || budget.spent < 0 {
			t.Errorf("items with the error %v, or %d tokens stay reserved, or %d spent", err, budget.reserved, budget.spent)
		}
		for _, one := range got {
			checkItem(t, one)
		}
	})
}

func checkItem(t *testing.T, one extract.Item) {
	t.Helper()
	if _, ok := chunk().Find(one.Quote); !ok || !one.Kind.Known() || strings.ContainsAny(one.Title, "\r\n") {
		t.Errorf("item %+v", one)
	}
}
