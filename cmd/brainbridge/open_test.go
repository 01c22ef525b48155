package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/integration/app"
	"github.com/brainbridge/brainbridge/tiers"
)

// A person types `open`, and the address that it prints leads to the page.
func TestOpenLeadsToThePage(t *testing.T) {
	home := t.TempDir()
	c := program(t, home, "open")
	if err := c.Run(); codeOf(t, err) != 3 {
		t.Errorf("without a daemon: %v", err)
	}
	stop, _ := serving(t, home)
	defer stop()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar, Timeout: time.Minute}
	look := func(address string) (int, string) {
		t.Helper()
		res, err := browser.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, string(body)
	}
	address := strings.TrimSpace(succeed(t, home, "--quiet", "open"))
	if code, body := look(address); code != 200 || !strings.Contains(body, "page.js") {
		t.Errorf("%s: %d %s", address, code, body)
	}
	base, _, _ := strings.Cut(address, "/login")
	for path, want := range map[string]string{
		"/page.js": "brainbridge", "/review": "page.js", "/m/3f2a1b9c-0000": "page.js", "/api/v1/status": `"brain":"default"`, "/api/v1/openapi.json": "3.1.0",
	} {
		if code, body := look(base + path); code != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %d %.300s", path, code, body)
		}
	}
	if code, _ := look(base + "/missing.js"); code != 404 {
		t.Errorf("a file that is not there: %d", code)
	}
}

// A newcomer looks at a made-up brain, and nothing of it is left.
func TestOpenDemo(t *testing.T) {
	home, temporary := t.TempDir(), t.TempDir()
	c := program(t, home, "--quiet", "open", "--demo")
	c.Env = append(c.Env, "TMPDIR="+temporary)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill() })
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatal("no address was printed")
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar, Timeout: time.Minute}
	res, err := browser.Get(lines.Text())
	if err != nil || res.StatusCode != 200 {
		t.Fatalf("%s: %v, %v", lines.Text(), res, err)
	}
	res.Body.Close()
	base, _, _ := strings.Cut(lines.Text(), "/login")
	ask := func(path string, answer any) {
		t.Helper()
		res, err := browser.Get(base + "/api/v1/" + path)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if err := json.NewDecoder(res.Body).Decode(answer); err != nil {
			t.Fatal(err)
		}
	}
	var status app.StatusAnswer
	ask("status", &status)
	if status.Review < 10 {
		t.Errorf("%d items to decide", status.Review)
	}
	var merged int
	var days app.TimelineAnswer
	ask("timeline?days=62", &days)
	for _, day := range days.Days {
		merged += day.Merged
	}
	if merged == 0 {
		t.Error("there is no merge to take back")
	}
	var said struct{ Memories []struct{ ID string } }
	var talk app.ExchangeAnswer
	ask("memories?project=shop&sort=created&limit=1", &said)
	ask("memories/"+said.Memories[0].ID+"/exchange", &talk)
	if len(talk.Turns) < 2 {
		t.Errorf("the transcript of the last memory: %+v", talk)
	}
	for _, tier := range []tiers.Tier{tiers.Working, tiers.LongTerm, tiers.Core, tiers.Expired} {
		if status.Tiers[tier] == 0 {
			t.Errorf("no memory is in %s: %v", tier, status.Tiers)
		}
	}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := codeOf(t, c.Wait()); code != 0 {
		t.Errorf("it ended with %d", code)
	}
	for _, dir := range []string{home, temporary} {
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%v is left: %v", left, err)
		}
	}
}
