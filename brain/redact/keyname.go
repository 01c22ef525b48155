package redact

import "strings"

// secrecy says how much the name of a key promises that its value is secret.
type secrecy uint8

const (
	public  secrecy = iota
	keyed           // token, secret, api key: values are long and random
	chosen          // password: values are short and chosen by a person
	session         // a cookie that stands for a login
	header          // Authorization: a scheme and a credential
)

// longestName bounds the name of a key, in bytes.
const longestName = 64

// nameClass holds the bytes of a key's name.
const nameClass = wordly | dash | dot

// secretName says what the name of a key promises, and what to call its value.
func secretName(name string) (kind string, s secrecy) {
	if !hinted(name) {
		return "", public
	}
	parts := nameParts(name)
	for i := range parts {
		if i > 0 && parts[i-1] == "existing" {
			return "", public // where a secret is kept: existingSecret of a chart
		}
		kind, s, n := secretPart(parts[i:])
		if s == public || !trailers(parts[i+n:]) {
			continue
		}
		return provider(parts[:i]) + kind, s
	}
	return "", public
}

// hinted is a quick look whether a name can be one at all: whether two letters
// that begin a secret word stand in it.
func hinted(name string) bool {
	for i := 0; i+1 < len(name); i++ {
		next := name[i+1] | 0x20
		found := false
		switch name[i] | 0x20 {
		case 'p': // password, pwd, pat, phpsessid
			found = next == 'a' || next == 'w' || next == 'h'
		case 't': // token
			found = next == 'o'
		case 's': // secret, session, sid, signature
			found = next == 'e' || next == 'i'
		case 'k': // key, kennwort
			found = next == 'e'
		case 'a': // auth, access
			found = next == 'u' || next == 'c'
		case 'c': // credentials, csrf
			found = next == 'r' || next == 's'
		case 'x': // xsrf
			found = next == 's'
		}
		if found {
			return true
		}
	}
	return false
}

// nameParts cuts a name at marks and camel humps, into lower-case words.
func nameParts(name string) []string {
	parts := make([]string, 0, 8)
	start := 0
	cut := func(end int) {
		if end > start {
			parts = append(parts, strings.ToLower(name[start:end]))
		}
		start = end
	}
	for i := range len(name) {
		c := classOf(name[i])
		switch {
		case c&alnum == 0:
			cut(i)
			start = i + 1
		case i > start && c&upper != 0 && (classOf(name[i-1])&upper == 0 ||
			i+1 < len(name) && classOf(name[i+1])&lower != 0):
			cut(i)
		}
	}
	cut(len(name))
	return parts
}

// secretPart says what the first words of a name promise, and how many they
// are.
func secretPart(parts []string) (kind string, s secrecy, n int) {
	switch parts[0] {
	case "password", "passwd", "passwort", "pwd", "pass", "passphrase", "pgpassword", "passcode", "pw", "kennwort",
		"password1", "password2":
		return "password", chosen, 1
	case "token", "pat", "authtoken", "accesstoken", "bearertoken":
		return "token", keyed, 1
	case "secret", "clientsecret", "appsecret", "secretkey":
		return "secret", keyed, 1
	case "apikey", "accountkey", "accesskey", "privatekey", "authkey", "sharedaccesskey":
		return "api key", keyed, 1
	case "auth", "authorization":
		if len(parts) == 1 || parts[1] != "token" && parts[1] != "key" {
			return "credential", header, 1
		}
	case "credential", "credentials", "creds":
		return "credential", keyed, 1
	case "jsessionid", "phpsessid", "sessionid", "sessid", "sid", "csrftoken", "xsrf", "csrf":
		return "session", session, 1
	case "sig", "signature":
		return "signature", session, 1
	}
	for _, word := range []string{"password", "passwort", "kennwort"} {
		if strings.HasSuffix(parts[0], word) { // Datenbankpasswort
			return "password", chosen, 1
		}
	}
	return secretPair(parts)
}

// secretPair says what two words promise together: key alone is no secret.
func secretPair(parts []string) (kind string, s secrecy, n int) {
	if len(parts) < 2 {
		return "", public, 1
	}
	first, second := parts[0], parts[1]
	switch second {
	case "key":
		switch first {
		case "api", "access", "private", "auth", "account", "signing", "encryption", "master", "license", "deploy",
			"app", "application", "consumer", "subscription", "service", "integration", "admin", "shared", "preshared":
			return "api key", keyed, 2
		}
	case "session":
		if first == "gitlab" || first == "laravel" {
			return "session", session, 2
		}
	case "id":
		if first == "session" {
			return "session", session, 2
		}
	}
	return "", public, 1
}

// trailers reports whether what follows the secret word in a name leaves it
// one: SECRET_KEY_BASE does, token_count does not.
func trailers(parts []string) bool {
	for _, p := range parts {
		switch p {
		case "key", "access", "base", "prod", "production", "dev", "development", "staging", "stage", "live", "test", "value",
			"string", "confirm", "confirmation", "new", "old", "current", "primary", "secondary", "default", "root",
			"admin", "user", "db", "database", "main", "1", "2", "3", "token", "secret", "password", "hex", "base64",
			"b64", "ro", "rw", "readonly", "write", "read", "backup", "ci":
		default:
			return false
		}
	}
	return true
}

// provider names the provider that a name begins with, for those whose keys
// have no form of their own.
func provider(parts []string) string {
	for _, p := range parts {
		switch p {
		case "aws", "azure", "gcp", "google", "heroku", "cloudflare", "datadog", "twilio", "algolia", "okta", "auth0",
			"pagerduty", "opsgenie", "fastly", "netlify", "vercel", "travis", "codecov", "snyk", "jira", "confluence",
			"zendesk", "intercom", "segment", "mixpanel", "amplitude", "pinecone", "cohere", "mistral", "deepgram",
			"assemblyai", "voyage", "together", "fireworks", "deepseek", "twitter", "spotify", "dropbox", "asana",
			"trello", "clickup", "monday", "paypal", "plaid", "coinbase", "binance", "kraken", "etherscan", "infura",
			"alchemy", "mapbox", "sendbird", "vonage", "nexmo", "plivo", "bitbucket", "gitea", "consul", "nomad",
			"elastic", "mongodb", "postgres", "mysql", "redis", "neo4j", "rabbitmq", "smtp", "wifi":
			return p + " "
		}
	}
	return ""
}
