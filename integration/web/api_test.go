package web_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/brain/neo4j/neo4jtest"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/integration/app"
	"github.com/brainbridge/brainbridge/integration/web"
)

// client asks the API of an empty brain.
type client struct {
	*testing.T
	app *app.App
	api *web.API
	url string
	// passed is added to the clock.
	passed *time.Duration
}

func onBothStores(t *testing.T, test func(c client)) {
	t.Run("sqlite", func(t *testing.T) { test(newClient(t, "", "")) })
	t.Run("neo4j", func(t *testing.T) {
		uri, name := neo4jtest.Server(t), "web-"+brain.NewID()
		s, err := neo4j.Open(t.Context(), neo4j.Config{URI: uri, Brain: name})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		test(newClient(t, uri, name))
	})
}

func newClient(t *testing.T, store, name string) client {
	t.Helper()
	env := map[string]string{"BRAINBRIDGE_HOME": t.TempDir(), "BRAINBRIDGE_STORE": store, "BRAINBRIDGE_BRAIN": name}
	get := func(key string) string { return env[key] }
	l, err := config.Load(config.Input{Env: get})
	if err != nil {
		t.Fatal(err)
	}
	passed := new(time.Duration)
	a := app.New(app.Options{Settings: l, Env: get, Now: func() time.Time { return time.Now().Add(*passed) }})
	if _, err := a.As(app.Caller{}).Brain(t.Context()); err != nil {
		t.Fatal(err)
	}
	api := web.NewAPI(web.Options{UseCases: a.As, Version: "v0", Log: slog.New(slog.DiscardHandler)})
	server := httptest.NewServer(api)
	t.Cleanup(func() {
		server.Close()
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return client{t, a, api, server.URL + "/api/v1", passed}
}

// do makes a request and decodes its answer.
func do[T any](c client, want int, method, path, body string) (answer T, header http.Header) {
	c.Helper()
	r, err := http.NewRequestWithContext(c.Context(), method, c.url+path, strings.NewReader(body))
	if err != nil {
		c.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		c.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != want {
		c.Fatalf("%s %s: %s %s, want %d: %v", method, path, res.Status, text, want, err)
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		c.Fatalf("%s %s: %s: %v", method, path, text, err)
	}
	return answer, res.Header
}

// memory has the fields that these tests look at.
type memory struct {
	ID, Content, MemoryType, Tier string
	Energy                        float64
}

type changed struct {
	Memory memory
	RunID  string
}

func (c client) remember(body string) string {
	c.Helper()
	a, _ := do[struct{ MemoryID string }](c, 200, "POST", "/memories", body)
	if a.MemoryID == "" {
		c.Fatalf("nothing was stored of %s", body)
	}
	return a.MemoryID
}

func (c client) show(id string) memory {
	c.Helper()
	a, _ := do[struct{ Memory memory }](c, 200, "GET", "/memories/"+id, "")
	return a.Memory
}

// Each action of the page has an effect that a person sees, and its undo takes it back.
func TestActionsAndTheirUndo(t *testing.T) {
	onBothStores(t, func(c client) {
		hostile := `<script>alert(1)</script> & "images" are stored in R2` + "\u202e"
		body, _ := json.Marshal(map[string]any{"content": hostile, "type": "decision", "tags": []string{"cdn"}})
		id := c.remember(string(body))
		if m := c.show(id); m.Content != hostile || m.MemoryType != "decision" {
			t.Errorf("stored %+v", m)
		}
		if a, _ := do[changed](c, 200, "POST", "/memories/"+id+"/boost", `{"amount": 0.5}`); a.Memory.Energy < 1.4 {
			t.Errorf("boosted to %v", a.Memory.Energy)
		}
		do[changed](c, 200, "POST", "/memories/"+id+"/used", `{"verdict": "helpful"}`)

		corrected, _ := do[changed](c, 200, "POST", "/memories/"+id+"/correct", `{"text": "Images are stored in S3", "seen": `+quoted(hostile)+`}`)
		if m := c.show(id); m.Content != "Images are stored in S3" {
			t.Errorf("corrected to %q", m.Content)
		}
		do[struct{ Undone int }](c, 200, "POST", "/runs/"+corrected.RunID+"/undo", "")
		if m := c.show(id); m.Content != hostile {
			t.Errorf("after the undo %q", m.Content)
		}

		other := c.remember(`{"content": "Pictures moved to B2"}`)
		replaced, _ := do[struct{ RunID string }](c, 200, "POST", "/memories/"+id+"/replace", `{"with": "`+other+`"}`)
		if m := c.show(id); m.ID != other {
			t.Errorf("the replaced memory leads to %+v", m)
		}
		do[struct{ Undone int }](c, 200, "POST", "/runs/"+replaced.RunID+"/undo", "")

		forgotten, _ := do[changed](c, 200, "POST", "/memories/"+other+"/forget", "")
		do[web.Problem](c, 404, "GET", "/memories/"+other, "")
		do[struct{ Undone int }](c, 200, "POST", "/runs/"+forgotten.RunID+"/undo", "")
		if m := c.show(other); m.Content != "Pictures moved to B2" {
			t.Errorf("after the undo of forget %+v", m)
		}
	})
}

// The graph has the memories that are asked for, and the relations between them.
func TestGraph(t *testing.T) {
	onBothStores(t, func(c client) {
		use := c.app.As(app.Caller{})
		one, two := c.remember(`{"content": "the lorry", "project": "shop"}`), c.remember(`{"content": "the driver", "project": "shop"}`)
		other := c.remember(`{"content": "elsewhere"}`)
		for _, pair := range [][2]string{{one, two}, {one, other}} {
			if _, err := use.Relate(t.Context(), pair[0], "part_of", pair[1]); err != nil {
				t.Fatal(err)
			}
		}
		type graph struct {
			Memories  []memory
			Relations []struct{ From, Type, To string }
		}
		for query, want := range map[string][2]int{"": {3, 2}, "?project=shop": {2, 1}, "?around=" + two: {2, 1}, "?around=" + one: {3, 2}, "?type=decision": {0, 0}} {
			if g, _ := do[graph](c, 200, "GET", "/graph"+query, ""); len(g.Memories) != want[0] || len(g.Relations) != want[1] {
				t.Errorf("%q: %+v", query, g)
			}
		}
		// What a memory was before a correction is there if it is asked for.
		do[changed](c, 200, "POST", "/memories/"+one+"/correct", `{"text": "the red lorry"}`)
		for query, want := range map[string][2]int{"": {3, 2}, "?all=true": {4, 3}} {
			if g, _ := do[graph](c, 200, "GET", "/graph"+query, ""); len(g.Memories) != want[0] || len(g.Relations) != want[1] {
				t.Errorf("after a correction %q: %+v", query, g)
			}
		}
	})
}

func quoted(text string) string {
	q, _ := json.Marshal(text)
	return string(q)
}

// The second of two tabs that correct one memory is told what it says now.
func TestTheSecondTabIsTold(t *testing.T) {
	c := newClient(t, "", "")
	id := c.remember(`{"content": "the port is 5432"}`)
	do[changed](c, 200, "POST", "/memories/"+id+"/correct", `{"text": "the port is 5433", "seen": "the port is 5432"}`)
	p, _ := do[web.Problem](c, 409, "POST", "/memories/"+id+"/correct", `{"text": "the port is 5434", "seen": "the port is 5432"}`)
	if !strings.Contains(p.Detail, "the port is 5433") || p.Code != 4 || p.Hint == "" {
		t.Errorf("told %+v", p)
	}
	if m := c.show(id); m.Content != "the port is 5433" {
		t.Errorf("it says %q", m.Content)
	}
}

// Of tabs that correct what they saw at the same time, one does.
func TestOneOfManyTabsCorrects(t *testing.T) {
	onBothStores(t, func(c client) {
		id := c.remember(`{"content": "the port is 1"}`)
		answers := make(chan int)
		for i := range 8 {
			go func() {
				body := fmt.Sprintf(`{"text": "the port is %d", "seen": "the port is 1"}`, i+2)
				res, err := http.Post(c.url+"/memories/"+id+"/correct", "application/json", strings.NewReader(body))
				if err != nil {
					answers <- 0
					return
				}
				_ = res.Body.Close()
				answers <- res.StatusCode
			}()
		}
		got := map[int]int{}
		for range 8 {
			got[<-answers]++
		}
		if want := map[int]int{200: 1, 409: 7}; !maps.Equal(got, want) {
			t.Errorf("answers by status: %v, want %v", got, want)
		}
	})
}

func TestPagesOfMemories(t *testing.T) {
	onBothStores(t, func(c client) {
		want := map[string]bool{}
		for _, n := range []string{"one", "two", "three", "four", "five"} {
			want[c.remember(`{"content": "number `+n+`"}`)] = true
		}
		for _, order := range []string{"energy", "created", "name"} {
			got, after := map[string]bool{}, ""
			for pages := 1; ; pages++ {
				p, _ := do[struct {
					Memories []memory
					Next     *string
				}](c, 200, "GET", "/memories?limit=2&sort="+order+"&after="+after, "")
				for _, m := range p.Memories {
					got[m.ID] = true
				}
				if p.Next == nil {
					if pages != 3 || len(got) != len(want) {
						t.Errorf("by %s: %d memories on %d pages", order, len(got), pages)
					}
					break
				}
				after = *p.Next
			}
		}
	})
}

// Looking touches nothing, and says what the command line would say of a wrong question.
func TestLooking(t *testing.T) {
	onBothStores(t, func(c client) {
		id := c.remember(`{"content": "Images are stored in R2", "project": "shop"}`)
		c.remember(`{"content": "renew the certificate", "due": "2027-01-01"}`)
		before := c.show(id)
		found, _ := do[struct{ Results []struct{ Memory memory } }](c, 200, "GET", "/recall?q=images&project=shop", "")
		if len(found.Results) != 1 || found.Results[0].Memory.ID != id {
			t.Errorf("found %+v", found)
		}
		if salient, _ := do[struct{ Results []struct{ Memory memory } }](c, 200, "GET", "/recall?noProject=true", ""); len(salient.Results) != 1 {
			t.Errorf("without a question %+v", salient)
		}
		if core, _ := do[struct{ Results []struct{ Memory memory } }](c, 200, "GET", "/recall?tier=core", ""); len(core.Results) != 0 {
			t.Errorf("of core memory %+v", core)
		}
		for _, path := range []string{"/status", "/health", "/memories", "/memories/" + id + "/why", "/memories/" + id + "/history", "/reminders", "/review", "/runs"} {
			do[map[string]any](c, 200, "GET", path, "")
		}
		if r, _ := do[struct{ Reminders []struct{ Text string } }](c, 200, "GET", "/reminders", ""); len(r.Reminders) != 1 {
			t.Errorf("reminders %+v", r)
		}
		var api struct{ Paths map[string]map[string]any }
		raw, err := c.api.OpenAPI()
		if err == nil {
			err = json.Unmarshal(raw, &api)
		}
		version, versionErr := c.app.As(app.Caller{}).Version(t.Context())
		if err := errors.Join(err, versionErr); err != nil {
			t.Fatal(err)
		}
		if len(api.Paths) < 20 {
			t.Errorf("%d routes", len(api.Paths))
		}
		for path, methods := range api.Paths {
			if methods["get"] == nil || path == "/api/v1/events" {
				continue
			}
			path = strings.NewReplacer("/api/v1", "", "{id}", id, "{date}", "today").Replace(path)
			res, err := http.Get(c.url + path) //nolint:noctx // of the test's own server
			if err != nil {
				t.Fatal(err)
			}
			_ = res.Body.Close()
			if now, err := c.app.As(app.Caller{}).Version(t.Context()); now != version || err != nil {
				t.Fatalf("GET %s changed the store: %v", path, err)
			}
		}
		if after := c.show(id); after.Energy > before.Energy {
			t.Errorf("looking raised the energy from %v to %v", before.Energy, after.Energy)
		}
		for path, code := range map[string]int{"/memories/00000000": 3, "/runs/00000000": 3, "/memories?after=x": 2, "/memories?since=someday": 2, "/memories?limit=501": 2} {
			p, _ := do[web.Problem](c, map[int]int{2: 422, 3: 404}[code], "GET", path, "")
			if p.Code != code || p.Detail == "" {
				t.Errorf("%s: %+v", path, p)
			}
		}
	})
}

// A page that asks again gets nothing new until something is committed.
func TestTagsFollowCommits(t *testing.T) {
	onBothStores(t, func(c client) {
		status := func(tag string) (int, string) {
			r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, c.url+"/memories", nil)
			r.Header.Set("If-None-Match", tag)
			res, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			return res.StatusCode, res.Header.Get("ETag")
		}
		_, tag := status("")
		again, _ := status(tag)
		if _, now := status(""); again != 304 && now == tag { // otherwise a minute has ended between
			t.Errorf("unchanged: %d", again)
		}
		c.remember(`{"content": "something new"}`)
		if code, now := status(tag); code != 200 || now == tag {
			t.Errorf("changed: %d, %s", code, now)
		}
	})
}

// A commit of any process is an event, and closing ends the stream.
func TestEvents(t *testing.T) {
	onBothStores(t, func(c client) {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, c.url+"/events", nil)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		lines := bufio.NewScanner(res.Body)
		next := func() string {
			for lines.Scan() {
				if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
					return data
				}
			}
			return ""
		}
		first := next()
		if _, err := c.app.As(app.Caller{}).Remember(context.WithoutCancel(t.Context()), app.RememberRequest{Content: "by another way"}); err != nil {
			t.Fatal(err)
		}
		if second := next(); first == "" || second == "" || second == first {
			t.Errorf("%q, then %q", first, second)
		}
		c.api.Close()
		if _, err := io.Copy(io.Discard, res.Body); err != nil { // it ends
			t.Error(err)
		}
	})
}

