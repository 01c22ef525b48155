package neo4j

import (
	"context"
	"slices"
	"strings"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
)

// readProcedures are the procedures that a query for reading may call. Others may read files,
// use the network or change the server, whatever their mode.
var readProcedures = []string{
	"db.labels", "db.relationshipTypes", "db.propertyKeys", "db.schema.visualization", "db.schema.nodeTypeProperties",
	"db.schema.relTypeProperties", "db.index.fulltext.queryNodes", "db.index.fulltext.queryRelationships",
	"db.index.fulltext.listAvailableAnalyzers", "db.index.vector.queryNodes", "db.index.vector.queryRelationships",
	"db.info", "db.ping", "dbms.components",
}

// checkReadOnly returns [brain.ErrInvalid] for a query that does more than read the graph. It
// asks the server for the plan, so strings, comments, quotes and case cannot hide anything. What
// writes is left to the server, which refuses it.
func (s *Store) checkReadOnly(ctx context.Context, cypher string, params map[string]any) error {
	explained, err := s.auto(ctx, s.timeout, driver.AccessModeRead, "EXPLAIN "+cypher, params)
	if err != nil || explained.Summary.Plan() == nil {
		return err
	}
	if what := outside(explained.Summary.Plan(), explained.Summary.StatementType()); what != "" {
		return brain.Errorf(brain.ErrInvalid, "", "a query for reading may not use %s", what)
	}
	return nil
}

// outside returns what a plan has besides reading and writing the graph, "" for nothing.
func outside(plan driver.Plan, kind driver.StatementType) string {
	operator, _, _ := strings.Cut(plan.Operator(), "@")
	details, _ := plan.Arguments()["Details"].(string)
	switch {
	case operator == "LoadCSV":
		return "LOAD CSV"
	case strings.HasPrefix(operator, "Transaction"):
		return "CALL { … } IN TRANSACTIONS"
	case operator == "TerminateTransactions", operator == "AdministrationCommand" && kind != driver.StatementTypeReadOnly:
		return "a command that changes the server"
	case operator == "ProcedureCall":
		name, _, _ := strings.Cut(details, "(")
		if !slices.Contains(readProcedures, name) {
			return "the procedure " + name
		}
	case strings.Contains(details, "apoc.cypher."):
		return "functions that run other queries (apoc.cypher)"
	}
	for _, child := range plan.Children() {
		if what := outside(child, kind); what != "" {
			return what
		}
	}
	return ""
}
