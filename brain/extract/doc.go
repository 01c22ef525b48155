// Package extract finds the statements in a conversation that are worth keeping,
// without a language model: decisions, preferences, lessons, facts, commitments
// and people, each with a literal quote. It knows English and German.
//
// Turns go into a Chunker, which cuts them into Chunks at session boundaries, at
// pauses and at a budget of tokens. A Day takes the chunks and answers with items.
// It counts chunks, items, explicit nothings and failures, and the names that no
// item mentions. Judge answers for turns that are not part of a day.
//
// A turn is read sentence by sentence; code, tables, headings and quotations are
// left out. A judge finds the cues of cues.txt in a sentence and adds up their
// weights: the sum says whether it is worth keeping, and the cues that belong to a
// kind say which kind it is. The weights come from a logistic regression on the
// development half of the labelled set of `brainbridge bench extract` and on
// testdata/said.tsv. Sentences of the assistant have weights of their own and need
// evidence. An option that the user accepts is a decision.
//
// Everything is streaming: one chunk a session is held, and a bounded table of names.
package extract
