package bench

import (
	"context"

	"github.com/brainbridge/brainbridge/brain/services"
)

// Fill stores n generated memories of all tiers, the same ones for the same n but for their ids
// and times.
func Fill(ctx context.Context, b *services.Services, n int) error {
	return load(ctx, b, newTextMaker(seed), n, func(int) {})
}
