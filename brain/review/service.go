package review

import (
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// Service keeps the queue of what a person has to decide, and merges. It is safe for concurrent use.
type Service struct {
	base lifecycle.Base
}

// New returns the service.
func New(base lifecycle.Base) *Service { return &Service{base: base} }

// cleanProposal returns the text that a model made, and why, without secrets, which
// it can invent, and the number of those. m may be nil.
func (b *Service) cleanProposal(m *brain.Memory, reason string) (*brain.Memory, string, int) {
	clean := b.base.Redaction()
	reason = clean.Text(reason)
	if m != nil {
		m = new(*m)
		clean.Memory(m)
	}
	b.base.Redacted(clean.Found)
	return m, reason, clean.Found
}
