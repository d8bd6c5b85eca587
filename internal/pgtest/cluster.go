package pgtest

import (
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Nodes is how many nodes a cluster has. With one of them lost two are left, and a
// commit still has a second place to be.
const Nodes = 3

// ClusterTTL is for how many seconds a primary that says nothing is still taken for
// one. Patroni recommends thirty; tests are not as patient.
const ClusterTTL = 8

// settling is how long a cluster may take to come to rest: nodes that were lost are
// wound back and catch up, on a machine that does other things too.
const settling = 3 * time.Minute

//go:embed patroni.yml
var patroniConfiguration string

// Cluster is a PostgreSQL cluster under Patroni, synchronous and strict, on loopback.
// Each of its nodes is an etcd member, a Patroni and a server, and is lost as a whole.
type Cluster struct {
	dir      string
	password string
	as       *identity
	programs string // the directory of the server's programs
	nodes    [Nodes]*node
	life     io.Closer // the end of which clears away
}

// node is one machine, as it were.
type node struct {
	name           string
	dir            string
	port, rest     int // of the server and of Patroni
	etcd, etcdPeer int
	keeper         *exec.Cmd      // nil while the node is lost
	life           io.WriteCloser // of the keeper
}

// StartCluster starts a cluster, which ends with the test. Where there can be none the
// test is skipped, and says why.
func StartCluster(tb testing.TB) *Cluster {
	tb.Helper()
	c, err := newCluster()
	if errors.Is(err, errMissing) {
		tb.Skipf("SKIPPED, AND NOTHING IS KNOWN ABOUT A CLUSTER: %v", err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(c.end)
	for i := range c.nodes {
		c.StartNode(tb, i)
	}
	c.Settle(tb)
	return c
}

func newCluster() (*Cluster, error) {
	for _, name := range []string{"patroni", "etcd"} {
		if _, err := exec.LookPath(name); err != nil {
			return nil, fmt.Errorf("%w: there is no %s (Debian: apt-get install patroni etcd-server)", errMissing, name)
		}
	}
	c := &Cluster{password: rand.Text()}
	var err error
	if c.programs, err = programs(); err != nil {
		return nil, err
	}
	if c.as, err = unprivileged(); err != nil {
		return nil, err
	}
	if c.dir, err = os.MkdirTemp("", "pgtest-cluster-"); err != nil {
		return nil, err
	}
	if err := c.prepare(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(c.dir))
	}
	return c, nil
}

// sweeper waits for the end of the test binary, and then until the keepers of the
// nodes, which wait for the same, are done.
const sweeper = `
cat >/dev/null
for pause in 1 2 3 4 5 6 7 8 9 10; do
	sleep 0.3
	rm -rf "$1" 2>/dev/null && exit
done
`

// prepare chooses ports, writes every node's configuration, and sees to it that
// nothing is left when this process ends.
func (c *Cluster) prepare() error {
	ports, err := freePorts(4 * Nodes)
	if err != nil {
		return err
	}
	for i := range c.nodes {
		name := fmt.Sprintf("node%d", i+1)
		c.nodes[i] = &node{name: name, dir: filepath.Join(c.dir, name), port: ports[4*i], rest: ports[4*i+1],
			etcd: ports[4*i+2], etcdPeer: ports[4*i+3]}
	}
	for _, n := range c.nodes {
		if err := errors.Join(os.Mkdir(n.dir, 0o700),
			os.WriteFile(n.configuration(), []byte(c.configure(n)), 0o600)); err != nil {
			return err
		}
	}
	if err := c.own(); err != nil {
		return fmt.Errorf("%w: %w", errMissing, err)
	}
	sweeping := c.command("/bin/sh", "-c", sweeper, "sweeper", c.dir)
	life, err := sweeping.StdinPipe()
	if err != nil {
		return err
	}
	c.life = life
	return sweeping.Start()
}

// own gives everything to whom the servers run as.
func (c *Cluster) own() error {
	if c.as == nil {
		return nil
	}
	return filepath.WalkDir(c.dir, func(path string, _ os.DirEntry, err error) error {
		return errors.Join(err, os.Chown(path, c.as.uid, c.as.gid))
	})
}

// freePorts returns ports of loopback that nobody uses.
func freePorts(n int) ([]int, error) {
	var ports []int
	for range n {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer func() { _ = listener.Close() }() // so that none comes twice
		at, err := netip.ParseAddrPort(listener.Addr().String())
		if err != nil {
			return nil, err
		}
		ports = append(ports, int(at.Port()))
	}
	return ports, nil
}

func (n *node) configuration() string { return filepath.Join(n.dir, "patroni.yml") }

func (c *Cluster) configure(n *node) string {
	var etcd []string
	for _, other := range c.nodes {
		etcd = append(etcd, fmt.Sprintf("127.0.0.1:%d", other.etcd))
	}
	return strings.NewReplacer("{name}", n.name, "{dir}", n.dir, "{programs}", c.programs, "{password}", c.password,
		"{port}", strconv.Itoa(n.port), "{rest}", strconv.Itoa(n.rest), "{ttl}", strconv.Itoa(ClusterTTL), "{etcd}",
		strings.Join(etcd, ","),
	).Replace(patroniConfiguration)
}

// command returns a command of whom the servers run as, with a group of its own.
func (c *Cluster) command(name string, args ...string) *exec.Cmd {
	return (&Server{dir: c.dir}).command(c.as, name, args...)
}

// nodeKeeper runs a node until its standard input ends, and then ends everything of it
// at once, as when a machine loses its power. The server has a session of its own; its
// directory tells that the number in its file is still its own.
const nodeKeeper = `
etcd --name "$2" --data-dir "$1/etcd" --listen-client-urls "$3" --advertise-client-urls "$3" \
	--listen-peer-urls "$4" --initial-advertise-peer-urls "$4" --initial-cluster "$5" \
	--heartbeat-interval 200 --election-timeout 2000 >>"$1/etcd.log" 2>&1 &
patroni "$1/patroni.yml" >>"$1/patroni.log" 2>&1 &
patroni=$!
cat >/dev/null
kill -KILL $patroni
server=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null)
if [ -n "$server" ] && [ "$(readlink "/proc/$server/cwd")" = "$1/data" ]; then
	kill -KILL "$server"
fi
kill -KILL 0
`

// StartNode starts a node, for the first time or after it was lost.
func (c *Cluster) StartNode(tb testing.TB, i int) {
	tb.Helper()
	n := c.nodes[i]
	var members []string
	for _, other := range c.nodes {
		members = append(members, fmt.Sprintf("%s=http://127.0.0.1:%d", other.name, other.etcdPeer))
	}
	n.keeper = c.command("/bin/sh", "-c", nodeKeeper, "node", n.dir, n.name, fmt.Sprintf("http://127.0.0.1:%d", n.etcd),
		fmt.Sprintf("http://127.0.0.1:%d", n.etcdPeer), strings.Join(members, ","))
	life, err := n.keeper.StdinPipe()
	if err == nil {
		n.life, err = life, n.keeper.Start()
	}
	if err != nil {
		tb.Fatalf("%s: %v", n.name, err)
	}
}

// KillNode ends everything of a node at once, and returns when it is gone.
func (c *Cluster) KillNode(i int) {
	n := c.nodes[i]
	if n.keeper == nil {
		return
	}
	_ = n.life.Close()
	_ = n.keeper.Wait() // It has killed itself with the rest.
	n.keeper = nil
}

// KillServer ends the server of a node and leaves its Patroni, which starts it again or
// has another node promoted.
func (c *Cluster) KillServer(tb testing.TB, i int) {
	tb.Helper()
	data := filepath.Join(c.nodes[i].dir, "data")
	file, err := os.ReadFile(filepath.Join(data, "postmaster.pid"))
	if err != nil {
		tb.Fatal(err)
	}
	line, _, _ := strings.Cut(string(file), "\n")
	pid, err := strconv.Atoi(line)
	if err != nil {
		tb.Fatal(err)
	}
	if at, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid)); err != nil || at != data {
		tb.Fatalf("process %d is in %q and is not the server of %s: %v", pid, at, data, err)
	}
	server, err := os.FindProcess(pid)
	if err == nil {
		err = server.Kill()
	}
	if err != nil {
		tb.Fatal(err)
	}
}

