package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/brain/ingest"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
)

// Check is one check of [UseCases.Doctor].
type Check struct {
	Name   string       `json:"name"`
	State  CheckState   `json:"state"`
	Detail string       `json:"detail"` // for people; one line for each thing that is wrong
	Fix    brain.OrNull `json:"fix"`    // what to do; null if it is ok
}

// CheckState is the state of a check.
type CheckState string

// The states of a check.
const (
	CheckOK   CheckState = "ok"
	CheckFail CheckState = "fail"
)

// DoctorAnswer has the checks of the store.
type DoctorAnswer struct {
	OK     bool    `json:"ok"`
	Checks []Check `json:"checks"`
}

// Doctor reads the whole brain, and says what in it cannot be used.
func (u *UseCases) Doctor(ctx context.Context) (DoctorAnswer, error) {
	store := Check{Name: "store", State: CheckOK}
	b, err := u.Brain(ctx)
	var checked health.FullCheck
	if err == nil {
		store.Detail = b.Base.Store.Info().URI + " can be read"
		checked, err = u.checkAll(ctx, b)
	}
	if ExitCode(err) == ExitStore && ctx.Err() == nil {
		store.State, store.Detail, store.Fix = CheckFail, err.Error(), brain.OrNull(Hint(err))
		return DoctorAnswer{Checks: []Check{store}}, nil
	}
	records := Check{Name: "records", State: CheckOK, Detail: english.Plural(checked.Memories, "memory", "memories") + " and everything else read"}
	if len(checked.Unusable) > 0 {
		records.State, records.Detail = CheckFail, strings.Join(checked.Unusable, "\n")
		records.Fix = brain.OrNull(health.Mend(b.Base.Store.Info().Editable))
	}
	return DoctorAnswer{OK: len(checked.Unusable) == 0, Checks: []Check{store, records}}, err
}

// checkAll reads the whole brain, and stores what cannot be used for health and status.
func (u *UseCases) checkAll(ctx context.Context, b *services.Services) (health.FullCheck, error) {
	c := health.FullCheck{At: b.Base.Now()}
	var err error
	c.Unusable, err = b.Base.EachCurrent(ctx, func(page []brain.Memory) error {
		c.Memories += len(page)
		u.caller.Notices.Progress("reading memories", c.Memories, 0)
		return nil
	})
	if err != nil {
		return c, err
	}
	unreadable, err := b.Base.Unreadable(ctx, checkBody)
	if err != nil {
		return c, err
	}
	invalid, err := health.InvalidNumbers(ctx, b)
	c.Unusable = append(append(c.Unusable, brain.Map(unreadable, brain.Unreadable.String)...), invalid...)
	return c, cmp.Or(err, u.app.putCheck(c))
}

// noteLeftOut adds what a backup could not read to what the last full check found.
func (u *UseCases) noteLeftOut(made backups.Backup) error {
	unreadable := made.Unreadable()
	if len(unreadable) == 0 || u.caller.DryRun {
		return nil
	}
	c, err := u.app.lastCheck()
	if c == nil {
		c = &health.FullCheck{}
	}
	c.At, c.Memories = made.Created, made.Memories-made.Archived
	c.Unusable = brain.Union(c.Unusable, brain.Map(unreadable, func(l backups.LeftOut) string {
		return brain.Unreadable{Kind: l.Kind, ID: l.ID, Why: l.Why}.String()
	}))
	return cmp.Or(err, u.app.putCheck(*c))
}

// checkFile has the last full check of the store on this machine. It is no record of the store,
// which may be damaged or restored.
func (a *App) checkFile() string { return filepath.Join(a.Settings.Paths.State, "check.json") }

func (a *App) putCheck(c health.FullCheck) error {
	data, err := json.Marshal(c)
	if err == nil {
		err = durable.MakeDir(a.Settings.Paths.State, 0o700)
	}
	if err == nil {
		err = durable.WriteFile(a.checkFile(), append(data, '\n'), durable.Options{})
	}
	return brain.Wrap(err, "keep what the check found")
}

// lastCheck returns the last full check; nil if there was none since the brain was restored.
func (a *App) lastCheck() (*health.FullCheck, error) {
	data, err := os.ReadFile(a.checkFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var c health.FullCheck
	if err != nil || json.Unmarshal(data, &c) != nil {
		return nil, err
	}
	return &c, nil
}

// checkBody returns an error for a record whose body is not what the program reads.
func checkBody(rec brain.Record) error {
	check := map[brain.RecordKind]func(brain.Record) error{
		brain.RunRecord: decodes[brain.Run], brain.ActionRecord: decodes[brain.Action], brain.UseEventRecord: decodes[brain.UseEvent],
		brain.TouchRecord: decodes[brain.UseEvent], brain.ReviewRecord: decodes[brain.ReviewItem], brain.RejectionRecord: decodes[brain.Rejection],
		brain.ConfigRecord: decodes[brain.PolicyBody], brain.TombstoneRecord: decodes[lifecycle.Tombstone], brain.PendingRecord: decodes[lifecycle.PendingNamedBody],
		brain.NoteFileRecord: decodes[ingest.NoteState], brain.NotesDirRecord: decodes[ingest.NotesPlace], brain.ModelSpendRecord: decodes[consolidate.Spending],
		brain.AttentionRecord: decodes[health.Attention], brain.DayTallyRecord: decodes[health.Day],
	}[rec.Kind]
	if check == nil || len(rec.Body) == 0 {
		return nil
	}
	err := check(rec)
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		kind, _, _ := strings.Cut(wrong.Value, " ") // "number 1.5"
		kind = cmp.Or(map[string]string{"string": "text", "bool": "truth value", "array": "list"}[kind], kind)
		return fmt.Errorf("its property %s has the wrong type (a %s)", wrong.Field[strings.LastIndex(wrong.Field, ".")+1:], kind)
	}
	return err
}

func decodes[T any](rec brain.Record) error {
	_, err := brain.Body[T](rec)
	return err
}
