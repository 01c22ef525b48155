package transcript

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/tidwall/gjson"
)

// said is a line of Claude Code in which the person says a text, with JSON
// escapes as they are.
func said(id, timestamp, text string) string {
	stamp := ""
	if timestamp != "" {
		stamp = `,"timestamp":` + timestamp
	}
	return `{"type":"user","uuid":"` + id + `","sessionId":"s1","message":{"role":"user","content":"` + text + `"}` + stamp + "}\n"
}

const noon = `"2026-03-01T12:00:00.000Z"`

func TestBadLinesAreNamedAndTheRestIsRead(t *testing.T) {
	text := said("u1", noon, "first") +
		"this is no JSON\n" + // 2
		"\"a bare string\"\n" + "12\n" + "[1,2]\n" + "null\n" + "true\n" + // 3 to 7
		"\n   \r\n" + // 8, 9
		"{\"type\":\"user\",\n" + // 10
		strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "\n" + // 11
		said("u2", noon, "last")
	all, res := readText(t, text, Options{})
	if len(all) != 2 || all[1].Text != "last" || all[1].Line != 12 {
		t.Fatalf("got %q", brief(all))
	}
	var named []string
	for _, p := range res.Problems {
		named = append(named, fmt.Sprintf("%d %s", p.Line, p.Message))
	}
	same(t, named, []string{
		"2 this line is not JSON; it was left out",
		"3 this line is not a JSON object; it was left out",
		"4 this line is not a JSON object; it was left out",
		"5 this line is not a JSON object; it was left out",
		"6 this line is not a JSON object; it was left out",
		"7 this line is not a JSON object; it was left out",
		"10 this line is not JSON; it was left out",
		"11 this line is not JSON; it was left out",
	})
}

func TestProblemsAreBounded(t *testing.T) {
	_, res := readText(t, strings.Repeat("x\n", 1000), Options{})
	if len(res.Problems) != MaxProblems || res.MoreProblems != 1000-MaxProblems {
		t.Errorf("%d problems and %d more", len(res.Problems), res.MoreProblems)
	}
}

func TestTimestamps(t *testing.T) {
	now := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	header := `{"type":"session","id":"s","timestamp":"2026-03-01T08:00:00Z"}` + "\n"
	line := func(stamp string) string {
		if stamp != "" {
			stamp = `"timestamp":` + stamp + ","
		}
		return `{"type":"message","id":"a1",` + stamp + `"message":{"role":"user","content":"x"}}` + "\n"
	}
	for _, c := range []struct {
		stamp, want string
		problem     string
	}{
		{`"2026-03-01T12:00:00.123Z"`, "2026-03-01T12:00:00.123Z", ""},
		{`"2026-03-01T12:00:00.123456789Z"`, "2026-03-01T12:00:00.123Z", ""},
		{`"2026-03-01T23:30:00-05:00"`, "2026-03-02T04:30:00.000Z", ""},
		{`"2026-03-01T12:00:00+0100"`, "2026-03-01T11:00:00.000Z", ""},
		{`"2026-03-01T12:00:00"`, "2026-03-01T12:00:00.000Z", ""},
		{`"2026-03-01 12:00:00"`, "2026-03-01T12:00:00.000Z", ""},
		{`1772366400000`, "2026-03-01T12:00:00.000Z", ""},
		{`"1772366400000"`, "2026-03-01T12:00:00.000Z", ""},
		{`1772366400`, "2026-03-01T12:00:00.000Z", ""},
		{`1772366400.25`, "2026-03-01T12:00:00.250Z", ""},
		{``, "~2026-03-01T08:00:00.000Z", ""},
		{`null`, "~2026-03-01T08:00:00.000Z", ""},
		{`"yesterday"`, "~2026-03-01T08:00:00.000Z", "is not one"},
		{`{"at":1}`, "~2026-03-01T08:00:00.000Z", "is not one"},
		{`0`, "~2026-03-01T08:00:00.000Z", "is not one"},
		{`"1999-12-31T23:59:59Z"`, "~2026-03-01T08:00:00.000Z", "before the year 2000"},
		{`"2026-03-02T23:00:00Z"`, "2026-03-02T23:00:00.000Z", ""},
		{`"2026-03-03T00:00:01Z"`, "~2026-03-01T08:00:00.000Z", "in the future"},
		{`1e300`, "~2026-03-01T08:00:00.000Z", "is not one"},
	} {
		all, res := readText(t, header+line(c.stamp), Options{Now: now})
		if len(all) != 1 {
			t.Fatalf("%s: %d messages", c.stamp, len(all))
		}
		got := all[0].At.Format("2006-01-02T15:04:05.000Z07:00")
		if all[0].Undated {
			got = "~" + got
		}
		if got != c.want {
			t.Errorf("%s is read as %s, want %s", c.stamp, got, c.want)
		}
		if (c.problem == "") != (len(res.Problems) == 0) || (c.problem != "" && !strings.Contains(res.Problems[0].Message, c.problem)) {
			t.Errorf("%s: problems %v, want one with %q", c.stamp, res.Problems, c.problem)
		}
	}
}

