package realagents

import (
	"bytes"
	"io"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestConformance runs the conformance suite of MCP against the daemon. What does not
// apply is listed in testdata/conformance.yaml, with the reason.
func TestConformance(t *testing.T) {
	r := newRig(t, "conformance")
	address, token := r.serve()
	proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) {
		p.SetURL(address)
		p.Out.Host = p.In.Host // it is what is tested
		p.Out.Header.Set("Authorization", "Bearer "+token)
		// Read first: the server closes the body of a request once it answers, and a proxy that still looks for the
		// body's end then drops the answer.
		body, _ := io.ReadAll(p.In.Body)
		p.Out.Body = io.NopCloser(bytes.NewReader(body))
	}, FlushInterval: -1})
	defer proxy.Close()
	expected, err := filepath.Abs("testdata/conformance.yaml")
	if err != nil {
		t.Fatal(err)
	}
	out := r.run("conformance", "server", "--url", proxy.URL+"/mcp", "--suite", "all", "--expected-failures", expected)
	r.is(strings.Contains(out, "Baseline check passed"), out)
}

// serve starts the daemon, and returns its address and token.
func (r *rig) serve() (*url.URL, string) {
	r.t.Helper()
	r.brainbridge("config", "set", "web.listen", "127.0.0.1:0")
	c := exec.Command(r.which("brainbridge"), "serve")
	c.Dir, c.Env = r.project, r.env
	out, err := c.StderrPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() {
		_ = c.Process.Signal(os.Interrupt)
		_ = c.Wait()
	})
	greeting, found := "", []string(nil)
	for found == nil {
		part := make([]byte, 4096)
		n, err := out.Read(part)
		greeting += string(part[:n])
		found = regexp.MustCompile(`(?m)^  mcp    (\S+)/mcp, with the token in (\S+)$`).FindStringSubmatch(greeting)
		if err != nil && found == nil {
			r.t.Fatalf("the daemon does not say where it serves: %v\n%s", err, greeting)
		}
	}
	address, err := url.Parse(found[1])
	if err != nil {
		r.t.Fatal(err)
	}
	token, err := os.ReadFile(found[2])
	if err != nil {
		r.t.Fatal(err)
	}
	return address, strings.TrimSpace(string(token))
}
