package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"drawhouse/internal/pgtest"
)

// roundsVariable says how often TestCluster strikes each of its blows. Without it there
// is one round of the three that an operator has to expect; make cluster asks for more,
// and for all of them.
const roundsVariable = "DRAWHOUSE_CLUSTER_ROUNDS"

// TestCluster runs a house as an operator would: PostgreSQL on three nodes, of which two
// have every commit, and three processes of the house, of which one writes and two
// follow. Under load the primary's machine is lost. No ticket that was answered is lost,
// none is made twice, and the journal verifies. With a number of rounds each of five
// blows is struck so often, as `make cluster` and `make soak` do.
func TestCluster(t *testing.T) {
	t.Parallel() // It waits most of the time.
	rounds, blows := clusterRounds(t)
	r := newRig(t)
	for range rounds {
		for _, b := range blows {
			r.row.lapse()
			b.strike(r)
			t.Logf("%-47s nothing sold for %4.1f s", b.name, r.row.lapse().Seconds())
		}
	}
	total, starts := r.end()
	t.Logf("%d blows; %d tickets answered, all found; houses started %d times; Patroni waits %d s for a silent primary, followers %v for a silent writer",
		rounds*len(blows), total, starts, pgtest.ClusterTTL, leastTakeover)
}

// blow is something that happens to a cluster.
type blow struct {
	name   string
	strike func(*rig)
}

func clusterRounds(t *testing.T) (int, []blow) {
	t.Helper()
	lost := blow{"the primary's machine is lost", (*rig).losePrimary}
	text := os.Getenv(roundsVariable)
	if text == "" {
		return 1, []blow{lost} // TestTakeover and TestKill kill the writer.
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s=%s is no number of rounds", roundsVariable, text)
	}
	return n, []blow{
		lost, {"the writer is killed", (*rig).killWriter}, {"primary and standby change places", (*rig).switchOver},
		{"the primary's server crashes, its Patroni stays", (*rig).crashPrimary},
		{"the primary's machine and the writer are lost", (*rig).loseBoth},
	}
}

// rig is a cluster with the processes of a house and a row of terminals that sell.
type rig struct {
	t       *testing.T
	cluster *pgtest.Cluster
	houses  []*kept
	row     *sellingRow
}

func newRig(t *testing.T) *rig {
	r := &rig{t: t, cluster: pgtest.StartCluster(t)}
	founded := serveOn(t, r.cluster.URL())
	founded.stop()
	var all []*served
	for range 3 {
		k := keep(t, founded)
		r.houses, all = append(r.houses, k), append(all, k.served)
	}
	r.writer()
	r.row = newRow(all...)
	r.row.waitForSale(t, time.Now())
	return r
}

// kept is a house whose service manager starts it again whenever it ends, at the same
// address, as one that follows until nobody writes.
type kept struct {
	*served
	ended chan struct{} // is closed when the manager has stopped

	mu      sync.Mutex // guards what follows
	process *os.Process
	starts  int
	enough  bool // it is not started again
}

// keep has a house run beside the one that was founded, on its database and with a copy
// of its keys, as on a machine of its own.
func keep(t *testing.T, founded *served) *kept {
	t.Helper()
	address, dir := freeAddress(t), filepath.Join(t.TempDir(), "data")
	k := &kept{ended: make(chan struct{}), served: &served{
		t: t, name: founded.name, dir: dir, database: founded.database, url: "http://" + address,
		extra: []string{"--follow", "--takeover=" + leastTakeover.String(), "--addr=" + address, "--last-checkpoint=" +
			filepath.Join(t.TempDir(), "last")},
	}}
	copyFolder(t, filepath.Join(dir, "keys"), filepath.Join(founded.dir, "keys"))
	t.Cleanup(func() { k.stopFor(os.Kill) })
	go k.manage()
	return k
}

// manage starts the process again and again.
func (k *kept) manage() {
	defer close(k.ended)
	for {
		cmd := k.command(k.arguments()...)
		cmd.Stderr = &k.log
		if !k.begin(cmd) {
			return
		}
		_ = cmd.Wait() // The log says why.
		time.Sleep(500 * time.Millisecond)
	}
}

// begin starts a process, unless there have been enough.
func (k *kept) begin(cmd *exec.Cmd) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.enough || cmd.Start() != nil {
		return false
	}
	k.process = cmd.Process
	k.starts++
	return true
}

// strike kills the process; its manager starts another.
func (k *kept) strike() {
	k.mu.Lock()
	defer k.mu.Unlock()
	_ = k.process.Kill() // It may have ended by itself.
}

// stopFor ends the process by a signal, and for good.
func (k *kept) stopFor(sig os.Signal) {
	k.mu.Lock()
	k.enough = true
	if k.process != nil {
		_ = k.process.Signal(sig)
	}
	k.mu.Unlock()
	<-k.ended
}

// writer waits until a house writes, and returns it.
func (r *rig) writer() *kept {
	r.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		for _, k := range r.houses {
			if _, health, err := k.ask(http.MethodGet, "/healthz", nil); err == nil && health["role"] == "writer" {
				return k
			}
		}
	}
	var logs strings.Builder
	for _, k := range r.houses {
		k.stopFor(os.Kill)
		fmt.Fprintf(&logs, "\n--- %s\n%s", k.url, &k.log)
	}
	r.t.Fatalf("no house writes:%s", &logs)
	return nil
}

// recover waits until there is sale again, and until the cluster could lose another
// node.
func (r *rig) recover() {
	r.t.Helper()
	// What was answered before the blow was noticed must not count.
	time.Sleep(time.Second)
	r.row.waitForSale(r.t, time.Now())
	r.cluster.Settle(r.t)
	r.writer()
}

func (r *rig) losePrimary() {
	i := r.cluster.Primary()
	r.cluster.KillNode(i)
	r.cluster.WaitForPrimary(r.t, i)
	r.row.waitForSale(r.t, time.Now())
	r.cluster.StartNode(r.t, i)
	r.recover()
}

func (r *rig) killWriter() {
	r.writer().strike()
	r.recover()
}

func (r *rig) switchOver() {
	r.cluster.Switchover(r.t)
	r.recover()
}

func (r *rig) crashPrimary() {
	r.cluster.KillServer(r.t, r.cluster.Primary())
	r.recover()
}

func (r *rig) loseBoth() {
	r.writer().strike()
	r.losePrimary()
}

// end stops everything and checks what was promised. It returns how many tickets were
// sold, and how often houses were started.
func (r *rig) end() (tickets, starts int) {
	r.t.Helper()
	r.row.end()
	writer := r.writer()
	tickets = checkSold(r.t, writer.served, r.row.terminals)
	for _, term := range r.row.terminals {
		// The last request may have been given up when the sale was ended.
		if answered := uint64(len(unique(term.sold))); answered != term.number && answered != term.number-1 {
			r.t.Errorf("terminal %d made %d requests and has %d tickets", term.id, term.number, answered)
		}
	}
	for _, k := range r.houses {
		if k != writer {
			k.stopFor(os.Interrupt)
		}
	}
	writer.stopFor(os.Interrupt)
	for _, k := range r.houses {
		starts += k.starts
		if strings.Contains(k.log.String(), "has another past") {
			r.t.Errorf("the house at %s has shown what was not to last:\n%s", k.url, &k.log)
		}
	}
	writer.verify()
	return tickets, starts
}
