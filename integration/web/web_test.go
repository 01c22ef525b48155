package web_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/brainbridge/brainbridge/integration/web"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const token = "abcdefghijklmnopqrstuvwxyz"

func noStreams() {}

// listen serves until the test ends, or until stop, which waits.
func listen(t *testing.T, handler http.HandlerFunc, closeStreams func()) (s *web.Server, stop func() error) {
	t.Helper()
	s, err := web.Listen(t.Context(), "127.0.0.1:0", token, slog.New(slog.DiscardHandler), handler, closeStreams)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	stop = func() error {
		cancel()
		return <-ended
	}
	return s, stop
}

// ask makes one request, on a connection that nothing keeps.
func ask(t *testing.T, r *http.Request) (int, string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(r)
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

func TestOnlyOursComeIn(t *testing.T) {
	s, stop := listen(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "in")
	}, noStreams)
	bearer := "Bearer " + token
	port := s.URL()[strings.LastIndex(s.URL(), ":"):]
	for name, c := range map[string]struct {
		method, host, origin, site, authorization string
		want                                      int
	}{
		"with the token":             {"GET", "", "", "", bearer, 200},
		"bearer in small letters":    {"POST", "", "", "", "bearer " + token, 200},
		"as localhost":               {"GET", "localhost" + port, "", "", bearer, 200},
		"as [::1]":                   {"GET", "[::1]" + port, "", "", bearer, 200},
		"from our own page":          {"POST", "", s.URL(), "same-origin", bearer, 200},
		"without a token":            {"GET", "", "", "", "", 401},
		"with another token":         {"GET", "", "", "", bearer + "x", 401},
		"with half of it":            {"GET", "", "", "", bearer[:20], 401},
		"by another scheme":          {"GET", "", "", "", "Basic " + token, 401},
		"under another name":         {"GET", "evil.example", "", "", bearer, 403},
		"under a name with ours":     {"GET", "localhost.evil.example", "", "", bearer, 403},
		"under a name like ours":     {"GET", "127.0.0.1.evil.example" + port, "", "", bearer, 403},
		"under an address outside":   {"GET", "192.168.0.1" + port, "", "", bearer, 403},
		"a page of another site":     {"GET", "", "http://evil.example", "", bearer, 403},
		"a page of nowhere":          {"GET", "", "null", "", bearer, 403},
		"a page of another port":     {"POST", "", "http://127.0.0.1:1", "", bearer, 403},
		"as the browser tells":       {"POST", "", "", "cross-site", bearer, 403},
		"rebound, as its own origin": {"POST", "evil.example", "http://evil.example", "same-origin", bearer, 403},
	} {
		r, err := http.NewRequestWithContext(t.Context(), c.method, s.URL()+"/x", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = c.host
		for header, value := range map[string]string{"Origin": c.origin, "Sec-Fetch-Site": c.site, "Authorization": c.authorization} {
			if value != "" {
				r.Header.Set(header, value)
			}
		}
		if got, body := ask(t, r); got != c.want || strings.Contains(body, token) {
			t.Errorf("%s: %d %q, want %d", name, got, body, c.want)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

func TestAnAddressThatIsTakenIsNamed(t *testing.T) {
	first, stopFirst := listen(t, http.NotFound, noStreams)
	second, err := web.Listen(t.Context(), strings.TrimPrefix(first.URL(), "http://"), token, slog.New(slog.DiscardHandler), http.NotFoundHandler(), noStreams)
	if err != nil {
		t.Fatal(err)
	}
	if second.URL() == first.URL() || "http://"+second.Taken != first.URL() || first.Taken != "" {
		t.Errorf("at %s, since %q was taken", second.URL(), second.Taken)
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
	if err := stopFirst(); err != nil {
		t.Error(err)
	}
	for _, address := range []string{"0.0.0.0:0", ":0", "example.com:80", "127.0.0.1"} {
		if s, err := web.Listen(t.Context(), address, token, slog.New(slog.DiscardHandler), http.NotFoundHandler(), noStreams); err == nil {
			t.Errorf("it listens at %s", s.URL())
		}
	}
}

func TestStreamsEndWithTheServer(t *testing.T) {
	closed, began := make(chan struct{}), make(chan struct{})
	s, stop := listen(t, func(w http.ResponseWriter, _ *http.Request) {
		close(began)
		<-closed
		_, _ = io.WriteString(w, "the end")
	}, func() { close(closed) })
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL()+"/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	said := make(chan string, 1)
	go func() {
		_, body := ask(t, r)
		said <- body
	}()
	<-began
	if err := stop(); err != nil {
		t.Error(err)
	}
	if got := <-said; got != "the end" {
		t.Errorf("a stream ended with %q", got)
	}
}

func TestToken(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	get := func(wantFresh bool) string {
		t.Helper()
		token, fresh, err := web.Token(file)
		if err != nil || fresh != wantFresh || len(token) < 26 {
			t.Errorf("%q, new %v: %v", token, fresh, err)
		}
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v: %v", info.Mode(), err)
		}
		return token
	}
	first := get(true)
	if again := get(false); again != first {
		t.Error("the token does not stay")
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if other := get(true); other == first {
		t.Error("a token that others could read stays")
	}
	if err := os.WriteFile(file, []byte("short\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	get(true)
}
