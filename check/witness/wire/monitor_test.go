package wire

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"drawhouse/check/witness"
	"drawhouse/journal"
)

// TestMonitoring asks for the newest checkpoint at the address that C2SP tlog-witness gives it: with the signature of
// the log and the cosignature that add-checkpoint has answered with, also after a restart, and with nothing of others.
func TestMonitoring(t *testing.T) {
	o, h := newOffice(t, "inspector.example"), newHouse(t, 3)
	// SHA-256 of keno.example/v1, by sha256sum.
	const path = "/734f137000efd8a664995e484d28acf340a6e331e08a457b2e5445d322e45636/checkpoint"
	get := func() (int, string) {
		r, err := http.Get(o.http.URL + path) //nolint:bodyclose // answer closes it.
		status, _, text := o.answer(r, err)
		return status, text
	}
	if status, _ := get(); status != 404 {
		t.Errorf("before the first cosignature: %d", status)
	}
	stranger, _, _ := testKey(t, "stranger.example")
	for range 2 {
		own, _, _ := testKey(t, testHouse)
		msg, err := journal.SignCheckpoint(h.checkpoint(), stranger, own)
		if err != nil {
			t.Fatal(err)
		}
		proof, err := h.prove(h.tree.Size()/4*3, h.tree.Size())
		if err != nil {
			t.Fatal(err)
		}
		status, _, line := o.post("/add-checkpoint",
			witness.Request{Old: h.tree.Size() / 4 * 3, Proof: proof, Checkpoint: msg}.Marshal())
		if status != 200 {
			t.Fatalf("%d %s", status, line)
		}
		want := string(h.signed()) + line
		for range 2 {
			if status, text := get(); status != 200 || text != want {
				t.Errorf("%d %q, want %q", status, text, want)
			}
			o.restart()
		}
		h.sell(1, "record")
	}
	old := h.fork()
	o.stop()
	// A book of before has no times.
	o.state = filepath.Join(t.TempDir(), "old")
	o.start()
	if err := o.server.append(entry{Cosigned: string(old.signed())}); err != nil {
		t.Fatal(err)
	}
	o.restart()
	status, text := get()
	found, err := witness.Cosignatures([]byte(text), o.cosigner().Verifier)
	if status != 200 || err != nil || len(found) != 1 {
		t.Errorf("%d %q, %v", status, text, err)
	}
	if _, again := get(); again != text {
		t.Errorf("%q and then %q", text, again)
	}
}

// TestIntroduceOverTheWire has a house introduce its log. The witness keeps that over a restart, and answers for a
// second log of the same name with 422.
func TestIntroduceOverTheWire(t *testing.T) {
	o := newOffice(t, "inspector.example")
	house, houseKey, _ := testKey(t, testHouse)
	origin := journal.LogOrigin(testHouse, 1)
	begin := func(entropy string) ([]byte, journal.Signer) {
		secret, vkey, err1 := journal.GenerateKey(strings.NewReader(strings.Repeat(entropy, 32)), origin)
		log, err2 := journal.ParseSigner(secret)
		note, err3 := journal.SignLog(journal.LogBody{Origin: origin, Key: vkey, HouseKey: houseKey, DeviceKey: houseKey,
			Journal: newHouse(t, 0).checkpoint()}, log, house)
		if err := errors.Join(err1, err2, err3); err != nil {
			t.Fatal(err)
		}
		return note, log
	}
	note, log := begin("one")
	h := newHouse(t, 3)
	c := h.checkpoint()
	c.Origin = origin
	msg, err := journal.SignCheckpoint(c, log)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.client().Cosign(t.Context(), msg, 0, h.prove); !errors.Is(err, ErrUnknownLog) {
		t.Errorf("before: %v", err)
	}
	if err := o.client().Introduce(t.Context(), []byte("no log")); !errors.Is(err, ErrRefused) {
		t.Errorf("no log: %v", err)
	}
	for range 2 {
		if err := o.client().Introduce(t.Context(), note); err != nil {
			t.Fatal(err)
		}
		if _, err := o.client().Cosign(t.Context(), msg, 0, h.prove); err != nil {
			t.Error(err)
		}
		o.restart()
	}
	other, _ := begin("two")
	if status, _, text := o.post("/add-log", other); status != 422 || !strings.Contains(text, "one log has one key") {
		t.Errorf("another log: %d %s", status, text)
	}
	if err := o.server.book.Close(); err != nil {
		t.Fatal(err)
	}
	third := bytes.Clone(note)
	if status, _, text := o.post("/add-log", third); status != 200 {
		t.Errorf("what is known needs no line in the book: %d %s", status, text)
	}
}

