package web

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/sse"
)

const (
	// lookEvery is how often the store is asked for its version while a page is open.
	lookEvery = 250 * time.Millisecond
	// beatEvery is how often a page hears that the daemon is there.
	beatEvery = 15 * time.Second
)

// addEvents adds the stream of changes. It begins with the present version.
func (a *API) addEvents() {
	op := huma.Operation{OperationID: "events", Method: http.MethodGet, Path: eventsPath, Summary: "a stream of changes"}
	sse.Register(a.huma, op, map[string]any{"change": Change{}, "beat": Beat{}}, func(ctx context.Context, _ *nothing, send sse.Sender) {
		look, beat := time.NewTicker(lookEvery), time.NewTicker(beatEvery)
		defer look.Stop()
		defer beat.Stop()
		for last := ""; ; {
			// While the store is away the page keeps what it shows; the routes say why.
			if version, err := a.use().Version(ctx); err == nil && version != last {
				last = version
				if send.Data(Change{version}) != nil {
					return
				}
			}
			select {
			case <-ctx.Done():
				return
			case <-a.closed:
				return
			case now := <-beat.C:
				if send.Data(Beat{now.UTC()}) != nil {
					return
				}
			case <-look.C:
			}
		}
	})
}
