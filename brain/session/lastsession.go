// Package session records the sessions of agents and counts what they used.
package session

import (
	"context"
	"fmt"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/lifecycle"
)

// Service records the sessions of agents. It is safe for concurrent use.
type Service struct {
	base lifecycle.Base
}

// New returns the service.
func New(base lifecycle.Base) *Service { return &Service{base: base} }

const keptMarks = 20 // earlier ends that are kept

const markPage = 1000 // texts that are skipped at a time

// EndSession records that a session of an agent in a project ended. The time it takes
// depends on what was written since the previous end; the first time it reads all texts.
func (s *Service) EndSession(ctx context.Context, project string, at time.Time) error {
	var mark lifecycle.SessionMark
	if err := s.base.Checkpoint(ctx, lifecycle.SessionJob, &mark); err != nil {
		return err
	}
	if !mark.Finished.IsZero() {
		mark.Earlier = append([]lifecycle.SessionMark{{Finished: mark.Finished, Written: mark.Written}}, mark.Earlier...)
		mark.Earlier = mark.Earlier[:min(len(mark.Earlier), keptMarks)]
	}
	var err error
	mark.Written, err = s.base.EachWritten(ctx, mark.Written, markPage, func([]brain.Memory, string) (bool, error) { return true, nil })
	if err != nil {
		return fmt.Errorf("mark the end of the session: %w", err)
	}
	mark.Finished = at
	if mark.Projects == nil {
		mark.Projects = map[string]lifecycle.SessionMark{}
	}
	mark.Projects[project] = lifecycle.SessionMark{Finished: at, Written: mark.Written}
	return s.base.PutCheckpoint(ctx, lifecycle.SessionJob, mark)
}
