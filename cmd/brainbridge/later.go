package main

// laterCommands are those of later versions, each with what to do today; empty
// where nothing stands in.
func laterCommands() map[string]string {
	return map[string]string{
		"move": "", "dashboard": "",
		"doctor": "`brainbridge status` says how things stand",
	}
}

// laterCommand is the error of a command of a later version; nil for any other
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
