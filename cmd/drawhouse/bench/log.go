package bench

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"drawhouse/check/watch"
	"drawhouse/check/witness"
	"drawhouse/check/witness/wire"
	"drawhouse/cmd/drawhouse/console"
	"drawhouse/cmd/drawhouse/demo"
	"drawhouse/decide/engine"
	"drawhouse/house"
	"drawhouse/journal"
	"drawhouse/journal/public"
)

// logCmd measures what the public log costs: its size, what a draw waits for its witnesses, and reading it.
type logCmd struct {
	Games    int    `default:"200" placeholder:"N" help:"Games that are played (${default})."`
	Tickets  int    `default:"100" placeholder:"N" help:"Tickets that are sold in each (${default})."`
	Database string `placeholder:"URL" help:"PostgreSQL database to measure. A schema is made in it and removed again."`
	Dir      string `placeholder:"DIR" help:"Directory on the disk to measure, of house and witnesses; the system's for temporary files if not given."`
	JSON     bool   `name:"json" help:"Write the report as JSON."`
}

// logWitnesses is how many witnesses the house waits for, each with a book that is durable before it answers.
const logWitnesses = 3

// gamesOfADay is how many games of three minutes a day has.
const gamesOfADay = 24 * 60 / 3

// logReport is what the public log came to.
type logReport struct {
	Machine   machine  `json:"machine"`
	Games     int      `json:"games"`
	Tickets   int      `json:"tickets_a_game"`
	Entries   float64  `json:"entries_a_game"`
	Bytes     float64  `json:"bytes_a_game"`
	DayCount  int64    `json:"entries_a_day"`
	DayBytes  int64    `json:"bytes_a_day"`
	Quorum    logWaits `json:"seal_to_first_number"`
	Alone     logWaits `json:"without_witnesses"`
	Bare      logWaits `json:"bare_requests"`
	Times     float64  `json:"times_bare"` // of the medians
	Read      float64  `json:"entries_read_a_second"`
	Verified  float64  `json:"signatures_a_second"`
	ReadTimes float64  `json:"entries_a_signature"`
}

// logWaits is how long something took.
type logWaits struct {
	P50Micros int64 `json:"p50_us"`
	P99Micros int64 `json:"p99_us"`
}

func logWaitsOf(took []time.Duration) logWaits {
	l := lap{waits: slices.Sorted(slices.Values(took))}
	return logWaits{l.wait(50).Microseconds(), l.wait(99).Microseconds()}
}

// Run implements the command.
func (c *logCmd) Run(out *bytes.Buffer) error {
	if err := errors.Join(checkCount("--games", c.Games, 900), checkCount("--tickets", c.Tickets, 10_000)); err != nil {
		return err
	}
	_, err := measured(out, c.Dir, c.Database, c.JSON, c.measure)
	return err
}

func (c *logCmd) measure(ctx context.Context, place *site) (r *logReport, err error) {
	line := newStatusLine(os.Stderr)
	defer line.clear()
	alone, err := openLogHouse(ctx, place, "alone", c.Tickets, 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, alone.end(ctx)) }()
	witnessed, err := openLogHouse(ctx, place, "witnessed", c.Tickets, logWitnesses)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, witnessed.end(ctx)) }()
	bare, err := openBare(place.dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, bare.end(ctx)) }()
	var took [3][]time.Duration
	for game := range c.Games {
		line.show("game %d of %d", game+1, c.Games)
		for i, once := range []func() (time.Duration, error){
			func() (time.Duration, error) { return witnessed.play(ctx, c.Tickets) },
			func() (time.Duration, error) { return alone.play(ctx, c.Tickets) },
			func() (time.Duration, error) { return bare.ask(ctx) },
		} {
			one, err := once()
			if err != nil {
				return nil, err
			}
			took[i] = append(took[i], one)
		}
	}
	r = &logReport{Machine: thisMachine(), Games: c.Games, Tickets: c.Tickets, Quorum: logWaitsOf(took[0]),
		Alone: logWaitsOf(took[1]), Bare: logWaitsOf(took[2])}
	r.Times = float64(r.Quorum.P50Micros) / float64(max(r.Bare.P50Micros, 1))
	line.show("reading the log")
	return r, c.read(ctx, r, witnessed, filepath.Join(place.dir, "mirror"))
}

// logHouse is a house in this process with a public log, and its witnesses.
type logHouse struct {
	*laneHouse
	key   string // of the log
	bare  []string
	close []io.Closer
}

