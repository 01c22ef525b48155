package redact_test

import (
	_ "embed"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/brainbridge/brainbridge/brain/redact"
	"github.com/brainbridge/brainbridge/brain/storetest/testlab"
	"github.com/brainbridge/brainbridge/brain/words"
)

// lookalikes holds texts that must stay as they are, one a line, with \n for a
// line break.
//
//go:embed testdata/lookalikes.txt
var lookalikes string

func TestLookalikesStay(t *testing.T) {
	kept, all := 0, 0
	for line := range strings.Lines(lookalikes) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "## ") {
			continue
		}
		text := strings.ReplaceAll(line, `\n`, "\n")
		all++
		if clean, secrets := redact.Text(text); clean != text {
			t.Errorf("Text(%q) = %q, found %d secrets", text, clean, secrets)
			continue
		}
		kept++
	}
	if all < 40 {
		t.Errorf("only %d look-alikes are tested", all)
	}
	testlab.Report(t, "", "%d of %d look-alikes and placeholders kept", kept, all)
}

func TestVendorsExamplesStay(t *testing.T) {
	for _, text := range []string{
		"AKIA" + "IOSFODNN7EXAMPLE",
		"aws_secret_access_key = wJalrXUtnFEMI" + "/K7MDENG/bPxRfiCYEXAMPLEKEY",
		"ghp_" + strings.Repeat("x", 36),
		"sk-" + strings.Repeat("0", 48),
		"export OPENAI_API_KEY=sk-your-key-goes-here-0123",
		"xoxb-" + "your-token-here-0123456789",
		"Authorization: Basic " + "dXNlcm5hbWU6cGFzc3dvcmQ=",
		"-----BEGIN PRIVATE" + " KEY-----\n...\n-----END PRIVATE" + " KEY-----",
		"AIza" + "SyXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX",
	} {
		if clean, _ := redact.Text(text); clean != text {
			t.Errorf("Text(%q) = %q", text, clean)
		}
	}
}

// Keys whose body is a row of the alphabet are what people try redaction with.
func TestRowsOfTheAlphabetAreTaken(t *testing.T) {
	for _, text := range []string{
		"ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789",
		"ghp_" + "1234567890abcdefghijklmnopqrstuvwxyz",
		"sk-ant-api03-" + "abcdefghijklmnopqrstuvwxyz0123456789",
		"sk-" + "1234567890abcdef1234567890abcdef1234567890abcdef",
		"sk_live_" + "1234567890abcdefghijklmn",
		"AKIA" + "1234567890ABCDEF",
		"AKIA" + "ABCDEFGHIJKLMNOP",
		"xoxb-" + "123456789012-123456789012-abcdefghijklmnopqrstuvwx",
		"AIza" + "SyA1234567890abcdefghijklmnopqrstuv",
		"glpat-" + "abcdefghij0123456789",
		"npm_" + "abcdefghijklmnopqrstuvwxyz0123456789",
		"hf_" + "abcdefghijklmnopqrstuvwxyzABCDEFGH",
		"Authorization: Bearer " + "abcdef1234567890abcdef1234567890",
		"api_key=" + "abcdef1234567890abcdef",
	} {
		if clean, _ := redact.Text(text); clean == text {
			t.Errorf("Text(%q) kept it", text)
		}
	}
}

// A token is secret also if it was copied with a character too few or too many.
func TestGitHubTokensOfAnotherLength(t *testing.T) {
	m := newMaker(11)
	for _, prefix := range []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"} {
		for _, n := range []int{20, 30, 35, 36, 37, 50} {
			text := "the token is " + prefix + m.of(alnums, n) + ", keep it"
			if clean, _ := redact.Text(text); clean != "the token is [redacted: github token], keep it" {
				t.Errorf("Text(%q) = %q", text, clean)
			}
		}
		for _, text := range []string{prefix + m.of(alnums, 12), prefix + "yourTokenGoesHere1234567", prefix + strings.Repeat("X", 24)} {
			if clean, _ := redact.Text(text); clean != text {
				t.Errorf("Text(%q) = %q", text, clean)
			}
		}
	}
}

func TestAssignmentInAQuotation(t *testing.T) {
	if clean, _ := redact.Text("> DB_PASSWORD=" + "qwertzuiop"); clean != "> DB_PASSWORD=[redacted: password]" {
		t.Errorf("got %q", clean)
	}
}

func TestSeveralInOneText(t *testing.T) {
	m := newMaker(7)
	first, second := "gh"+"p_"+m.of(alnums, 36), m.of(alnums, 20)
	text := "# Notes\n\ntoken " + first + "\nDB_PASSWORD=" + second + "\nend\n"
	clean, secrets := redact.Text(text)
	want := "# Notes\n\ntoken [redacted: github token]\nDB_PASSWORD=[redacted: password]\nend\n"
	if clean != want {
		t.Fatalf("got %q, want %q", clean, want)
	}
	if secrets != 2 {
		t.Errorf("found %d secrets in %q", secrets, text)
	}
	if n := markers(clean); n != 2 {
		t.Errorf("%d markers, want 2", n)
	}
}