// Without a timestamp: the line before, then the header, then the file.
func TestUndatedMessages(t *testing.T) {
	fileTime := time.Date(2026, 3, 5, 1, 2, 3, 0, time.UTC)
	text := said("u1", "", "one") + said("u2", noon, "two") + said("u3", "", "three")
	all, _ := readText(t, text, Options{FileTime: fileTime})
	same(t, brief(all), []string{"1 user said 01:02:03~ one", "2 user said 12:00:00 two", "3 user said 12:00:00~ three"})
}

func TestACutLastLineWaits(t *testing.T) {
	whole := said("u1", noon, "first")
	cut := said("u2", noon, "grüße")
	for i := 1; i < len(cut)-1; i++ {
		all, res := readText(t, whole+cut[:i], Options{})
		if len(all) != 1 || res.UnfinishedLine != 2 || res.Bytes != int64(len(whole)) || len(res.Problems) > 0 {
			t.Fatalf("cut after %d bytes: %d messages, unfinished %d, offset %d, problems %v", i, len(all), res.UnfinishedLine, res.Bytes, res.Problems)
		}
	}
	all, res := readText(t, whole+strings.TrimSuffix(cut, "\n"), Options{})
	if len(all) != 2 || res.UnfinishedLine != 0 || res.Bytes != int64(len(whole)+len(cut)-1) {
		t.Errorf("without line end: %d messages, unfinished %d, offset %d", len(all), res.UnfinishedLine, res.Bytes)
	}
}

func TestLinesSayWhereTheyStand(t *testing.T) {
	text := "\ufeff" + said("u1", noon, "one") + "\r\n" + strings.TrimSuffix(said("u2", noon, "two"), "\n") + "\r\n" + said("u3", noon, "three")
	all, res := readText(t, text, Options{})
	if len(all) != 3 || len(res.Problems) != 0 {
		t.Fatalf("%q %v", brief(all), res.Problems)
	}
	for _, m := range all {
		line := text[:m.End]
		if line = line[strings.LastIndexByte(line[:len(line)-1], '\n')+1:]; !strings.Contains(line, `"`+m.Text+`"`) || !strings.HasSuffix(line, "\n") {
			t.Errorf("line %d to %d is %q", m.Line, m.End, line)
		}
	}
}

func TestTextIsClean(t *testing.T) {
	all, _ := readText(t, said("u1", noon, `  a\r\nb\u0000\u001b[1m\tc \ud83d\ude00 \ud800 `)+said("u2", noon, "bad \xff byte"), Options{})
	if len(all) != 2 || all[0].Text != "a\nb[1m\tc 😀 \ufffd" || all[1].Text != "bad \ufffd byte" {
		t.Errorf("got %q", brief(all))
	}
}

