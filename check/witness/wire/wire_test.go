package wire

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"drawhouse/check/witness"
	"drawhouse/core/limit"
	"drawhouse/games/beacon"
	"drawhouse/games/draw"
	"drawhouse/journal"
)

const testHouse = "keno.example"

var testGame = journal.Game{Series: "vic-keno", Day: "2026-11-15", Number: 417}

func testKey(t testing.TB, name string) (journal.Signer, string, journal.Verifier) {
	t.Helper()
	return makeKey(t, name, strings.Repeat(name, 32))
}

// linksKey returns the key of a custodian's commitments.
func linksKey(t testing.TB, name string) (journal.Signer, string, journal.Verifier) {
	t.Helper()
	return makeKey(t, name, strings.Repeat("links of "+name, 32))
}

func makeKey(t testing.TB, name, entropy string) (journal.Signer, string, journal.Verifier) {
	t.Helper()
	skey, vkey, err := journal.GenerateKey(strings.NewReader(entropy), name)
	if err != nil {
		t.Fatal(err)
	}
	signer, err1 := journal.ParseSigner(skey)
	verifier, err2 := journal.ParseVerifier(vkey)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	return signer, vkey, verifier
}

// A house is a journal with a key.
type house struct {
	t    testing.TB
	tree *journal.Tree
}

func newHouse(t testing.TB, records int) *house {
	return (&house{t, journal.NewTree()}).sell(records, "record")
}

func (h *house) sell(n int, says string) *house {
	for range n {
		h.tree.Append(fmt.Appendf(nil, "%s %d", says, h.tree.Size()))
	}
	return h
}

func (h *house) fork() *house { return &house{h.t, h.tree.Clone()} }

func (h *house) checkpoint() journal.Checkpoint {
	return journal.Checkpoint{Origin: journal.VolumeOrigin(testHouse, 1), Size: h.tree.Size(), Root: h.tree.Root()}
}

func (h *house) sign(c journal.Checkpoint) ([]byte, error) {
	signer, _, _ := testKey(h.t, testHouse)
	return journal.SignCheckpoint(c, signer)
}

func (h *house) prove(oldSize, newSize uint64) (journal.TreeProof, error) {
	return journal.ProveTree(oldSize, newSize, journal.NewReader(h.tree, nil))
}

func (h *house) signed() []byte {
	h.t.Helper()
	msg, err := h.sign(h.checkpoint())
	if err != nil {
		h.t.Fatal(err)
	}
	return msg
}

// seal seals a game over the journal as it is.
func (h *house) seal(number uint32) journal.Seal {
	h.t.Helper()
	signer, _, verifier := testKey(h.t, testHouse)
	game := testGame
	game.Number = number
	msg, err1 := journal.SignSeal(journal.SealBody{Checkpoint: h.checkpoint(), Game: game}, signer)
	seal, err2 := journal.OpenSeal(msg, verifier)
	if err := errors.Join(err1, err2); err != nil {
		h.t.Fatal(err)
	}
	return seal
}

func (h *house) group(members ...Member) *Group {
	return &Group{Members: members, Timeout: 5 * time.Second, Sign: h.sign,
		Prove: func(context.Context, string) Prover { return h.prove }}
}

// An office is a witness on a server, with what survives it.
type office struct {
	t     testing.TB
	name  string
	state string
	links *draw.Links
	later *draw.Links // of the next day
	// beacons are those that its people accept beside the one that everybody knows.
	beacons []beacon.Chain
	peers   []string            // all custodians; nil if it is a witness alone
	policy  func([]byte) string // what else must have cosigned
	source  *shown
	others  []LogFollower      // who else keeps a copy
	asks    []LogWitness       // of its policy
	knows   []journal.Verifier // beside the key of the house
	late    atomic.Int64       // seconds behind cosignsAt at which the office cosigns

	server *Server
	http   *httptest.Server
}

// shown is the log that is shown to an office.
type shown struct{ log *publicLog }

