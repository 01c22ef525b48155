package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/brainbridge/brainbridge/backups"
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/durable"
	"github.com/brainbridge/brainbridge/brain/health"
)

// DoctorAnswer has the checks of a brain and of everything around it.
type DoctorAnswer struct {
	OK     bool             `json:"ok"` // no check fails; some may warn
	Checks []health.Finding `json:"checks"`
}

// Doctor checks the brain and everything around it. It keeps what it found for health, status
// and the page, and mends nothing. If the store cannot be opened, everything else is checked.
func (u *UseCases) Doctor(ctx context.Context) (DoctorAnswer, error) {
	d, err := u.diagnose(ctx)
	if err != nil {
		return DoctorAnswer{}, err
	}
	return d.answer, u.keepCheck(d)
}

// diagnosis is what the checks found.
type diagnosis struct {
	u       *UseCases
	answer  DoctorAnswer
	checked health.FullCheck
	wrong   []string // in the store, besides what cannot be read
	plan    MendPlan
	// reachable is set if the store can be written, perhaps after mending.
	reachable bool
	partly    bool // its file, or a part of it, is damaged or gone
}

func (u *UseCases) diagnose(ctx context.Context) (*diagnosis, error) {
	d := &diagnosis{u: u, answer: DoctorAnswer{OK: true}, checked: health.FullCheck{At: u.app.Now(), Unusable: []string{}, Findings: []health.Finding{}}}
	d.settings()
	if err := d.store(ctx); err != nil {
		return nil, err
	}
	d.spool()
	d.archives(ctx)
	d.backups(ctx)
	d.space()
	d.permissions()
	d.watchLimits()
	d.agents()
	u.app.leftOut.clear()
	return d, ctx.Err()
}

// problem is one thing that is wrong, and the command that mends it.
type problem struct {
	state       health.State
	detail, fix string
}

func warning(detail, fix string) problem { return problem{health.Warn, detail, fix} }
func failure(detail, fix string) problem { return problem{health.Fail, detail, fix} }
func failed(err error) problem           { return failure(err.Error(), Hint(err)) }

// check adds the result of a check: that all is well, or the problems.
func (d *diagnosis) check(name, allWell string, problems ...problem) {
	f := health.Finding{Name: name, State: health.OK, Detail: allWell}
	var details []string
	for _, p := range problems {
		if details = append(details, p.detail); f.State != health.Fail && p.state != f.State {
			f.State, f.Fix = p.state, brain.OrNull(p.fix)
		}
		f.Fix = cmp.Or(f.Fix, brain.OrNull(p.fix))
	}
	if len(details) > 0 {
		f.Detail = strings.Join(details, "\n")
		d.checked.Findings = append(d.checked.Findings, f)
	}
	d.answer.OK = d.answer.OK && f.State != health.Fail
	d.answer.Checks = append(d.answer.Checks, f)
}

// keepCheck stores what was found for health, status and the page.
func (u *UseCases) keepCheck(d *diagnosis) error {
	if u.caller.DryRun || u.app.BrokenSettings != nil { // then it may be about another brain
		return nil
	}
	err := u.app.putCheck(d.checked)
	if hintOfSystem(err) != "" { // the answer says so
		return nil
	}
	return err
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

// noteLost changes what the last check says about lost writes.
func (u *UseCases) noteLost(change func(l *health.LostWrites)) error {
	c, err := u.app.lastCheck()
	if c == nil {
		c = &health.FullCheck{At: u.app.Now(), Unusable: []string{}, Findings: []health.Finding{}}
	}
	change(&c.Lost)
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

// lastCheck returns the last check; nil if there was none since the brain was restored.
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
