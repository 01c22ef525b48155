package health

import (
	"context"
	"iter"
	"slices"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/services"
)

// Day is what happened on a day in the time zone of the notes.
type Day struct {
	Date     string         `json:"date"`     // YYYY-MM-DD
	Captures map[string]int `json:"captures"` // by type, of the memories that were there when the day was counted
	Promoted int            `json:"promoted"`
	Expired  int            `json:"expired"`
	Merged   int            `json:"merged"`
	Forgot   int            `json:"forgotten"`
	Recalled int            `json:"recalled"` // memories that recalls returned
	Tokens   int            `json:"tokens"`   // pushed to sessions
	// Indicators has the values of the indicators of health, by name, when the day was counted,
	// soon after its end; of a day that was counted late and of the present one there are none.
	Indicators map[string]float64 `json:"indicators,omitempty"`
}

// dayTally is the body of a [brain.DayTallyRecord]. Of a day that has not ended, and of one that
// nobody has counted yet, only Tokens are stored.
type dayTally struct {
	Day
	Counted bool `json:"counted"`
}

// MaxDays is how many days are counted at most.
const MaxDays = 366

// Days returns the last n days up to today, at most [MaxDays], oldest first. What was not counted
// by [CountDays] is counted now, from the memories, the journal and the touches of the last 90 days.
func Days(ctx context.Context, b *services.Services, n int) ([]Day, error) {
	tallies, err := readDays(ctx, b, min(n, MaxDays))
	return brain.Map(tallies, func(t dayTally) Day { return t.Day }), err
}

// CountDays stores the counts of past days, and with yesterday the present indicators. They stay when memories are forgotten, and when the
// journal and the touches are archived.
func CountDays(ctx context.Context, b *services.Services, present []Indicator) error {
	tallies, err := readDays(ctx, b, MaxDays)
	if err != nil {
		return err
	}
	today, yesterday := tallies[len(tallies)-1].Date, &tallies[len(tallies)-2]
	yesterday.Indicators = map[string]float64{}
	for _, i := range present {
		if i.Value != nil {
			yesterday.Indicators[i.Name] = *i.Value
		}
	}
	return b.Base.Store.Update(ctx, func(tx brain.Tx) error {
		var recs []brain.Record
		for _, t := range tallies {
			if t.Counted || t.Date == today {
				continue
			}
			t.Counted = true
			rec, err := brain.NewRecord(brain.DayTallyRecord, t.Date, "", "", b.Base.Now(), t)
			if err != nil {
				return err
			}
			recs = append(recs, rec)
		}
		return tx.PutRecords(recs...)
	})
}

// AddTokens counts tokens that were pushed to a session now.
func AddTokens(ctx context.Context, b *services.Services, tokens int) error {
	now := b.Base.Now()
	date := now.In(b.Base.Zone).Format(time.DateOnly)
	return b.Base.Store.Update(ctx, func(tx brain.Tx) error {
		t, err := brain.First(brain.Bodies[dayTally](tx.Records(brain.DayTallyRecord, date)))
		if err != nil {
			return err
		}
		t.Date = date
		t.Tokens += tokens
		return lifecycle.PutRecord(tx, brain.DayTallyRecord, date, "", "", now, t)
	})
}

// readDays returns the last n days, of which the uncounted ones are counted now.
func readDays(ctx context.Context, b *services.Services, n int) ([]dayTally, error) {
	year, month, day := b.Base.Now().In(b.Base.Zone).Date()
	dates := make([]string, n)
	for i := range dates {
		dates[i] = time.Date(year, month, day-n+1+i, 0, 0, 0, 0, b.Base.Zone).Format(time.DateOnly)
	}
	stored, err := lifecycle.Read(ctx, b.Base, func(r brain.Reader) ([]dayTally, error) {
		return brain.Bodies[dayTally](r.Records(brain.DayTallyRecord, dates...))
	})
	if err != nil {
		return nil, err
	}
	byDate := map[string]*dayTally{}
	for i := range stored {
		byDate[stored[i].Date] = &stored[i]
	}
	from, days := time.Time{}, make([]dayTally, n)
	for i, date := range dates {
		if t := byDate[date]; t != nil {
			days[i] = *t
		}
		days[i].Date = date
		if days[i].Counted {
			continue
		}
		days[i].Captures = map[string]int{}
		if from.IsZero() {
			from = time.Date(year, month, day-n+1+i, 0, 0, 0, 0, b.Base.Zone)
		}
	}
	uncounted := map[string]*Day{}
	for i := range days {
		if !days[i].Counted {
			uncounted[days[i].Date] = &days[i].Day
		}
	}
	return days, countDays(ctx, b, from, func(at time.Time, count func(*Day)) {
		if d := uncounted[at.In(b.Base.Zone).Format(time.DateOnly)]; d != nil {
			count(d)
		}
	})
}

