// The program convert makes the file of the sentence model from the published files.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/brainbridge/brainbridge/brain/embedding/minilm"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: convert FOLDER FILE\nFOLDER has model.safetensors and vocab.txt")
		os.Exit(2)
	}
	folder := os.Args[1]
	if err := minilm.Convert(os.Args[2], filepath.Join(folder, "model.safetensors"), filepath.Join(folder, "vocab.txt")); err != nil {
		fmt.Fprintln(os.Stderr, "convert the sentence model:", err)
		os.Exit(1)
	}
}
