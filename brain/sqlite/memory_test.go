package sqlite

import (
	"testing"

	"github.com/brainbridge/brainbridge/brain"
)

func TestEachColumnHasAField(t *testing.T) {
	var m brain.Memory
	for columns, fields := range map[string][]any{
		touchedColumns: touched(&m), settledColumns: settled(&m), restColumns: rest(&m),
	} {
		if n := len(columnNames(columns)); n != len(fields) {
			t.Errorf("%d fields for %d columns: %s", len(fields), n, columns)
		}
	}
}
