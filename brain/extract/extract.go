// Package extract finds statements worth keeping in a conversation or a note by their wording,
// without a language model: standing instructions, decisions, preferences, labelled statements,
// answers to an agent's questions, and reports of a cause and its fix. It knows English and
// German.
//
// A turn is read sentence by sentence. Code, tables, headings, quotations, and what a user
// pasted are left out. A sentence is kept if a clause of it is an order with a mark that it
// holds beyond this moment (orders.go, marks.go), or has one of the forms in forms.go.
// Everything else that states a value or a wish is a candidate, which an agent may be shown.
//
// A Chunker cuts turns into chunks for a model: at session boundaries, at pauses and at a
// budget of tokens. Topics are the names that were said and that no item mentions.
package extract

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

// Kind is the kind of a memory. It is also the type word of the outcome that the
// memory becomes in a daily note.
type Kind string

// The kinds, as they are written in notes.
const (
	Decision   Kind = "decision"   // something was chosen
	Preference Kind = "preference" // how somebody wants things done from now on
	Lesson     Kind = "lesson"     // what was learned: cause and rule
	Fact       Kind = "fact"       // a value about the project, its people or its environment
	Commitment Kind = "commitment" // somebody took on a piece of work
	Person     Kind = "person"     // who somebody is
)

// Kinds returns all kinds.
func Kinds() []Kind { return []Kind{Decision, Preference, Lesson, Fact, Commitment, Person} }

// Known reports whether k is one of Kinds.
func (k Kind) Known() bool { return slices.Contains(Kinds(), k) }

// Item is a statement worth keeping.
type Item struct {
	Kind     Kind      `json:"type"`
	Title    string    `json:"title"` // the statement on one line, at most 100 characters
	Quote    string    `json:"quote"` // the sentence as it was said, byte for byte
	At       time.Time `json:"at"`
	Session  string    `json:"session"`
	Speaker  Speaker   `json:"speaker"`
	Location string    `json:"place"` // of the turn, for people
}

// KindOf returns the kind of explicit statement that a text makes, "" if it makes none.
func KindOf(text string) Kind {
	for _, i := range Explicit([]Turn{{Speaker: Note, Text: text}}) {
		return i.Kind
	}
	return ""
}

// Explicit returns the explicit statements of turns, in the order in which they were said.
func Explicit(turns []Turn) []Item { return new(Reader).Items(turns) }

// Reader finds the explicit statements of a conversation that arrives in parts. The zero
// value is ready. It is not safe for concurrent use.
type Reader struct {
	lastAssistant Turn // which the next turn of the user may answer
}

// Items returns the explicit statements of turns, in the order in which they were said. The
// first turn may answer the last one of the call before.
func (r *Reader) Items(turns []Turn) (items []Item) {
	for _, t := range turns {
		switch {
		case t.Speaker == Assistant:
			items = append(items, t.explicit()...)
			r.lastAssistant = t
		case t.Speaker == User && t.AnswersForm:
			items = append(items, t.fromForm()...)
			r.lastAssistant = Turn{}
		case t.Speaker == User:
			items = append(items, r.fromUser(t)...)
			r.lastAssistant = Turn{}
		case t.Speaker == Note:
			items = append(items, t.explicit()...)
		}
	}
	return items
}

// fromUser returns the statements of a user's turn, and the options that it accepts of an offer
// in the last turn of the assistant.
func (r *Reader) fromUser(t Turn) (items []Item) {
	var a acceptance
	if r.lastAssistant.Text != "" && r.lastAssistant.Session == t.Session {
		a = acceptedBy(t.Text, r.lastAssistant.Text)
	}
	for _, text := range a.options {
		i := r.lastAssistant.item(Decision, text, titleOf(text))
		if a.restLimits {
			i.Title = joinedTitle(strings.TrimRight(i.Title, "."), ", "+a.rest)
		}
		items = append(items, i)
	}
	for _, i := range t.explicit() {
		if len(a.options) == 0 || i.Quote != a.sentence {
			items = append(items, i)
		} else if a.rest != "" && !a.restLimits {
			i.Title = titleOf(a.rest)
			items = append(items, i)
		}
	}
	return items
}

// explicit returns the explicit statements of one turn.
func (t Turn) explicit() (items []Item) {
	for s := range t.statements() {
		kind, title := explicitIn(s)
		if kind != "" && !slices.ContainsFunc(items, func(i Item) bool { return i.Quote == s.text }) {
			items = append(items, t.item(kind, s.text, title))
		}
	}
	return items
}

// fromForm returns what a person entered in a form of an agent: the answer, on the line below the
// question, or the reason for refusing a tool call or a plan.
func (t Turn) fromForm() (items []Item) {
	if question, answer, _ := strings.Cut(t.Text, "\n"); strings.HasSuffix(question, "?") {
		if answer = plaintext.OneLine(answer); !isGoAhead(answer) {
			items = append(items, t.item(Decision, t.Text, joinedTitle(question, " "+answer)))
		}
		return items
	}
	for s := range t.statements() {
		if kind, title := explicitIn(s); kind != "" {
			items = append(items, t.item(kind, s.text, title))
		} else if isInstruction(s.text) {
			items = append(items, t.item(Preference, s.text, titleOf(s.text)))
		}
	}
	return items
}

// item returns a statement as an item. The strings are copied, so that the item does not keep
// the whole turn in memory.
func (t Turn) item(kind Kind, quote, title string) Item {
	return Item{
		Kind: kind, Title: strings.Clone(title), Quote: strings.Clone(quote),
		At: t.At, Session: t.Session, Speaker: t.Speaker, Location: t.Location,
	}
}

// Candidates returns the sentences of a turn of the user that are not explicit and state a
// value or a wish. They may be wrong: they are shown to an agent, and not kept.
func Candidates(t Turn) (items []Item) {
	if t.Speaker != User || t.AnswersForm {
		return nil
	}
	for s := range t.statements() {
		if kind, _ := explicitIn(s); kind != "" {
			continue
		}
		if kind := candidateKind(s.text); kind != "" {
			items = append(items, t.item(kind, s.text, titleOf(s.text)))
		}
	}
	return items
}

// Supports reports whether a model may keep a passage of a turn: it is a part of a sentence, or
// consists of sentences, that were said and not pasted. None is a question, and one has more
// than two words.
func (t Turn) Supports(quote string) bool {
	rest, supported := quote, false
	for s := range t.statements() {
		if strings.HasSuffix(s.text, "?") {
			continue
		}
		isLong := wordCount(s.text) > 2
		if isLong && quote != "" && strings.Contains(s.text, quote) {
			return true
		}
		if before, after, found := strings.Cut(rest, s.text); found {
			rest, supported = before+after, supported || isLong
		}
	}
	return supported && !strings.ContainsFunc(rest, unicode.IsLetter)
}
