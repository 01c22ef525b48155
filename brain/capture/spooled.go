package capture

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// CaptureSpooled stores a capture out of the spool. The person was told that it
// is kept, so that an unknown relation is left out, an entity whose name is taken
// becomes a plain memory, and what the relevance filter cannot judge is stored
// without it. note says what was left out.
func (b *Service) CaptureSpooled(ctx context.Context, c brain.Capture) (note string, err error) {
	done, err := b.remember(ctx, c)
	refused := errors.Is(err, brain.ErrConflict) || errors.Is(err, brain.ErrNotFound) || errors.Is(err, brain.ErrInvalid)
	if refused && c.Gate != nil {
		c.Gate = nil
		done, err = b.remember(ctx, c)
	}
	if errors.Is(err, brain.ErrConflict) && c.Memory != nil && c.Memory.Entity {
		m := *c.Memory
		m.Entity, m.EntityKey = false, ""
		c.Memory, note = &m, fmt.Sprintf("%s is a plain memory: %v", m.ID, err)
		done, err = b.remember(ctx, c)
	}
	if len(c.Relate) > 0 && (errors.Is(err, brain.ErrNotFound) || errors.Is(err, brain.ErrInvalid)) {
		note = fmt.Sprintf("%s was stored without its relations: %v", c.Memory.ID, err)
		c.Relate = nil
		done, err = b.remember(ctx, c)
	}
	if err != nil {
		return "", err
	}
	if j := done.Judgement; j != nil && done.MemoryID == "" {
		note = fmt.Sprintf("not worth keeping, so it was not stored: %q (%s)",
			plaintext.Clip(plaintext.OneLine(c.Memory.Name), 60), strings.Join(j.Reasons, "; "))
	}
	return note, nil
}
