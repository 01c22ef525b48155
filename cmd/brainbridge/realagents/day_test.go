package realagents

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"
)

var update = flag.Bool("update", false, "write what the models were given into docs/integration.md")

const dayPage = "../../../docs/integration.md"

// sleep lets the next morning come for the agent, and for the program where it is run by it.
func (r *rig) sleep() {
	now := time.Now().UTC()
	morning := time.Date(now.Year(), now.Month(), now.Day()+1, 8, 0, 0, 0, time.UTC)
	r.env = append(r.env, "BRAINBRIDGE_NOW="+morning.Format(time.RFC3339))
}

// given returns the first text of requests that begins with a pattern, as the model reads
// it: without what the agent adds, which begins with a tag or a heading.
func given(bodies []string, begin string) string {
	pattern := regexp.MustCompile(begin + `(?:[^"\\]|\\.)*`)
	for _, body := range bodies {
		var text string
		if found := pattern.FindString(body); json.Unmarshal([]byte(`"`+found+`"`), &text) == nil && text != "" {
			text, _, _ = strings.Cut(text, "\n<")
			text, _, _ = strings.Cut(text, "</")
			text, _, _ = strings.Cut(text, "\n#")
			return strings.TrimSpace(text)
		}
	}
	return ""
}

// writing keeps tests that run at the same time from writing the page at once.
var writing sync.Mutex

// shows reports a text that is not the one below a heading of the page about agents. Ids
// and dates are different each time.
func (r *rig) shows(heading, text string) {
	r.t.Helper()
	writing.Lock()
	defer writing.Unlock()
	ids := map[string]int{}
	text = regexp.MustCompile(`\d{4}-\d\d-\d\d`).ReplaceAllString(text, "2026-11-23")
	text = regexp.MustCompile(`\[[0-9a-f]{6,}\]`).ReplaceAllStringFunc(text, func(id string) string {
		if ids[id] == 0 {
			ids[id] = len(ids) + 1
		}
		return fmt.Sprintf("[%x]", 0x1f4b8a*ids[id])
	})
	block := "    " + strings.ReplaceAll(text, "\n", "\n    ")
	block = regexp.MustCompile(`(?m)^ +$`).ReplaceAllString(block, "")
	data, err := os.ReadFile(dayPage)
	if err != nil {
		r.t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(data), "\n**"+heading+"**")
	says, rest, ends := strings.Cut(rest, ":\n\n")
	shown, after, closed := strings.Cut(rest, "\n\n**")
	if !found || !ends || !closed {
		r.t.Fatalf("%s has no block for %s", dayPage, heading)
	}
	switch {
	case shown == block:
	case *update:
		page := before + "\n**" + heading + "**" + says + ":\n\n" + block + "\n\n**" + after
		if err := os.WriteFile(dayPage, []byte(page), 0o644); err != nil {
			r.t.Fatal(err)
		}
	default:
		r.t.Errorf("%s shows for %s\n%s\nThe model was given (go test -update writes it there)\n%s", dayPage, heading, shown, block)
	}
}
