package web

import (
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"

	"github.com/brainbridge/brainbridge/brain/durable"
)

// guard refuses requests with another host than localhost, from another origin, or
// without the token. The host is checked because another site may resolve its own
// name to this machine (DNS rebinding).
func guard(token string, next http.Handler) http.Handler {
	crossOrigin := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !loopbackHost(r.Host):
			http.Error(w, "use 127.0.0.1, [::1] or localhost as the host", http.StatusForbidden)
		case !sameOrigin(r) || crossOrigin.Check(r) != nil:
			http.Error(w, "pages of other origins are not served", http.StatusForbidden)
		case !bears(r, token):
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "send the token as Authorization: Bearer TOKEN; it is in the file that `brainbridge status` names", http.StatusUnauthorized)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// Loopback reports whether a host, without a port, is localhost.
func Loopback(host string) bool {
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func loopbackHost(hostport string) bool {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		hostport = host
	}
	return Loopback(hostport)
}

// sameOrigin reports whether a request with any method comes from no page, or from
// one of ours.
func sameOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	return origin == "" || origin == "http://"+r.Host
}

func bears(r *http.Request, token string) bool {
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare([]byte(strings.TrimSpace(given)), []byte(token)) == 1
}

// minToken is the least length of a token: 128 random bits.
const minToken = 26

// Token reads the token from a file that only its owner may read. If there is none,
// or others could read it, Token makes a new one and fresh is true.
func Token(path string) (token string, fresh bool, err error) {
	if held, ok := readToken(path); ok {
		return held, false, nil
	}
	token = rand.Text()
	if err := durable.WriteFile(path, []byte(token+"\n"), durable.Options{}); err != nil {
		return "", false, fmt.Errorf("store the token: %w", err)
	}
	return token, true, nil
}

// readToken returns the token of a file that only its owner can read.
func readToken(path string) (string, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o077 != 0 {
		return "", false
	}
	text, err := os.ReadFile(path)
	token := strings.TrimSpace(string(text))
	return token, err == nil && len(token) >= minToken
}
