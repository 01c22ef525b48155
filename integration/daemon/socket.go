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

// socketWait is how long a local socket may take to answer.
const socketWait = 200 * time.Millisecond

// lookLine is all that a client sends: something changed, look.
const lookLine = "look"

func (d Daemon) dial() (net.Conn, error) { return net.DialTimeout("unix", d.socketFile(), socketWait) }

// Ring tells the daemon, if it runs, that something changed. It never fails: the
// daemon's own scan finds the change anyway.
func (d Daemon) Ring() {
	conn, err := d.dial()
	if err != nil {
		return
	}
	defer conn.Close() //nolint:errcheck // nothing follows
	if conn.SetDeadline(time.Now().Add(socketWait)) == nil {
		fmt.Fprintln(conn, lookLine)
		bufio.NewScanner(conn).Scan()
	}
}

// Socket is the unix socket of the daemon. Only its user can connect: 0600 in a
// 0700 folder.
type Socket struct {
	listener net.Listener
	changed  func()
}

// Listen opens the socket; changed is called for each [Daemon.Ring]. The caller has
// the lock, so an existing socket was left behind by a daemon that was killed.
func (d Daemon) Listen(changed func()) (*Socket, error) {
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
	return &Socket{l, changed}, nil
}

// Run answers until ctx ends and every client has its answer.
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
			return fmt.Errorf("accept at the socket: %w", err)
		}
		clients.Go(func() { s.answer(conn) })
	}
}

func (s *Socket) answer(conn net.Conn) {
	defer conn.Close() //nolint:errcheck // the answer was sent
	if conn.SetDeadline(time.Now().Add(socketWait)) != nil {
		return
	}
	line := bufio.NewScanner(conn)
	if line.Scan() && line.Text() == lookLine {
		s.changed()
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
