package app

import (
	"context"

	"github.com/brainbridge/brainbridge/brain/health"
)

// Audit says how clean the memory is, with at most so many of the latest
// rejections.
func (u *UseCases) Audit(ctx context.Context, rejections int) (AuditAnswer, error) {
	b, err := u.Brain(ctx)
	if err != nil {
		return AuditAnswer{}, err
	}
	return health.ReadAudit(ctx, b, rejections)
}
