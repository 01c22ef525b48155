package sqlite

import (
	"sync"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// cachePages is for how many pages the cache of a connection gets its memory at
// once.
const cachePages = 512

// packCaches has the caches of this process get their memory at once. A page
// with what SQLite keeps beside it is some bytes over 4 KiB; allocated one by
// one, by an allocator that rounds up to powers of two, each takes 8. Where some
// connection is open already, nothing changes.
var packCaches = sync.OnceFunc(func() {
	tls := libc.NewTLS()
	defer tls.Close()
	const arguments, size = 3, 8
	va := libc.Xmalloc(tls, arguments*size)
	if va == 0 {
		return
	}
	defer libc.Xfree(tls, va)
	sqlite3.Xsqlite3_config(tls, sqlite3.SQLITE_CONFIG_PAGECACHE, libc.VaList(va, uintptr(0), int32(0), int32(cachePages)))
})
