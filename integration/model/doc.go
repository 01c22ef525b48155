// Package model asks an OpenAI-compatible chat endpoint (hosted, Ollama, LM Studio,
// vLLM) to extract items from transcripts, to merge memories, to recount sessions and
// to weigh evidence.
//
// A transcript is data: an answer can only contain items by a strict schema that quote the
// chunk literally. A late answer, an error, garbage or invented quotes fail only that
// chunk. The texts of memories are data too, between lines that they cannot imitate. The
// caller compares an answer with the texts.
//
// Each call needs a reservation in the Account of the day. Three failures in a row end
// the calls of all clients for ten minutes.
//
// An Embedder makes vectors of texts with an embedding endpoint of the same protocol.
package model
