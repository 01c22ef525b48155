package backups

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
)

// lock makes the folder and holds it against other handles and processes. A
// context that ends first makes it [brain.ErrBusy].
func (a *Archive) lock(ctx context.Context) (unlock func(), err error) {
	if err := durable.MakeDir(a.dir, durable.PrivateDir); err != nil {
		return nil, err
	}
	a.mu.Lock()
	free, err := durable.Lock(ctx, filepath.Join(a.dir, "archive.lock"))
	if err != nil {
		a.mu.Unlock()
		if ctx.Err() != nil {
			return nil, fmt.Errorf("%w: %w", brain.ErrBusy, err)
		}
		return nil, err
	}
	return func() { free(); a.mu.Unlock() }, nil
}
