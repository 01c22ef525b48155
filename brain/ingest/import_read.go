package ingest

import (
	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/tiers"
)

// importFacts has the stored data that importing a batch depends on.
type importFacts struct {
	policy    *tiers.Policy
	sections  map[string]brain.Section  // by id, of the items and the ends of their relations
	memories  map[string]brain.Memory   // by id, of the same and the targets of aliases
	sources   map[string]brain.Source   // by id, as the sections
	holders   map[string]brain.Source   // sources with the identities of the items
	memoryOf  map[string]string         // memories of the holders, by source
	named     map[string][]brain.Memory // with the names of the items, by name key
	texts     lifecycle.Known           // with their texts
	aliases   map[string]string         // memories that ids redirect to, because they said the same
	entities  map[string]bool           // names of entities that are taken, as keys
	forgotten map[string]bool           // identities and content hashes with a tombstone
}

// importKeys are the keys by which the items of a batch are looked up.
type importKeys struct {
	ids, identities, tombstones, names, texts, entities []string
}

func keysOfImport(batch ImportBatch) importKeys {
	var k importKeys
	ends := func(rels []brain.Relation) {
		for _, r := range rels {
			k.ids = append(k.ids, r.From, r.To)
		}
	}
	ends(batch.Relations)
	for _, item := range batch.Items {
		if item.Section != nil {
			k.ids = append(k.ids, item.Section.ID)
			continue
		}
		m := item.Memory
		if m.ID == "" {
			k.ids = append(k.ids, item.Source.ID)
			continue
		}
		ends(item.Relations)
		k.ids = append(k.ids, m.ID)
		k.names = append(k.names, m.NameKey, brain.NameKey(brain.NameOf(item.Text)))
		k.texts = append(k.texts, m.TextKey())
		k.tombstones = append(k.tombstones, item.hashes()...)
		if key := item.entityKey(); key != "" {
			k.entities = append(k.entities, key)
		}
		if s := item.Source; s != nil {
			k.ids = append(k.ids, s.ID)
			if s.Key != "" {
				k.identities = append(k.identities, s.Key, apartKey(*s))
			}
		}
	}
	return k
}

func readImport(r brain.Reader, batch ImportBatch) (f importFacts, err error) {
	if f.policy, err = brain.ReadPolicy(r); err != nil {
		return f, err
	}
	k := keysOfImport(batch)
	f.aliases = map[string]string{}
	targets := []string{}
	for _, rec := range lifecycle.Get(&err, lifecycle.OfKind(brain.RedirectRecord, r.Records), brain.Unique(k.ids)...) {
		f.aliases[rec.ID] = rec.Key
		targets = append(targets, rec.Key)
	}
	f.memories = brain.ByID(lifecycle.Get(&err, r.Memories, append(targets, k.ids...)...))
	f.sections = index(lifecycle.Get(&err, r.Sections, k.ids...), func(s brain.Section) string { return s.ID })
	named := lifecycle.Get(&err, func(keys ...string) ([]brain.Memory, error) {
		return lifecycle.Named(r, lifecycle.SameNameLimit, keys...)
	}, k.names...)
	f.named = group(named, func(m brain.Memory) string { return m.NameKey })
	if err == nil {
		f.texts, err = lifecycle.ReadKnown(r, k.texts...)
	}
	f.sources = index(lifecycle.Get(&err, r.Sources, k.ids...), func(s brain.Source) string { return s.ID })
	holders := lifecycle.Get(&err, outcomesBy(r, brain.ByKey, ""), k.identities...)
	f.holders = index(holders, func(s brain.Source) string { return s.Key })
	f.entities = set(brain.Map(lifecycle.Get(&err, r.ListMemories, brain.ListFilter{By: brain.ByEntity, Keys: k.entities}), func(m brain.Memory) string { return m.EntityKey }))
	if err == nil {
		f.memoryOf, err = lifecycle.MemoriesOf(r, sourceIDs(holders)...)
	}
	f.forgotten = keysOf(lifecycle.Get(&err, lifecycle.OfKindBy(r, brain.TombstoneRecord, brain.ByKey), k.tombstones...))
	return f, err
}
