package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/brainbridge/brainbridge/integration/app"
)

func (a *cli) queryCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "query CYPHER", Short: "Run a Cypher query (Neo4j only)",
		Long: "Run a Cypher query, read-only unless --write is given. $brain is the name of this brain;\na query that does not use it sees the whole database. brainbridge reads each node from\nits property `packed` and does not see other properties that a query changes.",
		Args: between(1, 1),
	}
	write := c.Flags().Bool("write", false, "allow the query to write")
	c.RunE = answers(a, func(ctx context.Context, u *app.UseCases, args []string) (app.QueryAnswer, error) {
		cypher, err := a.text(args[0])
		if err != nil {
			return app.QueryAnswer{}, err
		}
		return u.Query(ctx, app.QueryRequest{Cypher: cypher, Write: *write})
	}, a.showRows)
	return c
}

// cellWidth is the widest cell of a table, in characters.
const cellWidth = 60

func (a *cli) showRows(answer app.QueryAnswer) {
	if len(answer.Columns) == 0 {
		a.printf("done\n")
		return
	}
	t := table{head: answer.Columns}
	for _, row := range answer.Rows {
		cells := make([]string, len(row))
		for i, v := range row {
			cells[i] = flat(cell(v), cellWidth)
		}
		t.row(cells...)
	}
	a.print(t)
	a.next("%s", counted(len(answer.Rows), "row"))
}

func cell(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case nil:
		return ""
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(raw)
}
