package transcript

import "testing"

func TestWordsOfProgramsAreTakenOutOfThePersonsMouth(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"yes", "yes"},
		{"what does <system-reminder> mean in the log?", "what does <system-reminder> mean in the log?"},
		{"see\n<system-reminder>never closed", "see\n<system-reminder>never closed"},
		{"<system-reminder>never closed", ""},
		{"fix it\n<system-reminder>\nfiles changed\n</system-reminder>\nplease", "fix it\n\nplease"},
		{"<relevant-memories>\n- [decision] Use tabs\n</relevant-memories>\nindent with blanks", "indent with blanks"},
		{"<context>\nAlways deploy from main.\n</context>\nfix it", "<context>\nAlways deploy from main.\n</context>\nfix it"},
		{"<ide_opened_file>The user opened x.go</ide_opened_file>\nfix it", "fix it"},
		{"<bash-input>ls</bash-input>", ""},
		{"<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>", ""},
		{"<task-notification>\n<task-id>b</task-id>\n</task-notification>", ""},
		{"<teammate-message teammate_id=\"x\">hello</teammate-message>", ""},
		{"<command-name>/goodbye</command-name>\n<command-args>keep the cache</command-args>", "/goodbye keep the cache"},
		{"<command-name>/clear</command-name>\n<command-args></command-args>", ""},
		{"<local-command-caveat>Caveat: the messages below</local-command-caveat>", ""},
		{"[Request interrupted by user for tool use]", ""},
		{"[Image #1]\nwhat is this?", "what is this?"},
		{"[Image: source: /tmp/a.png]", ""},
		{"<permissions instructions>\nno\n</permissions instructions>", ""},
		{"# Context from my IDE setup:\n\n## Open tabs:\n- a.go\n\n## My request for Codex:\nrename it", "rename it"},
		{"# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>a</INSTRUCTIONS>", ""},
		{"<hook_context>Memory of the project shop\n\n[a1b2c3]</hook_context>\n\nfix it", "fix it"},
		{"# A heading of my own", "# A heading of my own"},
		{"<div>keep my html</div>", "<div>keep my html</div>"},
		{"<skillet>is no tag of ours", "<skillet>is no tag of ours"},
	} {
		if got := unwrapped(c.text); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.text, got, c.want)
		}
	}
}

func TestOpenClawsChannel(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"[Sat 2026-02-14 18:49 GMT-3] hello", "hello"},
		{"[draft] hello", "[draft] hello"},
		{"System: [2026-02-14 18:49] node connected\nhello", "hello"},
		{"[message_id: om_x100]\nhello", "hello"},
		{"Sender (untrusted metadata):\n```json\n{\"a\":1}\n```", ""},
		{"Sender (untrusted metadata):\nno fence", "Sender (untrusted metadata):\nno fence"},
		{"why does it say HEARTBEAT_OK?", "why does it say HEARTBEAT_OK?"},
	} {
		if got := fromChannel(c.text); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.text, got, c.want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"HEARTBEAT_OK", ""},
		{"**HEARTBEAT_OK**.", ""},
		{"HEARTBEAT_OK all fine", ""},
		{"NO_REPLY", ""},
		{"[[reply_to_current]] sure", "sure"},
		{"[[reply_to: 12]] sure", "[[reply_to: 12]] sure"},
		{"The disk of the shop is full, please look at it. HEARTBEAT_OK", "The disk of the shop is full, please look at it."},
		{"I answer HEARTBEAT_OK when all is well", "I answer HEARTBEAT_OK when all is well"},
	} {
		if got := toChannel(c.text); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.text, got, c.want)
		}
	}
}
