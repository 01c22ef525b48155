package consolidate

import (
	"context"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/moment"
)

// A clock that has jumped ahead makes every memory look unused for years. So a scheduled run that
// is much later than the run before it forgets nothing, until another one a day later agrees.
const (
	aheadAfter  = 30 * brain.Day
	agreesAfter = 23 * time.Hour // the run of the next night may be a little early
)

const clockCheckpoint = "clock" // of the last scheduled run whose clock was in doubt

// doubtsClock reports whether the clock of a scheduled run may be ahead.
func (r *Runner) doubtsClock(ctx context.Context, op *operation) (bool, error) {
	if op.req.ByPerson || !op.req.isRecorded() {
		return false, nil
	}
	var last LastRun
	var doubted lifecycle.JobState
	newest := time.Time{} // time of the last run, or of the last capture if there was none
	err := r.base.Store.View(ctx, func(rd brain.Reader) error {
		if err := lifecycle.ReadCheckpoint(rd, fullRunCheckpoint, &last); err != nil {
			return err
		}
		if newest = last.At; newest.IsZero() {
			source, err := brain.First(rd.ListSources(brain.SourceFilter{Limit: 1}))
			if newest = source.Created; err != nil {
				return err
			}
		}
		return lifecycle.ReadCheckpoint(rd, clockCheckpoint, &doubted)
	})
	if err != nil {
		return false, err
	}
	ahead := op.now.Sub(newest)
	switch since := op.now.Sub(doubted.Finished); {
	case !newest.IsZero() && ahead > aheadAfter:
		err = r.base.FinishJob(ctx, clockCheckpoint, op.now)
	case doubted.Finished.IsZero() || since < 0 || since >= agreesAfter:
		return false, nil
	}
	r.o.Warn(fmt.Errorf("the clock says %s, %s after what was stored last: correct it if it is wrong; nothing is forgotten until another run, a day later, finds the same",
		op.now.Format(time.DateTime), moment.Rough(ahead)))
	return true, err
}