// openLogHouse opens a house whose draws wait for so many witnesses on loopback.
func openLogHouse(ctx context.Context, place *site, name string, tickets, witnesses int) (*logHouse, error) {
	storage, err := place.storage(ctx, name)
	if err != nil {
		return nil, err
	}
	h := &logHouse{}
	signer, verifier, err := newKey(journal.LogOrigin(demo.House, 1))
	if err != nil {
		return nil, err
	}
	h.key = verifier
	known, err := journal.ParseVerifier(verifier)
	if err != nil {
		return nil, err
	}
	asked := house.Witnesses{Timeout: 10 * time.Second}
	for i := range witnesses {
		member, err := h.witness(filepath.Join(place.dir, fmt.Sprint("witness-", i)), known)
		if err != nil {
			return nil, errors.Join(err, h.end(ctx))
		}
		asked.Members = append(asked.Members, member)
	}
	h.laneHouse, err = openLaneHouse(ctx, storage, tickets, tickets, longTickets(mixSize), func(config *house.Config) {
		config.Witnesses = asked
		config.NextLog = func(string, uint16) (engine.LogKey, error) {
			return engine.LogKey{Signer: signer, Verifier: verifier}, nil
		}
	})
	if err != nil {
		return nil, errors.Join(err, h.end(ctx))
	}
	return h, nil
}

func newKey(name string) (journal.Signer, string, error) {
	private, verifier, err := journal.GenerateKey(rand.Reader, name)
	if err != nil {
		return nil, "", err
	}
	signer, err := journal.ParseSigner(private)
	return signer, verifier, err
}

// witness starts a witness of the log on loopback.
func (h *logHouse) witness(state string, log journal.Verifier) (wire.Member, error) {
	signer, vkey, err := newKey(filepath.Base(state) + ".example")
	if err != nil {
		return wire.Member{}, err
	}
	cosigner, err := witness.NewCosigner(signer, vkey)
	if err != nil {
		return wire.Member{}, err
	}
	server, err := wire.NewServer(wire.ServerConfig{Cosigner: cosigner, Watch: witness.NewWatch(log), State: state,
		Now: time.Now})
	if err != nil {
		return wire.Member{}, err
	}
	h.close = append(h.close, server)
	url, err := h.serve(server)
	return wire.Member{Client: &wire.Client{URL: url, Witness: cosigner.Verifier}, Policy: wire.LogOnly}, err
}

// serve serves on loopback until the end.
func (h *logHouse) serve(handler http.Handler) (url string, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }() // It ends with the measurement.
	h.close = append(h.close, server)
	return "http://" + listener.Addr().String(), nil
}

// end ends house and witnesses.
func (h *logHouse) end(ctx context.Context) (err error) {
	if h.laneHouse != nil {
		err = h.laneHouse.close(ctx)
	}
	for _, c := range h.close {
		err = errors.Join(err, c.Close())
	}
	return err
}

// play plays a game and returns how long it took from its durable seal to its first number, which is drawn when the log
// with the seal is cosigned.
func (h *logHouse) play(ctx context.Context, tickets int) (took time.Duration, err error) {
	line := h.house.First()
	if _, err := h.controllers[0].sell(ctx, tickets); err != nil {
		return 0, err
	}
	if err := line.TurnGame(ctx, time.Now().Add(time.Hour)); err != nil {
		return 0, err
	}
	ordinal, begin := line.Games(2)[1].Ordinal, time.Now()
	for i := range 20 {
		if err := line.DrawNumber(ctx, ordinal); err != nil {
			return 0, err
		}
		if i == 0 {
			took = time.Since(begin)
		}
	}
	return took, errors.Join(line.FinishDraw(ctx, ordinal), line.SettleGame(ctx, ordinal))
}

// Read implements [watch.Source].
func (h *logHouse) Read(ctx context.Context, path string) ([]byte, error) {
	if path == watch.CheckpointPath {
		return h.house.LogCheckpoint()
	}
	part, err := public.ParsePath(path)
	if err != nil {
		return nil, err
	}
	return h.house.LogPart(ctx, part)
}

