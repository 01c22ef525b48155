//go:build !linux

package main

// dropProgram does nothing here: how to is each system's own.
func dropProgram() {}