func TestPrivateKeyCutOff(t *testing.T) {
	key := newMaker(3).pem("RSA " + "PRIVATE KEY")
	text := "before\n" + key[:200] + "\n\n(cut here)"
	clean, _ := redact.Text(text)
	if strings.Contains(clean, key[60:160]) || !strings.HasSuffix(clean, "(cut here)") {
		t.Errorf("Text(%q) = %q", text, clean)
	}
}

// markers counts them.
func markers(s string) int {
	n := 0
	for at := range s {
		if words.MarkerLen(s[at:]) > 0 {
			n++
		}
	}
	return n
}

// checkLaws fails unless the promises of Text hold for text.
func checkLaws(t interface{ Fatalf(string, ...any) }, text string) {
	clean, secrets := redact.Text(text)
	again, more := redact.Text(clean)
	switch {
	case again != clean || more > 0:
		t.Fatalf("Text(%q) = %q, and again %q, found %d secrets", text, clean, again, more)
	case secrets == 0 && clean != text:
		t.Fatalf("Text(%q) = %q without secrets", text, clean)
	case utf8.ValidString(text) && !utf8.ValidString(clean):
		t.Fatalf("Text(%q) = %q is not UTF-8", text, clean)
	case markers(clean) < secrets:
		t.Fatalf("Text(%q) = %q has fewer markers than %d secrets", text, clean, secrets)
	}
	// What is between the markers is the text, in order.
	rest := text
	for between := range strings.SplitSeq(marker.ReplaceAllString(clean, "\x00"), "\x00") {
		_, after, found := strings.Cut(rest, between)
		if !found {
			t.Fatalf("Text(%q) = %q changed what is no secret", text, clean)
		}
		rest = after
	}
}

var marker = regexp.MustCompile(`\[redacted: [\w .-]+\]`)

// pieces draws texts that hold keys, cut keys, markers and separators in any
// order.
func pieces() *rapid.Generator[string] {
	m := newMaker(11)
	var parts []string
	for _, k := range append(m.formats(), m.places()...) {
		parts = append(parts, k.text, k.text[:len(k.text)/2], k.text[len(k.text)/3:])
	}
	parts = append(parts, "=", ": ", ":", "://", "@", "-", "_", ".", "\"", "'", " ", "\n", `\n`, "password", "token",
		"[redacted: ", "[redacted: password]", "]", "a", "é", "東", "\xff", "--password ", "${", "}", "&", ",", "Bearer ")
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 8).Draw(t, "parts"), "")
	})
}

func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkLaws(t, pieces().Draw(t, "text")) })
	rapid.Check(t, func(t *rapid.T) { checkLaws(t, rapid.String().Draw(t, "text")) })
}

func FuzzText(f *testing.F) {
	m := newMaker(5)
	for _, k := range append(m.formats(), m.places()...) {
		f.Add(k.text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkLaws(t, text) })
}

// TestHostileText walks long texts of what could make a rule look far ahead or
// back at every byte; quadratic work would not end.
func TestHostileText(t *testing.T) {
	for _, unit := range []string{
		"a://", "a:b@", "password=", "password: \"", "-----BEGIN RSA " + "PRIVATE KEY-----\n", "eyJ", "key-", "[redacted: ",
		"sk-", "MT", "=", ":", "\\n", "--token ", "pypi-AgE-", "AI" + "za0-_aB7cD9-", "x", "curl -u ", "é=", "a.atlasv1.", "Cookie: ", "<password>",
		"password of ", "with password ", "a:5432:", "login a password ", "value=", "API key:\n",
	} {
		text := strings.Repeat(unit, 1<<18/len(unit))
		if clean, secrets := redact.Text(text); secrets == 0 && clean != text {
			t.Errorf("a long row of %q changed", unit)
		}
	}
}

func BenchmarkTextClean(b *testing.B) {
	text := strings.Repeat(strings.ReplaceAll(lookalikes, `\n`, "\n"), 1<<20/len(lookalikes)+1)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		redact.Text(text)
	}
}

func BenchmarkTextProse(b *testing.B) {
	prose := "We moved the billing worker to its own queue, since a slow export held up every mail.\n" +
		"- Fixed: the retry loop kept a connection open; see internal/queue/worker.go and PR #4512.\n" +
		"## [10:42] 🔷 decision: Redis for sessions\n\nIt is at 3 ms p99 now, `GET /v1/items?page=2` included.\n"
	text := strings.Repeat(prose, 1<<20/len(prose))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		redact.Text(text)
	}
}
