package markdown

// The lines around a block that brainbridge manages in a file of a person.
const (
	BlockBegin = BlockBeginPrefix + " -->"
	BlockEnd   = BlockEndPrefix + " -->"

	BlockBeginPrefix = "<!-- brainbridge:begin"
	BlockEndPrefix   = "<!-- brainbridge:end"
)
