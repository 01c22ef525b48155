package health

import (
	"slices"
	"strings"
	"unicode"
)

// GeneralTopic is the topic of a text that is about no known topic.
const GeneralTopic = "general"

// known returns the known topics with their words, in order of precedence. A word
// that ends with * matches all words that begin with it.
func known() []struct{ topic, words string } {
	return []struct{ topic, words string }{
		{"authentication", "auth authent* authori* login* logout* logged signin signup oauth* oidc saml jwt* password* passkey* sso 2fa mfa"},
		{"database", "database* db sql sqlite postgres* mysql mariadb mongo* redis neo4j supabase schema* migration* query queries transaction*"},
		{"api", "api apis endpoint* rest graphql grpc webhook* openapi swagger"},
		{"frontend", "frontend react vue svelte angular nextjs component* browser* dom ui jsx tsx"},
		{"styling", "style* styling css scss sass tailwind* font fonts colour* color* layout* theme*"},
		{"testing", "test tests tested testing testscript jest vitest pytest playwright cypress mock* coverage e2e"},
		{"deployment", "deploy* docker* kubernetes k8s helm railway vercel rollout* rollback* terraform ci cd devops"},
		{"security", "security secure vulnerab* xss csrf cve* exploit* encrypt* sanitis* sanitiz* injection*"},
		{"performance", "performance slow* fast faster latency throughput benchmark* profil* optimis* optimiz* cache* caching"},
	}
}

// TopicOf returns the topic of a text: the first of authentication, database, api,
// frontend, styling, testing, deployment, security and performance that one of its
// words matches, else [GeneralTopic].
func TopicOf(text string) string {
	words := map[string]bool{} // runs of letters and digits
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		words[w] = true
	}
	for _, k := range known() {
		if slices.ContainsFunc(strings.Fields(k.words), func(pattern string) bool { return matchesTopic(words, pattern) }) {
			return k.topic
		}
	}
	return GeneralTopic
}

// matchesTopic reports whether one of the words matches a pattern.
func matchesTopic(words map[string]bool, pattern string) bool {
	stem, open := strings.CutSuffix(pattern, "*")
	if !open {
		return words[pattern]
	}
	for w := range words {
		if strings.HasPrefix(w, stem) {
			return true
		}
	}
	return false
}
