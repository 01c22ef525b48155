package ingest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// RunImport is the kind of a run that imports memories, ActImport that of its actions.
const (
	RunImport                  = "import"
	ActImport brain.ActionKind = "import"
)

// ImportDir is the notes directory of imported memories, whose files have absolute paths.
const ImportDir = "import"

// ImportItem is one memory or section to import, or a source without a memory.
type ImportItem struct {
	Memory brain.Memory
	// Section is set for a section, without Memory. The importer makes it with a valid id.
	Section *brain.Section
	Source  *brain.Source // nil: there is none
	// Text as a person wrote it, without the context that Content may add; empty: Content.
	Text string
	// Bullet gives the memory the energy of a bullet, not that of an outcome.
	Bullet bool
	// AsIs keeps ids, tier, energy, dates and counters, as for an export of our own. Otherwise
	// its lifecycle begins at its creation.
	AsIs bool
	// Relations start or end at the memory; both ends are ids.
	Relations []brain.Relation
	// Names are relations to memories by name. They wait until such a memory exists.
	Names []brain.NamedRelation
}

// hashes returns the keys of possible tombstones: the identity and content hashes.
func (item ImportItem) hashes() []string {
	hashes := []string{item.Memory.ContentHash}
	if item.Text != "" {
		bare := brain.Memory{Content: item.Text}
		bare.Complete()
		hashes = append(hashes, bare.ContentHash)
	}
	if item.Source != nil && item.Source.Key != "" {
		hashes = append(hashes, item.Source.Key)
	}
	return hashes
}

// entityKey returns the key of the name that an item takes as an entity, else "".
func (item ImportItem) entityKey() string {
	m := item.Memory
	if !m.Entity || item.AsIs && !m.Current() {
		return ""
	}
	return brain.EntityKey(m.Name)
}

// invalid returns why a brain with an id prefix cannot import an item, "" if it can.
func (item ImportItem) invalid(prefix string) string {
	m := item.Memory
	if m.ID == "" && item.Source != nil {
		if !brain.OwnsID(prefix, item.Source.ID) {
			return fmt.Sprintf("%.60q is not the id of a source here", item.Source.ID)
		}
		return ""
	}
	texts := []string{m.Content}
	if m.Entity {
		texts = slices.DeleteFunc(slices.Clone(m.Observations), func(text string) bool { return strings.TrimSpace(text) == "" })
	}
	for _, text := range texts {
		if err := brain.CheckText("its text", text); err != nil {
			return err.Error()
		}
	}
	if brain.CheckText("its name", m.Name) != nil {
		return "its name is not text"
	}
	if err := brain.CheckDetails(brain.Details{Project: m.Project, Tags: m.Tags, Importance: m.Importance}); err != nil {
		return err.Error()
	}
	switch {
	case !brain.OwnsID(prefix, m.ID):
		return fmt.Sprintf("%.60q is not the id of a memory here", m.ID)
	case item.Source != nil && !brain.OwnsID(prefix, item.Source.ID):
		return fmt.Sprintf("%.60q is not the id of a source here", item.Source.ID)
	case item.AsIs:
		return invalidLife(m)
	}
	return ""
}

// invalidLife returns why a memory cannot be imported as it is, "" if it can.
func invalidLife(m brain.Memory) string {
	for what, n := range map[string]float64{"energy": m.Energy, "peakEnergy": m.PeakEnergy, "energyBase": m.Base} {
		if math.IsNaN(n) || math.IsInf(n, 0) || n < 0 {
			return fmt.Sprintf("its %s cannot be %v", what, n)
		}
	}
	switch {
	case !slices.Contains(tiers.All(), m.Tier):
		return fmt.Sprintf("there is no tier %.40q", m.Tier)
	case min(m.AccessCount, m.RecallCount, m.UseCount, m.HelpfulCount, m.NotHelpfulCount, m.SessionCount, m.Version) < 0:
		return "a counter is below zero"
	case m.Created.IsZero():
		return "its date of creation is missing"
	}
	return ""
}

