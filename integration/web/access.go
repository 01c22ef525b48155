package web

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// loginPath takes a code and gives a browser its cookie.
	loginPath = "/login"
	// codeLife is how long a code can be used, once.
	codeLife = time.Minute
	// cookieLife is how long a browser is let in.
	cookieLife = 30 * 24 * time.Hour
	// pageHeader must be in each request of the page that changes something. Pages of other sites
	// cannot set it.
	pageHeader = "X-Brainbridge"
)

// access lets programs in by the token of the brain, and browsers by a cookie that they get
// for a code.
type access struct {
	token    string
	now      func() time.Time
	bodyTime time.Duration // within which the body of a request must come

	mu    sync.Mutex
	codes map[string]time.Time // until when each works
}

func newAccess(token string, now func() time.Time) *access {
	return &access{token: token, now: now, bodyTime: 10 * time.Second, codes: map[string]time.Time{}}
}

// maxBody is the longest body of a request in bytes.
const maxBody = 2 << 20

// admit hands a request to next once its whole body is read.
func admit(w http.ResponseWriter, r *http.Request, next http.Handler) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		http.Error(w, "send at most 2 MiB", http.StatusRequestEntityTooLarge)
		return
	case err != nil:
		http.Error(w, "send the whole request within 10 s", http.StatusRequestTimeout)
		return
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // the answer may take longer, such as a stream
	r.Body = io.NopCloser(bytes.NewReader(body))
	w.Header().Del("Connection")
	next.ServeHTTP(w, r)
}

// guard refuses requests with another host than localhost, because another site may resolve
// its own name to this machine (DNS rebinding), from another origin, or without the token or
// the cookie. It closes their connections, so that others than ours can keep none.
func (a *access) guard(next http.Handler) http.Handler {
	crossOrigin := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		harden(w.Header())
		w.Header().Set("Connection", "close")
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(a.bodyTime)) // also for a body that nobody reads
		switch {
		case !isLoopback(r.Host):
			http.Error(w, "use 127.0.0.1, [::1] or localhost as the host", http.StatusForbidden)
		case !sameOrigin(r) || crossOrigin.Check(r) != nil:
			http.Error(w, "pages of other origins are not served", http.StatusForbidden)
		case r.URL.Path == loginPath && r.Method == http.MethodGet:
			a.login(w, r)
		case hasToken(r, a.token):
			admit(w, r, next)
		case !a.hasCookie(r):
			w.Header().Set("WWW-Authenticate", "Bearer")
			refuse(w, r, http.StatusUnauthorized, "This browser is not logged in, or not any more.")
		case r.Method != http.MethodGet && r.Method != http.MethodHead && r.Header.Get(pageHeader) != "1":
			http.Error(w, "send the header "+pageHeader+": 1 with what changes something", http.StatusForbidden)
		default:
			admit(w, r, next)
		}
	})
}

// harden allows a page nothing from elsewhere and no script inside its markup.
func harden(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "+
		"connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// refuse says how to get in: to a person as a page, to a program as a line.
func refuse(w http.ResponseWriter, r *http.Request, status int, why string) {
	if !strings.Contains(r.Header.Get("Accept"), "text/html") {
		http.Error(w, "send the token as Authorization: Bearer TOKEN; it is in the file that `brainbridge status` names", status)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintf(w, `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>brainbridge</title><h1>brainbridge</h1><p>%s</p><p>Type <code>brainbridge open</code> in a terminal: it opens this page and logs the browser in for 30 days.</p></html>
`, why)
}

// code returns a code for [loginPath] that works once, for a minute.
func (a *access) code() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	for code, until := range a.codes {
		if a.now().After(until) {
			delete(a.codes, code)
		}
	}
	code := rand.Text()
	a.codes[code] = a.now().Add(codeLife)
	return code
}

// login exchanges a code for a cookie.
func (a *access) login(w http.ResponseWriter, r *http.Request) {
	code := r.URL.Query().Get("code")
	a.mu.Lock()
	until, known := a.codes[code]
	delete(a.codes, code)
	a.mu.Unlock()
	w.Header().Set("Cache-Control", "no-store")
	if !known || a.now().After(until) {
		refuse(w, r, http.StatusUnauthorized, "This link was used before, or is older than a minute.")
		return
	}
	end := a.now().Add(cookieLife)
	http.SetCookie(w, &http.Cookie{
		Name: a.cookieName(), Value: strconv.FormatInt(end.Unix(), 10) + "." + a.sign(end.Unix()),
		Path: "/", Expires: end, HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// cookieName differs between brains, because all ports of a host share their cookies.
func (a *access) cookieName() string { return "brainbridge-" + a.mac("name")[:12] }

// sign makes a cookie invalid with another token.
func (a *access) sign(end int64) string { return a.mac("until " + strconv.FormatInt(end, 10)) }

func (a *access) mac(text string) string {
	h := hmac.New(sha256.New, []byte(a.token))
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil))
}

// hasCookie reports whether a request has a cookie of this token that has not ended.
func (a *access) hasCookie(r *http.Request) bool {
	c, err := r.Cookie(a.cookieName())
	if err != nil {
		return false
	}
	until, signature, _ := strings.Cut(c.Value, ".")
	end, err := strconv.ParseInt(until, 10, 64)
	return err == nil && a.now().Before(time.Unix(end, 0)) && subtle.ConstantTimeCompare([]byte(signature), []byte(a.sign(end))) == 1
}

// isLoopback reports whether a host, with or without a port, is localhost.
func isLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// sameOrigin reports whether a request with any method comes from no page, or from ours.
func sameOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	return origin == "" || origin == "http://"+r.Host
}

func hasToken(r *http.Request, token string) bool {
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare([]byte(strings.TrimSpace(given)), []byte(token)) == 1
}
