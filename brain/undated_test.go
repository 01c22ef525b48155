package brain

import "testing"

func TestUndatedLeavesOtherExtraFields(t *testing.T) {
	for name, c := range map[string]struct {
		extra  string
		is     bool // before
		dated  string
		undate string
	}{
		"none":          {"", false, "", `{"undated":"true"}`},
		"only undated":  {`{"undated":"true"}`, true, "", `{"undated":"true"}`},
		"beside others": {`{"a":"b","undated": "true"}`, true, `{"a":"b"}`, `{"a":"b","undated":"true"}`},
		"others":        {`{"a":{"undated":"true"}}`, false, `{"a":{"undated":"true"}}`, `{"a":{"undated":"true"},"undated":"true"}`},
		"not an object": {`null`, false, `null`, `null`},
	} {
		m := Memory{Extra: []byte(c.extra)}
		if m.Undated() != c.is {
			t.Errorf("%s: undated is %v", name, m.Undated())
		}
		m.SetUndated(false)
		if string(m.Extra) != c.dated || m.Undated() {
			t.Errorf("%s: dated, extra is %s; want %s", name, m.Extra, c.dated)
		}
		m.SetUndated(true)
		if string(m.Extra) != c.undate {
			t.Errorf("%s: undated, extra is %s; want %s", name, m.Extra, c.undate)
		}
	}
}
