package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/sashabaranov/go-openai"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

type question struct {
	about        string // the action, for errors
	piece        string // what the question is about, such as a chunk
	remedy       string // for an answer that was cut off
	instructions string
	text         string // the piece: data, never instructions
	form         string // name of the schema
	schema       string // of the answer, in the strict subset of JSON Schema
}

// size estimates the tokens that are sent.
func (q question) size() int {
	return plaintext.Tokens(q.instructions) + plaintext.Tokens(q.text) + plaintext.Tokens(q.schema)
}

// ask makes one call and returns the text of the answer, and the usage or an estimate of it.
func (c *Client) ask(ctx context.Context, q question) (string, Usage, error) {
	prompt := q.size()
	c.wire.status = 0
	completion, err := c.chat.CreateChatCompletion(ctx, c.request(q))
	if err != nil {
		usage := Usage{}
		if isTimeout(err) || c.wire.status/100 == 2 { // it may have used tokens
			usage.Prompt = prompt
		}
		return "", usage, q.explain(err, c.wire.status)
	}
	usage := Usage{Prompt: believable(completion.Usage.PromptTokens), Completion: believable(completion.Usage.CompletionTokens)}
	if len(completion.Choices) == 0 {
		usage.Prompt = max(usage.Prompt, prompt)
		return "", usage, errors.New("the endpoint answered without a choice; check that llm.base_url is an OpenAI-compatible endpoint")
	}
	choice := completion.Choices[0]
	if usage.Tokens() == 0 {
		usage.Prompt, usage.Completion = prompt, plaintext.Tokens(choice.Message.Content)
	}
	switch {
	case choice.Message.Refusal != "":
		return "", usage, fmt.Errorf("the model refused: %s", line(choice.Message.Refusal))
	case choice.FinishReason == openai.FinishReasonLength:
		return "", usage, fmt.Errorf("the answer of the model was cut off; %s", q.remedy)
	}
	return choice.Message.Content, usage, nil
}

// believable limits the usage that an endpoint reports.
func believable(tokens int) int { return min(max(tokens, 0), 10_000_000) }

func (c *Client) request(q question) openai.ChatCompletionRequest {
	return openai.ChatCompletionRequest{
		Model:               c.o.Model,
		MaxCompletionTokens: maxCompletion,
		Messages: []openai.ChatCompletionMessage{
			{Role: openai.ChatMessageRoleSystem, Content: q.instructions},
			{Role: openai.ChatMessageRoleUser, Content: q.text},
		},
		ResponseFormat: &openai.ChatCompletionResponseFormat{
			Type:       openai.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{Name: q.form, Strict: true, Schema: json.RawMessage(q.schema)},
		},
	}
}

func (q question) explain(err error, status int) error {
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, openai.ErrChatCompletionInvalidModel):
		return errors.New("the model cannot chat; check llm.model")
	}
	e := endpoint{
		section: "llm", answer: "a completion", again: "the next run tries the " + q.piece + " again",
		refused: "check that llm.model can answer by a JSON schema, or " + q.remedy,
	}
	what, next := e.explain(err, status)
	return errors.New(what + "; " + next)
}
