package review

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/similar"
)

// The minimum text similarity of a result.
const (
	leastSimilar = 0.50 // to each source
	meanSimilar  = 0.60 // to the sources on average
)

// CheckText returns the reasons not to merge the sources into the result, or "".
func CheckText(result brain.Memory, sources []brain.Memory) string {
	texts := Texts(sources)
	named, bare := similar.PrepareNamed(result.Name, result.Content), similar.Prepare(result.Content)
	var reasons []string
	if reason := unlike(named, bare, sources, texts); reason != "" {
		reasons = append(reasons, reason)
	}
	if reason := invented(named, result.Name+"\n"+result.Content, texts); reason != "" {
		reasons = append(reasons, reason)
	}
	if d := similar.Lost(named, texts...); d != 0 {
		reasons = append(reasons, fmt.Sprintf("the merged text has lost a %s that all of the memories have", d))
	}
	if word := similar.Renamed(named, texts...); word != "" {
		reasons = append(reasons, fmt.Sprintf("the merged text is about something else: it leaves out %q", word))
	}
	return strings.Join(reasons, "; ")
}

// invented returns which facts a text has that no source has, as it was written; "" for none.
func invented(text similar.Text, written string, sources []similar.Text) string {
	var kinds similar.Difference
	var facts []string
	for _, f := range similar.InventedFacts(text, sources...) {
		fact := f.Text
		if i := strings.Index(strings.ToLower(written), fact); i >= 0 && i+len(fact) <= len(written) && strings.EqualFold(written[i:i+len(fact)], fact) {
			fact = written[i : i+len(fact)]
		}
		kinds |= f.Kind
		facts = brain.Union(facts, []string{strconv.Quote(fact)})
	}
	if kinds == 0 {
		return ""
	}
	return fmt.Sprintf("the merged text has a %s that none of the memories has: %s", kinds, strings.Join(facts, ", "))
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
