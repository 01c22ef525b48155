package web_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
)

// A browser is let in by an address that a program with the token got for it, once.
func TestABrowserLogsIn(t *testing.T) {
	s, stop := listen(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "in") }, noStreams)
	request := func(method, url string, header ...string) *http.Request {
		r, err := http.NewRequestWithContext(t.Context(), method, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		return r
	}
	code, body := ask(t, request("POST", s.URL()+"/api/v1/login", "Authorization", "Bearer "+token))
	var login struct{ URL string }
	if err := json.Unmarshal([]byte(body), &login); code != 200 || err != nil || strings.Contains(login.URL, token) {
		t.Fatalf("%d %s: %v", code, body, err)
	}

	jar, _ := cookiejar.New(nil)
	browser := &http.Client{Jar: jar, Transport: &http.Transport{DisableKeepAlives: true}}
	open := func(r *http.Request) (int, string) {
		res, err := browser.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, _ := io.ReadAll(res.Body)
		return res.StatusCode, string(body)
	}
	if code, body := open(request("GET", login.URL)); code != 200 || body != "in" {
		t.Fatalf("the address of the login: %d %s", code, body)
	}
	for name, c := range map[string]struct {
		r    *http.Request
		want int
	}{
		"looking":                         {request("GET", s.URL()+"/"), 200},
		"changing":                        {request("POST", s.URL()+"/x", "X-Brainbridge", "1"), 200},
		"changing without the header":     {request("POST", s.URL()+"/x"), 403},
		"from another origin":             {request("GET", s.URL()+"/x", "Origin", "http://evil.example"), 403},
		"another code":                    {request("POST", s.URL()+"/api/v1/login", "X-Brainbridge", "1"), 401},
		"the address a second time":       {request("GET", login.URL), 401},
		"a code that was never given":     {request("GET", s.URL()+"/login?code=ABC"), 401},
		"with a frame of another site":    {request("GET", s.URL()+"/x", "Sec-Fetch-Site", "cross-site"), 200}, // the cookie would not be sent
		"a form of another site":          {request("POST", s.URL()+"/x", "Sec-Fetch-Site", "cross-site", "X-Brainbridge", "1"), 403},
		"under a name of somebody's site": {withHost(request("GET", s.URL()+"/x"), "evil.example"), 403},
	} {
		if got, _ := open(c.r); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	cookies := jar.Cookies(request("GET", s.URL()).URL)
	if len(cookies) != 1 {
		t.Fatalf("%d cookies", len(cookies))
	}
	late := cookies[0].Value
	forged := "9" + late // ends later than what was signed
	for name, value := range map[string]string{"forged": forged, "empty": "", "no signature": strings.Split(late, ".")[0]} {
		r := request("GET", s.URL()+"/", "Accept", "text/html")
		r.AddCookie(&http.Cookie{Name: cookies[0].Name, Value: value})
		if code, body := ask(t, r); code != 401 || !strings.Contains(body, "brainbridge open") {
			t.Errorf("%s: %d %s", name, code, body)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

func withHost(r *http.Request, host string) *http.Request {
	r.Host = host
	return r
}
