package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/integration/app"
)

// apiPath begins the path of every route of the API.
const apiPath = "/api/v1"

// Options of the API.
type Options struct {
	// UseCases returns the use cases for the caller of one request. It is called concurrently.
	UseCases func(app.Caller) *app.UseCases
	Version  string // of the program
	Log      *slog.Logger
}

// API is the HTTP API of the page. Its answers are the documents of docs/json.md, its errors
// problems of RFC 9457 with the exit code and the hint of the command line.
type API struct {
	o      Options
	mux    *http.ServeMux
	huma   huma.API
	closed chan struct{} // ends the streams of events
}

// NewAPI returns the API. It opens nothing.
func NewAPI(o Options) *API {
	asProblems()
	a := &API{o: o, mux: http.NewServeMux(), closed: make(chan struct{})}
	c := huma.DefaultConfig("brainbridge", "1")
	c.DocsPath, c.SchemasPath, c.OpenAPIPath = "", "", apiPath+"/openapi"
	c.CreateHooks = nil // it would add a key $schema to every answer
	c.Components.Schemas.RegisterTypeAlias(reflect.TypeFor[brain.OrNull](), reflect.TypeFor[*string]())
	a.huma = humago.New(a.mux, c)
	a.addReads()
	a.addWrites()
	a.addEvents()
	describeNulls(c.Components.Schemas)
	a.mux.HandleFunc("GET "+MetricsPath, a.metrics)
	a.mux.HandleFunc("GET "+HealthPath, a.health)
	return a
}

// describeNulls lets the schemas say which objects may be null. Huma says it of other values.
func describeNulls(schemas huma.Registry) {
	for name, schema := range schemas.Map() {
		for _, f := range reflect.VisibleFields(schemas.TypeFromRef("#/components/schemas/" + name)) {
			key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			if p := schema.Properties[key]; f.Type.Kind() == reflect.Pointer && p != nil && p.Ref != "" && options == "" {
				schema.Properties[key] = &huma.Schema{OneOf: []*huma.Schema{p, {Type: "null"}}}
			}
		}
	}
}

// OpenAPI returns the description of the API as JSON.
func (a *API) OpenAPI() ([]byte, error) { return a.huma.OpenAPI().MarshalJSON() }

// Close ends the streams of events.
func (a *API) Close() { close(a.closed) }

// ServeHTTP serves the routes below /api/v1, [MetricsPath] and [HealthPath]. An answer to GET has a tag: that of what is
// committed and of the minute, since some of it is not in the store and some follows from the
// time.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet || r.URL.Path == eventsPath || r.URL.Path == HealthPath {
		a.mux.ServeHTTP(w, r)
		return
	}
	w.Header().Set("Cache-Control", "no-cache")
	version, err := a.use().Version(r.Context())
	if err == nil { // otherwise the route says it better
		sum := sha256.Sum256([]byte(version + a.o.Version + time.Now().Format("200601021504")))
		tag := `"` + hex.EncodeToString(sum[:8]) + `"`
		w.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	a.mux.ServeHTTP(w, r)
}

// use returns the use cases of a person at the page. Warnings are in the log, which the page
// shows.
func (a *API) use() *app.UseCases {
	return a.o.UseCases(app.Caller{Notices: logged{a.o.Log}, Undoable: true})
}

type logged struct{ log *slog.Logger }

func (l logged) Warn(err error) { l.log.Warn("a request of the page", "error", err) }
func (l logged) Info(string)    {}
func (l logged) Redacted(secrets int) {
	l.log.Warn("redacted in a text of the page", "secrets", secrets)
}
func (logged) Progress(string, int, int) {}

// Problem is an error of the API.
type Problem struct {
	Status int    `json:"status"`
	Title  string `json:"title"`
	Detail string `json:"detail"`
	Code   int    `json:"code" doc:"what the command line would exit with"`
	Hint   string `json:"hint,omitempty" doc:"what to do next"`
}

// Error is the detail.
func (p *Problem) Error() string { return p.Detail }

// GetStatus is the HTTP status.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType is that of a problem.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// asProblems makes the errors that huma finds itself, such as a missing field, problems too. It is
// a setting of the whole library.
var asProblems = sync.OnceFunc(func() {
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		if err := errors.Join(errs...); err != nil {
			message += ": " + err.Error()
		}
		code := app.ExitInternal
		if status < http.StatusInternalServerError {
			code = app.ExitUsage
		}
		return &Problem{Status: status, Title: http.StatusText(status), Detail: message, Code: code}
	}
})

// problem explains an error of a use case.
func problem(err error) error {
	if err == nil {
		return nil
	}
	code := app.ExitCode(err)
	status := map[int]int{
		app.ExitUsage: http.StatusUnprocessableEntity, app.ExitNotFound: http.StatusNotFound, app.ExitBusy: http.StatusConflict,
		app.ExitStore: http.StatusServiceUnavailable, app.ExitInterrupted: http.StatusServiceUnavailable,
	}[code]
	if status == 0 {
		status = http.StatusInternalServerError
	}
	return &Problem{status, http.StatusText(status), err.Error(), code, app.Hint(err)}
}

// answer is the document that a route answers with.
type answer[T any] struct{ Body T }

// addRoute adds a route below [apiPath] that answers with the document of fn.
func addRoute[I, O any](a *API, method, path, id, summary string, fn func(context.Context, *app.UseCases, *I) (O, error)) {
	op := huma.Operation{
		OperationID: id, Method: method, Path: apiPath + path, Summary: summary,
		MaxBodyBytes: 2 << 20, BodyReadTimeout: 10 * time.Second,
		Errors: []int{http.StatusNotFound, http.StatusConflict, http.StatusUnprocessableEntity, http.StatusServiceUnavailable},
	}
	huma.Register(a.huma, op, func(ctx context.Context, in *I) (*answer[O], error) {
		out, err := fn(ctx, a.use(), in)
		if err != nil {
			return nil, problem(err)
		}
		return &answer[O]{out}, nil
	})
}

type nothing struct{}

// ByID has the id in a path. It is exported because huma fills no embedded type that is not.
type ByID struct {
	ID string `path:"id" doc:"an id, or the beginning of one that no other has"`
}
