package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"drawhouse/internal/pgtest"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/postgres"
	"drawhouse/journal/store/storetest"
)

// proxy passes connections on to the server and cuts them when so many bytes have
// gone in a direction since it was armed.
type proxy struct {
	listener net.Listener
	socket   string
	// left are the bytes that may still pass to the server and to the client;
	// below zero there is no bound.
	left [2]atomic.Int64

	mu    sync.Mutex // guards conns
	conns []net.Conn
}

const (
	toServer = iota
	toClient
)

func newProxy(t *testing.T) *proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: listener, socket: pgtest.Start(t).Socket()}
	p.spare()
	var group sync.WaitGroup
	group.Go(func() { p.serve(&group) })
	t.Cleanup(func() {
		_ = listener.Close()
		p.cut()
		group.Wait()
	})
	return p
}

// through returns the URL of a schema by way of the proxy.
func (p *proxy) through(t *testing.T, location string) string {
	t.Helper()
	u, err := url.Parse(location)
	if err != nil {
		t.Fatal(err)
	}
	host, port, err := net.SplitHostPort(p.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	query.Set("host", host)
	query.Set("port", port)
	query.Set("sslmode", "disable")
	u.RawQuery = strings.ReplaceAll(query.Encode(), "+", "%20") // A plus sign is one here.
	return u.String()
}

func (p *proxy) serve(group *sync.WaitGroup) {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("unix", p.socket)
		if err != nil {
			_ = client.Close()
			continue
		}
		p.mu.Lock()
		p.conns = append(p.conns, client, server)
		p.mu.Unlock()
		group.Go(func() { p.pass(server, client, toServer) })
		group.Go(func() { p.pass(client, server, toClient) })
	}
}

// pass copies bytes until there are no more or no more may pass.
func (p *proxy) pass(to, from net.Conn, direction int) {
	buffer := make([]byte, 1<<16)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			left := p.left[direction].Load()
			if left >= 0 {
				allowed := min(int64(n), left)
				p.left[direction].Store(left - allowed)
				_, _ = to.Write(buffer[:allowed])
				if allowed < int64(n) {
					p.cut()
					return
				}
			} else if _, failed := to.Write(buffer[:n]); failed != nil {
				err = failed
			}
		}
		if err != nil {
			_ = to.Close()
			return
		}
	}
}

// cutAfter arms the proxy to cut all connections after so many more bytes.
func (p *proxy) cutAfter(direction int, n int64) { p.left[direction].Store(n) }

// spare lets everything pass.
func (p *proxy) spare() {
	p.left[toServer].Store(-1)
	p.left[toClient].Store(-1)
}

// cut ends every connection at once.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, conn := range p.conns {
		_ = conn.Close()
	}
	p.conns = nil
}

// verifyAll reads a whole journal and holds it against its root.
func verifyAll(t *testing.T, st store.Reader) store.Head {
	t.Helper()
	head, err := st.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tree := journal.NewTree()
	err = st.Records(t.Context(), head.Volume, 0, head.Size, func(seq uint64, data []byte) error {
		if want := storetest.Data(record.Place{Volume: head.Volume, Seq: seq}); string(want) != string(data) {
			return fmt.Errorf("record %d is %q", seq, data)
		}
		tree.Append(data)
		return nil
	})
	if err != nil || tree.Root() != head.Root {
		t.Fatalf("%d records come to %v, the head says %v: %v", head.Size, tree.Root(), head.Root, err)
	}
	return head
}

// faultBatch is a batch that has something of everything.
func faultBatch(j *storetest.Journal) store.Batch {
	entries := j.Some(40)
	if next := j.Next(); next.Seq > 0 {
		entries[1].About = record.Place{Volume: next.Volume}
	}
	return j.Batch(entries, store.Object{Name: j.Next().String(), Data: []byte("object")})
}

// cutStep is how many bytes lie between cuts in the middle of an append, which is
// one message; the soak tries every one.
var cutStep int64 = 97

// TestCutAtEveryByte cuts the connection after every number of bytes that an append
// sends, and after every number that it is answered with. An append that was
// acknowledged is stored, one that was not is stored whole or not at all, and the
// writer hears from the takeover which.
func TestCutAtEveryByte(t *testing.T) {
	location, p := pgtest.Schema(t), newProxy(t)
	direct, err := postgres.Open(t.Context(), location, store.FirstLane)
	if err != nil {
		t.Fatal(err)
	}
	defer direct.Close()
	st, err := postgres.Open(t.Context(), p.through(t, location), store.FirstLane)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	postgres.Silence(st) // So that the appends alone are counted.
	for direction, name := range []string{"to the server", "to the client"} {
		stored, lost := 0, 0
		for n, step := int64(0), int64(1); ; n += step {
			landed, whole := cutOne(t, st, direct, p, direction, n)
			if whole {
				t.Logf("%s: %d cuts, %d batches stored, %d not", name, stored+lost, stored, lost)
				break
			}
			if landed {
				stored++
			} else {
				lost++
			}
			if direction == toServer && n > 64 {
				step = cutStep
			}
		}
		if direction == toClient && stored == 0 || direction == toServer && lost == 0 {
			t.Errorf("%s: %d stored, %d lost: the cuts tried nothing", name, stored, lost)
		}
	}
	verifyAll(t, direct)
}

