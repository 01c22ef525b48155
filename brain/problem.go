package brain

// Problem is something in a file that a person should look at.
type Problem struct {
	File    string `json:"file"` // relative to the folder that was read
	Line    int    `json:"line"` // 0 if it concerns the whole file
	Message string `json:"message"`
}
