package main

import "github.com/rs/zerolog"

// notices tells the person at the command line what is worth knowing beside the
// answer.
type notices struct {
	*cli
	work *progress // nil where nobody looks
}

func (n notices) Warn(err error)       { n.warnOf(err) }
func (n notices) Info(text string)     { n.say("%s", text) }
func (n notices) Redacted(secrets int) { n.secrets.Add(int64(secrets)) }

// Progress shows how far a step has come, where somebody looks.
func (n notices) Progress(step string, done, total int) {
	if n.work != nil {
		n.work.tell(step, done, total)
	}
}

// warnings are the notices of a server, whose people hear of problems only.
type warnings struct{ notices }

func (warnings) Info(string) {}

// logNotices logs what the daemon does.
type logNotices struct{ log zerolog.Logger }

func (n logNotices) Warn(err error)            { n.log.Warn().Err(err).Msg("warning") }
func (n logNotices) Info(text string)          { n.log.Info().Msg(text) }
func (n logNotices) Progress(string, int, int) {}

func (n logNotices) Redacted(secrets int) {
	if secrets > 0 {
		n.log.Info().Int("secrets", secrets).Msg("took secrets out of what is stored")
	}
}

// printRedactions says once how many secrets were taken out of what a command was
// given; never which.
func (a *cli) printRedactions() {
	n := int(a.secrets.Swap(0))
	if n == 0 || a.quiet {
		return
	}
	where := "stored"
	if a.dryRun {
		where = "would be stored"
	}
	a.say("%s %s as [redacted: …]", counted(n, "secret"), where)
}
