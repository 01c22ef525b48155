// Package model asks an OpenAI-compatible chat endpoint (hosted, Ollama, LM
// Studio, vLLM) for the items of a transcript, and for one memory that says
// what several say.
//
// A transcript is data. What it says cannot make the model do anything,
// because an answer can only carry items, by a strict schema, and each item
// has to quote the chunk literally or is rejected. A chunk that the endpoint
// answers late, with an error, with garbage or with invented quotes is a
// failure of that chunk, with a line that says what to do.
//
// The texts of memories are data too, between lines that they cannot imitate.
// An answer can only carry one memory, and whoever asked compares it with the
// texts before it counts.
//
// Each call is asked of a Budget first. Three failures in a row end the calls
// of a Client and, by its Breaker, of those that follow within ten minutes.
package model