func TestErrorsEndTheReading(t *testing.T) {
	stop := errors.New("enough")
	n := 0
	_, err := Read(strings.NewReader(said("u1", noon, "a")+said("u2", noon, "b")), Options{}, func(Message) error {
		n++
		return stop
	})
	if !errors.Is(err, stop) || err.Error() != stop.Error() || n != 1 {
		t.Errorf("error %v after %d messages, want the caller's own after 1", err, n)
	}
	_, err = Read(io.MultiReader(strings.NewReader(said("u1", noon, "a")), iotest.ErrReader(io.ErrClosedPipe)), Options{File: "x.jsonl"}, func(Message) error { return nil })
	if !errors.Is(err, io.ErrClosedPipe) || !strings.Contains(err.Error(), "x.jsonl after line 1") {
		t.Errorf("error %v", err)
	}
}

// A file without any session in it is a session under its own name.
func TestSessionFromTheFilesName(t *testing.T) {
	text := `{"type":"user","message":{"role":"user","content":"hi"}}` + "\n"
	all, _ := readText(t, text, Options{File: "/home/mara/.claude/projects/x/abc.jsonl"})
	if len(all) != 1 || all[0].Session != "abc" {
		t.Errorf("got %+v", all)
	}
}

func TestToolResults(t *testing.T) {
	result := func(text string, failed bool) string {
		return fmt.Sprintf(`{"type":"user","uuid":"u","sessionId":"s","timestamp":%s,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"%s","is_error":%t}]}}`+"\n", noon, text, failed)
	}
	for _, c := range []struct {
		name, line string
		kept       int
	}{
		{"499 characters", result(strings.Repeat("ä", 499), false), 499},
		{"500 characters", result(strings.Repeat("ä", 500), false), 0},
		{"a long error", result(strings.Repeat("ä", 3000), true), 3000},
		{"a very long error", result("head"+strings.Repeat("ä", 30_000)+"tail", true), MaxFailure},
		{"nothing", result("", false), 0},
		{"300 escapes", result(strings.Repeat(`\u00e4`, 300), false), 300},
		{"499 pairs of escapes", result(strings.Repeat(`\ud83d\ude00`, 499), false), 499},
		{"a short one with a long reminder", result("ok<system-reminder>"+strings.Repeat("x", 2000)+"</system-reminder>", false), 2},
	} {
		all, _ := readText(t, c.line, Options{})
		if c.kept == 0 {
			if len(all) != 0 {
				t.Errorf("%s: kept", c.name)
			}
			continue
		}
		if len(all) != 1 || len([]rune(all[0].Text)) != c.kept {
			t.Errorf("%s: kept %q, want %d characters", c.name, brief(all), c.kept)
		}
	}
	all, _ := readText(t, result("head"+strings.Repeat("ä", 30_000)+"tail", true), Options{})
	if text := all[0].Text; !strings.HasPrefix(text, "head") || !strings.HasSuffix(text, "tail") {
		t.Error("an error that was shortened lost its head or its tail")
	}
}

func TestCallsAreOneShortLine(t *testing.T) {
	for _, c := range []struct{ input, want string }{
		{`{"file_path":"/a/b.go","content":"package b"}`, "T: /a/b.go"},
		{`{"x":1,"y":"only this"}`, "T: only this"},
		{`{"command":"` + strings.Repeat("ä", 500) + `"}`, "T: " + strings.Repeat("ä", 196) + "…"},
		{`{"command":"a\n\tb"}`, "T: a b"},
		{`{"x":1}`, "T"},
		{`"{\"cmd\":\"go test\"}"`, "T: go test"},
		{`"plain text"`, "T: plain text"},
		{`{"command":["bash","-lc","ls | wc"]}`, "T: ls | wc"},
		{`null`, "T"},
	} {
		if got := callLine("T", gjson.Parse(c.input)); got != c.want || len([]rune(got)) > MaxCall {
			t.Errorf("%s becomes %q, want %q", c.input, got, c.want)
		}
	}
}
