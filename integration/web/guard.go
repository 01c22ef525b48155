package web

import (
	"crypto/subtle"
	"net"
	"net/http"
	"strings"
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
