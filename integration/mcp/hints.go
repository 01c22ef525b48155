package mcp

import "regexp"

// forAgent returns a hint as an agent can follow it, which may have no shell: the commands
// that a tool stands for become that tool, and the others are left to the user.
func forAgent(hint string) string {
	for _, r := range [][2]string{
		{", or - to read standard input", ""},
		{"`brainbridge list --sources reminder`", "`context`"},
		{"`brainbridge list[^`]*`", "`list_memories`"},
		{"`brainbridge show[^`]*`", "`open_memory`"},
		{"`brainbridge learn`", "`capture`"},
		{"`brainbridge consolidate --dry-run`", "`consolidate`"},
		{"`brainbridge consolidate`", "`consolidate` with apply"},
		{"`brainbridge (recall|correct|forget)[^`]*`", "`$1`"},
		{"`brainbridge [^`]*`", "${0} (the user can run it)"},
	} {
		hint = regexp.MustCompile(r[0]).ReplaceAllString(hint, r[1])
	}
	return hint
}
