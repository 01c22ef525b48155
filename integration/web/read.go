package web

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/brain/recall"
	"github.com/brainbridge/brainbridge/integration/app"
	"github.com/brainbridge/brainbridge/tiers"
)

// Filters are those that memories are chosen by.
type Filters struct {
	Type      []string     `query:"type,explode"`
	Tier      []tiers.Tier `query:"tier,explode"`
	Project   string       `query:"project"`
	NoProject bool         `query:"noProject" doc:"only memories without a project"`
	Since     string       `query:"since" doc:"a time as on the command line: 2026-02-05, yesterday, 2 weeks ago"`
}

// project returns the project of a filter: nil for all, a pointer to "" for none.
func (f Filters) project() *string {
	if f.Project == "" && !f.NoProject {
		return nil
	}
	return &f.Project
}

type listInput struct {
	Filters
	Tag        string           `query:"tag"`
	Importance brain.Importance `query:"importance" enum:"critical,important,reference"`
	Sort       string           `query:"sort" enum:"salience,energy,created,used,name"`
	Live       bool             `query:"live" doc:"no expired memories"`
	All        bool             `query:"all" doc:"archived and superseded ones too"`
	Limit      int              `query:"limit" minimum:"1" maximum:"500" default:"100"`
	After      string           `query:"after" doc:"next of the page before"`
}

// Page is a page of memories.
type Page struct {
	Memories []brain.View `json:"memories"`
	Next     brain.OrNull `json:"next"` // for after; null at the end
}

// list answers with a page. The mark of the next one is the number of memories before it, so a
// list that changes meanwhile may show a memory twice or pass one over.
func list(ctx context.Context, u *app.UseCases, in *listInput) (Page, error) {
	before := 0
	if in.After != "" {
		n, err := strconv.Atoi(in.After)
		if err != nil || n < 0 {
			return Page{}, brain.Errorf(brain.ErrInvalid, "give what next said", "after %q is no mark of a page", in.After)
		}
		before = n
	}
	found, err := u.List(ctx, app.ListRequest{
		Tiers: in.Tier, All: in.All, Live: in.Live, Types: in.Type, Tag: in.Tag, Project: in.project(), Importance: in.Importance,
		Sort: in.Sort, Limit: before + in.Limit + 1,
	}, in.Since)
	if err != nil {
		return Page{}, err
	}
	page := Page{Memories: append([]brain.View{}, found.Memories[min(before, len(found.Memories)):]...)}
	if len(page.Memories) > in.Limit {
		page.Memories, page.Next = page.Memories[:in.Limit], brain.OrNull(strconv.Itoa(before+in.Limit))
	}
	return page, nil
}

type recallInput struct {
	Filters
	Query       string   `query:"q" doc:"empty: the most salient memories"`
	Tags        []string `query:"tag,explode" doc:"all of them"`
	Until       string   `query:"until"`
	AsOf        string   `query:"asOf" doc:"what was known then"`
	ActiveOnly  bool     `query:"activeOnly"`
	Transcripts bool     `query:"transcripts" doc:"search transcripts too"`
	Limit       int      `query:"limit" minimum:"1" maximum:"500" default:"20"`
	Budget      int      `query:"budget" minimum:"0" doc:"tokens; 0: no limit"`
	Related     int      `query:"related" minimum:"0" maximum:"100"`
}

// search answers a question. Looking at the page touches nothing.
func search(ctx context.Context, u *app.UseCases, in *recallInput) (recall.Recollection, error) {
	r := app.RecallRequest{
		Query: in.Query, Limit: in.Limit, Budget: in.Budget, Types: in.Type, Tags: in.Tags, Tiers: in.Tier, Project: in.project(),
		Since: in.Since, Until: in.Until, AsOf: in.AsOf, ActiveOnly: in.ActiveOnly, Transcripts: in.Transcripts, Related: in.Related,
		NoTouch: true,
	}
	if in.Query == "" {
		return u.MostSalient(ctx, r)
	}
	return u.Recall(ctx, r)
}