func (c *Cluster) end() {
	for i := range c.nodes {
		c.KillNode(i)
	}
	_ = c.life.Close()
}

// URL returns the URL of the cluster's database, with all of its nodes.
func (c *Cluster) URL() string {
	var hosts []string
	for _, n := range c.nodes {
		hosts = append(hosts, fmt.Sprintf("127.0.0.1:%d", n.port))
	}
	return fmt.Sprintf("postgres://%s:%s@%s/postgres?sslmode=disable&connect_timeout=2", superuser, c.password,
		strings.Join(hosts, ","))
}

// member is how Patroni sees a node.
type member struct {
	Name  string `json:"name"`
	Role  string `json:"role"`
	State string `json:"state"`
}

// members asks the nodes that run, one after the other, how they see the cluster.
func (c *Cluster) members() (members []member) {
	for _, n := range c.nodes {
		var answer struct{ Members []member }
		if n.keeper == nil || c.ask(n, &answer) != nil {
			continue
		}
		return answer.Members
	}
	return nil
}

// ask asks a node's Patroni how it sees the cluster.
func (c *Cluster) ask(n *node, answer any) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/cluster", n.rest),
		http.NoBody)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	return json.NewDecoder(response.Body).Decode(answer)
}

// Primary returns which node is the primary, or -1.
func (c *Cluster) Primary() int {
	for _, m := range c.members() {
		if i := c.index(m.Name); m.Role == "leader" && m.State == "running" && c.nodes[i].keeper != nil {
			return i
		}
	}
	return -1
}

