package app

import (
	"github.com/brainbridge/brainbridge/brain/consolidate"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/brain/journal"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
	"github.com/brainbridge/brainbridge/brain/modeltier"
	"github.com/brainbridge/brainbridge/brain/neo4j"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/brain/reflection"
	"github.com/brainbridge/brainbridge/tiers"
)

// ListRequest chooses memories.
type ListRequest = lifecycle.ListQuery

// Answers that are documents of the services, and parts of them.
type (
	// AuditAnswer says how clean the memory is.
	AuditAnswer = health.Audit
	// HealthAnswer says whether the memory is in order.
	HealthAnswer = health.Report
	// HistoryEvent is something that happened to a memory.
	HistoryEvent = journal.HistoryEvent
	// QueryAnswer has the rows that a query returned.
	QueryAnswer = neo4j.Table
	// ContextAnswer is the context of a new session.
	ContextAnswer = recall.Context
	// RecallAnswer has the memories and sections that match a question.
	RecallAnswer = recall.Recollection
	// Recalled is one of them.
	Recalled = recall.Recalled
	// Tier is the tier of a memory, by which a list can be asked for.
	Tier = tiers.Tier
	// Mark is a word of an excerpt that matches.
	Mark = recall.Mark
	// RankedMemory is a memory in a ranking of a reflection.
	RankedMemory = reflection.Ranked
	// Quote is a passage of a memory that supports or contradicts a belief.
	Quote = reflection.Quote
)

// Names in requests.
const (
	// Steps of a run that [ConsolidateRequest] can ask for alone.
	StepDuplicates = consolidate.StepDuplicates
	StepForget     = consolidate.StepForget
	// DefaultIdempotencyDays is the default of [ConsolidateRequest].
	DefaultIdempotencyDays = modeltier.DefaultIdempotencyDays
	// Scopes of a reflection.
	ReflectDeep     = reflection.Deep
	ReflectQuick    = reflection.Quick
	ReflectBeliefs  = reflection.Beliefs
	ReflectMemories = reflection.Memories
)
