package web

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"os"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"

	"github.com/brainbridge/brainbridge/brain"
	"github.com/brainbridge/brainbridge/brain/health"
	"github.com/brainbridge/brainbridge/brain/plaintext"
	"github.com/brainbridge/brainbridge/tiers"
)

// MetricsPath has the metrics of the brain and the daemon in the text format of Prometheus.
const MetricsPath = "/metrics"

// metrics answers with the present values. Without the store it fails, so that the scrape does.
func (a *API) metrics(w http.ResponseWriter, r *http.Request) {
	u, ctx := a.use(), r.Context()
	status, err := u.Status(ctx)
	var indicators []health.Indicator
	if err == nil {
		indicators, err = u.Indicators(ctx)
	}
	timeline, failed := u.Timeline(ctx, 2)
	if err != nil || failed != nil {
		http.Error(w, "the store cannot be read; `brainbridge health` says why", http.StatusServiceUnavailable)
		return
	}
	var m metricsText
	m.family("build_info", "The version of the program.")
	m.value("build_info", 1, "version", a.o.Version)
	m.family("memories", "Memories by tier.")
	for _, t := range tiers.All() {
		m.value("memories", float64(status.Tiers[t]), "tier", string(t))
	}
	day := timeline.Days[1]
	m.family("captured_today", "Memories captured on the present day of the notes, by type.")
	for _, kind := range slices.Sorted(maps.Keys(day.Captures)) {
		m.value("captured_today", float64(day.Captures[kind]), "type", kind)
	}
	m.family("recalled_today", "Memories that recalls returned on the present day.")
	m.value("recalled_today", float64(day.Recalled))
	m.family("pushed_tokens_today", "Tokens pushed to sessions on the present day.")
	m.value("pushed_tokens_today", float64(day.Tokens))
	if last := status.LastConsolidation; last != nil {
		m.family("last_run_timestamp_seconds", "The end of the last whole run.")
		m.value("last_run_timestamp_seconds", float64(last.Unix()))
	}
	m.family("spooled_captures", "Captures that wait for the store.")
	m.value("spooled_captures", float64(status.Spooled))
	m.family("rejected_captures", "Spooled captures that the store refused.")
	m.value("rejected_captures", float64(status.Rejected))
	if checked := status.LastCheck; checked != nil {
		m.family("last_check_timestamp_seconds", "The last time that the whole store was read.")
		m.value("last_check_timestamp_seconds", float64(checked.At.Unix()))
	}
	m.indicators(indicators, timeline.Days[0].Indicators)
	m.family("daemon_memory_bytes", "Memory of the daemon: the resident set on Linux, elsewhere that of the Go runtime.")
	m.value("daemon_memory_bytes", float64(memoryBytes()))
	m.family("daemon_goroutines", "Goroutines of the daemon.")
	m.value("daemon_goroutines", float64(runtime.NumGoroutine()))
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = m.WriteTo(w)
}

// HealthPath says whether something does not work, for a program that watches the daemon.
const HealthPath = "/healthz"

// health answers 200 if everything works, otherwise 503 and what does not, one line each.
func (a *API) health(w http.ResponseWriter, r *http.Request) {
	indicators, err := a.use().Indicators(r.Context())
	lines := brain.Map(health.Urgent(indicators), health.Indicator.Line)
	if err != nil {
		lines = append(lines, "store: "+err.Error())
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	if len(lines) == 0 {
		lines = []string{"ok"}
	} else {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_, _ = fmt.Fprintln(w, plaintext.Visible(strings.Join(lines, "\n")))
}

// metricsText writes gauges in the text format, version 0.0.4.
type metricsText struct{ bytes.Buffer }

// indicators writes the present indicators. Those that take a read of every memory have the value
// that was stored yesterday.
func (m *metricsText) indicators(now []health.Indicator, yesterday map[string]float64) {
	m.family("health_warning", "1 if an indicator of health warns.")
	values := map[string]float64{}
	maps.Copy(values, yesterday)
	for _, i := range now {
		warns := 0.0
		if i.State == health.Warn {
			warns = 1
		}
		m.value("health_warning", warns, "name", i.Name)
		if delete(values, i.Name); i.Value != nil {
			values[i.Name] = *i.Value
		}
	}
	m.family("health_indicator", "The indicators of health, as far as they have a value.")
	for _, name := range slices.Sorted(maps.Keys(values)) {
		m.value("health_indicator", values[name], "name", name)
	}
}

func (m *metricsText) family(name, help string) {
	fmt.Fprintf(m, "# HELP brainbridge_%[1]s %[2]s\n# TYPE brainbridge_%[1]s gauge\n", name, help)
}

// value writes a value with a label and the label's value, or without.
func (m *metricsText) value(name string, v float64, label ...string) {
	labels := ""
	if len(label) == 2 {
		escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
		labels = "{" + label[0] + `="` + escape.Replace(label[1]) + `"}`
	}
	fmt.Fprintf(m, "brainbridge_%s%s %g\n", name, labels, v)
}

// memoryBytes returns the memory of this process.
func memoryBytes() uint64 {
	var pages, resident uint64
	if text, err := os.ReadFile("/proc/self/statm"); err == nil {
		if n, _ := fmt.Sscan(string(text), &pages, &resident); n == 2 {
			return resident * uint64(os.Getpagesize())
		}
	}
	total := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(total)
	return total[0].Value.Uint64() - total[1].Value.Uint64()
}