// ReviewList is the review queue with the memories that its items name.
type ReviewList struct {
	app.ReviewAnswer
	Memories map[string]brain.View `json:"memories"` // by id
}

type reviewInput struct {
	All bool `query:"all" doc:"decided items too"`
}

type remindersInput struct {
	Project string `query:"project"`
	Done    bool   `query:"done" doc:"those that are done instead, the last done first"`
}

type graphInput struct {
	Filters
	Around string `query:"around" doc:"an id: only this memory and what is related to it"`
	All    bool   `query:"all" doc:"what they were before promotions, merges and corrections too"`
	Limit  int    `query:"limit" minimum:"1" maximum:"5000" default:"1000" doc:"the strongest so many"`
}

type groupsInput struct {
	By recall.Group `query:"by" enum:"type,project,tag" required:"true"`
}

type daysInput struct {
	Days int `query:"days" minimum:"1" maximum:"366" default:"366"`
}

type dateInput struct {
	Date string `path:"date" doc:"2026-02-05, today or yesterday"`
}

type logInput struct {
	Limit int `query:"limit" minimum:"1" maximum:"500" default:"100"`
}

type nextInput struct {
	Limit int `query:"limit" minimum:"1" maximum:"100" default:"10"`
}

type runsInput struct {
	Limit int `query:"limit" minimum:"1" maximum:"500" default:"50"`
}

func (a *API) addReads() {
	const get = http.MethodGet
	addRoute(a, get, "/status", "status", "counts, store and daemon",
		func(ctx context.Context, u *app.UseCases, _ *nothing) (app.StatusAnswer, error) { return u.Status(ctx) })
	addRoute(a, get, "/health", "health", "what needs attention",
		func(ctx context.Context, u *app.UseCases, _ *nothing) (health.Report, error) { return u.Health(ctx) })
	addRoute(a, get, "/field", "field", "live memories by energy and time since their last use",
		func(ctx context.Context, u *app.UseCases, _ *nothing) (app.FieldAnswer, error) { return u.Field(ctx) })
	addRoute(a, get, "/field/density", "density", "numbers of live memories by energy and time since their last use",
		func(ctx context.Context, u *app.UseCases, _ *nothing) (app.DensityAnswer, error) {
			return u.Density(ctx)
		})
	addRoute(a, get, "/next", "next", "what expires next, and what the next run promotes",
		func(ctx context.Context, u *app.UseCases, in *nextInput) (app.NextAnswer, error) {
			return u.Next(ctx, in.Limit)
		})
	addRoute(a, get, "/memories", "memories", "a page of memories", list)
	addRoute(a, get, "/groups", "groups", "the types, projects or tags there are, those with the most memories first",
		func(ctx context.Context, u *app.UseCases, in *groupsInput) (app.GroupsAnswer, error) {
			return u.Groups(ctx, in.By)
		})
	addRoute(a, get, "/memories/{id}", "memory", "a memory, its source and its relations",
		func(ctx context.Context, u *app.UseCases, in *ByID) (app.ShowAnswer, error) {
			return u.Show(ctx, in.ID, false)
		})
	addRoute(a, get, "/memories/{id}/why", "why", "why it is in its tier and has its energy",
		func(ctx context.Context, u *app.UseCases, in *ByID) (app.WhyAnswer, error) { return u.Why(ctx, in.ID) })
	addRoute(a, get, "/memories/{id}/history", "history", "what happened to a memory",
		func(ctx context.Context, u *app.UseCases, in *ByID) (app.HistoryAnswer, error) {
			return u.History(ctx, in.ID)
		})
	addRoute(a, get, "/memories/{id}/life", "life", "the energy of a memory over its life",
		func(ctx context.Context, u *app.UseCases, in *ByID) (app.LifeAnswer, error) {
			return u.Life(ctx, in.ID)
		})
	addRoute(a, get, "/memories/{id}/exchange", "exchange", "what was said around the capture of a memory",
		func(ctx context.Context, u *app.UseCases, in *ByID) (app.ExchangeAnswer, error) {
			return u.Exchange(ctx, in.ID)
		})
	addRoute(a, get, "/recall", "recall", "search", search)
	addRoute(a, get, "/graph", "graph", "memories and the relations between them",
		func(ctx context.Context, u *app.UseCases, in *graphInput) (app.GraphAnswer, error) {
			return u.Related(ctx, app.ListRequest{Tiers: in.Tier, Types: in.Type, Project: in.project(), All: in.All, Sort: app.ByEnergy, Limit: in.Limit}, in.Since, in.Around)
		})
	a.addDays()
	addRoute(a, get, "/reminders", "reminders", "open reminders, due first",
		func(ctx context.Context, u *app.UseCases, in *remindersInput) (app.RemindersAnswer, error) {
			if in.Done {
				return u.DoneReminders(ctx, Filters{Project: in.Project}.project())
			}
			return u.Reminders(ctx, Filters{Project: in.Project}.project())
		})
	addRoute(a, get, "/review", "review", "pairs, merges and core candidates that wait for a judgement",
		func(ctx context.Context, u *app.UseCases, in *reviewInput) (ReviewList, error) {
			r, err := u.Review(ctx, in.All)
			return ReviewList{r, r.Memories}, err
		})
	addRoute(a, get, "/review/{id}", "reviewItem", "one item of the review queue",
		func(ctx context.Context, u *app.UseCases, in *ByID) (app.ReviewItemAnswer, error) {
			return u.ReviewItem(ctx, in.ID)
		})
}

