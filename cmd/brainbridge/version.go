package main

import (
	"runtime"

	"github.com/spf13/cobra"
)

func (a *cli) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			v := struct {
				Version string `json:"version"`
				Go      string `json:"go"`
				System  string `json:"system"`
			}{version, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
			return a.answer(v, func() { a.printf("brainbridge %s (%s, %s)\n", v.Version, v.Go, v.System) })
		},
	}
}
