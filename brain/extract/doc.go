// Package extract finds what is worth keeping in what was said: decisions,
// action items, people, projects, facts, preferences, business and lessons,
// each with a literal quote, without a language model.
//
// Turns go into a Chunker, which cuts them into Chunks at session boundaries,
// at pauses and at a budget of tokens. A Day takes the chunks and answers with
// items; it counts chunks, items, explicit nothings and failures, and the
// topics that no item mentions.
//
// Patterns are matched on words, sentence by sentence. Precision counts as
// much as recall: questions, suppositions, negations, quotations, code, the
// output of tools and what an assistant says of its own next step are no items.
//
// Everything is streaming: what is held is one chunk a session, a table of
// topics of fixed size, and a number a word that items mention.
package extract
