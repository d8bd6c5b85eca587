package main

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"drawhouse/internal/outside"
)

// runbookBlock finds the commands of the runbook.
var runbookBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")

// manager is the system's service manager as far as the runbook uses it, for one house.
const manager = `#!/bin/sh
log="$RUNBOOK/house.log"
case $1 in
start)
	: >"$log"
	drawhouse serve --demo >"$log" 2>&1 </dev/null &
	echo $! >"$RUNBOOK/house.pid"
	until grep -q " at http" "$log"; do
		kill -0 "$(cat "$RUNBOOK/house.pid")" || { cat "$log"; exit 1; }
		sleep 0.05
	done
	;;
stop)
	kill -TERM "$(cat "$RUNBOOK/house.pid")"
	while kill -0 "$(cat "$RUNBOOK/house.pid")" 2>/dev/null; do sleep 0.05; done
	;;
esac
`

// TestRunbook types what docs/RUNBOOK.md tells an operator to type, block by block, on a
// house that sells. A ticket for fifty games is sold before the first block and still plays
// after the last, and so is whatever was sold on the way, but for the one ticket that was
// sold between the backup and the restore.
func TestRunbook(t *testing.T) {
	t.Parallel() // It waits most of the time.
	page, err := os.ReadFile("../../docs/RUNBOOK.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := runbookBlock.FindAllStringSubmatch(string(page), -1)
	if len(blocks) < 9 {
		t.Fatalf("the runbook has only %d blocks of commands", len(blocks))
	}
	r := openRunbook(t, blocks[0][1])
	r.do("systemctl start drawhouse")
	seller := &terminal{id: 1, games: 50}
	for i, block := range blocks[1:] {
		if r.runs() && !seller.sell(r.house) {
			t.Fatalf("nothing is sold before block %d:\n%s", i+2, block[1])
		}
		r.do(block[1])
	}
	if !seller.sell(r.house) {
		t.Error("nothing is sold after the last block")
	}
	lost := r.lookUp(seller)
	r.do("systemctl stop drawhouse\ndrawhouse journal export end\ndrawhouse verify end")
	t.Logf("%d blocks, %d tickets, %d told to be lost by the restore", len(blocks), len(seller.sold), lost)
}

// lookUp looks up every ticket that was sold, and returns how many the house says are lost:
// a backup is as old as it is.
func (r *runbook) lookUp(seller *terminal) (lost int) {
	r.t.Helper()
	for i, serial := range seller.sold {
		status, answer, err := r.house.ask(http.MethodGet, "/v1/tickets/"+serial, nil)
		refused, _ := answer["error"].(map[string]any)
		switch {
		case err == nil && status == http.StatusOK:
		case err == nil && refused["code"] == "ticket_lost" && i > 0:
			lost++
		default:
			r.t.Errorf("ticket %s: %d %v %v", serial, status, answer, err)
		}
	}
	if lost != 1 {
		r.t.Errorf("%d tickets are lost; one was sold between the backup and the restore", lost)
	}
	return lost
}

// runbook is a shell that keeps its place from block to block.
type runbook struct {
	t     *testing.T
	dir   string
	first string // the settings, which every block begins with
	house *served
}

// openRunbook prepares a machine: the program, the service manager, and the places of the
// first block.
func openRunbook(t *testing.T, settings string) *runbook {
	t.Helper()
	for _, name := range []string{"export DRAWHOUSE_CONFIG=", "data=", "last=", "backups=", "safe=", "program="} {
		if !strings.Contains(settings, name) {
			t.Fatalf("the first block of the runbook does not set %s:\n%s", name, settings)
		}
	}
	built := outside.Program(t)
	dir := t.TempDir()
	address := freeAddress(t)
	r := &runbook{t: t, dir: dir, house: &served{t: t, url: "http://" + address}}
	r.first = strings.Join([]string{
		"set -euo pipefail", "export DRAWHOUSE_CONFIG=" + dir + "/house.yaml", "data=" + dir + "/data", "last=" + dir +
			"/last", "backups=" + dir + "/backups",
		"safe=" + dir + "/safe", "program=" + dir + "/bin/drawhouse", "",
	}, "\n")
	config := "addr: " + address + "\nadmin-addr: \"off\"\ndata: " + dir + "/data\nlast-checkpoint: " + dir +
		"/last\ninterval: 3s\nlead: 200ms\nball: 60ms\n"
	write := func(name, text string, mode os.FileMode) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"bin", "backups", "safe"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write("house.yaml", config, 0o600)
	write("bin/systemctl", manager, 0o700)
	data, err := os.ReadFile(built)
	if err != nil {
		t.Fatal(err)
	}
	write("bin/drawhouse", string(data), 0o700)
	write("drawhouse.new", string(data), 0o700)
	t.Cleanup(func() { _ = r.shell("kill -KILL $(cat house.pid)").Run() }) // It may have ended.
	return r
}

func (r *runbook) shell(commands string) *exec.Cmd {
	cmd := exec.Command("bash", "-c", r.first+commands)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(r.dir, "bin")+":"+os.Getenv("PATH"), "RUNBOOK="+r.dir)
	return cmd
}

// do runs commands, all of which must succeed.
func (r *runbook) do(commands string) {
	r.t.Helper()
	began := time.Now()
	out, err := r.shell(commands).CombinedOutput()
	if err != nil {
		r.t.Fatalf("%v:\n%s\n--- it said\n%s", err, commands, out)
	}
	r.t.Logf("%.1f s for\n%s%s", time.Since(began).Seconds(), commands, out)
	if r.runs() {
		r.house.waitForSale()
	}
}

// runs reports whether the house runs.
func (r *runbook) runs() bool {
	_, _, err := r.house.ask(http.MethodGet, "/healthz", nil)
	return err == nil
}
