package neo4j

import (
	"context"
	"errors"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
)

// Brains returns the names of the brains in a database. It changes nothing.
func Brains(ctx context.Context, cfg Config) ([]string, error) {
	s, err := connect(cfg)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	answer, err := s.auto(ctx, s.timeout, driver.AccessModeRead, readBrains, nil)
	return column[string](answer.Records, 0), brain.Wrap(errors.Join(err, s.Close()), "list the brains at %s", s.uri)
}