func (s *shown) Read(ctx context.Context, path string) ([]byte, error) { return s.log.Read(ctx, path) }

func newOffice(t testing.TB, name string) *office {
	t.Helper()
	return newCustodian(t, name, nil)
}

// cosignsAt is when the custodians of these tests cosign.
var cosignsAt = time.Unix(1_794_711_600, 0)

// newCustodian is newOffice for one of several custodians.
func newCustodian(t testing.TB, name string, log *publicLog, peers ...string) *office {
	t.Helper()
	o := &office{t: t, name: name, state: filepath.Join(t.TempDir(), "state"), peers: peers,
		source: &shown{log}}
	var err error
	if o.links, err = draw.NewLinks(entropy(name),
		draw.ChainName{Custodian: name, Series: testGame.Series, Day: testGame.Day, First: 400, Games: 100}); err != nil {
		t.Fatal(err)
	}
	later := o.links.Name()
	later.Day = laterDay.String()
	if o.later, err = draw.NewLinks(entropy("later "+name), later); err != nil {
		t.Fatal(err)
	}
	o.start()
	t.Cleanup(func() { o.stop() })
	return o
}

func (o *office) cosigner() *witness.Cosigner {
	o.t.Helper()
	signer, vkey, _ := testKey(o.t, o.name)
	c, err := witness.NewCosigner(signer, vkey)
	if err != nil {
		o.t.Fatal(err)
	}
	return c
}

// entropy returns bytes that are always the same for a name.
func entropy(name string) io.Reader { return rand.NewChaCha8(sha256.Sum256([]byte(name))) }

func verifierOf(t testing.TB, name string) *witness.Verifier {
	t.Helper()
	signer, vkey, _ := testKey(t, name)
	c, err := witness.NewCosigner(signer, vkey)
	if err != nil {
		t.Fatal(err)
	}
	return c.Verifier
}

