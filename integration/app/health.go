package app

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
	"github.com/brainbridge/brainbridge/config"
	"github.com/brainbridge/brainbridge/tiers"
)

// Health reports the health of the brain, and what to do about warnings.
func (u *UseCases) Health(ctx context.Context) (health.Report, error) {
	b := u.services(ctx)
	f, err := u.HealthFacts(ctx, b)
	if err == nil && f.Editable { // people look here for what they have just changed
		var unreadable []brain.Unreadable
		unreadable, err = b.Base.Unreadable(ctx, checkBody)
		f.Wrong = append(f.Wrong, brain.Map(unreadable, brain.Unreadable.String)...)
	} else if f.Checked != nil {
		f.Wrong = brain.Union(f.Wrong, f.Checked.Unusable)
	}
	return health.Check(f), err
}

// Indicators returns the indicators of health that can be had without reading every memory.
func (u *UseCases) Indicators(ctx context.Context) ([]health.Indicator, error) {
	return u.indicators(ctx, u.services(ctx))
}

func (u *UseCases) indicators(ctx context.Context, b *services.Services) ([]health.Indicator, error) {
	f, err := health.ReadCounts(ctx, b)
	if err == nil {
		err = u.addMachine(&f)
	}
	if f.Checked != nil {
		f.Wrong = brain.Union(f.Wrong, f.Checked.Unusable)
	}
	return f.Counted(), err
}

// HealthFacts returns the inputs of a health check, from the store and this machine.
func (u *UseCases) HealthFacts(ctx context.Context, b *services.Services) (health.Facts, error) {
	f, err := health.Read(ctx, b)
	if err == nil {
		err = u.addMachine(&f)
	}
	return f, err
}

// addMachine adds the facts of this machine.
func (u *UseCases) addMachine(f *health.Facts) error {
	l, s := u.app.Settings, u.app.spool()
	d := u.app.daemonState()
	f.SilenceDays, f.Watching = l.Config.Health.SilenceDays, d.Watching()
	f.DaemonElsewhere, f.DaemonRestart = u.daemonElsewhere(d)
	f.DaemonTrouble = u.app.daemonTrouble(d)
	f.FailedJobs = d.failures(f.Now)
	f.FreeBytes, f.FreeIn = freeSpace(l.Paths)
	var waitingErr, rejectedErr, sizeErr error
	f.Spooled, _, waitingErr = s.Waiting()
	f.Rejected, _, rejectedErr = s.Rejected()
	f.StoreBytes, sizeErr = l.StoreBytes()
	err := u.addBackups(f)
	var checkedErr error
	f.Checked, checkedErr = u.app.lastCheck()
	return errors.Join(waitingErr, rejectedErr, sizeErr, err, checkedErr)
}

// Audit reports how clean the memory is, with up to limit of the latest rejections.
func (u *UseCases) Audit(ctx context.Context, rejections int) (health.Audit, error) {
	return health.ReadAudit(ctx, u.services(ctx), rejections)
}

// StatusAnswer has the counts of a brain and the states of its store and daemon.
type StatusAnswer struct {
	Brain             string             `json:"brain"`
	Store             string             `json:"store"`
	Total             int                `json:"total"`
	Tests             int                `json:"tests"`
	Tiers             map[tiers.Tier]int `json:"tiers"`
	LastConsolidation *time.Time         `json:"lastConsolidation"`
	Watching          bool               `json:"watching"` // a daemon finds changes of the notes
	Daemon            *DaemonState       `json:"daemon"`   // null if none runs
	Web               brain.OrNull       `json:"web"`      // null if nothing is served
	Spooled           int                `json:"spooled"`
	Rejected          int                `json:"rejected"` // spooled captures that the store refused
	RejectedFile      brain.OrNull       `json:"rejectedFile"`
	Spend             *SpendAnswer       `json:"spend"`     // null without a model
	Vectors           *VectorsAnswer     `json:"vectors"`   // null without an embedding endpoint
	Review            int                `json:"review"`    // open items of the review queue
	LastCheck         *CheckedAnswer     `json:"lastCheck"` // null: the store was never read whole
	Numbers           Numbers            `json:"numbers"`
	Warnings          []string           `json:"warnings"` // what does not work, one line each

	SpooledElsewhere map[string]int `json:"-"` // captures that wait for other stores, by URI
	Kind             string         `json:"-"` // of the store
	TokenFile        string         `json:"-"` // of the token of Web
	Elsewhere        string         `json:"-"` // how the daemon differs from the settings; "" if it does not
	WithTests        bool           `json:"-"` // Tests are those beside a real brain
	Restart          string         `json:"-"` // the command that starts it with them
}

