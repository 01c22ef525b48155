package main

// laterCommands returns the commands of later versions, each with what to do until
// then, empty for nothing.
func laterCommands() map[string]string {
	return map[string]string{
		"move": "", "dashboard": "",
		"doctor": "`brainbridge status` says how things stand",
	}
}

// laterCommand returns the error for a command of a later version, nil for any other
// word.
func laterCommand(word string) error {
	instead, later := laterCommands()[word]
	if !later {
		return nil
	}
	if instead == "" {
		instead = listsCommands
	}
	return usage(instead, "%s is not in this version yet", word)
}
