package main

import (
	"context"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// mcp measures the start of a server, its calls, and its memory before and after them.
func (b *bench) mcp(ctx context.Context, n int) error {
	h, err := b.home(ctx, n)
	if err != nil {
		return err
	}
	starts, err := repeat(warmups, b.processes, func(int) (ready time.Duration, err error) {
		start := time.Now()
		err = h.mcp(ctx, func(s *mcp.ClientSession, _ int) error {
			_, err := s.ListTools(ctx, nil)
			ready = time.Since(start)
			return err
		})
		return ready, err
	})
	if err != nil {
		return err
	}
	b.spread("mcp, start to the list of tools", n, starts)
	return h.mcp(ctx, func(s *mcp.ClientSession, pid int) error {
		if err := b.idleMemory(ctx, "private memory of mcp, after its start", n, pid); err != nil {
			return err
		}
		for _, call := range []struct {
			tool      string
			times     int
			arguments func(i int) map[string]string
		}{
			{"remember", b.calls, func(int) map[string]string {
				return map[string]string{"name": h.text.Title(), "content": h.text.Body()}
			}},
			{"recall", b.recalls, func(i int) map[string]string { return map[string]string{"query": h.text.Question(2 + i%3)} }},
		} {
			took, err := repeat(warmups, call.times, func(i int) (time.Duration, error) {
				params := &mcp.CallToolParams{Name: call.tool, Arguments: call.arguments(i)}
				return since(func() error {
					r, err := s.CallTool(ctx, params)
					if err == nil && r.IsError {
						err = fmt.Errorf("%s over MCP: %v", call.tool, r.Content)
					}
					return err
				})
			})
			if err != nil {
				return err
			}
			b.spread(call.tool+" over MCP", n, took)
		}
		return b.idleMemory(ctx, "private memory of mcp, after those calls", n, pid)
	})
}

// mcp runs fn with a client of a new server, and the server's process.
func (h *home) mcp(ctx context.Context, fn func(s *mcp.ClientSession, pid int) error) error {
	c := h.command(ctx, "mcp")
	s, err := mcp.NewClient(&mcp.Implementation{Name: "benchmark", Version: "1"}, nil).Connect(ctx, &mcp.CommandTransport{Command: c}, nil)
	if err != nil {
		return fmt.Errorf("start mcp: %w", err)
	}
	if err := fn(s, c.Process.Pid); err != nil {
		_ = s.Close()
		return err
	}
	return s.Close()
}