func custodianOf(t testing.TB, name string) witness.Custodian {
	t.Helper()
	_, key, _ := linksKey(t, name)
	c, err := witness.NewCustodian(verifierOf(t, name), key)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (o *office) start() {
	o.t.Helper()
	_, _, house := testKey(o.t, testHouse)
	config := ServerConfig{
		Cosigner: o.cosigner(), Watch: witness.NewWatch(append(o.knows, house)...), Commitments: [][]byte{[]byte("a note\n")},
		State: o.state, Now: func() time.Time { return cosignsAt.Add(time.Duration(o.late.Load()) * time.Second) },
	}
	if len(o.peers) > 0 {
		_, key, _ := testKey(o.t, testHouse)
		gate := witness.GateConfig{House: []string{key}, Own: o.name, Policy: o.policy, Beacons: o.beacons}
		for _, name := range o.peers {
			gate.Custodians = append(gate.Custodians, custodianOf(o.t, name))
		}
		var err error
		if config.Custody, err = witness.NewCustody(gate); err != nil {
			o.t.Fatal(err)
		}
		config.Source, config.Followers = o.source, o.others
		config.Witnesses = o.asks
		for _, links := range []*draw.Links{o.links, o.later} {
			if err := config.Custody.Hold(links); err != nil {
				o.t.Fatal(err)
			}
		}
	}
	server, err := NewServer(config)
	if err != nil {
		o.t.Fatal(err)
	}
	o.server, o.http = server, httptest.NewServer(server)
}

func (o *office) stop() {
	o.http.Close()
	_ = o.server.Close()
}

// copyBook returns a copy of the book as it is.
func (o *office) copyBook() string {
	o.t.Helper()
	data, err := os.ReadFile(o.state)
	if err != nil {
		o.t.Fatal(err)
	}
	path := o.state + ".old"
	if err := os.WriteFile(path, data, 0o600); err != nil {
		o.t.Fatal(err)
	}
	return path
}

func (o *office) restart() {
	o.stop()
	o.start()
}

func (o *office) client() *Client {
	return &Client{URL: o.http.URL, Witness: o.cosigner().Verifier}
}

// post sends a request as it is.
func (o *office) post(path string, request []byte) (status int, contentType, answer string) {
	o.t.Helper()
	r, err := http.Post(o.http.URL+path, "text/plain", bytes.NewReader(request)) //nolint:bodyclose // answer closes it.
	return o.answer(r, err)
}

// answer reads an answer.
func (o *office) answer(r *http.Response, err error) (status int, contentType, answer string) {
	o.t.Helper()
	if err != nil {
		o.t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }()
	data, err := io.ReadAll(r.Body)
	if err != nil {
		o.t.Fatal(err)
	}
	return r.StatusCode, r.Header.Get("Content-Type"), string(data)
}

// TestStatuses has every status of C2SP tlog-witness over the wire.
func TestStatuses(t *testing.T) {
	o, h := newOffice(t, "inspector.example"), newHouse(t, 7)
	stranger := bytes.ReplaceAll(h.signed(), []byte("keno.example"), []byte("stranger.example"))
	unsigned := bytes.Replace(h.signed(), []byte("\n7\n"), []byte("\n8\n"), 1)
	first := witness.Request{Checkpoint: h.signed()}.Marshal()
	if status, _, lines := o.post("/add-checkpoint", first); status != 200 ||
		!strings.HasPrefix(lines, "— inspector.example ") || !strings.HasSuffix(lines, "\n") {
		t.Fatalf("%d %q", status, lines)
	}
	other := newHouse(t, 0).sell(7, "other")
	longer := h.fork().sell(3, "record")
	for _, c := range []struct {
		name    string
		request []byte
		status  int
	}{
		{"nothing", nil, 400},
		{"too much", bytes.Repeat([]byte("x"), witness.MaxRequest+1), 400},
		{"old above new", witness.Request{Old: 8, Checkpoint: h.signed()}.Marshal(), 400},
		{"unknown log", witness.Request{Checkpoint: stranger}.Marshal(), 404},
		{"wrong signature", witness.Request{Checkpoint: unsigned}.Marshal(), 403},
		{"two roots", witness.Request{Old: 7, Checkpoint: other.signed()}.Marshal(), 422},
		{"no proof", witness.Request{Old: 7, Checkpoint: longer.signed()}.Marshal(), 422},
	} {
		if status, contentType, answer := o.post("/add-checkpoint", c.request); status != c.status ||
			contentType == sizeType || len(answer) < 10 {
			t.Errorf("%s: %d %s %q, want %d", c.name, status, contentType, answer, c.status)
		}
	}
	if status, contentType, answer := o.post("/add-checkpoint", first); status != 409 ||
		contentType != "text/x.tlog.size" || answer != "7\n" {
		t.Errorf("another old size: %d %s %q", status, contentType, answer)
	}
	w := httptest.NewRecorder()
	if o.server.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/add-checkpoint",
		nil)); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("GET: %d", w.Code)
	}
}

func TestClientFindsWhereTheWitnessStands(t *testing.T) {
	o, h := newOffice(t, "inspector.example"), newHouse(t, 7)
	for _, guess := range []uint64{0, 3, 99} {
		found, err := o.client().Cosign(t.Context(), h.sell(5, "record").signed(), guess, h.prove)
		if err != nil || found.Name != "inspector.example" || found.Time != 1_794_711_600 {
			t.Fatalf("guess %d: %+v, %v", guess, found, err)
		}
	}
}

