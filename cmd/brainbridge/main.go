// Command brainbridge gives AI agents and the people who work with them a memory: it
// captures, lets fade, promotes and recalls. Its commands access the store directly;
// `brainbridge serve` is the daemon.
package main

import (
	"cmp"
	"context"
	"math"
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

// A command lives for milliseconds and has memory to spare; the daemon and the MCP server live for
// weeks, and their stores may hold more.
const (
	commandGC     = 400       // how much the heap may grow between two collections, in per cent
	commandMemory = 320 << 20 // soft limit in bytes: near it, the collector runs more often
	daemonGC      = 100
)

// collectAsDaemon replaces the settings of the collector for a command by those for a process that
// lives long.
func collectAsDaemon() {
	debug.SetGCPercent(daemonGC)
	debug.SetMemoryLimit(math.MaxInt64)
}

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
	if closed := a.close(); closed != nil { // what the command did is done
		a.warnError(closed)
	}
	if err != nil {
		return a.fail(err)
	}
	return 0
}
