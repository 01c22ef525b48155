// Package extract finds the statements in a conversation that are worth keeping,
// without a language model: decisions, preferences, lessons, facts, commitments
// and people, each with a literal quote. It knows English and German.
//
// Rules find the items of turns. A Chunker cuts turns into chunks for a model: at session
// boundaries, at pauses and at a budget of tokens. Topics are the names that were said and
// that no item mentions.
//
// A turn is read sentence by sentence; code, tables, headings, quotations and what a
// user pasted are left out. A judge adds up the weights of the cues of cues.txt in a sentence
// and, except for the assistant, of its words in words.tsv: the sum says whether it is worth
// keeping, and the cues that belong to a kind say which kind it is.
// The weights come from a logistic regression on the development half of the labelled
// set of `brainbridge bench extract` and on testdata/said.tsv. Sentences of the assistant
// have weights of their own and need evidence. An option that the user accepts is a decision.
package extract
