// Command brainbridge gives AI agents and the people who work with them a memory: it
// captures, lets fade, promotes and recalls. Its commands access the store directly;
// `brainbridge serve` is the daemon.
package main

import (
	"cmp"
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	_ "time/tzdata" // notes name time zones, and slim machines have none

	"github.com/brainbridge/brainbridge/integration/app"
)

// version returns the tag or the commit that the program was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	return strings.Trim(cmp.Or(info.Main.Version, "devel"), "()")
}

func main() { os.Exit(run(os.Args[1:])) }

// How much the heap may grow between two collections, in per cent: a command
// lives for milliseconds and has memory to spare, the daemon lives for weeks.
// Above commandMemory, in bytes, it grows less.
const (
	commandGC     = 400
	daemonGC      = 100
	commandMemory = 320 << 20
)

// run is the program. The first signal cancels the command, the second ends the process.
func run(args []string) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as under nohup
		signal.Notify(signals, syscall.SIGHUP) // the terminal was closed
	}
	go func() {
		<-signals
		cancel()
		<-signals
		os.Exit(app.ExitInterrupted)
	}()
	debug.SetGCPercent(commandGC)
	debug.SetMemoryLimit(commandMemory)
	a := newCLI()
	err := a.execute(ctx, args)
	a.printRedactions()
	if closed := a.close(); err == nil {
		err = closed
	}
	if err == nil {
		return 0
	}
	return a.fail(err)
}
