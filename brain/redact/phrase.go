package redact

import (
	"strings"
	"unicode"
)

// longestPhrase bounds a password of several words; what is longer is a text.
const longestPhrase = 12

// passphrase reports whether words in quotes are a password, and not what is
// said of one: "must be changed every 90 days". Another script is taken for the
// translation of a form.
func passphrase(s string) bool {
	if strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) }) {
		return false
	}
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(".,;:!?()/\"", r)
	})
	light := 0
	for _, w := range words {
		if ofPasswords(w) {
			return false
		}
		if joining(w) {
			light++
		}
	}
	return len(words) > 1 && len(words) <= longestPhrase && light*2 <= len(words)
}

// ofPasswords holds for words that forms, messages and policies use where they
// speak of a password: in English and German, and those of the commonest forms in
// other languages.
func ofPasswords(word string) bool {
	switch word {
	case "password", "passwords", "passphrase", "passphrases", "passwort", "passwörter", "kennwort", "kennwörter", "secret", "secrets",
		"credential", "credentials", "username", "login", "vault", "keychain", "keyring", "1password", "bitwarden", "keepass", "kms",
		"must", "should", "shall", "cannot", "can't", "required", "needed", "optional", "mandatory", "allowed", "your", "please",
		"enter", "type", "choose", "confirm", "repeat", "invalid", "incorrect", "wrong", "weak", "strong", "short", "forgot", "forgotten",
		"reset", "change", "changed", "changes", "expire", "expires", "expired", "expiry", "rotate", "rotated", "rotates", "rotation",
		"minimum", "maximum", "min", "max", "least", "most", "character", "characters", "chars", "letters", "digits", "uppercase",
		"lowercase", "symbols", "days", "months", "hashed", "hash", "salted", "encrypted", "plaintext", "plain", "stored", "kept", "saved",
		"hidden", "masked", "omitted", "removed", "redacted", "unchanged", "unknown", "missing", "empty", "blank", "set", "unset", "given",
		"provided", "generated", "random", "see", "ask", "asked", "asks", "env", "environment", "variable", "tests", "checks", "string",
		"none", "null", "n/a", "tbd", "todo", "same", "never", "field", "fields", "prompt", "manager", "policy", "authentication",
		"muss", "müssen", "soll", "sollte", "darf", "bitte", "eingeben", "wählen", "bestätigen", "wiederholen", "ungültig", "falsch",
		"falsches", "vergessen", "ändern", "geändert", "zurücksetzen", "zurückgesetzt", "abgelaufen", "mindestens", "höchstens",
		"zeichen", "buchstaben", "ziffern", "tage", "tagen", "erforderlich", "nötig", "dein", "deine", "ihr", "leer", "unbekannt", "siehe",
		"passe", "oublié", "contraseña", "olvidada", "olvidado", "wachtwoord", "vergeten", "dimenticata", "gespeichert", "verschlüsselt", "steht", "liegt", "niemals", "nie", "tresor":
		return true
	}
	return false
}

// joining holds for the words that prose is held together by.
func joining(word string) bool {
	switch word {
	case "a", "an", "the", "this", "that", "is", "are", "was", "be", "been", "has", "have", "of", "to", "in", "on", "at", "by", "for",
		"from", "with", "and", "or", "not", "no", "as", "it", "its", "we", "you", "i", "if", "when", "will", "can", "do", "does", "only",
		"der", "die", "das", "ein", "eine", "ist", "sind", "wird", "und", "oder", "nicht", "kein", "von", "zu", "im", "am", "auf", "für",
		"mit", "aus", "bei", "wir", "es", "nur", "wenn":
		return true
	}
	return false
}