// countDays calls in for all that happened since an instant.
func countDays(ctx context.Context, b *services.Services, from time.Time, in func(at time.Time, count func(*Day))) error {
	for page, err := range b.Base.Pages(ctx, brain.ListFilter{Since: from}) {
		if err != nil {
			return err
		}
		for i := range page {
			in(page[i].Created, func(d *Day) { d.Captures[page[i].MemoryType]++ })
		}
	}
	runs := func(before time.Time) ([]brain.Run, error) { return b.Journal.RunsBefore(ctx, before, dayPage) }
	for run, err := range latest(from, b.Base.Now().Add(time.Millisecond), func(r brain.Run) time.Time { return r.Started }, runs) {
		if err == nil && run.Undone.IsZero() && run.Actions > 0 {
			err = countActions(ctx, b, run, in)
		}
		if err != nil {
			return err
		}
	}
	touches := func(before time.Time) ([]brain.Record, error) {
		return lifecycle.Read(ctx, b.Base, func(r brain.Reader) ([]brain.Record, error) {
			return r.ListRecords(brain.TouchRecord, brain.RecordFilter{Before: before, Limit: dayPage})
		})
	}
	for rec, err := range latest(from, b.Base.Now().Add(time.Millisecond), func(r brain.Record) time.Time { return r.At }, touches) {
		if err != nil {
			return err
		}
		if e, err := brain.Body[brain.UseEvent](rec); err == nil && e.Kind == lifecycle.EventRecall {
			in(rec.At, func(d *Day) { d.Recalled++ })
		}
	}
	return nil
}

func countActions(ctx context.Context, b *services.Services, run brain.Run, in func(at time.Time, count func(*Day))) error {
	for a, err := range b.Journal.Actions(ctx, run) {
		if err != nil {
			return err
		}
		in(run.Started, func(d *Day) { d.add(a) })
	}
	return nil
}

// dayPage is how many runs or touches are read at once.
const dayPage = 500

// latest reads what happened from one instant until before another page by page, the latest first.
// read returns at most [dayPage] values before an instant. The last instant of a full page is read
// again with the next one, because the page may have only some of its values. If a page has values
// of only one instant, the other values of that instant are left out.
func latest[T any](from, before time.Time, at func(T) time.Time, read func(before time.Time) ([]T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for {
			page, err := read(before)
			if err != nil {
				yield(*new(T), err)
				return
			}
			full := len(page) == dayPage
			if full {
				page, before = wholeInstants(page, at)
			}
			for _, v := range page {
				if at(v).Before(from) || !yield(v, nil) {
					return
				}
			}
			if !full {
				return
			}
		}
	}
}

// wholeInstants returns a page without its last instant, of which more may follow, and the bound
// of the next page.
func wholeInstants[T any](page []T, at func(T) time.Time) (whole []T, before time.Time) {
	last := at(page[len(page)-1])
	n := slices.IndexFunc(page, func(v T) bool { return at(v).Equal(last) })
	if n == 0 {
		return page, last
	}
	return page[:n], last.Add(time.Millisecond)
}

func (d *Day) add(a brain.Action) {
	switch {
	case !a.Undone.IsZero():
	case a.Kind == brain.ActPromote:
		d.Promoted++
	case a.Kind == brain.ActExpire:
		d.Expired++
	case a.Kind == brain.ActMerge:
		d.Merged++
	case a.Kind == brain.ActForget:
		d.Forgot++
	}
}
