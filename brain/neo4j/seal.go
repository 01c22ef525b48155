package neo4j

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/zeebo/xxh3"
)

// sealKey names the property that holds the seal of a node: a sum over all the
// properties that are read back. The server changes the properties of a node
// one after another while others read them, so what came back is only known to
// be what somebody committed when it fits its seal.
const sealKey = "seal"

// sealPart is how long the sum over one group of properties is. The seal of a
// memory has two: its life, which PutLives writes by itself, and the rest.
const sealPart = 16

// sealed adds the seal to the properties of a node that is about to be written.
func (p props) sealed() props {
	p[sealKey] = sealOf(p, false)
	return p
}

// sealedMemory is sealed for a memory.
func (p props) sealedMemory() props {
	p[sealKey] = sealOf(p, true)
	return p
}

// fits reports whether the properties are those that were sealed together.
func (p props) fits() bool {
	seal := p.str(sealKey)
	return seal != "" && seal == sealOf(p, len(seal) > sealPart)
}

// sealOf returns the seal that properties should have.
func sealOf(p props, memory bool) string {
	if !memory {
		return sumOf(p, func(string) bool { return true })
	}
	return lifeSeal(p) + sumOf(p, func(key string) bool { return !ofLife(key) })
}

// lifeSeal is the first part of a memory's seal.
func lifeSeal(p props) string { return sumOf(p, ofLife) }

// ofLife reports whether a property of a memory is one of lifeProps.
func ofLife(key string) bool {
	switch key {
	case "tier", "expiredFrom", "energy", "peakEnergy", "lastDecay", "base", "baseAt", "expiresAt", "promoteDue",
		"validFrom", "validTo", "sessionCount", "entity", "accessCount", "recallCount", "useCount", "helpfulCount",
		"notHelpfulCount", "confirmations", "lastAccessed", "lastUsed", "entityKey", "version", "sourceNodeId",
		"group", "position":
		return true
	}
	return false
}

// forTheStore reports whether a property is written for the server to find the
// node by, and never read back.
func forTheStore(key string) bool {
	switch key {
	case "brain", "strength", "notable", "notableCreated", writtenKey, sealKey, "_lock":
		return true
	}
	return strings.HasPrefix(key, "words")
}

// sumOf adds up the hashes of the properties in a group, so that their order
// does not matter.
func sumOf(p props, in func(key string) bool) string {
	var sum uint64
	var buffer []byte
	for key, value := range p {
		if value == nil || forTheStore(key) || !in(key) {
			continue
		}
		buffer = append(append(buffer[:0], key...), 0)
		buffer = appendValue(buffer, value)
		sum += xxh3.Hash(buffer)
	}
	return fmt.Sprintf("%0*x", sealPart, sum)
}

// appendValue encodes a value, the same whether we are about to write it or
// the server gave it back.
func appendValue(b []byte, value any) []byte {
	switch v := value.(type) {
	case string:
		return append(append(b, 's'), v...)
	case bool:
		if v {
			return append(b, 't')
		}
		return append(b, 'f')
	case int:
		return binary.BigEndian.AppendUint64(append(b, 'i'), uint64(v))
	case int64:
		return binary.BigEndian.AppendUint64(append(b, 'i'), uint64(v))
	case float64:
		return binary.BigEndian.AppendUint64(append(b, 'd'), math.Float64bits(v))
	case time.Time:
		return binary.BigEndian.AppendUint64(append(b, 'z'), uint64(v.UnixNano()))
	case []string:
		for _, s := range v {
			b = appendValue(binary.BigEndian.AppendUint64(append(b, 'l'), uint64(len(s))), s)
		}
		return b
	case []any:
		for _, e := range v {
			s, _ := e.(string)
			b = appendValue(binary.BigEndian.AppendUint64(append(b, 'l'), uint64(len(s))), e)
		}
		return b
	}
	return fmt.Appendf(b, "%T %v", value, value) // written by hand, of a type that we do not write
}

// These wait for whoever is writing the nodes, and give a seal to those that a
// person has changed by hand.
const (
	lockDoubtful = "MATCH (n) WHERE elementId(n) IN $nodes AND n.brain = $brain" + lockFirst + "RETURN n"
	setSeals     = "UNWIND $rows AS row MATCH (n) WHERE elementId(n) = row.node SET n.seal = row.seal"
)

// reseal locks nodes, so that nobody is writing them, and seals anew those
// that still do not fit their seals.
func (t *tx) reseal(nodes []string) error {
	found, err := t.query(lockDoubtful, map[string]any{"nodes": sortedSet(nodes)})
	if err != nil {
		return err
	}
	var rows []any
	for _, r := range found {
		n, ok := r.Values[0].(driver.Node)
		if !ok || props(n.Props).fits() {
			continue
		}
		memory := slices.Contains(n.Labels, memoryLabel)
		rows = append(rows, map[string]any{"node": n.ElementId, "seal": sealOf(n.Props, memory)})
	}
	if len(rows) == 0 {
		return nil
	}
	_, err = t.send(setSeals, map[string]any{"rows": rows})
	return err
}
