package exchange

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/tiers"
)

// Brainbridge is the name of the format of the original program's graph.
const Brainbridge = "brainbridge"

// The queries that read the graph of the original program. Nodes of this program have the
// name of one of its brains.
const (
	ReadOriginalNodes = `MATCH (n) WHERE (n:Memory OR n:Crystallization OR n:Learning OR n:Reminder OR n:Activity OR n:ConsolidationConfig)
AND (n.brain IS NULL OR NOT EXISTS { MATCH (b:BrainbridgeBrain) WHERE b.name = n.brain })
RETURN elementId(n), labels(n), properties(n) ORDER BY elementId(n)`
	ReadOriginalRelations = `MATCH (n)-[r]->(m) WHERE any(l IN labels(n) WHERE l IN ['Memory', 'Crystallization', 'Learning', 'Reminder', 'Activity'])
RETURN type(r), elementId(n), elementId(m) ORDER BY elementId(r)`
)

// Original is the graph of the original program: the rows of both queries.
type Original struct{ Nodes, Relations [][]any }

// HasTests reports whether it has test memories.
func (g Original) HasTests() bool {
	all := readOriginal(g)
	return slices.ContainsFunc(slices.Concat(all.memories, all.sources), func(n *originalNode) bool { return n.test })
}

// originalNode is a node of that graph. Its fields shrink as they are read, see [fields].
type originalNode struct {
	fields
	element, label, id string
	test               bool
	next, previous     *originalNode // by PROMOTED_TO
	source             *originalNode // of a memory
	memory             *originalNode // of a source: the newest
}

type originalGraph struct {
	memories, sources, configs []*originalNode
	related                    []originalRelation // between memories
}

type originalRelation struct {
	kind     string
	from, to *originalNode
}

func readOriginal(g Original) originalGraph {
	var all originalGraph
	nodes := map[string]*originalNode{}
	for _, row := range g.Nodes {
		n := &originalNode{fields: fields{}}
		n.element, _ = row[0].(string)
		labels, _ := row[1].([]any)
		props, _ := row[2].(map[string]any)
		maps.Copy(n.fields, props)
		n.test = n.truth("isTest") || strings.HasPrefix(n.peek("id"), brain.TestPrefix)
		nodes[n.element] = n
		switch n.label = labelOf(labels); n.label {
		case "Memory":
			all.memories = append(all.memories, n)
		case "ConsolidationConfig":
			all.configs = append(all.configs, n)
		default:
			all.sources = append(all.sources, n)
		}
	}
	for _, row := range g.Relations {
		kind, _ := row[0].(string)
		from, to := nodes[fmt.Sprint(row[1])], nodes[fmt.Sprint(row[2])]
		if from != nil && to != nil {
			all.relate(kind, from, to)
		}
	}
	all.name()
	return all
}

func labelOf(labels []any) string {
	for _, label := range []string{"ConsolidationConfig", "Memory", "Crystallization", "Learning", "Reminder", "Activity"} {
		if slices.Contains(labels, any(label)) {
			return label
		}
	}
	return ""
}

func (g *originalGraph) relate(kind string, from, to *originalNode) {
	switch {
	case kind == brain.PromotedTo && from.label == "Memory" && to.label == "Memory" && from.next == nil && to.previous == nil && to.newest() != from:
		from.next, to.previous = to, from
	case kind == brain.HasMemory && from.label != "Memory" && to.label == "Memory":
		from.memory, to.source = to, from
		from.test = from.test || to.test
	case from.label != "Memory" || to.label != "Memory":
	case kind == brain.PromotedTo: // a branch: a memory has one chain here
		if from.next != to {
			g.related = append(g.related, originalRelation{"derived_from", to, from})
		}
	case brain.CheckRelationType(strings.ToLower(kind)) == nil:
		g.related = append(g.related, originalRelation{strings.ToLower(kind), from, to})
	}
}

// newest returns the end of the chain of promotions.
func (n *originalNode) newest() *originalNode {
	for n.next != nil {
		n = n.next
	}
	return n
}

// name gives every node its id: its own if it is a UUID that no other node has, else one that
// follows from its own or from that of the server. The newest of a chain comes first.
func (g *originalGraph) name() {
	taken := map[string]bool{}
	give := func(n *originalNode) {
		own, prefix := n.peek("id"), ""
		if n.test {
			prefix = brain.TestPrefix
		}
		bare := strings.TrimPrefix(strings.ToLower(own), brain.TestPrefix)
		switch {
		case brain.OwnsID("", bare):
			n.id = prefix + bare
			delete(n.fields, "id")
		default:
			n.id = prefix + brain.UUIDOf("brainbridge "+n.label+" "+cmp.Or(own, n.element))
		}
		if taken[n.id] {
			n.id = prefix + brain.UUIDOf("brainbridge "+n.element)
		}
		taken[n.id] = true
	}
	for _, archived := range []bool{false, true} {
		for _, n := range g.memories {
			if (n.next != nil) == archived {
				give(n)
			}
		}
	}
	for _, n := range g.sources {
		give(n)
	}
}

// Numbers returns the lifecycle numbers of the current configuration that differ from those
// of a policy, by key, and the names of its other properties.
func (g Original) Numbers(p *tiers.Policy) (numbers map[string]float64, unknown []string) {
	numbers, keys := map[string]float64{}, numberKeys()
	for _, n := range readOriginal(g).configs {
		if n.peek("validTo") != "" {
			continue
		}
		n.drop("id", "name", "brain", "created", "createdAt", "updatedAt", "validFrom", "validTo")
		for name, value := range n.fields {
			there, ok := numberOf(value)
			switch here, known := p.Get(keys[name]); {
			case !ok || !known:
				unknown = append(unknown, name)
			case here != there:
				numbers[keys[name]] = there
			}
		}
	}
	slices.Sort(unknown)
	return numbers, unknown
}

// numberKeys returns the keys of the lifecycle numbers by the names of the properties: those of
// this program, and those that the original one wrote.
func numberKeys() map[string]string {
	keys := map[string]string{
		"workingLambda": "lambda.working", "shortTermLambda": "lambda.shortTerm", "longTermLambda": "lambda.longTerm",
		"lambdaWorking": "lambda.working", "lambdaShortTerm": "lambda.shortTerm", "lambdaLongTerm": "lambda.longTerm",
		"workingThreshold": "promote.energy.working", "shortTermThreshold": "promote.energy.shortTerm", "expireThreshold": "expire.below",
		"boostAmount": "boost", "promotionBatchSize": "batch.promotion", "decayBatchSize": "batch.decay",
		"decayThresholdDays": "forget.afterDays", "minUsesToRetain": "forget.minUses", "maxMemoriesBeforeConsolidation": "maxMemories",
	}
	for _, key := range tiers.Keys() {
		keys[key], keys[strings.ReplaceAll(key, ".", "_")] = key, key
	}
	return keys
}