// TestForkedLog shows two histories to one witness.
func TestForkedLog(t *testing.T) {
	o, one := newOffice(t, "inspector.example"), newHouse(t, 7)
	other := one.fork()
	if _, err := o.client().Cosign(t.Context(), one.sell(5, "one").signed(), 0, one.prove); err != nil {
		t.Fatal(err)
	}
	// Of the same length, it is proof of two journals; longer, it has no proof.
	if _, err := o.client().Cosign(t.Context(), other.sell(5, "other").signed(), 0, other.prove); !errors.Is(err,
		ErrRefused) || !strings.Contains(err.Error(), "two journals of 12 records") {
		t.Errorf("two roots: %v", err)
	}
	if _, err := o.client().Cosign(t.Context(), other.sell(5, "other").signed(), 0, other.prove); !errors.Is(err,
		ErrRefused) || !strings.Contains(err.Error(), "422") {
		t.Errorf("a longer fork: %v", err)
	}
	data, err := os.ReadFile(o.state)
	if err != nil || strings.Count(string(data), `"forked"`) != 1 {
		t.Errorf("the proof of the fork is not recorded once: %s, %v", data, err)
	}
	o.restart()
	if _, err := o.client().Cosign(t.Context(), one.sell(1, "one").signed(), 0, one.prove); err != nil {
		t.Errorf("the log that was first: %v", err)
	}
}

// TestRestoredBackup has a house come back with fewer records than were cosigned.
func TestRestoredBackup(t *testing.T) {
	o, h := newOffice(t, "inspector.example"), newHouse(t, 7)
	backup := h.fork()
	if _, err := o.client().Cosign(t.Context(), h.sell(5, "record").signed(), 0, h.prove); err != nil {
		t.Fatal(err)
	}
	_, err := o.client().Cosign(t.Context(), backup.sell(1, "after the restore").signed(), 0, backup.prove)
	if !errors.Is(err, ErrAhead) || !strings.Contains(err.Error(), "cosigned 12 records, and keno.example/v1 has 8") {
		t.Errorf("fewer records: %v", err)
	}
}

// TestRestartRemembers kills the witness after each answer: what it signed binds it.
func TestRestartRemembers(t *testing.T) {
	o, h := newOffice(t, "inspector.example"), newHouse(t, 0)
	for range 4 {
		fork := h.fork()
		if _, err := o.client().Cosign(t.Context(), h.sell(3, "record").signed(), h.tree.Size()-3, h.prove); err != nil {
			t.Fatal(err)
		}
		o.restart()
		if _, err := o.client().Cosign(t.Context(), fork.sell(3, "other").signed(), fork.tree.Size()-3,
			fork.prove); !errors.Is(err, ErrRefused) {
			t.Errorf("after a restart, a fork: %v", err)
		}
	}
}

// TestForgedState has somebody write another history into the witness's file.
func TestForgedState(t *testing.T) {
	o, h := newOffice(t, "inspector.example"), newHouse(t, 3)
	if _, err := o.client().Cosign(t.Context(), h.signed(), 0, h.prove); err != nil {
		t.Fatal(err)
	}
	forged := bytes.Replace(h.signed(), []byte("\n3\n"), []byte("\n2\n"), 1)
	if err := o.server.append(entry{Cosigned: string(forged)}); err != nil {
		t.Fatal(err)
	}
	_ = o.server.Close()
	_, _, house := testKey(t, testHouse)
	_, err := NewServer(ServerConfig{Cosigner: o.cosigner(), Watch: witness.NewWatch(house), State: o.state,
		Now: time.Now})
	if err == nil || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("a witness started on a forged record: %v", err)
	}
}

// TestNothingLeavesBeforeItIsDurable closes the book under the witness: it answers
// without a signature, and keeps nothing in mind that it did not write down.
func TestNothingLeavesBeforeItIsDurable(t *testing.T) {
	o, h := newOffice(t, "inspector.example"), newHouse(t, 3)
	if err := o.server.book.Close(); err != nil {
		t.Fatal(err)
	}
	status, _, answer := o.post("/add-checkpoint", witness.Request{Checkpoint: h.signed()}.Marshal())
	if status != http.StatusInternalServerError || strings.Contains(answer, "—") {
		t.Errorf("%d %q", status, answer)
	}
	if _, ok := o.server.config.Watch.Latest(h.checkpoint().Origin); ok {
		t.Error("a checkpoint was kept that is not durable")
	}
	s := newStage(t)
	e := witness.LinkRequest{Game: s.seal().name, Checkpoint: s.quorum()}.Marshal()
	if err := s.offices[0].server.book.Close(); err != nil {
		t.Fatal(err)
	}
	status, _, answer = s.offices[0].post("/ask-link", e)
	if status != http.StatusInternalServerError || strings.Contains(answer, "link ") {
		t.Errorf("%d %q", status, answer)
	}
}

