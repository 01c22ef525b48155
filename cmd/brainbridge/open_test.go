package main

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
	"time"
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
	base := address[:strings.Index(address, "/login")]
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