func (c *Cluster) index(name string) int {
	return slices.IndexFunc(c.nodes[:], func(n *node) bool { return n.name == name })
}

// WaitForPrimary waits until a node other than the one named is the primary, and
// returns it.
func (c *Cluster) WaitForPrimary(tb testing.TB, other int) int {
	tb.Helper()
	for deadline := time.Now().Add(settling); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if i := c.Primary(); i >= 0 && i != other {
			return i
		}
	}
	tb.Fatalf("no other node became the primary: %+v%s", c.members(), c.logs())
	return -1
}

// Settle waits until the cluster can lose a node: there is a primary, a standby that
// has every commit, and the third node follows.
func (c *Cluster) Settle(tb testing.TB) {
	tb.Helper()
	for deadline := time.Now().Add(settling); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		roles := map[string]int{}
		for _, m := range c.members() {
			if m.State == "running" || m.State == "streaming" {
				roles[m.Role]++
			}
		}
		if roles["leader"] == 1 && roles["sync_standby"] == 1 && roles["replica"] == Nodes-2 {
			return
		}
	}
	tb.Fatalf("the cluster does not come to rest: %+v%s", c.members(), c.logs())
}

// Switchover has the primary change places with its synchronous standby, as an operator
// does it.
func (c *Cluster) Switchover(tb testing.TB) {
	tb.Helper()
	names := map[string]string{}
	for _, m := range c.members() {
		names[m.Role] = m.Name
	}
	at := c.index(names["leader"])
	if at < 0 || names["sync_standby"] == "" {
		tb.Fatalf("there is nobody to change places: %+v", c.members())
	}
	switching := c.command("patronictl", "-c", c.nodes[at].configuration(), "switchover", "--leader", names["leader"],
		"--candidate", names["sync_standby"], "--force")
	if out, err := switching.CombinedOutput(); err != nil {
		tb.Fatalf("%v: %s%s", err, out, c.logs())
	}
}

// logs returns the ends of what the nodes have said.
func (c *Cluster) logs() string {
	var all strings.Builder
	for _, n := range c.nodes {
		for _, name := range []string{"patroni.log", "etcd.log"} {
			text, _ := os.ReadFile(filepath.Join(n.dir, name))
			fmt.Fprintf(&all, "\n--- %s of %s\n%s", name, n.name, text[max(0, len(text)-3000):])
		}
	}
	return all.String()
}
