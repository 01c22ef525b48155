package daemon

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"github.com/brainbridge/brainbridge/brain/durable"
)

// socketTimeout is the timeout for a connection, its request and its answer.
const socketTimeout = 200 * time.Millisecond

// changedLine is the only request: something has changed.
const changedLine = "look"

func (d Daemon) dial() (net.Conn, error) {
	return net.DialTimeout("unix", d.socketFile(), socketTimeout)
}

// NotifyChanged tells a running daemon that something changed. Errors are ignored,
// because the daemon's own scan finds the change.
func (d Daemon) NotifyChanged() {
	conn, err := d.dial()
	if err != nil {
		return
	}
	defer conn.Close() //nolint:errcheck // nothing can be done about it
	if conn.SetDeadline(time.Now().Add(socketTimeout)) == nil {
		fmt.Fprintln(conn, changedLine)
		bufio.NewScanner(conn).Scan() // the answer: the daemon has noticed the change
	}
}

// Socket is the unix socket of the daemon. Only its owner can connect: 0600 in a
// 0700 folder.
type Socket struct {
	listener net.Listener
	onChange func()
}

// Listen opens the socket; onChange is called for each [Daemon.NotifyChanged]. The
// caller holds the lock of the daemon, so an existing socket is left over from a killed
// daemon.
func (d Daemon) Listen(onChange func()) (*Socket, error) {
	path := d.socketFile()
	if err := durable.MakeDir(d.dir, durable.PrivateDir); err != nil {
		return nil, fmt.Errorf("make the folder of the socket: %w", err)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("remove the socket of an earlier daemon: %w", err)
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("listen on the socket %s: %w", path, err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("protect the socket: %w", err), l.Close())
	}
	return &Socket{l, onChange}, nil
}

// Run serves clients until ctx is done, then waits for open connections.
func (s *Socket) Run(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() { _ = s.Close() })
	defer stop()
	var clients sync.WaitGroup
	defer clients.Wait()
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return fmt.Errorf("accept on the socket: %w", err)
		}
		clients.Go(func() { s.answer(conn) })
	}
}

func (s *Socket) answer(conn net.Conn) {
	defer conn.Close() //nolint:errcheck // nothing can be done about it
	if conn.SetDeadline(time.Now().Add(socketTimeout)) != nil {
		return
	}
	scanner := bufio.NewScanner(conn)
	if scanner.Scan() && scanner.Text() == changedLine {
		s.onChange()
		fmt.Fprintln(conn, "ok")
	}
}

// Close stops listening and removes the socket.
func (s *Socket) Close() error {
	if err := s.listener.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}
