package web

import (
	"crypto/rand"
	"fmt"
	"os"
	"strings"

	"github.com/brainbridge/brainbridge/brain/durable"
)

// minToken is the least length of a token: 128 random bits.
const minToken = 26

// Token reads the token from a file that only its owner may read. If there is none,
// or others could read it, Token makes a new one and fresh is true.
func Token(path string) (token string, fresh bool, err error) {
	if held, ok := readToken(path); ok {
		return held, false, nil
	}
	token = rand.Text()
	if err := durable.WriteFile(path, []byte(token+"\n"), durable.Options{}); err != nil {
		return "", false, fmt.Errorf("store the token: %w", err)
	}
	return token, true, nil
}

// readToken returns the token of a file that only its owner can read.
func readToken(path string) (string, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o077 != 0 {
		return "", false
	}
	text, err := os.ReadFile(path)
	token := strings.TrimSpace(string(text))
	return token, err == nil && len(token) >= minToken
}