// cutOne appends a batch whose connection is cut after n bytes, and reports whether
// it was stored, and whether there was nothing to cut.
func cutOne(t *testing.T, st, direct *postgres.Store, p *proxy, direction int, n int64) (landed, whole bool) {
	t.Helper()
	p.spare()
	head, err := st.TakeOver(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	j, err := storetest.Resume(t.Context(), head, direct)
	if err != nil {
		t.Fatal(err)
	}
	// The statements are prepared by a first append, so that the second is one
	// message and its answer.
	if err := st.Append(t.Context(), faultBatch(j)); err != nil {
		t.Fatal(err)
	}
	before := j.Next().Seq
	b := faultBatch(j)
	p.cutAfter(direction, n)
	err = st.Append(t.Context(), b)
	whole = err == nil
	p.spare()
	if err != nil {
		if errors.Is(err, store.ErrFenced) || errors.Is(err, store.ErrBatch) || errors.Is(err, context.Canceled) {
			t.Fatalf("cut after %d bytes: %v, which says that nothing is stored", n, err)
		}
		if err := st.Append(t.Context(), b); !errors.Is(err, store.ErrFenced) {
			t.Fatalf("an append after an unknown outcome: %v, want ErrFenced", err)
		}
	}
	if head, err = st.TakeOver(t.Context()); err != nil {
		t.Fatal(err)
	}
	landed = head.Size == b.Size()
	if !landed && head.Size != before || whole && !landed {
		t.Fatalf("cut after %d bytes: the head is at %d, the batch goes from %d to %d", n, head.Size, before, b.Size())
	}
	if landed && head.Root != b.Root {
		t.Fatalf("cut after %d bytes: root %v, want %v", n, head.Root, b.Root)
	}
	_, err = direct.Object(t.Context(), b.Objects[0].Name)
	if landed != (err == nil) {
		t.Fatalf("cut after %d bytes: stored is %v, its object: %v", n, landed, err)
	}
	return landed, whole
}

// TestCutAnywhere cuts everything at random moments while a writer appends, opens
// and takes over, so that connecting, preparing and taking over are cut, too.
func TestCutAnywhere(t *testing.T) {
	location, p := pgtest.Schema(t), newProxy(t)
	direct, err := postgres.Open(t.Context(), location, store.FirstLane)
	if err != nil {
		t.Fatal(err)
	}
	defer direct.Close()
	told, cuts := uint64(0), 0
	for n := int64(0); n < 30_000; n += 173 {
		p.spare()
		p.cutAfter(int(n)%2, n)
		acknowledged, err := appendTwice(t.Context(), p.through(t, location))
		if acknowledged > 0 {
			told = acknowledged
		}
		if err != nil {
			cuts++
		}
		if head, err := direct.Head(t.Context()); err != nil || head.Size < told {
			t.Fatalf("cut after %d bytes: %d records, %d were acknowledged, %v", n, head.Size, told, err)
		}
	}
	if cuts == 0 || told == 0 {
		t.Errorf("%d cuts, %d records acknowledged: nothing was tried", cuts, told)
	}
	head := verifyAll(t, direct)
	t.Logf("%d lives cut, %d records acknowledged, %d stored", cuts, told, head.Size)
}

// appendTwice opens a store, takes it over and appends two batches. It returns the
// size that was acknowledged last.
func appendTwice(ctx context.Context, location string) (size uint64, err error) {
	st, err := postgres.Open(ctx, location, store.FirstLane)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	head, err := st.TakeOver(ctx)
	if err != nil {
		return 0, err
	}
	j, err := storetest.Resume(ctx, head, st)
	if err != nil {
		return 0, err
	}
	for range 2 {
		b := faultBatch(j)
		if err := st.Append(ctx, b); err != nil {
			return size, err
		}
		size = b.Size()
	}
	return size, nil
}

// hold makes a row of the journal wait: a transaction of its own has the lane locked
// until it is let go.
func hold(t *testing.T, location string) (release func()) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), location)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(t.Context(), "BEGIN; SELECT FROM lane FOR UPDATE"); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := conn.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
}

// eventually asks the server until it says yes.
func eventually(t *testing.T, question string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), pgtest.Start(t).URL())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		var yes bool
		if err := conn.QueryRow(t.Context(), question).Scan(&yes); err != nil {
			t.Fatal(err)
		}
		if yes {
			return
		}
	}
	t.Fatalf("it never came to pass: %s", question)
}

