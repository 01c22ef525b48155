package realagents

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
)

// dialects are the protocols of the agents: Anthropic Messages, OpenAI Responses, OpenAI
// Chat Completions, and Gemini.
func dialects() []dialect {
	return []dialect{
		{path: "/responses", read: readResponses, write: writeResponses},
		{path: "/chat/completions", read: readChat, write: writeChat, unnamed: true, done: "[DONE]"},
		{path: "enerateContent", read: readGemini, write: writeGemini, unnamed: true},
		{path: "/v1/messages", read: readAnthropic, write: writeAnthropic},
	}
}

var ids atomic.Int64

// newID returns a new id with a prefix.
func newID(prefix string) string { return fmt.Sprintf("%s_%d", prefix, ids.Add(1)) }

type object = map[string]any

// content is a text or a list of blocks.
type content []block

type block struct {
	Type  string  `json:"type"`
	Text  string  `json:"text"`
	ID    string  `json:"id"`
	Name  string  `json:"name"`
	Of    string  `json:"tool_use_id"`
	Inner content `json:"content"`
}

func (c *content) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*c = content{{Type: "text", Text: text}}
		return nil
	}
	return json.Unmarshal(data, (*[]block)(c))
}

// text is all text in it.
func (c content) text() string {
	var b strings.Builder
	for _, part := range c {
		b.WriteString(part.Text + part.Inner.text())
	}
	return b.String()
}

func readAnthropic(body []byte) (conversation, error) {
	var r struct {
		Stream   bool
		Tools    []struct{ Name string }
		Messages []struct {
			Role    string
			Content content
		}
	}
	err := json.Unmarshal(body, &r)
	c := conversation{stream: r.Stream}
	for _, t := range r.Tools {
		c.tools = append(c.tools, offered{name: t.Name})
	}
	searches := map[string]bool{} // calls that only load a tool
	for _, m := range r.Messages {
		for _, b := range m.Content {
			switch {
			case b.Type == "tool_use" && b.Name == "ToolSearch":
				searches[b.ID] = true
			case b.Type == "tool_result" && !searches[b.Of]:
				c.turns = append(c.turns, turn{b.Inner.text(), true})
			case b.Type == "text" && m.Role == "user":
				c.turns = append(c.turns, turn{b.Text, false})
			}
		}
	}
	return c, err
}

func writeAnthropic(a answer) (events []event, whole any) {
	part, stop := object{"type": "text", "text": a.text}, "end_turn"
	empty, delta := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": a.text}
	if a.call != nil {
		id, args := newID("toolu"), encode(a.args)
		part, stop = object{"type": "tool_use", "id": id, "name": a.call.name, "input": a.args}, "tool_use"
		empty = object{"type": "tool_use", "id": id, "name": a.call.name, "input": object{}}
		delta = object{"type": "input_json_delta", "partial_json": args}
	}
	message := func(content []any, stop any) object {
		return object{
			"id": newID("msg"), "type": "message", "role": "assistant", "model": "scripted", "content": content,
			"stop_reason": stop, "stop_sequence": nil, "usage": object{"input_tokens": 100, "output_tokens": 20},
		}
	}
	return []event{
		{"message_start", object{"type": "message_start", "message": message([]any{}, nil)}},
		{"content_block_start", object{"type": "content_block_start", "index": 0, "content_block": empty}},
		{"content_block_delta", object{"type": "content_block_delta", "index": 0, "delta": delta}},
		{"content_block_stop", object{"type": "content_block_stop", "index": 0}},
		{"message_delta", object{"type": "message_delta", "delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": object{"output_tokens": 20}}},
		{"message_stop", object{"type": "message_stop"}},
	}, message([]any{part}, stop)
}

func readResponses(body []byte) (conversation, error) {
	var r struct {
		Stream bool
		Tools  []struct {
			Type, Name string
			Tools      []struct{ Name string }
		}
		Input []struct {
			Type, Role string
			Content    content
			Output     content
		}
	}
	err := json.Unmarshal(body, &r)
	c := conversation{stream: r.Stream}
	for _, t := range r.Tools {
		if t.Type != "namespace" && t.Name != "" {
			c.tools = append(c.tools, offered{name: t.Name})
		}
		for _, inner := range t.Tools {
			c.tools = append(c.tools, offered{t.Name, inner.Name})
		}
	}
	for _, i := range r.Input {
		switch {
		case strings.HasSuffix(i.Type, "_output"):
			c.turns = append(c.turns, turn{i.Output.text(), true})
		case i.Role == "user":
			c.turns = append(c.turns, turn{i.Content.text(), false})
		}
	}
	return c, err
}