// TestConcurrentForks asks for two histories at the same moment, many times over:
// one of them at most is signed at each size.
func TestConcurrentForks(t *testing.T) {
	o, h := newOffice(t, "inspector.example"), newHouse(t, 1)
	if _, err := o.client().Cosign(t.Context(), h.signed(), 0, h.prove); err != nil {
		t.Fatal(err)
	}
	for round := range 20 {
		forks := []*house{h.fork().sell(2, "one"), h.fork().sell(2, "other"), h.fork().sell(2, "third")}
		results := make(chan error, len(forks))
		for _, f := range forks {
			go func() {
				_, err := o.client().Cosign(t.Context(), f.signed(), h.tree.Size(), f.prove)
				results <- err
			}()
		}
		signed := 0
		for range forks {
			if err := <-results; err == nil {
				signed++
			}
		}
		if signed != 1 {
			t.Fatalf("round %d: %d histories were signed", round, signed)
		}
		for _, f := range forks {
			if o.server.config.Watch.IsLatest(f.checkpoint()) {
				h = f
			}
		}
	}
}

func TestLatestAndAbout(t *testing.T) {
	o, h := newOffice(t, "inspector.example"), newHouse(t, 3)
	if _, err := o.client().Cosign(t.Context(), h.signed(), 0, h.prove); err != nil {
		t.Fatal(err)
	}
	get := func(path string) (int, string) {
		r, err := http.Get(o.http.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = r.Body.Close() }()
		data, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return r.StatusCode, string(data)
	}
	status, msg := get("/latest?origin=keno.example/v1")
	found, err := witness.Cosignatures([]byte(msg), o.cosigner().Verifier)
	if status != 200 || err != nil || len(found) != 1 || !strings.HasPrefix(msg, h.checkpoint().Marshal()) {
		t.Errorf("%d %s: %v", status, msg, err)
	}
	if status, _ := get("/latest?origin=other.example/v1"); status != 404 {
		t.Errorf("another log: %d", status)
	}
	if status, text := get("/"); status != 200 || !strings.Contains(text, o.cosigner().String()) {
		t.Errorf("%d %q", status, text)
	}
	if status, text := get("/commitments"); status != 200 || !strings.Contains(text, "a note") {
		t.Errorf("%d %q", status, text)
	}
}

// TestAnswersThatAreNone has a witness that says yes and signs nothing of worth.
func TestAnswersThatAreNone(t *testing.T) {
	h, o := newHouse(t, 3), newOffice(t, "inspector.example")
	other, err := newOffice(t, "other.example").cosigner().Cosign(h.checkpoint(), 1)
	if err != nil {
		t.Fatal(err)
	}
	longer, err := o.cosigner().Cosign(h.fork().sell(1, "record").checkpoint(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for name, answer := range map[string]string{"nothing": "", "words": "signed\n", "another witness": string(other),
		"another checkpoint": string(longer)} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_,
				_ = io.WriteString(w, answer)
		}))
		client := &Client{URL: server.URL, Witness: o.cosigner().Verifier}
		if found, err := client.Cosign(t.Context(), h.signed(), 0, h.prove); !errors.Is(err, ErrAnswer) {
			t.Errorf("%s: %+v, %v", name, found, err)
		}
		server.Close()
	}
	liar := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", sizeType)
		w.WriteHeader(http.StatusConflict)
		_, _ = io.WriteString(w, "2\n")
	}))
	defer liar.Close()
	client := &Client{URL: liar.URL, Witness: o.cosigner().Verifier}
	if _, err := client.Cosign(t.Context(), h.signed(), 0, h.prove); !errors.Is(err, ErrRefused) {
		t.Errorf("a witness that never goes on: %v", err)
	}
	liar.Close()
	if _, err := client.Cosign(t.Context(), h.signed(), 0, h.prove); !errors.Is(err, ErrUnreachable) {
		t.Errorf("a witness that is gone: %v", err)
	}
}