// addDays adds the routes of what happened, and of how the program is set up.
func (a *API) addDays() {
	const get = http.MethodGet
	addRoute(a, get, "/timeline", "timeline", "what happened on each of the last days",
		func(ctx context.Context, u *app.UseCases, in *daysInput) (app.TimelineAnswer, error) {
			return u.Timeline(ctx, in.Days)
		})
	addRoute(a, get, "/timeline/{date}", "day", "the notes, the sessions and the runs of a day",
		func(ctx context.Context, u *app.UseCases, in *dateInput) (app.DayAnswer, error) {
			return u.Day(ctx, in.Date)
		})
	addRoute(a, get, "/backups", "backups", "the backups, newest first",
		func(ctx context.Context, u *app.UseCases, _ *nothing) (app.BackupsAnswer, error) {
			return u.Backups(ctx)
		})
	addRoute(a, get, "/settings", "settings", "the settings in force, each with the command that changes it",
		func(ctx context.Context, u *app.UseCases, _ *nothing) (app.SettingCommands, error) {
			return u.SettingCommands(ctx)
		})
	addRoute(a, get, "/log", "log", "the last lines of the log of the daemon",
		func(ctx context.Context, u *app.UseCases, in *logInput) (app.LogAnswer, error) {
			return u.Log(ctx, in.Limit)
		})
	addRoute(a, get, "/runs", "runs", "the latest runs",
		func(ctx context.Context, u *app.UseCases, in *runsInput) (app.RunsAnswer, error) {
			return u.Runs(ctx, in.Limit)
		})
	addRoute(a, get, "/runs/{id}", "run", "a run with its report and actions",
		func(ctx context.Context, u *app.UseCases, in *ByID) (app.RunAnswer, error) { return u.Run(ctx, in.ID) })
}

// eventsPath is the route of the stream of changes.
const eventsPath = apiPath + "/events"

// Change is an event: something was committed, by whatever process.
type Change struct {
	Version string `json:"version"` // of the store
}

// Beat is an event that only shows that the daemon is there.
type Beat struct {
	At time.Time `json:"at"`
}
