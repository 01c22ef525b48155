// Package service hands the daemon over to what starts it with the machine or
// at login and starts it again when it dies: a systemd user unit on Linux, a
// LaunchAgent on macOS. Nothing here needs root.
//
// The file that it writes ends with a mark over all that is above it. So a file
// that a person changed is known, and kept beside the new one, never lost.
package service