// read mirrors the log, and then reads the mirror for a second or more.
func (c *logCmd) read(ctx context.Context, r *logReport, h *logHouse, mirror string) error {
	size := 0
	first, err := watch.New(h, h.key, nil, watch.Mirror(mirror), func(_ uint64, e *public.Entry) {
		if text, err := e.Marshal(); err == nil {
			size += len(text) + 2
		}
	})
	if err != nil {
		return err
	}
	look, err := first.Look(ctx)
	if err != nil {
		return err
	}
	if len(look.Findings) > 0 {
		return fmt.Errorf("the log of the house: %w", look.Findings[0])
	}
	r.Entries, r.Bytes = float64(look.Read)/float64(c.Games), float64(size)/float64(c.Games)
	r.DayCount, r.DayBytes = int64(r.Entries*gamesOfADay), int64(r.Bytes*gamesOfADay)
	var read, verified []float64
	for range logRounds {
		begin := time.Now()
		again, err := watch.New(watch.Mirror(mirror), h.key, nil, "", nil)
		if err != nil {
			return err
		}
		look, err := again.Look(ctx)
		if err != nil {
			return err
		}
		read = append(read, float64(look.Read)/time.Since(begin).Seconds())
		rate, err := signaturesASecond(int(look.Read))
		if err != nil {
			return err
		}
		verified = append(verified, rate)
	}
	r.Read, r.Verified = median(read), median(verified)
	r.ReadTimes = r.Read / r.Verified
	return nil
}

// logRounds is how often the log is read, in turns with the yardstick.
const logRounds = 11

// openBare starts three servers on loopback, which make a line durable and answer.
func openBare(dir string) (*logHouse, error) {
	h := &logHouse{}
	for i := range logWitnesses {
		book, err := os.Create(filepath.Join(dir, fmt.Sprint("bare-", i)))
		if err != nil {
			return nil, err
		}
		h.close = append(h.close, book)
		url, err := h.serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			data, err := io.ReadAll(r.Body)
			if err == nil {
				_, err = book.Write(data)
			}
			if err = errors.Join(err, book.Sync()); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
			}
		}))
		if err != nil {
			return nil, err
		}
		h.bare = append(h.bare, url)
	}
	return h, nil
}

// ask asks the bare servers at once and returns how long all took.
func (h *logHouse) ask(ctx context.Context) (time.Duration, error) {
	begin := time.Now()
	err := askBare(ctx, h.bare)
	return time.Since(begin), err
}

// askBare asks every server and waits for all.
func askBare(ctx context.Context, urls []string) error {
	var group sync.WaitGroup
	faults := make([]error, len(urls))
	for i, url := range urls {
		group.Go(func() {
			request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(make([]byte, 500)))
			if err != nil {
				faults[i] = err
				return
			}
			answer, err := http.DefaultClient.Do(request)
			if err != nil {
				faults[i] = err
				return
			}
			_, err = io.Copy(io.Discard, answer.Body)
			faults[i] = errors.Join(err, answer.Body.Close())
		})
	}
	group.Wait()
	return errors.Join(faults...)
}

// signaturesASecond returns how many signed notes this machine verifies in a second, by that of some.
func signaturesASecond(n int) (float64, error) {
	signer, vkey, err := newKey(demo.House)
	if err != nil {
		return 0, err
	}
	verifier, err := journal.ParseVerifier(vkey)
	if err != nil {
		return 0, err
	}
	note, err := journal.SignNote("a note of one line\n", signer)
	if err != nil {
		return 0, err
	}
	begin := time.Now()
	for range n {
		if _, _, err := journal.OpenNote(note, verifier); err != nil {
			return 0, err
		}
	}
	return float64(n) / time.Since(begin).Seconds(), nil
}

// writeText writes the report for people.
func (r *logReport) writeText(w *bytes.Buffer) {
	fmt.Fprintf(w, "%d games, %d tickets in each, %d witnesses on loopback, %v\n\n", r.Games, r.Tickets, logWitnesses, r.Machine)
	fmt.Fprintf(w, "%-30s %.1f entries, %.0f bytes\n", "a game", r.Entries, r.Bytes)
	fmt.Fprintf(w, "%-30s %s entries, %.1f MB\n", fmt.Sprintf("a day of %d games", gamesOfADay), console.Counted(r.DayCount),
		float64(r.DayBytes)/1e6)
	for _, row := range []struct {
		name string
		took logWaits
	}{{"seal to quorum, first number", r.Quorum}, {"the same without witnesses", r.Alone}, {"three bare requests", r.Bare}} {
		fmt.Fprintf(w, "%-30s %s (p50), %s (p99)\n", row.name, millis(row.took.P50Micros), millis(row.took.P99Micros))
	}
	fmt.Fprintf(w, "%-30s %.1f times bare requests\n", "ratio", r.Times)
	fmt.Fprintf(w, "%-30s %s entries a second; one signature verified %s times a second; ratio %.2f\n", "watch",
		console.Counted(int64(r.Read)), console.Counted(int64(r.Verified)), r.ReadTimes)
}
