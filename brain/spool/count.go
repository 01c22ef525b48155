package spool

import (
	"fmt"

	"github.com/brainbridge/brainbridge/brain/durable"
)

// Waiting counts the captures in the folder: those of this brain and store, and those for
// others by the URI of their store. A line that cannot be read counts for this store, whose
// next drain rejects it. Waiting takes no lock.
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

// Rejected counts the captures that were rejected, and names their file; the
// name is empty if there are none. It takes no lock.
func (s *Spool) Rejected() (n int, file string, err error) {
	content, err := durable.ReadFile(s.rejected())
	if err != nil {
		return 0, "", fmt.Errorf("count rejected captures: %w", err)
	}
	if n = len(split(content)); n == 0 {
		return 0, "", nil
	}
	return n, s.rejected(), nil
}
