package consolidate

import (
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/brain/review"
	"github.com/brainbridge/brainbridge/brain/similar"
)

// compose returns the memory for a proposal. For type, importance, retention and tags, the
// sources, oldest first, take precedence, see [review.Merging]. A subject that is not in the
// sources is replaced by the name of one of them.
func compose(sources []brain.Memory, p ModelProposal) brain.Memory {
	known := review.Texts(sources)
	result := brain.Memory{
		Name: plaintext.Clip(p.Subject, brain.MaxName), Content: p.Content,
		MemoryType: frequentType(sources, p.Type), Importance: p.Importance,
	}
	if !similar.MentionedIn(p.Subject, known...) {
		result.Name = ""
		for i := len(sources) - 1; i >= 0 && result.Name == ""; i-- {
			result.Name = sources[i].GivenName() // of the newest that has one
		}
	}
	for _, tag := range p.Tags {
		if slices.ContainsFunc(sources, func(s brain.Memory) bool { return slices.Contains(s.Tags, tag) }) || says(known, tag) {
			result.Tags = append(result.Tags, tag)
		}
	}
	return result
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
