package model

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"
)

// ask makes one call and returns the text of the answer. prompt is the
// estimate that stands in for usage which the endpoint does not tell.
func (c *Client) ask(ctx context.Context, transcript string, prompt int) (string, Usage, error) {
	var response *http.Response
	completion, err := c.chat.New(ctx, c.request(transcript), option.WithResponseInto(&response))
	if err != nil {
		usage := Usage{Calls: 1}
		if late(err) { // it may have worked on it all the same
			usage.Prompt = prompt
		}
		return "", usage, explain(err, response)
	}
	usage := Usage{Calls: 1, Prompt: believable(completion.Usage.PromptTokens), Completion: believable(completion.Usage.CompletionTokens)}
	if len(completion.Choices) == 0 {
		usage.Prompt = max(usage.Prompt, prompt)
		return "", usage, errors.New("the endpoint answered without a choice; check that llm.base_url is an OpenAI-compatible endpoint")
	}
	choice := completion.Choices[0]
	if usage.Tokens() == 0 {
		usage.Prompt, usage.Completion = prompt, estimate(choice.Message.Content)
	}
	switch {
	case choice.Message.Refusal != "":
		return "", usage, fmt.Errorf("the model refused: %s", line(choice.Message.Refusal))
	case choice.FinishReason == "length":
		return "", usage, errors.New("the model's answer was cut off; make transcripts.chunk_tokens smaller")
	}
	return choice.Message.Content, usage, nil
}

// believable keeps an endpoint from giving tokens back, or taking all there are.
func believable(tokens int64) int { return int(min(max(tokens, 0), 10_000_000)) }

func (c *Client) request(transcript string) openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{
		Model:               c.model,
		MaxCompletionTokens: openai.Int(maxCompletion),
		Messages: []openai.ChatCompletionMessageParamUnion{
			openai.SystemMessage(instructions),
			openai.UserMessage(transcript),
		},
		ResponseFormat: openai.ChatCompletionNewParamsResponseFormatUnion{
			OfJSONSchema: &shared.ResponseFormatJSONSchemaParam{
				JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
					Name: "items", Strict: openai.Bool(true), Schema: schema(),
				},
			},
		},
	}
}

func late(err error) bool {
	var timeout net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
}

// explain says what happened and what to do next. The error of the library is
// left out of the text where it would print the request.
func explain(err error, response *http.Response) error {
	var answered *openai.Error
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case late(err):
		return errors.New("the endpoint did not answer in time; the next run takes the chunk up again")
	case errors.As(err, &answered):
		return status(answered.StatusCode, answered.Message)
	case response != nil && response.StatusCode >= http.StatusBadRequest:
		return status(response.StatusCode, "")
	case response != nil:
		return fmt.Errorf("the endpoint answered what is no completion (%s); check that llm.base_url is an OpenAI-compatible endpoint", line(err.Error()))
	}
	return fmt.Errorf("the endpoint cannot be reached: %w; check llm.base_url and that it runs", err)
}

func status(code int, message string) error {
	next := "the next run takes the chunk up again"
	switch code {
	case http.StatusUnauthorized, http.StatusForbidden:
		next = "check the key in llm.api_key_file"
	case http.StatusNotFound:
		next = "check llm.base_url and llm.model"
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		next = "check that llm.model can answer by a JSON schema, and transcripts.chunk_tokens"
	}
	if message != "" {
		message = " (" + line(message) + ")"
	}
	return fmt.Errorf("the endpoint answered %d %s%s; %s", code, http.StatusText(code), message, next)
}

// line shortens what others wrote to one line.
func line(text string) string {
	const most = 200
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return text
}
