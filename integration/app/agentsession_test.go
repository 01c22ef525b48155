package app

import (
	"slices"
	"sync"
	"testing"
	"time"
)

// at is a minute of one day.
func at(minute int) time.Time {
	return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).Add(time.Duration(minute) * time.Minute)
}

// had keeps a session as hooks told of it.
func had(t *testing.T, s *AgentSessions, id, agent string, started, latest, recorded int) AgentSession {
	t.Helper()
	kept, err := s.Update(t.Context(), id, at(started), func(s *AgentSession) {
		s.Agent, s.Latest = agent, at(latest)
		if recorded > 0 {
			s.Recorded = at(recorded)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

func TestTheSessionThatAnAgentHasNow(t *testing.T) {
	s := AgentSessionsIn(t.TempDir())
	had(t, s, "left", "1@1", -2000, -1990, 0) // and never said that it ends
	for agent, want := range map[string]string{"": "", "1@1": "left", "2@2": ""} {
		if got, err := s.Current(agent, at(50)); got.ID != want || err != nil {
			t.Errorf("of agent %q it is %q, %v", agent, got.ID, err)
		}
	}
	had(t, s, "first", "2@2", 0, 10, 11)
	had(t, s, "second", "2@2", 12, 20, 0)
	had(t, s, "busier", "3@3", 5, 40, 0)
	had(t, s, "ended", "4@4", 6, 41, 42)
	if err := s.Connect(Connection{ID: "mcp:6", Agent: "6@6"}); err != nil {
		t.Fatal(err)
	}
	for agent, want := range map[string]string{"": "busier", "1@1": "left", "2@2": "second", "4@4": "ended", "5@5": "busier", "6@6": ""} {
		if got, err := s.Current(agent, at(50)); got.ID != want || err != nil {
			t.Errorf("of agent %q it is %q, %v", agent, got.ID, err)
		}
	}
}

// What came over MCP belongs to the session of the same agent, until that begins
// another; of two at once nobody knows whose it is.
func TestConnectionsBelongToTheSessionOfTheirAgent(t *testing.T) {
	s := AgentSessionsIn(t.TempDir())
	for id, agent := range map[string]string{"mcp:a": "1@1", "mcp:b": "1@1", "mcp:c": "2@2", "mcp:d": ""} {
		if err := s.Connect(Connection{ID: id, Agent: agent}); err != nil {
			t.Fatal(err)
		}
	}
	first := had(t, s, "first", "1@1", 0, 10, 0)
	second := had(t, s, "second", "1@1", 11, 20, 0)
	alone := had(t, s, "alone", "2@2", 0, 10, 0)
	beside := had(t, s, "beside", "3@3", 0, 10, 0)
	stranger := had(t, s, "stranger", "", 0, 10, 0)
	check := func(of AgentSession, until int, want ...string) {
		t.Helper()
		r, err := s.Related(of, at(30))
		ids, end := slices.Sorted(slices.Values(r.Connections)), r.Until
		if err != nil || !slices.Equal(ids, want) || len(want) > 0 && !end.Equal(at(until)) {
			t.Errorf("of %s they are %v until %v, %v", of.ID, ids, end, err)
		}
	}
	check(first, 11, "mcp:a", "mcp:b")
	check(second, 30, "mcp:a", "mcp:b")
	check(alone, 30, "mcp:c")
	check(beside, 0)
	check(stranger, 0)
	had(t, s, "twin", "2@2", 5, 15, 0)
	check(alone, 0)
}

func TestSessionsCountEveryPrompt(t *testing.T) {
	s := AgentSessionsIn(t.TempDir())
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if _, err := s.Update(t.Context(), "../s", now, func(s *AgentSession) { s.Prompts++ }); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	got, err := s.Load("../s")
	if err != nil || got.ID != "../s" || got.Prompts != 20 || !got.Started.Equal(now) {
		t.Errorf("Load() = %+v, %v", got, err)
	}
	if other, err := s.Load("another"); err != nil || !other.Started.IsZero() {
		t.Errorf("Load() of what is not known = %+v, %v", other, err)
	}
}
