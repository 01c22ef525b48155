package bench

import (
	"fmt"
	"strings"
	"testing"

	"github.com/brainbridge/brainbridge/config"
)

func TestMadeUpStatementsAreOfManyWords(t *testing.T) {
	m := newMadeUp(seed)
	said := map[string]bool{}
	for range 200 {
		s := m.keeper()
		if strings.Contains(s.text, "%") || strings.Contains(s.name, "%") {
			t.Fatalf("%q, %q", s.name, s.text)
		}
		said[s.name+s.text] = true
		if len(s.topic.later) == 0 {
			continue
		}
		if r := m.replacement(s); r.value == s.value || r.subject != s.subject || strings.Contains(r.text, "%") {
			t.Errorf("%q replaces %q", r.text, s.text)
		}
	}
	if len(said) != 200 {
		t.Errorf("200 statements are %d different ones", len(said))
	}
}

// The targets for keepers, budget, passing lines and replaced statements are met on all days.
func TestMornings(t *testing.T) {
	home := t.TempDir()
	l, err := config.Load(config.Input{Env: func(k string) string { return map[string]string{"BRAINBRIDGE_HOME": home}[k] }})
	if err != nil {
		t.Fatal(err)
	}
	v, err := Morning(t.Context(), Options{Settings: l.Config, Env: func(string) string { return "" }, Folder: t.TempDir(), Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, f := range v.Figures {
		got[f.Name] = f.Value
	}
	for _, days := range []string{"", "busy days: "} {
		if n := got[days+"largest context"]; n > 2000 || n < 1500 {
			t.Errorf("%sthe largest context has %v tokens", days, n)
		}
		if n := got[days+"lines that only pass"]; n > 10 {
			t.Errorf("%s%v %% of the lines only pass", days, n)
		}
		if n := got[days+"replaced statements pushed"]; n > 0 {
			t.Errorf("%s%v replaced statements are pushed", days, n)
		}
		if n := got[days+"keepers of the last 14 days that are pushed"]; n < 95 {
			t.Errorf("%s%v %% of the keepers are pushed", days, n)
		}
	}
	if rows := fmt.Sprint(v.Rows()); !strings.Contains(rows, "lines 0]") || !strings.Contains(rows, "% 95.0 or more]") {
		t.Errorf("rows: %s", rows)
	}
}
