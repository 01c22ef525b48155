package review

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// RunCore is the kind of a run that changes only core memory.
const RunCore = "core"

// The kinds of actions that change core memory.
const (
	ActCore   brain.ActionKind = "promote-to-core"
	ActDemote brain.ActionKind = "demote"
)

// ReasonToPromote returns why a memory qualifies for core: it is old enough and has enough
// verdicts, most of them helpful. It returns "" if it does not qualify. An expired memory can
// qualify too. m must be settled at now.
func ReasonToPromote(m brain.Memory, n tiers.CoreNumbers, now time.Time) string {
	verdicts := m.HelpfulCount + m.NotHelpfulCount
	effectiveness := m.Effectiveness()
	age := now.Sub(m.Created)
	switch {
	case m.Tier == tiers.Core || !m.Current() || m.Created.IsZero():
		return ""
	case effectiveness == nil || verdicts < n.Uses || *effectiveness < n.Effectiveness || age < time.Duration(n.AgeDays)*brain.Day:
		return ""
	}
	return fmt.Sprintf("%d verdicts, effectiveness %.2f, %d days old", verdicts, *effectiveness, int(age/brain.Day))
}

// CoreScope selects the memories among which [Service.CoreCandidates] searches.
type CoreScope struct {
	Now      time.Time
	Numbers  tiers.CoreNumbers
	Type     string // "" for all
	Entities bool   // include entities
}

// CoreCandidate is a memory that qualifies for core, with the reason.
type CoreCandidate struct {
	Memory brain.Memory
	Reason string
}

// CoreCandidates returns the memories that qualify for core by [ReasonToPromote]. It reads every
// live and expired memory.
func (s *Service) CoreCandidates(ctx context.Context, scope CoreScope) (found []CoreCandidate, err error) {
	for page, err := range s.base.Pages(ctx, brain.ListFilter{Type: scope.Type}) {
		if err != nil {
			return nil, fmt.Errorf("find candidates for core: %w", err)
		}
		for _, m := range page {
			if reason := ReasonToPromote(m, scope.Numbers, scope.Now); reason != "" && (scope.Entities || !m.Entity) {
				found = append(found, CoreCandidate{m, reason})
			}
		}
	}
	return found, nil
}

// Collision returns the review item of a memory that belongs into core for a reason, but whose
// place in core-memory.json has something else that a person wrote.
func Collision(m brain.Memory, reason, place string) brain.ReviewItem {
	return brain.ReviewItem{
		Kind: brain.ReviewCore, Memories: []string{m.ID}, Proposed: &m,
		Reason: fmt.Sprintf("%s; a person wrote something else at %s", reason, place),
	}
}

// CoreEntry is an entry that a person wrote into core-memory.json.
type CoreEntry struct {
	Type, Key, Text string
	Created         time.Time // zero: now
}

// AddCore creates core memories from entries, in order, as the next actions of a run.
func (s *Service) AddCore(ctx context.Context, run brain.Run, now time.Time, entries []CoreEntry) (made []brain.Memory, done []brain.Action, next brain.Run, err error) {
	secrets := 0
	session := s.base.SessionAt(now)
	for _, e := range entries {
		redaction := s.base.Redaction()
		content := redaction.Keyed(e.Key, e.Text)
		made = append(made, brain.Memory{
			ID: s.base.NewID(), Name: redaction.Text(e.Key), Content: content, MemoryType: e.Type, Created: brain.Instant(cmp.Or(e.Created, now)), Origin: brain.CoreOrigin,
			Retention: brain.RetainCore, SessionID: session, Group: session, Agent: s.base.Agent, AccessCount: 1, LastAccessed: now, Version: 1,
		})
		secrets += redaction.Found
	}
	done, next, err = s.base.Act(ctx, run, now, func(tx brain.Tx) ([]brain.Action, error) {
		policy, err := brain.ReadPolicy(tx)
		if err == nil {
			err = lifecycle.AddTally(tx, lifecycle.TallyRedacted, secrets, now)
		}
		if err != nil {
			return nil, err
		}
		var actions []brain.Action
		for i := range made {
			m := &made[i]
			m.State = policy.Start(tiers.Core, tiers.InitialOther, 0, now)
			m.Complete()
			actions = append(actions, brain.Action{
				Kind: ActCore, IDs: []string{m.ID}, Reason: "written by hand as " + m.Name, At: now,
				Changes: []brain.Change{{After: new(*m)}},
			})
		}
		return actions, tx.PutMemories(made...)
	})
	if err != nil {
		return nil, nil, run, fmt.Errorf("add core memories: %w", err)
	}
	s.base.ReportRedacted(secrets)
	return made, done, next, nil
}

// CoreMemories returns all core memories, ordered by when they, or their entries, were created.
func (s *Service) CoreMemories(ctx context.Context) ([]brain.Memory, error) {
	all, err := lifecycle.Read(ctx, s.base, func(r brain.Reader) ([]brain.Memory, error) {
		return r.ListMemories(brain.ListFilter{Tier: tiers.Core})
	})
	if err != nil {
		return nil, fmt.Errorf("read core memory: %w", err)
	}
	slices.SortFunc(all, func(x, y brain.Memory) int {
		return cmp.Or(x.Created.Compare(y.Created), strings.Compare(x.Group, y.Group), cmp.Compare(x.Position, y.Position), strings.Compare(x.ID, y.ID))
	})
	return all, nil
}

// CoreNewest returns the newest memory of the chain of each id. An id without a memory is
// missing from found; forgotten reports whether that memory was forgotten.
func (s *Service) CoreNewest(ctx context.Context, ids ...string) (found map[string]brain.Memory, forgotten map[string]bool, err error) {
	err = s.base.Store.View(ctx, func(r brain.Reader) error {
		found, forgotten = map[string]brain.Memory{}, map[string]bool{}
		for _, id := range ids {
			if newest, err := lifecycle.Resolve(r, id); err == nil {
				found[id] = newest.Memory
				continue
			}
			tombstones, err := r.ListRecords(brain.TombstoneRecord, brain.RecordFilter{By: brain.ByOwner, Keys: []string{id}})
			if err != nil {
				return err
			}
			forgotten[id] = len(tombstones) > 0
		}
		return nil
	})
	return found, forgotten, brain.Wrap(err, "find memories")
}