var update = flag.Bool("update", false, "write openapi.json")

// The types of the page are made from this file.
func TestOpenAPIIsCommitted(t *testing.T) {
	raw, err := web.NewAPI(web.Options{}).OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := json.Indent(&text, raw, "", " "); err != nil {
		t.Fatal(err)
	}
	text.WriteByte('\n')
	if *update {
		if err := os.WriteFile("openapi.json", text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	committed, err := os.ReadFile("openapi.json")
	if err != nil || !bytes.Equal(committed, text.Bytes()) {
		t.Errorf("openapi.json is not what the routes give; write it with: go test ./integration/web -run OpenAPI -update (%v)", err)
	}
}

// A day that was counted keeps its numbers when its memories are forgotten.
func TestTheTimelineKeepsItsDays(t *testing.T) {
	onBothStores(t, func(c client) {
		ctx := t.Context()
		use := c.app.As(app.Caller{Session: "a session"})
		first := c.remember(`{"content": "Images are stored in R2", "type": "decision"}`)
		c.remember(`{"content": "the lorry comes at noon"}`)
		if found, err := use.Recall(ctx, app.RecallRequest{Query: "images"}); err != nil || len(found.Results) != 1 {
			t.Fatalf("%+v: %v", found, err)
		}
		b, err := use.Brain(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := health.AddTokens(ctx, b, 120); err != nil {
			t.Fatal(err)
		}
		pushed, err := use.Context(ctx, app.ContextRequest{})
		if err != nil || pushed.Tokens == 0 {
			t.Fatalf("%+v: %v", pushed, err)
		}
		type day struct {
			Captures                    map[string]int
			Recalled, Tokens, Forgotten int
		}
		last := func(n int) []day {
			a, _ := do[struct{ Days []day }](c, 200, "GET", "/timeline?days="+strconv.Itoa(n), "")
			return a.Days
		}
		want := day{Captures: map[string]int{"decision": 1, "note": 1}, Recalled: 1, Tokens: 120 + pushed.Tokens}
		if got := last(1); len(got) != 1 || !reflect.DeepEqual(got[0], want) {
			t.Errorf("today %+v, want %+v", got, want)
		}
		*c.passed += 24 * time.Hour
		if err := use.CountDays(ctx); err != nil {
			t.Fatal(err)
		}
		do[changed](c, 200, "POST", "/memories/"+first+"/forget", "")
		got := last(2)
		if len(got) != 2 || !reflect.DeepEqual(got[0], want) || got[1].Forgotten != 1 || len(got[1].Captures) != 0 {
			t.Errorf("yesterday and today %+v, want %+v and one forgotten", got, want)
		}
		measured, _ := do[struct {
			Days []struct{ Indicators map[string]float64 }
		}](c, 200, "GET", "/timeline?days=2", "")
		if silent := measured.Days[0].Indicators["captureSilence"]; silent != 1 || len(measured.Days[1].Indicators) > 0 {
			t.Errorf("indicators %+v", measured.Days)
		}
	})
}
