package neo4j

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/brainbridge/brainbridge/brain"
)

func serverError(code string) error { return &driver.Neo4jError{Code: code, Msg: "the message"} }

func TestErrorsAreSorted(t *testing.T) {
	reset := &driver.ConnectivityError{Inner: errors.New("connection reset")}
	for name, c := range map[string]struct {
		err  error
		want error
	}{
		"refused connection":            {reset, brain.ErrUnavailable},
		"wrapped":                       {fmt.Errorf("begin: %w", reset), brain.ErrUnavailable},
		"given up, with causes":         {&driver.TransactionExecutionLimit{Errors: []error{reset}}, brain.ErrUnavailable},
		"given up, a bare cause":        {&driver.TransactionExecutionLimit{Errors: []error{errors.New("write: broken pipe")}}, brain.ErrUnavailable},
		"given up, without":             {&driver.TransactionExecutionLimit{Cause: "timeout"}, brain.ErrUnavailable},
		"a message cut short":           {fmt.Errorf("begin: %w", io.ErrUnexpectedEOF), brain.ErrUnavailable},
		"closed before it spoke":        {fmt.Errorf("read the version: %w", io.EOF), brain.ErrUnavailable},
		"another protocol":              {&driver.ConnectivityError{Inner: &driver.UsageError{Message: "HTTP"}}, brain.ErrRefused},
		"a bare reset":                  {&net.OpError{Op: "read", Err: errors.New("connection reset by peer")}, brain.ErrUnavailable},
		"an interrupt of ours":          {context.Canceled, nil},
		"a deadline of ours":            {context.DeadlineExceeded, brain.ErrUnavailable},
		"a deadline without Unwrap":     {&driver.ConnectivityError{Inner: errors.New(context.DeadlineExceeded.Error())}, brain.ErrUnavailable},
		"a commit without bookmark":     {errUnknown, brain.ErrUnavailable},
		"a server that stops":           {serverError("Neo.TransientError.General.DatabaseUnavailable"), brain.ErrUnavailable},
		"a transaction ended":           {serverError("Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration"), brain.ErrUnavailable},
		"deadlocks without end":         {serverError("Neo.TransientError.Transaction.DeadlockDetected"), brain.ErrUnavailable},
		"wrong password":                {serverError("Neo.ClientError.Security.Unauthorized"), brain.ErrRefused},
		"too many wrong passwords":      {serverError("Neo.ClientError.Security.AuthenticationRateLimit"), brain.ErrRefused},
		"wrong password while routing":  {&driver.ConnectivityError{Inner: serverError("Neo.ClientError.Security.Unauthorized")}, brain.ErrRefused},
		"wrong password, given up":      {&driver.TransactionExecutionLimit{Errors: []error{reset, serverError("Neo.ClientError.Security.Unauthorized")}}, brain.ErrRefused},
		"no right":                      {serverError("Neo.ClientError.Security.Forbidden"), brain.ErrRefused},
		"no such database":              {serverError("Neo.ClientError.Database.DatabaseNotFound"), brain.ErrRefused},
		"an expired token":              {&driver.TokenExpiredError{}, brain.ErrRefused},
		"a key that is taken":           {serverError("Neo.ClientError.Schema.ConstraintValidationFailed"), brain.ErrConflict},
		"a write in a query to read":    {serverError("Neo.ClientError.Statement.AccessMode"), brain.ErrInvalid},
		"our own mistake":               {serverError("Neo.ClientError.Statement.SyntaxError"), nil},
		"a bug of the server":           {serverError("Neo.DatabaseError.General.UnknownError"), nil},
		"an error of no known kind":     {errors.New("what"), nil},
		"a node gone before the lock":   {serverError("Neo.ClientError.Statement.EntityNotFound"), brain.ErrUnavailable},
		"a write that found no node":    {fmt.Errorf("x: %w", errMoved), brain.ErrUnavailable},
		"a database for reading only":   {serverError("Neo.ClientError.General.WriteOnReadOnlyAccessDatabase"), brain.ErrReadOnly},
		"a server with a full disk":     {&driver.Neo4jError{Code: "Neo.DatabaseError.General.UnknownError", Msg: "No space left on device"}, brain.ErrReadOnly},
		"a member that is not a leader": {serverError("Neo.ClientError.Cluster.NotALeader"), brain.ErrUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			got := (&Store{uri: "bolt://host"}).explain(c.err)
			for _, sentinel := range []error{brain.ErrUnavailable, brain.ErrRefused, brain.ErrConflict, brain.ErrInvalid, brain.ErrReadOnly} {
				wanted := errors.Is(c.want, sentinel)
				if is := errors.Is(got, sentinel); is != wanted {
					t.Errorf("%v: is %q: %v", got, sentinel, is)
				}
			}
		})
	}
}

func TestRefusalsTellWhatToDo(t *testing.T) {
	for code, want := range map[string]string{
		"Security.Unauthorized":            "user and password",
		"Security.AuthenticationRateLimit": "wait",
		"Security.Forbidden":               "right",
		"Database.DatabaseNotFound":        "name of the database",
	} {
		err := (&Store{uri: "bolt://host"}).explain(serverError("Neo.ClientError." + code))
		var told *brain.Error
		if !errors.As(err, &told) || !strings.Contains(told.Hint, want) {
			t.Errorf("%s: hint of %v has no %q", code, err, want)
		}
	}
}

// A password helps only where it is missing or wrong.
func TestOnlyCredentialsAskForAPassword(t *testing.T) {
	for code, want := range map[string]bool{
		"Security.Unauthorized":     true,
		"Security.TokenExpired":     true,
		"Security.Forbidden":        false,
		"Database.DatabaseNotFound": false,
	} {
		err := (&Store{uri: "bolt://host"}).explain(serverError("Neo.ClientError." + code))
		if got := errors.Is(err, ErrCredentials); got != want {
			t.Errorf("%s is about credentials: %v, want %v", code, got, want)
		}
	}
}

func TestWhatIsRunAgain(t *testing.T) {
	deadlock := serverError("Neo.TransientError.Transaction.DeadlockDetected")
	taken := serverError("Neo.ClientError.Schema.ConstraintValidationFailed")
	p := patience{limit: defaultTimeout}
	if _, again := p.next(serverError("Neo.ClientError.Security.Unauthorized")); again {
		t.Error("a wrong password is tried again")
	}
	if _, again := p.next(deadlock); again {
		t.Error("a deadlock is run again after the time was up")
	}
	p = patience{started: time.Now(), limit: defaultTimeout}
	for range 20 {
		if _, again := p.next(deadlock); !again {
			t.Fatal("a deadlock is not run again")
		}
	}
	for i := range duplicates + 1 {
		if _, again := p.next(taken); again != (i < duplicates) {
			t.Errorf("time %d that a key is taken: run again %v", i+1, again)
		}
	}
}
