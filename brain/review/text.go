package review

import (
	"fmt"
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
