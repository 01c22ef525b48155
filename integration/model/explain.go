package model

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	"github.com/sashabaranov/go-openai"

	"github.com/brainbridge/brainbridge/brain/plaintext"
)

type endpoint struct {
	section string // of its settings
	answer  string // what a successful call returns: "a completion"
	again   string // the advice for a temporary failure
	refused string // the advice if it refuses the request
}

// explain returns what happened in a call and what to do next, each on one line. status is that of
// the last response, 0 for none.
func (e endpoint) explain(err error, status int) (what, next string) {
	var answered *openai.APIError
	switch {
	case isTimeout(err):
		return "the endpoint did not answer in time", e.again
	case status >= http.StatusMultipleChoices:
		message := ""
		if errors.As(err, &answered) && answered.Message != "" {
			message = " (" + line(answered.Message) + ")"
		}
		return fmt.Sprintf("the endpoint answered %d %s%s", status, http.StatusText(status), message), e.afterStatus(status)
	case status > 0:
		return fmt.Sprintf("the endpoint did not answer with %s (%s)", e.answer, line(err.Error())),
			"check that " + e.section + ".base_url is an OpenAI-compatible endpoint"
	}
	return fmt.Sprintf("the endpoint cannot be reached: %s", line(err.Error())), "check " + e.section + ".base_url and that it runs"
}

func (e endpoint) afterStatus(code int) string {
	if code < http.StatusBadRequest {
		return "set " + e.section + ".base_url to the address that it redirects to"
	}
	switch code {
	case http.StatusUnauthorized, http.StatusForbidden:
		return "check the key in " + e.section + ".api_key_file"
	case http.StatusNotFound:
		return "check " + e.section + ".base_url and " + e.section + ".model"
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return e.refused
	}
	return e.again
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
}

func line(text string) string {
	const most = 200
	return plaintext.Shorten(plaintext.OneLine(text), most)
}
