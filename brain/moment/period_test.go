package moment

import (
	"testing"
	"time"
)

// Wednesday, the 11th of March 2026.
var wednesday = time.Date(2026, 3, 11, 15, 0, 0, 0, time.UTC)

func TestAQuestionNamesAPeriod(t *testing.T) {
	for _, c := range []struct{ question, since, until, rest string }{
		{"what did we decide last week?", "2026-03-02", "2026-03-09", "what did we decide"},
		{"what happened yesterday", "2026-03-10", "2026-03-11", "what happened"},
		{"Yesterday, which ports were changed", "2026-03-10", "2026-03-11", "which ports were changed"},
		{"pihole in October", "2025-10-01", "2025-11-01", "pihole"},
		{"what broke in February 2025?", "2025-02-01", "2025-03-01", "what broke"},
		{"ports since last month", "2026-02-01", "now", "ports"},
		{"ports since Monday", "2026-03-09", "now", "ports"},
		{"what broke last Friday", "2026-03-06", "2026-03-07", "what broke"},
		{"outages during the last month", "2026-02-01", "2026-03-01", "outages"},
		{"deploys of this week", "2026-03-09", "now", "deploys"},
		{"Was haben wir letzte Woche entschieden?", "2026-03-02", "2026-03-09", "Was haben wir entschieden?"},
		{"what broke two weeks ago", "2026-02-23", "2026-03-02", "what broke"},
		{"deploys 3 days ago", "2026-03-08", "2026-03-09", "deploys"},
		{"outages a month ago", "2026-02-01", "2026-03-01", "outages"},
		{"Was war vor zwei Wochen?", "2026-02-23", "2026-03-02", "Was war"},
		{"Ausfälle im Januar", "2026-01-01", "2026-02-01", "Ausfälle"},
	} {
		p, rest, ok := PeriodIn(c.question, wednesday)
		until := p.Until.Format(time.DateOnly)
		if p.Until.Equal(wednesday) {
			until = "now"
		}
		if !ok || p.Since.Format(time.DateOnly) != c.since || until != c.until || rest != c.rest {
			t.Errorf("%q: %s (%s to %s), rest %q, %v; want %s to %s, rest %q", c.question, p.Words, p.Since, until, rest, ok, c.since, c.until, c.rest)
		}
	}
	p, _, ok := PeriodIn("what did we do in the last three days", wednesday)
	if !ok || !p.Since.Equal(wednesday.AddDate(0, 0, -3)) || !p.Until.Equal(wednesday) {
		t.Errorf("the last three days are %+v, %v", p, ok)
	}
}

func TestOtherWordsAreNoPeriod(t *testing.T) {
	for _, question := range []string{
		"which port does staging use", "what is due in 3 days", "the deadline of 5 May", "may I use march as a name", "the last release",
		"the last one in the list", "a week of holidays", "notes of 2026-03-01", "on call", "may we deploy on Friday", "",
	} {
		if p, rest, ok := PeriodIn(question, wednesday); ok || rest != question {
			t.Errorf("%q names %+v, rest %q", question, p, rest)
		}
	}
}
