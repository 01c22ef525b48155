// Package redact redacts secrets in text before it is stored. Keys, tokens and passwords
// are recognised and replaced by a marker that names their kind. A secret is recognised by
//
//   - its form: a row of the table of published formats (ghp_…, AKIA…, sk_live_…), a private
//     key;
//   - its place: the password of a URL, an Authorization header, a cookie, a line of .netrc
//     or .pgpass, the argument of --password;
//   - its name: the value of password, API_KEY, client_secret and the like, if its entropy is
//     that of a key and it is not a type, a word, a variable or a placeholder;
//   - the words around it, in English, German, French and Spanish: "the password is …".
//
// What documents print in place of a secret stays: <token>, ${TOKEN}, username:password,
// xxxx, changeme, AKIAIOSFODNN7EXAMPLE. So do hashes, UUIDs, public keys and base64 data
// that no name calls secret.
//
// The text is walked once, byte by byte, without regular expressions. Rules are tried only at
// their first two bytes or at a separator, so that a megabyte takes milliseconds whatever is
// in it.
package redact

import (
	"strings"

	"github.com/brainbridge/brainbridge/brain/words"
)

// maxPasses bounds the walks over one text. A second walk finds something only if
// a marker has given its neighbours a boundary, which rules avoid; a third never
// did.
const maxPasses = 8

// Text returns s with each secret replaced by a marker such as
// "[redacted: github token]", and how many were replaced. All other bytes stay as
// they are; without secrets clean is s itself. Text of a clean text is that text.
// The time taken grows linearly with the length of s. Valid UTF-8 stays valid; any
// bytes are accepted.
func Text(s string) (clean string, secrets int) {
	for range maxPasses {
		found := pass(s)
		if len(found) == 0 {
			break
		}
		s = replace(s, found)
		secrets += len(found)
	}
	return s, secrets
}

// replace returns s with each secret replaced by a marker that names its kind.
func replace(s string, found []span) string {
	var b strings.Builder
	b.Grow(len(s) + len(found)*len(words.MarkerOpening))
	from := 0
	for _, f := range found {
		b.WriteString(s[from:f.start])
		b.WriteString(words.MarkerOpening + f.kind + string(words.MarkerClosing))
		from = f.end
	}
	b.WriteString(s[from:])
	return b.String()
}
