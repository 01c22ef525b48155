package markdown

import (
	"regexp"
	"sync"
)

// MemoryToolNames matches the names of tags and marks around memories that another memory tool
// put into a text: relevant-memories, claude-mem-context. People write <context> themselves.
const MemoryToolNames = `[\w:.-]*(?:memory|memories|claude-mem|mem0)[\w:.-]*`

// IsMemoryTag reports whether a tag with this name encloses such memories.
func IsMemoryTag(name string) bool { return memoryTag().MatchString(name) }

var memoryTag = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^` + MemoryToolNames + `$`)
})
