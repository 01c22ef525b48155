package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
)

// text is an argument, or all of standard input for "-".
func (a *cli) text(arg string) (string, error) {
	if arg != "-" {
		return arg, nil
	}
	data, err := io.ReadAll(io.LimitReader(a.in, brain.MaxContent+1))
	if err != nil {
		return "", fmt.Errorf("read standard input: %w", err)
	}
	if len(data) > brain.MaxContent {
		return "", usage("split it, or keep it in a file below knowledge/",
			"standard input has more than the %d bytes that a memory holds", brain.MaxContent)
	}
	return strings.TrimRight(string(data), "\r\n"), nil
}
