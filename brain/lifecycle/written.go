package lifecycle

import (
	"context"
	"fmt"

	"github.com/brainbridge/brainbridge/brain"
)

// EachWritten calls fn with the memories whose texts were stored after a mark, size of them
// at a time, and the mark after them, until there are no more or fn returns false. It
// returns the last mark. See [brain.MemoryLister.Written].
func (b Base) EachWritten(ctx context.Context, after string, size int,
	fn func(page []brain.Memory, mark string) (more bool, err error),
) (string, error) {
	for {
		mark := after
		page, err := Read(ctx, b, func(r brain.Reader) (page []brain.Memory, err error) {
			page, mark, err = r.Written(after, size)
			return page, err
		})
		if err != nil {
			return after, fmt.Errorf("read the memories: %w", err)
		}
		if after = mark; len(page) == 0 {
			return after, nil
		}
		if more, err := fn(page, mark); err != nil || !more || len(page) < size {
			return after, err
		}
	}
}
