package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/brainbridge/brainbridge/brain"
)

// AskLogin asks the daemon at base, such as http://127.0.0.1:4747, for an address that logs a
// browser in once, within a minute. tokenFile has its token. If nothing answers there, the error
// is [brain.ErrUnavailable].
func AskLogin(ctx context.Context, base, tokenFile string) (string, error) {
	token, err := os.ReadFile(tokenFile)
	if err != nil {
		return "", fmt.Errorf("read the token: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, base+CodePath, nil)
	if err != nil {
		return "", err
	}
	r.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	const restart = "restart it: stop `brainbridge serve` and start it again"
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", brain.Errorf(brain.ErrUnavailable, restart, "the daemon does not answer at %s: %v", base, err)
	}
	defer func() { _ = res.Body.Close() }()
	var answer struct {
		URL string `json:"url"`
	}
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil || answer.URL == "" {
		return "", brain.Errorf(brain.ErrUnavailable, restart, "the daemon at %s serves no page; it answered %s", base, res.Status)
	}
	return answer.URL, nil
}
