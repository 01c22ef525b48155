// Package watcher turns changes below a directory into debounced batches of
// relative paths. It knows nothing of what the files mean.
//
// Events of the operating system are hints; a scan is the truth. A scan is
// asked for at the start, on a schedule, after an overflow or an error, when
// the machine slept, when the directory itself was replaced, and by hand.
// Where events cannot be had the watcher falls back to scanning with back-off,
// says so once in the log and in [State], and recovers by itself.
package watcher