// ImportBatch has the items that one transaction imports.
type ImportBatch struct {
	Items []ImportItem
	// Relations are those of earlier batches with a missing end.
	Relations []brain.Relation
	// FromThisImport reports whether a memory came from this import. Two items of one import may have the
	// same text, so such a memory does not stop another. It may be nil.
	FromThisImport func(id string) bool
	// Redacted is the number of secrets redacted from the items before.
	Redacted int
}

// ImportStatus is the outcome of importing one item.
type ImportStatus int

// What can become of an item.
const (
	Imported  ImportStatus = iota
	Held                   // the brain already has the id, identity, or the text, which was confirmed
	Forgotten              // somebody forgot it
	Refused                // it is invalid, see the reason
)

// ImportResult is the result of importing one item.
type ImportResult struct {
	Status ImportStatus
	ID     string // of the memory; "" if it was forgotten or refused
	Reason string
}

// ImportAnswer is the answer to a batch.
type ImportAnswer struct {
	Results []ImportResult   // in the order of the items
	Missing []brain.Relation // relations with an end that does not exist
	Invalid []brain.Relation // relations with an invalid type
}

// importRequest is a batch to import into a brain whose ids begin with a prefix.
type importRequest struct {
	ImportBatch
	now      time.Time
	idPrefix string
}

// Import imports a batch of memories, in one transaction, as the next actions of a run, and
// returns the run after them. It skips what was forgotten and what the brain already has by
// id, by identity (the key of the source) or word for word, so importing a batch again
// changes nothing.
func (s *Service) Import(ctx context.Context, run brain.Run, batch ImportBatch) (ImportAnswer, brain.Run, error) {
	req := importRequest{s.cleanImport(batch), s.base.Now(), s.base.IDPrefix}
	var p importPlan
	next := run
	err := lifecycle.Retry(func() (err error) {
		_, next, err = s.base.Act(ctx, run, req.now, func(tx brain.Tx) ([]brain.Action, error) {
			known, err := readImport(tx, req.ImportBatch)
			if err != nil {
				return nil, err
			}
			p = decideImport(req, known)
			err = writeImport(tx, &p, req)
			return p.actions, err
		})
		return err
	})
	return p.answer, next, brain.Wrap(err, "import")
}

// writeImport stores a plan, and then looks up names, which may be in the same batch, and adds
// their relations to the actions.
func writeImport(tx brain.Tx, p *importPlan, req importRequest) error {
	if len(p.actions) == 0 {
		return nil
	}
	err := tx.PutSources(p.sources...)
	lifecycle.Put(&err, tx.PutMemories, p.memories...)
	lifecycle.Put(&err, tx.PutSections, p.sections...)
	lifecycle.Put(&err, tx.PutRecords, p.redirects...)
	if err != nil {
		return err
	}
	if err := p.bindNames(tx, req.now); err != nil {
		return err
	}
	var rels []brain.Relation
	for _, a := range p.actions {
		rels = append(rels, a.Linked...)
	}
	if err := tx.PutRelations(brain.Unique(rels)...); err != nil {
		return err
	}
	return lifecycle.AddTally(tx, lifecycle.TallyRedacted, req.Redacted, req.now)
}

// bindNames adds the relations to names to the actions, and those that waited for new ones.
func (p *importPlan) bindNames(tx brain.Tx, now time.Time) error {
	rels, waiting, err := relateNames(tx, p.named, now)
	if err != nil {
		return err
	}
	for _, rec := range waiting {
		a := &p.actions[p.action[rec.Owner]]
		a.Made = append(a.Made, rec)
	}
	named := slices.DeleteFunc(current(p.memories), func(m brain.Memory) bool {
		_, isNew := p.action[m.ID]
		return !isNew
	})
	joined, done, err := lifecycle.JoinPending(tx, named...)
	for _, rec := range done {
		i := slices.IndexFunc(named, func(m brain.Memory) bool { return m.NameKey == rec.Key })
		a := &p.actions[p.action[named[i].ID]]
		a.Removed = append(a.Removed, rec)
	}
	for _, r := range append(rels, joined...) {
		p.link(r)
	}
	return err
}
