package main

import (
	"slices"
	"strings"
)

// oldForms returns the older single-dash commands with their replacements.
func oldForms() map[string][]string {
	return map[string][]string{
		"-memoryStatus":     {"status"},
		"-memoryHealth":     {"health"},
		"-listTestMemories": {"list", "--test-only"},
		"-testMemory":       {"test-memory"},
		"-boostMemory":      {"boost"},
		"-decayEnergy":      {"decay", "--wait=30s"},
		"-promoteMemories":  {"promote", "--wait=30s"},
		"-consolidateAll":   {"consolidate", "--wait=30s"},
		"-crystallization":  {"crystallize"},
		"-learned":          {"learn"},
		"-reminder":         {"remind"},
		"-activity":         {"activity"},
	}
}

// modernArgs replaces older forms: single-dash commands, --testOnly, and a query in
// Cypher without a command.
func modernArgs(args []string) []string {
	args = slices.Clone(args)
	for i, arg := range args {
		if arg == "--" {
			break
		}
		if arg == "--testOnly" {
			args[i] = "--test-only"
		}
	}
	i := commandAt(args)
	if i < 0 {
		return args
	}
	if isCypher(args[i]) && commandAt(args[i+1:]) < 0 {
		return slices.Insert(args, i, "query")
	}
	if now, ok := oldForms()[args[i]]; ok {
		return slices.Concat(args[:i], now, args[i+1:])
	}
	return args
}

// commandAt returns the index of the command, after the global flags; -1 for none.
func commandAt(args []string) int {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			return -1
		case arg == "--brain" || arg == "--config" || arg == "--store":
			i++ // its value
		case strings.HasPrefix(arg, "--") || arg == "-q" || arg == "-y" || arg == "-h":
		default:
			return i
		}
	}
	return -1
}

// isCypher reports whether an argument is a query: several words, and the first is a
// keyword of Cypher.
func isCypher(arg string) bool {
	words := strings.FieldsFunc(arg, func(r rune) bool { return strings.ContainsRune(" \t\r\n({[", r) })
	if len(words) < 2 {
		return false
	}
	switch strings.ToUpper(words[0]) {
	case "MATCH", "OPTIONAL", "CREATE", "MERGE", "RETURN", "CALL", "WITH", "UNWIND", "SHOW", "DELETE", "DETACH",
		"SET", "REMOVE", "FOREACH", "LOAD", "EXPLAIN", "PROFILE", "USE", "DROP", "ALTER":
		return true
	}
	return false
}

// asksForJSON reports whether --json is among the arguments.
func asksForJSON(args []string) bool {
	for _, arg := range args {
		switch arg {
		case "--":
			return false
		case "--json", "--json=true":
			return true
		}
	}
	return false
}
