package web_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/integration/app"
)

// A day opens its note, its sessions and its runs.
func TestADay(t *testing.T) {
	onBothStores(t, func(c client) {
		ctx, today := t.Context(), time.Now().In(c.app.Settings.Zone).Format(time.DateOnly)
		use := c.app.As(app.Caller{Session: "a session"})
		dir := c.app.Settings.Paths.NotesDir
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		note := "### 09:30 - [Decision] Staging listens on 5433\n\nThe old cluster holds 5432.\n"
		if err := os.WriteFile(filepath.Join(dir, today+".md"), []byte(note), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := use.SyncNotes(ctx); err != nil {
			t.Fatal(err)
		}
		id, err := use.Remember(ctx, app.RememberRequest{Content: "Images are stored in R2"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := use.Recall(ctx, app.RecallRequest{Query: "images"}); err != nil {
			t.Fatal(err)
		}
		if _, err := use.Correct(ctx, string(id.MemoryID), "", "Images are stored in S3"); err != nil {
			t.Fatal(err)
		}
		day, _ := do[app.DayAnswer](c, 200, "GET", "/timeline/today", "")
		if len(day.Notes) != 1 || filepath.Base(day.Notes[0].File) != today+".md" || len(day.Notes[0].Outcomes) != 1 || day.Notes[0].Outcomes[0].MemoryID == "" {
			t.Errorf("notes %+v", day.Notes)
		}
		if len(day.Runs) != 1 || day.Runs[0].Kind != "correct" {
			t.Errorf("runs %+v", day.Runs)
		}
		found := false
		for _, s := range day.Sessions {
			if s.ID == "a session" {
				found = s.Recalled == 1 && len(s.Captured) == 1 && s.Captured[0].Name == "Images are stored in S3"
			}
		}
		if !found {
			t.Errorf("sessions %+v", day.Sessions)
		}
		if before, _ := do[app.DayAnswer](c, 200, "GET", "/timeline/yesterday", ""); len(before.Notes)+len(before.Sessions)+len(before.Runs) > 0 {
			t.Errorf("yesterday %+v", before)
		}
		do[map[string]any](c, 422, "GET", "/timeline/someday", "")
	})
}

// One action of a run is undone; with the last one the run counts as undone.
func TestUndoOfOneAction(t *testing.T) {
	onBothStores(t, func(c client) {
		for text, amount := range map[string]string{"One": "2", "Two": "3"} {
			id := c.remember(`{"content": "` + text + `"}`)
			do[changed](c, 200, "POST", "/memories/"+id+"/boost", `{"amount": `+amount+`}`)
		}
		rep, err := c.app.As(app.Caller{}).Consolidate(t.Context(), app.ConsolidateRequest{})
		if err != nil {
			t.Fatal(err)
		}
		path := "/runs/" + string(rep.RunID)
		run, _ := do[app.RunAnswer](c, 200, "GET", path, "")
		last := len(run.Actions) - 1
		if last < 1 || run.Actions[0].Name != "Two" || run.Actions[0].Kind != "promote" {
			c.Fatalf("actions %+v", run.Actions)
		}
		for i, a := range run.Actions {
			body := `{"action": "` + a.ID + `"}`
			if done, _ := do[app.UndoAnswer](c, 200, "POST", path+"/undo", body); done.Undone != 1 || len(done.Skipped) != 0 {
				t.Errorf("undone %+v", done)
			}
			do[map[string]any](c, 422, "POST", path+"/undo", body) // a second time
			now, _ := do[app.RunAnswer](c, 200, "GET", path, "")
			if now.Run.Undone != (i == last) || !now.Actions[i].Undone || now.Actions[last].Undone != (i == last) {
				t.Errorf("after %d: %+v", i+1, now)
			}
			if m := c.show(a.IDs[0]); a.Kind == "promote" && m.Tier != "working" {
				t.Errorf("%s is in %s", a.Name, m.Tier)
			}
		}
		do[map[string]any](c, 404, "POST", path+"/undo", `{"action": "another"}`)
	})
}

func TestDoneReminders(t *testing.T) {
	onBothStores(t, func(c client) {
		c.remember(`{"content": "renew the certificate", "due": "2031-01-01"}`)
		open, _ := do[app.RemindersAnswer](c, 200, "GET", "/reminders", "")
		do[map[string]any](c, 200, "POST", "/reminders/"+open.Reminders[0].SourceID+"/done", "{}")
		done, _ := do[app.RemindersAnswer](c, 200, "GET", "/reminders?done=true", "")
		if len(done.Reminders) != 1 || done.Reminders[0].Text != "renew the certificate" || done.Reminders[0].Done == nil {
			t.Errorf("done %+v", done.Reminders)
		}
		do[map[string]any](c, 200, "POST", "/reminders/"+open.Reminders[0].SourceID+"/done", `{"reopen": true}`)
		if done, _ := do[app.RemindersAnswer](c, 200, "GET", "/reminders?done=true", ""); len(done.Reminders) != 0 {
			t.Errorf("after it was opened again %+v", done.Reminders)
		}
	})
}

// The log and the settings show no secret; a setting names the command that changes it.
func TestLogAndSettings(t *testing.T) {
	c := newClient(t, "", "")
	secret := "ghp_" + "q7Zk2Rw9Lm4Xc8Vb1Np6Ts3Yd5Hf0Ja2Gu7E"
	if l, _ := do[app.LogAnswer](c, 200, "GET", "/log", ""); len(l.Lines) != 0 {
		t.Errorf("a log without a daemon: %+v", l)
	}
	file := c.app.Settings.Paths.DaemonLog
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	lines := `{"level":"info","time":"2026-02-05T14:30:00Z","message":"started","pid":12}` + "\n" +
		`{"level":"warn","error":"bad key ` + secret + `","time":"2026-02-05T14:31:00Z","message":"a job failed"}` + "\npanic\n"
	if err := os.WriteFile(file, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	l, _ := do[app.LogAnswer](c, 200, "GET", "/log?limit=2", "")
	if len(l.Lines) != 2 || l.Lines[0].Message != "panic" || l.Lines[1].Level != "warn" || l.Lines[1].Message != "a job failed" ||
		!strings.Contains(l.Lines[1].Detail, "error=bad key") || strings.Contains(l.Lines[1].Detail, secret) {
		t.Errorf("lines %+v", l.Lines)
	}
	s, _ := do[struct {
		Settings []struct{ Key, Value, Origin, Command string }
	}](c, 200, "GET", "/settings", "")
	want := map[string]string{"backup.dir": "", "lifecycle.maxMemories": ""}
	for _, x := range s.Settings {
		if _, ok := want[x.Key]; ok {
			want[x.Key] = x.Command
		}
	}
	for key, command := range want {
		if command != "brainbridge config set "+key+" VALUE" {
			t.Errorf("%s is changed by %q", key, command)
		}
	}
}

func TestMetrics(t *testing.T) {
	onBothStores(t, func(c client) {
		c.remember(`{"content": "Images are stored in R2", "type": "decision"}`)
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.TrimSuffix(c.url, "/api/v1")+"/metrics", nil)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != 200 {
			t.Fatalf("%s: %v", res.Status, err)
		}
		for _, line := range []string{
			`brainbridge_memories{tier="working"} 1`, `brainbridge_captured_today{type="decision"} 1`, "brainbridge_spooled_captures 0",
			`brainbridge_health_indicator{name="count"} 1`, `brainbridge_health_warning{name="lastBackup"} 1`, "# TYPE brainbridge_daemon_memory_bytes gauge",
		} {
			if !strings.Contains(string(text), line+"\n") {
				t.Errorf("no line %q in\n%s", line, text)
			}
		}
	})
}
