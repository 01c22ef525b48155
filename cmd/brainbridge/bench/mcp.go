package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// mcpEmpty measures a server that was only started.
func (b *bench) mcpEmpty(ctx context.Context) error {
	h, err := b.home(ctx, "memories-0")
	if err != nil {
		return err
	}
	if err := b.mcpStarts(ctx, h, 0); err != nil {
		return err
	}
	return h.mcp(ctx, func(c *mcpClient) error {
		list, err := c.ask("tools/list", struct{}{})
		if err != nil {
			return err
		}
		b.single("mcpToolList", 0, float64(len(list)), "bytes")
		return b.mcpMemory(ctx, c, "mcpMemory", 0)
	})
}

// mcpMemory measures the memory of a server.
func (b *bench) mcpMemory(ctx context.Context, c *mcpClient, name string, n int) error {
	held, err := settledMemory(ctx, c.Process.Pid, b.Steady)
	if err == nil {
		b.single(name, n, megabytes(held), "MB")
	}
	return err
}

// mcpLarge measures the start, which must not depend on how much is stored.
func (b *bench) mcpLarge(ctx context.Context, n int) error {
	h, err := b.loaded(ctx, n)
	if err == nil {
		err = h.shut()
	}
	if err != nil {
		return err
	}
	return b.mcpStarts(ctx, h, n)
}

// mcpCalls measures calls of agents on a brain with memories, and the memory of
// the process after them.
func (b *bench) mcpCalls(ctx context.Context) error {
	n := b.Small
	if err := b.mcpLarge(ctx, n); err != nil {
		return err
	}
	h := b.homes[fmt.Sprintf("memories-%d", n)]
	return h.mcp(ctx, func(c *mcpClient) error {
		for _, call := range []struct {
			figure, tool string
			times        int
			arguments    func(i int) any
		}{
			{"mcpRemember", "remember", b.Calls, func(int) any {
				return map[string]string{"name": h.text.title(), "content": h.text.body()}
			}},
			{"mcpCreate", "create_entities", b.Calls, func(int) any {
				e := brain.Entity{Name: h.text.title() + " " + brain.NewID(), EntityType: "thing", Observations: []string{h.text.body()}}
				return map[string][]brain.Entity{"entities": {e}}
			}},
			{"mcpRecall", "recall", b.Recalls, func(i int) any {
				return map[string]string{"query": h.text.question(2 + i%3)}
			}},
		} {
			took, err := b.mcpCall(c, call.tool, call.times, call.arguments)
			if err != nil {
				return err
			}
			b.spread(call.figure, n, took)
		}
		return b.mcpMemory(ctx, c, "mcpMemoryUsed", n)
	})
}

// mcpStarts measures from the start of a process to its list of tools.
func (b *bench) mcpStarts(ctx context.Context, h *home, n int) error {
	b.progress.start("mcp, start", warmups+b.Processes)
	var took []time.Duration
	for i := range warmups + b.Processes {
		start := time.Now()
		var ready time.Duration
		err := h.mcp(ctx, func(c *mcpClient) error {
			_, err := c.ask("tools/list", struct{}{})
			ready = time.Since(start)
			return err
		})
		if err != nil {
			return err
		}
		if i >= warmups {
			took = append(took, ready)
		}
		b.progress.add(1)
	}
	b.spread("mcpStart", n, took)
	return nil
}

// mcpCall measures calls of one tool.
func (b *bench) mcpCall(c *mcpClient, tool string, times int, arguments func(i int) any) ([]time.Duration, error) {
	b.progress.start(tool+" over MCP", warmups+times)
	var took []time.Duration
	for i := range warmups + times {
		given := arguments(i)
		start := time.Now()
		raw, err := c.ask("tools/call", map[string]any{"name": tool, "arguments": given})
		if err != nil {
			return nil, err
		}
		if i >= warmups {
			took = append(took, time.Since(start))
		}
		var result struct{ IsError bool }
		if err := json.Unmarshal(raw, &result); err != nil || result.IsError {
			return nil, fmt.Errorf("%s over MCP: %.200s", tool, raw)
		}
		b.progress.add(1)
	}
	return took, nil
}

// mcpClient is a client of one `brainbridge mcp`.
type mcpClient struct {
	*exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	asked int
}

// mcp runs fn with a client of a server that is initialized.
func (h *home) mcp(ctx context.Context, fn func(*mcpClient) error) error {
	c := &mcpClient{Cmd: h.command(ctx, "mcp")}
	var err error
	if c.in, err = c.StdinPipe(); err != nil {
		return fmt.Errorf("start mcp: %w", err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return fmt.Errorf("start mcp: %w", err)
	}
	c.out = bufio.NewReader(out)
	if err := c.Start(); err != nil {
		return fmt.Errorf("start mcp: %w", err)
	}
	_, err = c.ask("initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": struct{}{}, "clientInfo": map[string]string{"name": "bench", "version": "1"},
	})
	if err == nil {
		_, err = io.WriteString(c.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	}
	if err == nil {
		err = fn(c)
	}
	return errors.Join(err, c.in.Close(), c.Wait())
}

// ask sends a request and returns its result.
func (c *mcpClient) ask(method string, params any) (json.RawMessage, error) {
	c.asked++
	request, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": c.asked, "method": method, "params": params})
	if err != nil {
		return nil, fmt.Errorf("ask for %s: %w", method, err)
	}
	if _, err := c.in.Write(append(request, '\n')); err != nil {
		return nil, fmt.Errorf("ask for %s: %w", method, err)
	}
	line, err := c.out.ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("wait for the answer to %s: %w", method, err)
	}
	var answer struct {
		ID     int
		Result json.RawMessage
	}
	if err := json.Unmarshal(line, &answer); err != nil || answer.ID != c.asked || answer.Result == nil {
		return nil, fmt.Errorf("%s is answered with %.200s", method, line)
	}
	return answer.Result, nil
}