// appending is the server's view of an append.
const appending = "FROM pg_stat_activity WHERE query LIKE 'WITH moved%' AND state = 'active'"

// TestBackendTerminated ends the server's process of an append while it waits for
// the lane. Nothing is stored, the writer does not know it, and learns it.
func TestBackendTerminated(t *testing.T) {
	location := pgtest.Schema(t)
	st, j := begin(t, location, store.FirstLane)
	if err := st.Append(t.Context(), j.Batch(j.Some(10))); err != nil {
		t.Fatal(err)
	}
	release := hold(t, location)
	failed := make(chan error, 1)
	b := j.Batch(j.Some(10))
	go func() { failed <- st.Append(t.Context(), b) }()
	eventually(t, "SELECT count(*) = 1 "+appending+" AND wait_event_type = 'Lock'")
	eventually(t, "SELECT bool_and(pg_terminate_backend(pid)) "+appending)
	err := <-failed
	if err == nil || errors.Is(err, store.ErrFenced) || !strings.Contains(err.Error(), "unknown") {
		t.Errorf("the server's process was ended: %v", err)
	}
	release()
	again := takeOver(t, st)
	if at := again.Next().Seq; at != 10 {
		t.Errorf("%d records are stored, want 10", at)
	}
	if err := st.Append(t.Context(), again.Batch(again.Some(5))); err != nil {
		t.Error(err)
	}
	verifyAll(t, st)
}

