package health

import (
	"maps"
	"math"
	"slices"
	"time"
)

// The constants of the rules. Weights are in [0, 1].
const (
	FocusWeight  = 0.95 // weight of a topic that comes into focus
	ChangeFactor = 0.7  // multiplies every weight at a change of focus
	WeightFloor  = 0.05 // minimum weight
	FloorLimit   = 10   // changes of focus at the floor after which a topic is dropped
	DecayFactor  = 0.95 // multiplies every weight except that of the focus per DecayStep
	RecentLimit  = 20   // maximum length of State.Recent
)

// DecayStep is the interval at which weights are multiplied by [DecayFactor].
const DecayStep = 10 * time.Minute

// RelatedWeights maps a topic to the weight that a focus on it adds to each related topic.
type RelatedWeights map[string]map[string]float64

// RelatedTopics returns the table of the original program.
func RelatedTopics() RelatedWeights {
	return RelatedWeights{
		"authentication": {"security": .3, "session": .25, "middleware": .2, "cookies": .15},
		"database":       {"schema": .3, "migrations": .25, "queries": .2, "supabase": .15},
		"api":            {"endpoints": .3, "validation": .2, "authentication": .15},
		"frontend":       {"components": .3, "styling": .2, "state": .15},
		"deployment":     {"devops": .3, "environment": .25, "railway": .2},
	}
}

// Focus is the topic that a session is about.
type Focus struct {
	Topic string    `json:"topic"`
	Since time.Time `json:"since"`
}

// TopicWeight is the stored weight of a topic.
type TopicWeight struct {
	Value   float64 `json:"value"`
	AtFloor int     `json:"atFloor,omitempty"` // changes of focus that began with the weight at the floor
}

// FocusChange is a past change of focus.
type FocusChange struct {
	Topic   string    `json:"topic"`
	Session string    `json:"session,omitempty"`
	At      time.Time `json:"at"`
}

// Attention is the focus and the weights. The zero value has neither.
type Attention struct {
	Session string                 `json:"session,omitempty"` // the session that last changed the focus
	Focus   *Focus                 `json:"focus"`
	Weights map[string]TopicWeight `json:"weights"`
	Recent  []FocusChange          `json:"recent,omitempty"` // newest first, at most RecentLimit
	// Faded is the instant up to which the weights have faded with time.
	Faded time.Time `json:"faded,omitzero"`
}

// At returns the state at an instant. All weights but that of the focus fade with
// every whole [DecayStep]. The remainder of a step carries over, so the result does
// not depend on how often At is called. A change of focus discards it.
func (s Attention) At(now time.Time) Attention {
	steps := int(now.Sub(s.Faded) / DecayStep)
	if s.Faded.IsZero() || steps <= 0 {
		return s
	}
	factor := math.Pow(DecayFactor, float64(steps))
	s.Weights = maps.Clone(s.Weights)
	for topic, w := range s.Weights {
		if s.Focus == nil || topic != s.Focus.Topic {
			w.Value = max(WeightFloor, w.Value*factor)
			s.Weights[topic] = w
		}
	}
	s.Faded = s.Faded.Add(time.Duration(steps) * DecayStep)
	return s
}

// Refocus returns the state with another topic in focus. All weights are multiplied by
// [ChangeFactor], then those of related topics are raised. If the topic is already in
// focus, only its own weight is reset.
func (s Attention) Refocus(topic, session string, related RelatedWeights, now time.Time) Attention {
	s = s.At(now)
	if s.Focus != nil && s.Focus.Topic == topic {
		weights := map[string]TopicWeight{}
		maps.Copy(weights, s.Weights)
		weights[topic] = TopicWeight{Value: FocusWeight}
		s.Weights, s.Session = weights, session
		return s
	}
	faded := make(map[string]TopicWeight, len(s.Weights))
	for other, w := range s.Weights {
		if w.Value <= WeightFloor {
			w.AtFloor++
		}
		w.Value = max(WeightFloor, w.Value*ChangeFactor)
		if w.AtFloor < FloorLimit {
			faded[other] = w
		}
	}
	s.Weights = faded
	for other, boost := range related[topic] {
		s.Weights[other] = TopicWeight{Value: min(1, s.Weights[other].Value+boost)}
	}
	s.Weights[topic] = TopicWeight{Value: FocusWeight}
	s.Session, s.Focus, s.Faded = session, &Focus{Topic: topic, Since: now}, now
	s.Recent = append([]FocusChange{{topic, session, now}}, s.Recent...)
	s.Recent = slices.Clip(s.Recent[:min(len(s.Recent), RecentLimit)])
	return s
}
