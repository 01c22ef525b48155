package extract

import (
	"slices"
	"strings"
)

// Rules find the statements of conversations that are worth keeping. They are not safe
// for concurrent use.
type Rules struct {
	judge    *judge
	patterns []Pattern
	offer    Turn // the last one of the assistant
}

// NewRules returns rules that also keep the sentences that match a pattern.
func NewRules(patterns []Pattern) *Rules {
	return &Rules{judge: newJudge(), patterns: patterns}
}

// KindOf returns the kind of statement that a text makes which somebody wants to keep, ""
// if it makes none.
func KindOf(text string) Kind {
	j := newJudge().judge(statement{text: text, speaker: User})
	if j.strength <= stated {
		return ""
	}
	return j.kind
}

// Judge returns the statements of turns that are worth keeping.
func Judge(turns []Turn) []Item { return NewRules(nil).Items(turns) }

// Items returns the statements of turns that are worth keeping, in the order in which
// they were said. The first turn may answer the last one of the call before.
func (r *Rules) Items(turns []Turn) []Item {
	var items []Item
	for _, t := range turns {
		switch t.Speaker {
		case Note:
			items = append(items, r.said(t)...)
		case Assistant:
			items = append(items, r.said(t)...)
			r.offer = t
		case User:
			items = append(items, r.answer(t)...)
			r.offer = Turn{}
		}
	}
	return items
}

// answer returns the statements of a user's turn, and the options of the last offer that it accepts.
func (r *Rules) answer(t Turn) (items []Item) {
	var a acceptance
	if r.offer.Text != "" && r.offer.Session == t.Session {
		a = acceptedBy(t.Text, r.offer.Text)
	}
	for _, text := range a.options {
		i := r.offer.item(text, judgement{kind: Decision, strength: accepting})
		if a.restLimits {
			i.Title = Title(strings.TrimRight(i.Title, ".") + ", " + a.rest)
		}
		items = append(items, i)
	}
	for _, i := range r.said(t) {
		if len(a.options) == 0 || i.Quote != a.sentence {
			items = append(items, i)
		} else if a.rest != "" && !a.restLimits {
			i.Title = titleOf(a.rest)
			items = append(items, i)
		}
	}
	return items
}

// said returns the statements of one turn that are worth keeping.
func (r *Rules) said(t Turn) (items []Item) {
	for s := range t.statements() {
		got := r.judge.judge(s)
		for _, p := range r.patterns {
			if p.match(s.text) {
				got = judgement{kind: p.kind, strength: max(got.strength, accepting)}
				break
			}
		}
		if got.strength > threshold && !slices.ContainsFunc(items, func(i Item) bool { return i.Quote == s.text }) {
			items = append(items, t.item(s.text, got))
		}
	}
	return items
}

// item returns a statement as an item. It does not hold the text of the turn.
func (t Turn) item(quote string, j judgement) Item {
	quote = strings.Clone(quote)
	return Item{
		Kind: j.kind, Title: titleOf(quote), Quote: quote, Strength: j.strength,
		At: t.At, Session: t.Session, Speaker: t.Speaker, Place: t.Place,
	}
}

// Supports reports whether a model may keep a passage of a turn: it contains a sentence
// that could be a memory by its form, though the cues alone are too weak to keep it.
func (t Turn) Supports(quote string) bool {
	j := newJudge()
	for s := range t.statements() {
		if (strings.Contains(s.text, quote) || strings.Contains(quote, s.text)) && j.judge(s).strength > supported {
			return true
		}
	}
	return false
}