func writeResponses(a answer) (events []event, whole any) {
	item := object{
		"type": "message", "id": newID("item"), "role": "assistant", "status": "completed",
		"content": []any{object{"type": "output_text", "text": a.text, "annotations": []any{}}},
	}
	if a.call != nil {
		item = object{
			"type": "function_call", "id": newID("item"), "call_id": newID("call"), "name": a.call.name,
			"arguments": encode(a.args), "status": "completed",
		}
		if a.call.namespace != "" {
			item["namespace"] = a.call.namespace
		}
	}
	id := newID("resp")
	response := func(status string, output ...any) object {
		return object{
			"id": id, "object": "response", "model": "scripted", "status": status, "output": output,
			"usage": object{"input_tokens": 100, "input_tokens_details": object{"cached_tokens": 0}, "output_tokens": 20, "output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": 120},
		}
	}
	events = []event{
		{"response.created", object{"type": "response.created", "response": response("in_progress")}},
		{"response.output_item.added", object{"type": "response.output_item.added", "output_index": 0, "item": item}},
	}
	if a.call == nil {
		events = append(events, event{"response.output_text.delta", object{"type": "response.output_text.delta", "item_id": item["id"], "output_index": 0, "content_index": 0, "delta": a.text}})
	}
	return append(
		events,
		event{"response.output_item.done", object{"type": "response.output_item.done", "output_index": 0, "item": item}},
		event{"response.completed", object{"type": "response.completed", "response": response("completed", item)}},
	), response("completed", item)
}

func readChat(body []byte) (conversation, error) {
	type function struct {
		ID       string
		Function struct{ Name string }
	}
	var r struct {
		Stream   bool
		Tools    []function
		Messages []struct {
			Role    string
			Content content
			Calls   []function `json:"tool_calls"`
			Of      string     `json:"tool_call_id"`
		}
	}
	err := json.Unmarshal(body, &r)
	c := conversation{stream: r.Stream}
	for _, t := range r.Tools {
		c.tools = append(c.tools, offered{name: t.Function.Name})
	}
	searches := map[string]bool{}
	for _, m := range r.Messages {
		for _, call := range m.Calls {
			searches[call.ID] = call.Function.Name == "tool_search"
		}
		switch {
		case m.Role == "user":
			c.turns = append(c.turns, turn{m.Content.text(), false})
		case m.Role == "tool" && !searches[m.Of]:
			c.turns = append(c.turns, turn{m.Content.text(), true})
		}
	}
	return c, err
}

func writeChat(a answer) (events []event, whole any) {
	said, stop := object{"role": "assistant", "content": a.text}, "stop"
	if a.call != nil {
		said, stop = object{"role": "assistant", "content": nil, "tool_calls": []any{object{
			"index": 0, "id": newID("call"), "type": "function", "function": object{"name": a.call.name, "arguments": encode(a.args)},
		}}}, "tool_calls"
	}
	id := newID("chatcmpl")
	usage := object{"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
	document := func(kind, key string, said object, stop any) object {
		return object{
			"id": id, "object": kind, "model": "scripted", "created": 1, "usage": usage,
			"choices": []any{object{"index": 0, key: said, "finish_reason": stop}},
		}
	}
	return []event{
		{"", document("chat.completion.chunk", "delta", said, nil)},
		{"", document("chat.completion.chunk", "delta", object{}, stop)},
	}, document("chat.completion", "message", said, stop)
}

func readGemini(body []byte) (conversation, error) {
	var r struct {
		Tools []struct {
			Functions []struct{ Name string } `json:"functionDeclarations"`
		}
		Contents []struct {
			Role  string
			Parts []struct {
				Text   string
				Result json.RawMessage `json:"functionResponse"`
			}
		}
		Config struct {
			Format string `json:"responseMimeType"`
		} `json:"generationConfig"`
	}
	err := json.Unmarshal(body, &r)
	c := conversation{routing: r.Config.Format == "application/json"}
	for _, t := range r.Tools {
		for _, f := range t.Functions {
			c.tools = append(c.tools, offered{name: f.Name})
		}
	}
	for _, m := range r.Contents {
		for _, p := range m.Parts {
			switch {
			case p.Result != nil:
				c.turns = append(c.turns, turn{string(p.Result), true})
			case m.Role != "model" && p.Text != "":
				c.turns = append(c.turns, turn{p.Text, false})
			}
		}
	}
	return c, err
}

func writeGemini(a answer) (events []event, whole any) {
	part := object{"text": a.text}
	if a.call != nil {
		part = object{"functionCall": object{"name": a.call.name, "args": a.args}}
	}
	response := object{
		"candidates":    []any{object{"index": 0, "content": object{"role": "model", "parts": []any{part}}, "finishReason": "STOP"}},
		"usageMetadata": object{"promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120},
		"modelVersion":  "scripted", "responseId": newID("r"),
	}
	return []event{{"", response}}, response
}

func encode(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // it is made here
	}
	return string(data)
}