// TestPolicies asks a witness that signs and one that hangs.
func TestPolicies(t *testing.T) {
	h, o := newHouse(t, 3), newOffice(t, "inspector.example")
	release := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	defer slow.Close()
	defer close(release)
	hanging := &Client{URL: slow.URL, Witness: newOffice(t, "slow.example").cosigner().Verifier}
	for _, policy := range []Policy{Required, Expected, ""} {
		g := h.group(Member{Client: o.client(), Policy: Required}, Member{Client: hanging, Policy: policy})
		g.Timeout = time.Second // The one that hangs does so until the test ends.
		c, err := g.CosignSeal(t.Context(), h.seal(417))
		if (err == nil) != (policy == Expected) {
			t.Errorf("%q: %v", policy, err)
		}
		if err != nil && !errors.Is(err, ErrUnreachable) {
			t.Errorf("%q: %v", policy, err)
		}
		if len(c.By) != 1 || len(c.Missing) != 1 || c.Missing[0].Name != "slow.example" ||
			!errors.Is(c.Missing[0].Err, context.DeadlineExceeded) {
			t.Errorf("%q: %+v", policy, c)
		}
		_, _, verifier := testKey(t, testHouse)
		seal, err := journal.OpenSeal(c.Seal, verifier, o.cosigner().OfSeals())
		if err != nil || len(seal.Signers()) != 2 {
			t.Errorf("%q: the seal is signed by %q: %v", policy, seal.Signers(), err)
		}
		if found, err := witness.Cosignatures(c.Checkpoint, o.cosigner().Verifier); err != nil || len(found) != 1 {
			t.Errorf("%q: the checkpoint is cosigned by %v: %v", policy, found, err)
		}
	}
}

// get asks for a page.
func (o *office) get(path string) (status int, contentType, answer string) {
	o.t.Helper()
	r, err := http.Get(o.http.URL + path) //nolint:bodyclose // answer closes it.
	return o.answer(r, err)
}

// TestTooManyRequests has an address ask a custodian too often. It is told when to come
// again, nothing is decided meanwhile, and others are answered.
func TestTooManyRequests(t *testing.T) {
	s := newStage(t)
	p := s.seal()
	request := witness.LinkRequest{Game: p.name, Checkpoint: s.quorum()}.Marshal()
	now := time.Unix(1_794_711_600, 0)
	server := s.offices[0].server
	server.perAddress = limit.New(2, func() time.Time { return now })
	ask := func(from string, request []byte) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, "/ask-link", bytes.NewReader(request))
		r.RemoteAddr = from
		w := httptest.NewRecorder()
		server.ServeHTTP(w, r)
		return w
	}
	for n := range 2*limit.Burst + 1 {
		if w := ask("198.51.100.7:1", []byte("{}")); w.Code != http.StatusBadRequest {
			t.Fatalf("request %d: %d", n, w.Code)
		}
	}
	if w := ask("198.51.100.7:2", request); w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") != "1" {
		t.Errorf("%d %s, Retry-After %q", w.Code, w.Body, w.Header().Get("Retry-After"))
	}
	if games := server.config.Custody.Gate.Games(now.Unix()); len(games) != 0 {
		t.Errorf("links were given out: %v", games)
	}
	for _, from := range []string{"198.51.100.8:1", "127.0.0.1:1"} {
		if w := ask(from, request); w.Code != http.StatusOK {
			t.Errorf("%s: %d %s", from, w.Code, w.Body)
		}
	}
	now = now.Add(time.Second)
	if w := ask("198.51.100.7:1", request); w.Code != http.StatusOK {
		t.Errorf("after the wait: %d %s", w.Code, w.Body)
	}
}
