package spool

import (
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/brainbridge/brainbridge/brain/durable"
)

// Waiting counts the captures that wait in the folder: those of this brain and
// store, and those that wait for another one, by its URI. A line that cannot be
// read counts as one of this store, whose next drain sets it aside. It takes no
// lock.
func (s *Spool) Waiting() (here int, elsewhere map[string]int, err error) {
	content, err := durable.ReadFile(s.captures())
	if err != nil {
		return 0, nil, fmt.Errorf("count spooled captures: %w", err)
	}
	elsewhere = map[string]int{}
	for _, raw := range split(content) {
		l, err := parse(raw)
		if err != nil || s.mine(l) {
			here++
			continue
		}
		elsewhere[l.Store]++
	}
	return here, elsewhere, nil
}

// mine reports whether a line belongs into this brain and store.
func (s *Spool) mine(l line) bool {
	return l.Brain == s.brain && (l.Store == s.store || server(l.Store) == server(s.store))
}

// server is the URI of a Neo4j server in one spelling: the names of this
// machine and the usual port are the same however they are written. A scheme
// is kept as it is: bolt:// reaches one member of what neo4j:// routes to.
func server(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Host == "" || !strings.HasPrefix(u.Scheme, "bolt") && !strings.HasPrefix(u.Scheme, "neo4j") {
		return uri
	}
	host, port := strings.ToLower(u.Hostname()), u.Port()
	if host == "127.0.0.1" || host == "::1" {
		host = "localhost"
	}
	if port == "" {
		port = "7687"
	}
	u.Host, u.Path = net.JoinHostPort(host, port), strings.TrimSuffix(u.Path, "/")
	return u.String()
}
