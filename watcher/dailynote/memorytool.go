package dailynote

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/brainbridge/brainbridge/brain/markdown"
)

// IsOfMemoryTool reports whether a memory tool other than brainbridge wrote a file, as its front
// matter says.
func IsOfMemoryTool(front markdown.Fields) bool {
	for key := range front {
		if memoryToolKey().MatchString(key) {
			return true
		}
	}
	return slices.ContainsFunc(strings.Fields("source generator generated_by generated-by created_by created-by tool plugin provider app via"),
		func(key string) bool { return memoryTool().MatchString(front.Text(key)) })
}

const memoryTools = `claude[-_]?mem|mem0|openmemory|supermemory|basic-memory|memory-lancedb|engram|agenr|zep|graphiti|cognee|letta|memgpt`

var (
	memoryTool    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^@?(?:` + memoryTools + `)(?:[\s@/:(-].*)?$`) })
	memoryToolKey = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:` + memoryTools + `)(?:[-_].*)?$|^(?:observation|memory[-_]session)[-_]id$`)
	})
)

// WithoutInjected returns a text with blank lines in place of the blocks that such a tool put into it. left is called with the line of each block, counted from 1.
func WithoutInjected(text string, left func(line int)) string {
	p := newParser(text, Options{})
	return p.Rewrite(func(i int, line string) string {
		if p.unread[i] != isInjected {
			return line
		}
		if i == 0 || p.unread[i-1] != isInjected {
			left(i + 1)
		}
		return ""
	})
}
