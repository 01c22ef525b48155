package dailynote

import (
	"regexp"
	"sync"
	"unicode/utf8"
)

// typeEmojis are the types with an emoji; that of the last one is for all others, too.
func typeEmojis() [][2]string {
	return [][2]string{
		{"decision", "🔷"},
		{"implementation", "⚙️"},
		{"discovery", "🔍"},
		{"issue", "⚠️"},
		{"resolution", "✅"},
		{"lesson", "💡"},
		{"note", "📝"},
	}
}

// Emoji returns the emoji before a type in a header.
func Emoji(typ string) string {
	emoji := ""
	for _, known := range typeEmojis() {
		if emoji = known[1]; known[0] == typ {
			break
		}
	}
	return emoji
}

// emojiType returns the type of the first known emoji in a cluster, "" without one.
func emojiType(cluster string) string {
	for _, r := range cluster {
		for _, known := range typeEmojis() {
			if first, _ := utf8.DecodeRuneInString(known[1]); first == r {
				return known[0]
			}
		}
	}
	return ""
}

// The characters of emojis: symbols, selectors, joiner, keycap, skin tones and tags.
var emojiPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[\p{So}\x{FE00}-\x{FE0F}\x{200D}\x{20E3}\x{1F3FB}-\x{1F3FF}\x{E0020}-\x{E007F}]|[0-9#*]\x{FE0F}?\x{20E3})+`)
})

// emojiPrefix returns the emojis at the start of s, with their joiners and selectors.
func emojiPrefix(s string) string {
	if s == "" || s[0] >= 'A' && s[0] < utf8.RuneSelf {
		return "" // as most texts begin
	}
	return emojiPattern().FindString(s)
}
