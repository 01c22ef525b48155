package web

import (
	"crypto/rand"
	"fmt"
	"os"
	"strings"

	"github.com/brainbridge/brainbridge/brain/durable"
)

// minToken is how many characters a token has at least: 128 random bits.
const minToken = 26

// Token reads the token of a file that nobody else may read. If there is none,
// or others could read it until now, a new one is made, and fresh is true.
func Token(path string) (token string, fresh bool, err error) {
	if held, ok := readToken(path); ok {
		return held, false, nil
	}
	token = rand.Text()
	if err := durable.WriteFile(path, []byte(token+"\n"), durable.Options{}); err != nil {
		return "", false, fmt.Errorf("keep the token: %w", err)
	}
	return token, true, nil
}

// readToken is the token of a file that was nobody else's to read.
func readToken(path string) (string, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o077 != 0 {
		return "", false
	}
	text, err := os.ReadFile(path)
	token := strings.TrimSpace(string(text))
	return token, err == nil && len(token) >= minToken
}
