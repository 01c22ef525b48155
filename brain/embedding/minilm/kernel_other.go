//go:build !amd64

package minilm

// fastKernels returns the fastest kernels of this machine.
func fastKernels() kernels { return plainKernels() }
