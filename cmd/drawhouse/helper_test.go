package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"drawhouse/edge/monitor"
	"drawhouse/journal"
)

// looked returns what a process answers those who run it.
func looked(t *testing.T, at, path string) (int, string) {
	t.Helper()
	response, err := http.Get("http://" + at + path)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(data)
}

// servesAll expects a process to serve each metric of its program.
func servesAll(t *testing.T, at string, by monitor.Program) {
	t.Helper()
	_, metrics := looked(t, at, "/metrics")
	for _, f := range monitor.Families(by) {
		if !strings.Contains("\n"+metrics, "\n# HELP "+f.FullName()+" "+f.Help+"\n") {
			t.Errorf("%s is not served, or with another text", f.FullName())
		}
	}
	if strings.Contains(metrics, "drawhouse_lane") {
		t.Error("it serves what is a house's")
	}
}

// TestWitnessIsWatched: a witness tells those who run it what it has cosigned and whether it could, and the public
// nothing of that.
func TestWitnessIsWatched(t *testing.T) {
	t.Parallel()
	dir, at := t.TempDir(), freeAddress(t)
	w := watchedBy(t, dir, "--metrics-addr="+at)
	tree, other := journal.NewTree(), journal.NewTree()
	tree.Append([]byte("a record"))
	other.Append([]byte("another"))
	if err := w.cosigns(tree); err != nil {
		t.Fatal(err)
	}
	servesAll(t, at, monitor.OfWitness)
	for path, want := range map[string]string{"/healthz": `"status":"ok"`, "/readyz": `{"name":"book","ok":true}`,
		"/metrics": "\ndrawhouse_cosigned_entries{origin=\"keno.example/v1\"} 1\n"} {
		if status, text := looked(t, at, path); status != http.StatusOK || !strings.Contains(text, want) {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	const forked = "\ndrawhouse_forked{origin=\"keno.example/v1\"} "
	if _, text := looked(t, at, "/metrics"); !strings.Contains(text, forked+"0\n") {
		t.Error("a log with one history is forked")
	}
	if err := w.cosigns(other); err == nil {
		t.Fatal("it cosigns two histories")
	}
	if _, text := looked(t, at, "/metrics"); !strings.Contains(text, forked+"1\n") ||
		!strings.Contains(text, `operation="POST /add-checkpoint",status="200"} 1`) {
		t.Errorf("after another history: %s", text)
	}
	_, url, _ := strings.Cut(w.lines[0], " at http://")
	if status, _ := looked(t, url, "/metrics"); status != http.StatusNotFound {
		t.Errorf("the public is shown metrics: %d", status)
	}
	if err := os.Remove(filepath.Join(dir, "w.state")); err != nil {
		t.Fatal(err)
	}
	if status, text := looked(t, at, "/readyz"); status != http.StatusServiceUnavailable ||
		!strings.Contains(text, `{"name":"book","ok":false,"error":"logbook: the book was taken away`) {
		t.Errorf("without its book: %d %s", status, text)
	}
}

// TestDeviceIsWatched: a device does likewise, beside its socket, which answers its house alone.
func TestDeviceIsWatched(t *testing.T) {
	t.Parallel()
	dir, at := t.TempDir(), freeAddress(t)
	_, house, err := journal.GenerateKey(strings.NewReader(strings.Repeat("k", 32)), "keno.example")
	if err != nil {
		t.Fatal(err)
	}
	launch(t, 2, "device", "--listen=unix:"+filepath.Join(dir, "s"), "--key="+filepath.Join(dir, "d.key"),
		"--name=drawhouse.example/machine", "--book="+filepath.Join(dir, "d.book"), "--house-key="+house,
		"--metrics-addr="+at)
	client := &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", filepath.Join(dir, "s"))
		}}}
	response, err := client.Get("http://device/v1/device")
	if err != nil || response.StatusCode != http.StatusForbidden {
		t.Fatalf("a stranger is answered %v, %v", response, err)
	}
	response.Body.Close()
	servesAll(t, at, monitor.OfDevice)
	for path, want := range map[string]string{"/healthz": `"status":"ok"`, "/readyz": `{"name":"device","ok":true}`,
		"/metrics": "\ndrawhouse_ready{for=\"answer\"} 1\n"} {
		if status, text := looked(t, at, path); status != http.StatusOK || !strings.Contains(text, want) {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	if err := os.Rename(filepath.Join(dir, "d.book"), filepath.Join(dir, "gone")); err != nil {
		t.Fatal(err)
	}
	if status, text := looked(t, at, "/readyz"); status != http.StatusServiceUnavailable ||
		!strings.Contains(text, `{"name":"book","ok":false,`) {
		t.Errorf("without its book: %d %s", status, text)
	}
}
