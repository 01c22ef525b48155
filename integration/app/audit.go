package app

import (
	"context"

	"github.com/brainbridge/brainbridge/brain/health"
)

// Audit says how clean the memory is, with at most so many of the latest
// rejections.
func (u *UseCases) Audit(ctx context.Context, rejections int) (health.Audit, error) {
	b, err := u.Brain(ctx)
	if err != nil {
		return health.Audit{}, err
	}
	return health.ReadAudit(ctx, b, rejections)
}
