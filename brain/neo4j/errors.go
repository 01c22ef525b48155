package neo4j

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
)

var (
	// errUnknown: the driver reported a commit without a bookmark.
	errUnknown = errors.New("the server stopped during the commit")
	// errMoved: nodes that the transaction read no longer exist; it must run again.
	errMoved = errors.New("the graph changed meanwhile")
)

// ErrCredentials is the error for a wrong user or password. It is a
// [brain.ErrRefused].
var ErrCredentials = fmt.Errorf("credentials: %w", brain.ErrRefused)

// errorKind is the meaning of an error of the driver for us.
type errorKind int

const (
	internal    errorKind = iota // a bug of ours, or of the server
	unreachable                  // a write may be stored or not
	transient                    // a deadlock and the like: not stored, worth a repetition
	duplicate                    // a unique key is taken: not stored
	refused                      // reached, but access is denied
	readOnly                     // a write in a query for reading
	unwritable                   // the server takes no writes: nothing is stored
	invalid                      // the Cypher of a person is wrong
)

// kindOf returns the kind of an error of the driver. It and kindOfCode are the only functions
// that know the driver's types and the server's codes. A broken connection may be an error in one of the
// driver's wrappers, or an unchanged one, such as an EOF in the middle of a message.
func kindOf(err error) errorKind {
	cause := innermost(err)
	var server *driver.Neo4jError
	if errors.As(cause, &server) && server != nil {
		if kind := kindOfCode(server); kind != internal {
			return kind
		}
	}
	switch {
	case is[*driver.TokenExpiredError](cause), is[*driver.InvalidAuthenticationError](cause), is[*driver.UsageError](cause): // something else listens on the port
		return refused
	case errors.Is(cause, errMoved):
		return transient
	case errors.Is(cause, errUnknown), errors.Is(cause, context.DeadlineExceeded), driver.IsRetryable(cause),
		errors.Is(cause, io.EOF), errors.Is(cause, io.ErrUnexpectedEOF), errors.Is(cause, net.ErrClosed), is[*net.OpError](cause),
		is[*driver.TransactionExecutionLimit](err), is[*driver.ConnectivityError](err):
		return unreachable
	}
	return internal
}

// is reports whether an error is or wraps one of a type.
func is[T error](err error) bool {
	var found T
	return errors.As(err, &found)
}

func kindOfCode(err *driver.Neo4jError) errorKind {
	switch code := strings.TrimPrefix(err.Code, "Neo."); {
	case code == "ClientError.Security.AuthorizationExpired":
		return transient
	case strings.HasSuffix(code, "OnReadOnlyDatabase"), strings.HasSuffix(code, "ReadOnlyAccessDatabase"),
		strings.Contains(err.Msg, "No space left on device"), strings.Contains(err.Msg, "out of disk space"):
		return unwritable
	case strings.HasPrefix(code, "ClientError.Security."),
		code == "ClientError.Database.DatabaseNotFound":
		return refused
	case code == "ClientError.Schema.ConstraintValidationFailed":
		return duplicate
	case code == "ClientError.Statement.AccessMode":
		return readOnly
	case code == "ClientError.Statement.EntityNotFound":
		return transient // removed by another transaction between our match and our lock
	case strings.HasPrefix(code, "ClientError.Statement."),
		strings.HasPrefix(code, "ClientError.Procedure."):
		return invalid
	case code == "TransientError.General.DatabaseUnavailable",
		code == "DatabaseError.Database.DatabaseLimitReached",
		strings.HasPrefix(code, "ClientError.Transaction."):
		return unreachable // the server is stopping, or ended a transaction that took too long
	}
	if err.IsRetriable() {
		return transient
	}
	return internal
}

// explain returns an error of the driver in a form for people.
func (s *Store) explain(err error) error {
	switch kindOf(err) {
	case unreachable, transient:
		return brain.Errorf(brain.ErrUnavailable, "check that the server runs and that the address is right; "+ports,
			"Neo4j at %s does not answer: %v", s.uri, innermost(err))
	case duplicate:
		return brain.Errorf(brain.ErrConflict, "read again and repeat",
			"a unique key is taken in brain %s: %v", s.brain, innermost(err))
	case refused:
		return s.explainRefusal(err)
	case unwritable:
		return brain.Errorf(brain.ErrReadOnly, "free some space on the server's disk, or let it take writes again",
			"Neo4j at %s can only be read: %v", s.uri, innermost(err))
	case invalid:
		if strings.Contains(err.Error(), "There is no such") && strings.Contains(err.Error(), " index: brainbridge_") {
			return brain.Errorf(brain.ErrUnavailable, "`brainbridge doctor --fix` makes it again", "Neo4j at %s has lost an index: %v", s.uri, innermost(err))
		}
	case readOnly:
		return brain.Errorf(brain.ErrInvalid, "add --write if it is meant to write", "the query writes")
	}
	return fmt.Errorf("neo4j at %s: %w", s.uri, err)
}

func (s *Store) explainRefusal(err error) error {
	cause := innermost(err)
	hint, kind := "check user and password", ErrCredentials
	var server *driver.Neo4jError
	var usage *driver.UsageError
	code := ""
	if errors.As(cause, &server) && server != nil {
		code = strings.TrimPrefix(server.Code, "Neo.ClientError.")
	}
	switch {
	case errors.As(cause, &usage):
		hint, kind = "check the port: "+ports, brain.ErrRefused
	case code == "Security.AuthenticationRateLimit":
		hint = "too many wrong passwords: wait a few seconds, then use the right one"
	case code == "Database.DatabaseNotFound":
		hint, kind = "check the name of the database (neo4j.database)", brain.ErrRefused
	case code == "Security.Forbidden":
		hint, kind = "give this user the right to read, write and make indexes", brain.ErrRefused
	case code == "Security.CredentialsExpired":
		hint = "change the password of this user first"
	}
	return brain.Errorf(kind, hint, "Neo4j at %s refuses us: %v", s.uri, cause)
}

const ports = "Bolt listens on 7687, and 7474 is for browsers"

// innermost returns the error inside the driver's wrappers.
func innermost(err error) error {
	var limit *driver.TransactionExecutionLimit
	var connectivity *driver.ConnectivityError
	switch {
	case errors.As(err, &limit) && len(limit.Errors) > 0:
		return innermost(limit.Errors[len(limit.Errors)-1])
	case errors.As(err, &connectivity) && connectivity.Inner != nil:
		return innermost(connectivity.Inner)
	}
	return err
}