// TestOneKeySaysOneThing has a witness that replays begin with the book of one that does not, and the other way round.
func TestOneKeySaysOneThing(t *testing.T) {
	_, _, house := testKey(t, testHouse)
	cosigner := verifierOf(t, "inspector.example")
	signer, vkey, _ := testKey(t, cosigner.Name())
	open := func(state string, replays bool) error {
		c, err := witness.NewCosigner(signer, vkey)
		if err != nil {
			t.Fatal(err)
		}
		config := ServerConfig{Cosigner: c, Watch: witness.NewWatch(house), State: state, Now: time.Now}
		if replays {
			config.Agree = func(context.Context, journal.Checkpoint) error { return nil }
		}
		server, err := NewServer(config)
		if err != nil {
			return err
		}
		return server.Close()
	}
	for _, first := range []bool{false, true} {
		state := filepath.Join(t.TempDir(), "state")
		for range 2 {
			if err := open(state, first); err != nil {
				t.Fatal(err)
			}
		}
		if err := open(state, !first); err == nil || !strings.Contains(err.Error(), "a name and a key of its own") {
			t.Errorf("replays at first %v, then %v: %v", first, !first, err)
		}
	}
}

// TestOtherHistory reads what witnesses of now and of before answer to another root: both mean the same.
func TestOtherHistory(t *testing.T) {
	h := newHouse(t, 3)
	for status, want := range map[int]error{409: ErrOther, 422: ErrOther, 404: ErrUnknownLog, 403: ErrRefused,
		500: ErrRefused} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, "9\n")
		}))
		client := &Client{URL: server.URL, Witness: verifierOf(t, "inspector.example")}
		_, err := client.Cosign(t.Context(), h.signed(), 0, h.prove)
		server.Close()
		if !errors.Is(err, want) || !errors.Is(err, ErrRefused) || want == ErrRefused && (errors.Is(err, ErrOther) ||
			errors.Is(err, ErrUnknownLog)) {
			t.Errorf("%d: %v", status, err)
		}
	}
}

// FuzzAddCheckpoint sends anything to a witness. It answers with a status of C2SP tlog-witness, and signs what the log
// has signed and nothing else.
func FuzzAddCheckpoint(f *testing.F) {
	_, _, house := testKey(f, testHouse)
	h := newHouse(f, 7)
	good := [][]byte{witness.Request{Checkpoint: h.signed()}.Marshal()}
	proof, err := h.sell(4, "record").prove(7, 11)
	if err != nil {
		f.Fatal(err)
	}
	good = append(good, witness.Request{Old: 7, Proof: proof, Checkpoint: h.signed()}.Marshal(),
		witness.Request{Checkpoint: h.fork().sell(1, "other").signed()}.Marshal())
	for _, seed := range good {
		f.Add(seed)
	}
	f.Add([]byte("old 0\n\ngo.sum database tree\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n— x AAAAAAAA\n"))
	signer, vkey, _ := testKey(f, "inspector.example")
	cosigner, err := witness.NewCosigner(signer, vkey)
	if err != nil {
		f.Fatal(err)
	}
	state := f.TempDir()
	f.Fuzz(func(t *testing.T, request []byte) {
		server, err := NewServer(ServerConfig{Cosigner: cosigner, Watch: witness.NewWatch(house),
			State: filepath.Join(state, "state"), Now: func() time.Time { return time.Unix(1_794_711_600, 0) }})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = server.Close() }()
		w := httptest.NewRecorder()
		server.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/add-checkpoint", bytes.NewReader(request)))
		known := slices.ContainsFunc(good, func(g []byte) bool { return bytes.Equal(g, request) })
		switch signed := strings.Contains(w.Body.String(), "— "); {
		case !slices.Contains([]int{200, 400, 403, 404, 409, 422}, w.Code):
			t.Errorf("%q: status %d", request, w.Code)
		case signed != (w.Code == 200):
			t.Errorf("%q: %d %s", request, w.Code, w.Body)
		case signed && !known:
			// A note has spellings: signatures of strangers may stand in it. What is signed is the house's.
			if r, err := witness.ParseRequest(request); err != nil || !slices.ContainsFunc(good, func(g []byte) bool {
				one, _, _ := bytes.Cut(r.Checkpoint, []byte("\n\n"))
				return bytes.Contains(g, append(one, "\n\n"...))
			}) {
				t.Errorf("%q is signed", request)
			}
		}
	})
}

