package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/similar"
)

// The minimum text similarity of a result.
const (
	leastSimilar = 0.50 // to each source
	meanSimilar  = 0.60 // to the sources on average
)

// Proposal is the text that a model or an agent wrote for a cluster. It is not trusted. All
// but the content may be empty.
type Proposal struct {
	Content    string
	Subject    string
	Type       string
	Importance brain.Importance
	Tags       []string
	Notes      string // what its author was not sure of
}

// Compose returns the memory for a proposal. For type, importance, retention and tags, the
// sources, oldest first, take precedence, see [Merging]. A subject that is not in the
// sources is replaced by the name of one of them.
func Compose(sources []brain.Memory, p Proposal) brain.Memory {
	known := Texts(sources)
	result := brain.Memory{
		Name: plaintext.Clip(p.Subject, brain.MaxName), Content: p.Content,
		MemoryType: frequentType(sources, p.Type), Importance: p.Importance,
	}
	if !similar.MentionedIn(p.Subject, known...) {
		result.Name = givenName(sources)
	}
	for _, tag := range p.Tags {
		if slices.ContainsFunc(sources, func(s brain.Memory) bool { return slices.Contains(s.Tags, tag) }) || says(known, tag) {
			result.Tags = append(result.Tags, tag)
		}
	}
	return result
}

// givenName returns the name of the newest source that has a given one, else "".
func givenName(sources []brain.Memory) string {
	for i := range slices.Backward(sources) {
		if name := sources[i].GivenName(); name != "" {
			return name
		}
	}
	return ""
}

// frequentType returns the most frequent type of the sources. If several are, it returns
// the one that the model chose or, failing that, the one of the oldest source.
func frequentType(sources []brain.Memory, chosen string) string {
	count := map[string]int{}
	most := 0
	for i := range sources {
		count[sources[i].MemoryType]++
		most = max(most, count[sources[i].MemoryType])
	}
	if count[chosen] == most {
		return chosen
	}
	for i := range sources {
		if t := sources[i].MemoryType; count[t] == most {
			return t
		}
	}
	return ""
}

// CheckText returns the reasons not to merge the sources into the result, or "".
func CheckText(result brain.Memory, sources []brain.Memory) string {
	texts := Texts(sources)
	named, bare := similar.PrepareNamed(result.Name, result.Content), similar.Prepare(result.Content)
	var reasons []string
	if reason := unlike(named, bare, sources, texts); reason != "" {
		reasons = append(reasons, reason)
	}
	if d := similar.Invented(named, texts...); d != 0 {
		reasons = append(reasons, fmt.Sprintf("the merged text has a %s that none of the memories has", d))
	}
	if d := similar.Lost(named, texts...); d != 0 {
		reasons = append(reasons, fmt.Sprintf("the merged text has lost a %s that all of the memories have", d))
	}
	if word := similar.Renamed(named, texts...); word != "" {
		reasons = append(reasons, fmt.Sprintf("the merged text is about something else: it leaves out %q", word))
	}
	return strings.Join(reasons, "; ")
}

// unlike returns in which way a text differs too much from its sources; "" if it does not.
func unlike(named, bare similar.Text, sources []brain.Memory, texts []similar.Text) string {
	sum, least := 0.0, 1.0
	for i, text := range texts {
		s := max(named.Similarity(text), bare.Similarity(similar.Prepare(sources[i].Content)))
		sum, least = sum+s, min(least, s)
	}
	mean := sum / float64(len(texts))
	switch {
	case least < leastSimilar:
		return fmt.Sprintf("the merged text is too far from one of the memories: similarity %.2f, at least %.2f is needed", least, leastSimilar)
	case mean < meanSimilar:
		return fmt.Sprintf("the merged text is too far from the memories: mean similarity %.2f, at least %.2f is needed", mean, meanSimilar)
	}
	return ""
}

// Texts returns the texts of memories, prepared for comparison.
func Texts(ms []brain.Memory) []similar.Text {
	return brain.Map(ms, func(m brain.Memory) similar.Text { return similar.PrepareNamed(m.GivenName(), m.Content) })
}

// says reports whether each word of a tag is in one of the texts.
func says(texts []similar.Text, tag string) bool {
	for _, word := range strings.FieldsFunc(similar.Normalise(tag), func(r rune) bool { return r == '-' || r == '_' }) {
		if !slices.ContainsFunc(texts, func(t similar.Text) bool {
			return slices.Contains(strings.Fields(t.Normalised()), word)
		}) {
			return false
		}
	}
	return true
}
