package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"strings"
	"time"
)

// soakWriter is an agent: sessions with the MCP server, one after the other, and a command now
// and then.
type soakWriter struct {
	*soak
	name string
	rnd  *rand.Rand
	said int
	ids  []string // what it captured lately
}

func newWriter(s *soak, n int) *soakWriter {
	return &soakWriter{soak: s, name: fmt.Sprint(n), rnd: rand.New(rand.NewPCG(36, uint64(n)))}
}

func (w *soakWriter) work() {
	for !w.over() {
		id := fmt.Sprintf("soak-%s-%d", w.name, w.rnd.Int())
		w.hook("SessionStart", id)
		w.hook("UserPromptSubmit", id)
		w.session()
		w.command()
		w.hook("SessionEnd", id)
	}
}

// operation counts one, and lets be done what it makes due.
func (w *soakWriter) operation() { w.schedule(w.done.Add(1)) }

// session is one session of an agent. One in three is killed while it works.
func (w *soakWriter) session() {
	c := w.at().command(context.Background(), "mcp", "--tools", "memory")
	in, err := c.StdinPipe()
	var out io.ReadCloser
	if err == nil {
		out, err = c.StdoutPipe()
	}
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		w.strange(err.Error())
		return
	}
	m := &mcpSession{in: in, out: bufio.NewScanner(out)}
	m.out.Buffer(nil, 16<<20)
	_, _ = m.call("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "soak", "version": "1"}})
	calls := 20 + w.rnd.IntN(200)
	dies := w.rnd.IntN(3) == 0
	for i := 0; i < calls && !m.gone && !w.over(); i++ {
		if dies && i == calls-1 {
			time.AfterFunc(time.Duration(w.rnd.IntN(20_000))*time.Microsecond, func() { _ = c.Process.Kill() })
			calls += 20 // until it is dead
		}
		w.call(m)
		w.operation()
	}
	_ = in.Close()
	w.ending(c, dies)
}

// ending waits for the end of a process, which may have been killed.
func (w *soakWriter) ending(c *exec.Cmd, dies bool) {
	switch err := c.Wait(); {
	case dies && c.ProcessState.ExitCode() < 0:
		w.killed.Add(1)
	case err != nil:
		w.strange(fmt.Sprintf("%v: %v", c.Args[1:], err))
	}
}

// hook is what an agent tells of its session. It must never fail.
func (w *soakWriter) hook(event, session string) {
	c := w.at().command(context.Background(), "hook", event)
	c.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":%q,"cwd":%q,"prompt":"what about %s?"}`, session, w.dir, w.words(2)))
	if a, err := finish(context.Background(), c); err != nil || a.code != 0 {
		w.strange(fmt.Sprint(a, err))
	}
	w.operation()
}

// mcpSession is the client's end of a server.
type mcpSession struct {
	in   io.Writer
	out  *bufio.Scanner
	id   int
	gone bool // the server has ended
}

// called is what a tool answered.
type called struct {
	Content           []struct{ Text string }
	StructuredContent json.RawMessage
	IsError           bool
}

func (m *mcpSession) call(method string, params any) (a called, answered bool) {
	m.id++
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": m.id, "method": method, "params": params})
	if err == nil {
		_, err = m.in.Write(append(line, '\n'))
	}
	if err != nil || !m.out.Scan() {
		m.gone = true
		return a, false
	}
	var whole struct{ Result called }
	if json.Unmarshal(m.out.Bytes(), &whole) != nil {
		m.gone = true
		return a, false
	}
	return whole.Result, true
}

func (m *mcpSession) tool(name string, arguments map[string]any) (called, bool) {
	return m.call("tools/call", map[string]any{"name": name, "arguments": arguments})
}

// call is one thing that an agent does.
func (w *soakWriter) call(m *mcpSession) {
	id := ""
	if len(w.ids) > 0 {
		id = w.ids[w.rnd.IntN(len(w.ids))]
	}
	dice := w.rnd.IntN(100)
	if id == "" {
		dice = 0
	}
	var a called
	answered := true
	switch {
	case dice < 20:
		w.remember(m)
	case dice < 60:
		a, answered = m.tool("recall", map[string]any{"query": w.words(3), "limit": 5})
	case dice < 85:
		a, answered = m.tool("open_memory", map[string]any{"id": id})
	case dice < 93:
		a, answered = m.tool("mark_used", map[string]any{"id": id, "verdict": "helpful"})
	case dice < 96:
		a, answered = m.tool("correct", map[string]any{"id": id, "content": w.sentence()})
	case dice < 97:
		a, answered = m.tool("forget", map[string]any{"id": id, "confirm": true})
	case dice < 99:
		a, answered = m.tool("context", map[string]any{"budget": 500})
	default:
		a, answered = m.tool("review", map[string]any{})
	}
	if answered && a.IsError {
		w.refused(a.Content[0].Text)
	}
}

// refused notes an error that has no excuse.
func (w *soakWriter) refused(text string) {
	for _, excuse := range []string{"forgotten", "no memory has", "changed meanwhile", "is busy", "holds the brain"} {
		if strings.Contains(text, excuse) {
			return
		}
	}
	if w.proxy == nil {
		w.strange(text)
	}
}

func (w *soakWriter) remember(m *mcpSession) {
	content := w.sentence()
	a, answered := m.tool("remember", map[string]any{"content": content, "project": w.words(1)})
	var kept captured
	if answered && !a.IsError && json.Unmarshal(a.StructuredContent, &kept) == nil && kept.MemoryID != "" {
		w.ledger.note(content, answer{out: kept.MemoryID + "\n"})
		w.keep(kept.MemoryID)
		return
	}
	w.ledger.note(content, answer{})
	if answered {
		w.refused(fmt.Sprint("remember: ", a.Content, string(a.StructuredContent)))
	}
}

// keep remembers an id among the last hundred.
func (w *soakWriter) keep(id string) {
	w.ids = append(w.ids, id)
	w.ids = w.ids[max(0, len(w.ids)-100):]
}

// command is a whole process. One in three is killed.
func (w *soakWriter) command() {
	content := w.sentence()
	args := [][]string{
		{"-q", "remember", content}, {"-q", "learn", w.words(2), content}, {"recall", w.words(2)}, {"context"}, {"list"}, {"status"}, {"reminders"},
	}[w.rnd.IntN(7)]
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c := w.at().command(ctx, args...)
	dies := w.rnd.IntN(3) == 0
	if dies {
		ending := time.AfterFunc(time.Duration(w.rnd.IntN(60))*time.Millisecond, cancel)
		defer ending.Stop()
	}
	a, err := finish(context.Background(), c)
	if args[0] == "-q" && w.ledger.note(content, a) {
		w.keep(strings.TrimSpace(a.out))
	}
	switch {
	case dies:
		w.killed.Add(1)
	case err != nil:
		w.strange(err.Error())
	default:
		w.tolerate(a)
	}
	w.operation()
}

// syllables make words that mean nothing, so that memories rarely say the same.
const syllables = "ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zu"

func (w *soakWriter) words(n int) string {
	all := strings.Fields(syllables)
	words := make([]string, n)
	for i := range words {
		for range 3 {
			words[i] += all[w.rnd.IntN(len(all))]
		}
	}
	return strings.Join(words, " ")
}

// sentence is one that nobody has said.
func (w *soakWriter) sentence() string {
	w.said++
	return fmt.Sprintf("the %s of %s needs %s in step %d of writer %s", w.words(1), w.words(2), w.words(3), w.said, w.name)
}