// slow is a witness that answers when it is let.
func slow(t *testing.T, o *office) (member Member, let func()) {
	t.Helper()
	gate := make(chan struct{})
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, err := io.ReadAll(r.Body) // A client that goes away is noticed once its request is read.
		if err != nil {
			return
		}
		select {
		case <-gate:
		case <-r.Context().Done():
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(data))
		o.server.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	return Member{Client: &Client{URL: front.URL, Witness: o.cosigner().Verifier}, Policy: Expected},
		sync.OnceFunc(func() { close(gate) })
}

// TestNotWithTheSlowest has a group go on with all who must sign and more than half of the others, and wait for one
// that must sign. Who has signed is not asked again.
func TestNotWithTheSlowest(t *testing.T) {
	h := newHouse(t, 3)
	member := func(name string, policy Policy) Member {
		return Member{Client: newOffice(t, name).client(), Policy: policy}
	}
	first, letFirst := slow(t, newOffice(t, "first.example"))
	defer letFirst()
	must, quick := member("must.example", Required), member("quick.example", Expected)
	for _, c := range []struct {
		members []Member
		waits   bool
		by      int
	}{
		{[]Member{must, quick}, false, 2},                                           // above
		{[]Member{must, quick, member("other.example", Expected), first}, false, 3}, // at: two of three
		{[]Member{must, quick, first}, true, 2},                                     // below: one of two
	} {
		g := h.group(c.members...)
		g.Hurry, g.Timeout = true, 10*time.Second
		if c.waits {
			g.Timeout = 300 * time.Millisecond
		}
		began := time.Now()
		got, err := g.CosignNote(t.Context(), h.checkpoint(), h.signed())
		if took := time.Since(began); err != nil || len(got.By) != c.by || c.waits != (took >= g.Timeout) {
			t.Errorf("%d members: %d signatures after %v, %v", len(c.members), len(got.By), took, err)
		}
	}
	first.Policy = LogOnly
	g := h.group(quick, first)
	g.Hurry, g.Timeout = true, 300*time.Millisecond
	got, err := g.CosignNote(t.Context(), h.checkpoint(), h.signed())
	if !errors.Is(err, ErrUnreachable) || len(got.By) != 1 || len(got.Missing) != 1 {
		t.Fatalf("without one that must sign: %+v, %v", got, err)
	}
	letFirst()
	asked := 0
	g.Timeout = 10 * time.Second
	g.Prove = func(context.Context, string) Prover { asked++; return h.prove }
	got, err = g.CosignMissing(t.Context(), h.checkpoint(), got)
	if err != nil || len(got.By) != 2 || len(got.Missing) != 0 || asked != 1 {
		t.Errorf("%d were asked again: %+v, %v", asked, got, err)
	}
	if found, err := witness.Cosignatures(got.Checkpoint, quick.Witness, first.Witness); err != nil || len(found) != 2 {
		t.Errorf("%d signatures are under the note, %v", len(found), err)
	}
	if of := OfJournal([]Member{must, first, quick}); len(of) != 2 {
		t.Errorf("%d members cosign the journal", len(of))
	}
}
