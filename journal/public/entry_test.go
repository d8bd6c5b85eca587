package public_test

import (
	"bytes"
	"strings"
	"testing"

	"drawhouse/journal/public"
)

// void is an entry as it is written.
const void = "drawhouse/log/v1\nkind draw-void\ntime 7\nrecord 1:2\nseries vic-keno\nday 2026-11-15\ngame 3\ndraw 1\nclause 11.4(a)\n"

// TestParse reads an entry and writes it again, and refuses every other spelling.
func TestParse(t *testing.T) {
	e, err := public.Parse([]byte(void))
	if err != nil {
		t.Fatal(err)
	}
	if e.Kind != public.DrawVoid || !e.Known() || e.Millis != 7 || e.Volume != 1 || e.Seq != 2 || e.Uint("draw") != 1 ||
		e.Game().String() != "vic-keno 2026-11-15 3" || e.Text("clause") != "11.4(a)" || e.Text("none") != "" {
		t.Errorf("read as %+v", e)
	}
	if again, err := e.Marshal(); err != nil || string(again) != void {
		t.Errorf("written as %q, %v", again, err)
	}
	for name, change := range map[string][2]string{
		"form":         {"log/v1", "log/v2"},
		"no time":      {"time 7\n", ""},
		"time":         {"time 7", "time 07"},
		"record":       {"record 1:2", "record 1:02"},
		"volume":       {"record 1:2", "record 70000:2"},
		"day":          {"2026-11-15", "2026-11-31"},
		"number":       {"game 3", "game three"},
		"order":        {"day 2026-11-15\ngame 3", "game 3\nday 2026-11-15"},
		"line missing": {"draw 1\n", ""},
		"line twice":   {"draw 1\n", "draw 1\ndraw 1\n"},
		"line more":    {"clause 11.4(a)\n", "clause 11.4(a)\nreason none\n"},
		"word":         {"11.4(a)", "11 4"},
		"no word":      {"11.4(a)", ""},
		"no last line": {"11.4(a)\n", "11.4(a)"},
	} {
		if _, err := public.Parse([]byte(strings.Replace(void, change[0], change[1], 1))); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := public.Parse(bytes.Repeat([]byte("a"), public.MaxEntry+1)); err == nil {
		t.Error("a long entry is read")
	}
}

// TestUnknownKind reads an entry of a kind that comes later as far as every entry goes.
func TestUnknownKind(t *testing.T) {
	e, err := public.Parse([]byte("drawhouse/log/v1\nkind of-tomorrow\ntime 7\nrecord 1:2\nwhat ever\n"))
	if err != nil || e.Known() || e.Kind != "of-tomorrow" || e.Text("what") != "" {
		t.Errorf("read as %+v, %v", e, err)
	}
	if _, err := e.Marshal(); err == nil {
		t.Error("an entry of an unknown kind is written")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(void))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := public.Parse(data)
		if err != nil || !e.Known() {
			return
		}
		if again, err := e.Marshal(); err != nil || !bytes.Equal(again, data) {
			t.Errorf("%q is read, and written as %q, %v", data, again, err)
		}
	})
}

// TestPaths writes and reads the paths of C2SP tlog-tiles.
func TestPaths(t *testing.T) {
	for path, part := range map[string]public.Part{
		"tile/0/000":                      {},
		"tile/3/067":                      {Level: 3, Index: 67},
		"tile/0/x001/x234/067":            {Index: 1234067},
		"tile/1/001.p/5":                  {Level: 1, Index: 1, Width: 5},
		"tile/entries/x273/x049/x231/067": {Entries: true, Index: 273049231067},
		"tile/entries/x001/000.p/255":     {Entries: true, Index: 1000, Width: 255},
	} {
		if got, err := public.ParsePath(path); err != nil || got != part || part.Path() != path {
			t.Errorf("%s: read as %+v, %v; written as %s", path, got, err, part.Path())
		}
	}
	for _, path := range []string{"", "tile", "tile/0", "tile/0/", "tile/0/1", "tile/0/0001", "tile/0/001/002",
		"tile/0/x001", "tile/8/000", "tile/00/000", "tile/0/000.p/0", "tile/0/000.p/256", "tile/0/000.p/01",
		"tile/0/x000/001", "tiles/0/000", "tile/entries/x1/000"} {
		if part, err := public.ParsePath(path); err == nil {
			t.Errorf("%q is read as %+v", path, part)
		}
	}
}

func FuzzParsePath(f *testing.F) {
	f.Add("tile/entries/x001/067.p/9")
	f.Fuzz(func(t *testing.T, path string) {
		if part, err := public.ParsePath(path); err == nil && part.Path() != path {
			t.Errorf("%q is read, and written as %q", path, part.Path())
		}
	})
}

// TestBundles splits a bundle into its entries, and refuses one that is cut off.
func TestBundles(t *testing.T) {
	entries := [][]byte{[]byte(void), {}, bytes.Repeat([]byte("b"), 300)}
	data := public.Bundle(entries)
	got, err := public.SplitBundle(data)
	if err != nil || len(got) != len(entries) || !bytes.Equal(got[2], entries[2]) {
		t.Errorf("split into %d entries, %v", len(got), err)
	}
	for _, cut := range []int{1, 2, len(data) - 1, len(void) + 3} {
		if _, err := public.SplitBundle(data[:cut]); err == nil {
			t.Errorf("cut at %d: no error", cut)
		}
	}
}

func FuzzSplitBundle(f *testing.F) {
	f.Add(public.Bundle([][]byte{[]byte(void)}))
	f.Fuzz(func(t *testing.T, data []byte) {
		if entries, err := public.SplitBundle(data); err == nil && !bytes.Equal(public.Bundle(entries), data) {
			t.Error("a bundle is split and not the same when it is put together")
		}
	})
}