// CheckedAnswer is what the last check of the whole brain found on this machine.
type CheckedAnswer struct {
	At       time.Time `json:"at"`
	Memories int       `json:"memories"` // live and expired ones that were read
	Unusable int       `json:"unusable"` // nodes, values and parts of the file that cannot be used
	Findings []string  `json:"findings"` // names of the checks that are not ok
}

// SpendAnswer is the cost of models today, and its limit.
type SpendAnswer struct {
	consolidate.Spending
	Limit int `json:"limit"` // of tokens; 0: none
}

// Status returns the counts of the brain and the state of its daemon. If the store is
// unreachable, the error says how many captures wait for it.
func (u *UseCases) Status(ctx context.Context) (StatusAnswer, error) {
	b := u.services(ctx)
	s, err := b.Recall.Status(ctx)
	if err != nil {
		return StatusAnswer{}, u.withSpooled(err)
	}
	l := u.app.Settings
	a := StatusAnswer{
		Brain: l.Config.Brain, Store: s.Store.URI, Total: s.Total, Tiers: s.Tiers,
		LastConsolidation: lifecycle.Optional(s.LastConsolidation), Daemon: u.app.daemonState(),
		Kind: s.Store.Kind, TokenFile: l.Paths.Token,
	}
	if l.Test {
		a.Tests = a.Total
	}
	a.Elsewhere, a.Restart = u.daemonElsewhere(a.Daemon)
	a.Watching = a.Daemon.Watching() && a.Elsewhere == ""
	if a.Daemon != nil {
		a.Web, a.Daemon.Web = brain.OrNull(a.Daemon.Web), ""
	}
	spool := u.app.spool()
	var waitingErr, spendErr, vectorsErr, reviewErr error
	a.Spooled, a.SpooledElsewhere, waitingErr = spool.Waiting()
	a.Spend, spendErr = spendToday(ctx, b, l.Config.LLM)
	a.Vectors, vectorsErr = u.vectorCounts(ctx, b)
	a.Review, reviewErr = b.Review.Open(ctx)
	policy, numbersErr := b.Base.Policy(ctx)
	if numbersErr == nil {
		a.Numbers = numbersOf(policy)
	}
	rejected, file, err := spool.Rejected()
	a.Rejected, a.RejectedFile = rejected, brain.OrNull(file)
	checked, checkedErr := u.app.lastCheck()
	if checked != nil {
		names := brain.Map(checked.Findings, func(f health.Finding) string { return f.Name })
		a.LastCheck = &CheckedAnswer{checked.At, checked.Memories, len(checked.Unusable), append([]string{}, names...)}
	}
	indicators, indicatorsErr := u.indicators(ctx, b)
	a.Warnings = brain.Map(health.Urgent(indicators), health.Indicator.Line)
	return a, errors.Join(indicatorsErr, waitingErr, spendErr, vectorsErr, reviewErr, numbersErr, err, checkedErr)
}

func spendToday(ctx context.Context, b *services.Services, l config.LLM) (*SpendAnswer, error) {
	if !l.On() {
		return nil, nil
	}
	s, err := b.Spend.Today(ctx)
	if err != nil {
		return nil, err
	}
	return &SpendAnswer{Spending: s, Limit: l.DailyTokens}, nil
}

// withSpooled adds the number of waiting captures to the error of an unreachable store.
func (u *UseCases) withSpooled(err error) error {
	var away *brain.Error
	if !errors.As(err, &away) || !errors.Is(err, brain.ErrUnavailable) && !errors.Is(err, brain.ErrRefused) {
		return err
	}
	n, _, failed := u.app.spool().Waiting()
	if failed != nil || n == 0 {
		return err
	}
	waiting := "waiting: " + english.Plural(n, "capture", "") + " in the spool " + u.app.keptUntil(err)
	away.Hint = strings.TrimPrefix(away.Hint+"; "+waiting, "; ")
	return err
}

// Served returns the address at which the daemon of the brain serves HTTP, "" if none does, and
// the file with its token.
func (u *UseCases) Served() (address, tokenFile string) {
	if d := u.app.daemonState(); d != nil {
		address = d.Web
	}
	return address, u.app.Settings.Paths.Token
}
