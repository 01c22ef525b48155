package health

import (
	"context"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// Rejections returns the latest captures that were not stored, newest first, at
// most limit of them and of the last 200 of all.
func (b *Service) Rejections(ctx context.Context, limit int) ([]brain.Rejection, error) {
	return lifecycle.Read(ctx, b.base, func(r brain.Reader) ([]brain.Rejection, error) {
		all, err := brain.Bodies[brain.Rejection](r.LatestRecords(brain.RejectionRecord, time.Time{}, brain.RejectionsKept))
		return all[:min(max(limit, 0), len(all))], err
	})
}
