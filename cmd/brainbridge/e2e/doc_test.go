// Package e2e holds the tests of what only shows between whole processes: the
// daemon, the files that it watches, stores that go away, and kill -9 at any
// moment. They run the real binary and look at it as a person or a script does.
//
// What is waited for is polled through the command line with a deadline, never
// slept for. Every test that a store can change runs on both.
package e2e