// TestReadAfterACut cuts every connection to the server: the next reader is answered, and so is each after that,
// although the pool holds connections that were cut. A server that is gone is an error.
func TestReadAfterACut(t *testing.T) {
	server := pgtest.Own(t)
	st, j := begin(t, server.URL(), store.FirstLane)
	if err := st.Append(t.Context(), j.Batch(j.Some(10))); err != nil {
		t.Fatal(err)
	}
	ways := map[string]func() error{
		"Head":     func() error { _, err := st.Head(t.Context()); return err },
		"Volumes":  func() error { _, err := st.Volumes(t.Context()); return err },
		"Record":   func() error { _, err := st.Record(t.Context(), record.Place{Volume: 1, Seq: 3}); return err },
		"About":    func() error { _, err := st.About(t.Context(), record.Place{Volume: 1, Seq: 3}); return err },
		"Records":  func() error { return st.Records(t.Context(), 1, 0, 10, func(uint64, []byte) error { return nil }) },
		"Present":  func() error { _, err := st.Present(t.Context()); return err },
		"Bytes":    func() error { _, err := st.Bytes(t.Context()); return err },
		"Abouts":   func() error { _, err := st.Abouts(t.Context(), 1, 0, 10); return err },
		"Contents": func() error { _, err := st.Contents(t.Context()); return err },
	}
	conn, err := pgx.Connect(t.Context(), server.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	for name, ask := range ways {
		for range 3 {
			var readers sync.WaitGroup // Several at once, so that the pool has several connections.
			for range 8 {
				readers.Go(func() {
					if err := ask(); err != nil {
						t.Errorf("%s: %v", name, err)
					}
				})
			}
			readers.Wait()
			if _, err := conn.Exec(t.Context(), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "+
				"WHERE application_name = 'drawhouse' AND pid <> pg_backend_pid()"); err != nil {
				t.Fatal(err)
			}
			if err := ask(); err != nil {
				t.Errorf("%s after a cut: %v", name, err)
			}
		}
	}
	server.Stop(t)
	for name, ask := range ways {
		if err := ask(); err == nil {
			t.Errorf("%s of a server that is gone is answered", name)
		}
	}
}

// terminations is how often TestTerminatedUnderLoad ends what the server has of a writer; a soak asks for more.
var terminations = 20

// TestTerminatedUnderLoad ends the server's processes of a writer at random moments,
// again and again. What was acknowledged is there.
func TestTerminatedUnderLoad(t *testing.T) {
	location := pgtest.Schema(t)
	st, j := begin(t, location, store.FirstLane)
	rounds := terminations
	if testing.Short() {
		rounds = 15
	}
	stop := make(chan struct{})
	var killer sync.WaitGroup
	killer.Go(func() {
		conn, err := pgx.Connect(context.Background(), location)
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close(context.Background())
		for {
			select {
			case <-stop:
				return
			case <-time.After(3 * time.Millisecond):
				if _, err := conn.Exec(context.Background(), "SELECT pg_terminate_backend(pid) "+appending); err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
	told, landed := uint64(0), 0
	for failures := 0; failures < rounds; {
		b := faultBatch(j)
		err := st.Append(t.Context(), b)
		if err == nil {
			told = b.Size()
			continue
		}
		failures++
		j = takeOver(t, st)
		if at := j.Next().Seq; at != told && at != b.Size() {
			t.Fatalf("%d records are stored, %d were acknowledged, %d were asked for", at, told, b.Size())
		} else if at != told {
			landed++
		}
		told = j.Next().Seq
	}
	close(stop)
	killer.Wait()
	verifyAll(t, st)
	t.Logf("%d processes ended, %d records, %d appends that failed had landed", rounds, told, landed)
}

// TestReplicationCalledOff calls off the wait for a standby that is not there. The
// server then acknowledges the commit with a warning; the store does not.
func TestReplicationCalledOff(t *testing.T) {
	location := pgtest.Schema(t)
	st, j := begin(t, location, store.FirstLane)
	if err := st.Append(t.Context(), faultBatch(j)); err != nil {
		t.Fatal(err)
	}
	server := pgtest.Start(t)
	back := func() {
		server.Exec(t, "SET synchronous_commit = local", "ALTER SYSTEM RESET synchronous_standby_names",
			"SELECT pg_reload_conf()")
	}
	defer back()
	server.Exec(t, "ALTER SYSTEM SET synchronous_standby_names = 'nobody'", "SELECT pg_reload_conf()")
	eventually(t, "SELECT current_setting('synchronous_standby_names') = 'nobody'")
	failed := make(chan error, 1)
	b := faultBatch(j)
	go func() { failed <- st.Append(t.Context(), b) }()
	eventually(t, "SELECT count(*) = 1 "+appending+" AND wait_event = 'SyncRep'")
	eventually(t, "SELECT bool_and(pg_cancel_backend(pid)) "+appending)
	if err := <-failed; err == nil || !strings.Contains(err.Error(), "unknown") ||
		!strings.Contains(err.Error(), "replicat") {
		t.Errorf("the wait for replication was called off: %v", err)
	}
	back()
	eventually(t, "SELECT current_setting('synchronous_standby_names') = ''")
	if at := takeOver(t, st).Next().Seq; at != b.Size() {
		t.Errorf("%d records are stored, want %d", at, b.Size())
	}
	verifyAll(t, st)
}

// TestNoAnswer has a server that does not answer an append in time. The outcome is
// unknown then; and the time that an append has is not that of what comes later.
func TestNoAnswer(t *testing.T) {
	postgres.Impatient(t, 150*time.Millisecond)
	location := pgtest.Schema(t)
	st, j := begin(t, location, store.FirstLane)
	if err := st.Append(t.Context(), faultBatch(j)); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond)
	j = takeOver(t, st)
	if err := st.Append(t.Context(), faultBatch(j)); err != nil {
		t.Fatal(err)
	}
	release := hold(t, location)
	b := faultBatch(j)
	if err := st.Append(t.Context(), b); err == nil || !strings.Contains(err.Error(), "unknown") {
		t.Errorf("there was no answer: %v", err)
	}
	release()
	if at := takeOver(t, st).Next().Seq; at != b.From && at != b.Size() {
		t.Errorf("%d records are stored, the append goes from %d to %d", at, b.From, b.Size())
	}
	verifyAll(t, st)
}

// TestTakeoverWaits takes over while an append of the former writer waits on the
// server, its client gone. The takeover comes behind it and knows what became of it.
func TestTakeoverWaits(t *testing.T) {
	location, p := pgtest.Schema(t), newProxy(t)
	st, j := begin(t, p.through(t, location), store.FirstLane)
	if err := st.Append(t.Context(), faultBatch(j)); err != nil {
		t.Fatal(err)
	}
	release := hold(t, location)
	failed := make(chan error, 1)
	b := faultBatch(j)
	go func() { failed <- st.Append(t.Context(), b) }()
	eventually(t, "SELECT count(*) = 1 "+appending+" AND wait_event_type = 'Lock'")
	p.cut()
	if err := <-failed; err == nil {
		t.Fatal("an append without an answer succeeded")
	}
	successor, err := postgres.Open(t.Context(), location, store.FirstLane)
	if err != nil {
		t.Fatal(err)
	}
	defer successor.Close()
	taken := make(chan store.Head, 1)
	go func() {
		head, err := successor.TakeOver(t.Context())
		if err != nil {
			t.Error(err)
		}
		taken <- head
	}()
	eventually(t,
		"SELECT count(*) = 1 FROM pg_stat_activity WHERE query LIKE 'INSERT INTO lane%' AND wait_event_type = 'Lock'")
	release()
	head := <-taken
	if head.Size != b.Size() && head.Size != b.From {
		t.Errorf("took over at %d, the append goes from %d to %d", head.Size, b.From, b.Size())
	}
	time.Sleep(50 * time.Millisecond)
	if after := verifyAll(t, successor); after.Size != head.Size || after.Epoch != head.Epoch {
		t.Errorf("the journal moved from %+v to %+v behind the new writer's back", head, after)
	}
}
