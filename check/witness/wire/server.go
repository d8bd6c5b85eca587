package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"drawhouse/check/witness"
	"drawhouse/core/limit"
	"drawhouse/games/draw"
	"drawhouse/journal"
	"drawhouse/journal/logbook"
)

// sizeType is the content type of an answer that tells a size.
const sizeType = "text/x.tlog.size"

// differenceType is the content type of an answer that tells a difference.
const differenceType = "application/vnd.drawhouse.difference+json"

// ServerConfig is what a witness is made of.
type ServerConfig struct {
	Cosigner *witness.Cosigner
	Watch    *witness.Watch
	// Custody gives out links; nil if the witness holds none. Commitments are the signed
	// commitments to its links, for everybody to read.
	Custody     *witness.Custody
	Commitments [][]byte
	// LinksKey is the verifier key of the commitments, which it tells whoever asks; "" for a witness that makes none.
	LinksKey string
	// Source is where a custodian reads the public log of its house.
	Source LogSource
	// Followers are who else keeps a copy of the log, each by a name. A custodian asks all of them after a start,
	// before it signs or gives out anything: its book may have been brought back from a backup.
	Followers []LogFollower
	// Witnesses are the others of the custodian's policy of whom it knows where they answer. It asks all of them how far
	// they have cosigned a log before it follows the next one.
	Witnesses []LogWitness
	// Publish is how long after it was given out a link is published here for everybody,
	// whatever the house does.
	Publish time.Duration
	// PerAddress is how many requests a second an address may send; 0 is any number.
	PerAddress uint
	// State is the path of the logbook.
	State string
	Now   func() time.Time
	Log   *slog.Logger // nil tells nobody
	// Agree, if not nil, reads and grades the records under a checkpoint that was
	// found to be consistent. Without its consent nothing is signed; its error is a
	// *witness.Refusal, or that of a context.
	Agree func(ctx context.Context, c journal.Checkpoint) error
}

// A Server is a witness that answers. It is an http.Handler.
type Server struct {
	config ServerConfig
	mux    *http.ServeMux

	follower   *Follower // nil without custody
	copies     copyIndex // where the entries of its copy stand in the book
	trusted    string    // the key of the log that it follows
	book       *logbook.Book
	perAddress *limit.Limiter
	// judging has room for the requests for links whose proofs are checked at a time.
	// Requests are read before, so that a slow sender holds no place.
	judging chan struct{}

	refusals refusals

	mu     sync.Mutex      // guards what follows, and the watch; held for no request that is read and no signature
	forked map[string]bool // origins of which a fork is recorded
	newest map[string]*newest
	marked bool // the book says what the key says
}

// maxJudging is how many requests for links are checked at a time, and judgeWait how long
// one waits for a place.
const (
	maxJudging = 8
	judgeWait  = 10 * time.Second
)

// entry is one line of the logbook; one of its fields is there.
type entry struct {
	Cosigned string `json:"cosigned,omitempty"` // the log's checkpoint
	// Time goes with Cosigned: when it was, in seconds. Books of before have none.
	Time int64 `json:"time,omitempty"`
	// Log is how a public log begins that the house introduced: its first entry, or the note in it.
	Log string `json:"log,omitempty"`
	// Kind is what the key of this book says by a cosignature; books of before do not have it.
	Kind string `json:"kind,omitempty"`
	// Released is a request that got a link of a chain, in books of before. Such links are
	// given out no more.
	Released string `json:"released,omitempty"`
	// Gate is what the release rule has taken in of the public log, and decided.
	Gate *witness.GateEntry `json:"gate,omitempty"`
	// Forked is a checkpoint that contradicts the one cosigned before it. The two,
	// both signed by the log, prove that it has two histories.
	Forked string `json:"forked,omitempty"`
}

// NewServer opens the logbook and brings watch and custody to where they were.
func NewServer(c ServerConfig) (*Server, error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{config: c, mux: http.NewServeMux(), forked: make(map[string]bool), newest: make(map[string]*newest),
		judging: make(chan struct{}, maxJudging), perAddress: limit.New(c.PerAddress, c.Now)}
	if c.Custody != nil {
		if c.Source == nil {
			return nil, errors.New("wire: a custodian reads the public log of its house")
		}
		s.follower = &Follower{Gate: c.Custody.Gate, Source: c.Source, Write: s.writeGate, Others: c.Followers,
			Witnesses: c.Witnesses, Now: c.Now}
	}
	book, err := logbook.OpenPlaced(c.State, s.restore)
	if err != nil {
		return nil, err
	}
	s.book = book
	if err := s.mark(); err != nil {
		return nil, errors.Join(err, book.Close())
	}
	s.mux.HandleFunc("POST /add-checkpoint", s.addCheckpoint)
	s.mux.HandleFunc("POST /add-log", s.addLog)
	s.mux.HandleFunc("GET /{log}/checkpoint", s.monitor)
	s.mux.HandleFunc("GET /{log}/quorum", s.quorum)
	s.mux.HandleFunc("GET /{log}/tile/{part...}", s.serveCopy)
	s.mux.HandleFunc("POST /ask-link", s.askLink)
	s.mux.HandleFunc("POST /tell-quorum", s.tellQuorum)
	s.mux.HandleFunc("GET /commitments", s.commitments)
	s.mux.HandleFunc("GET /published", s.published)
	s.mux.HandleFunc("GET /latest", s.latest)
	s.mux.HandleFunc("GET /{$}", s.about)
	return s, nil
}

// restore takes up a line of the logbook.
func (s *Server) restore(at int64, line []byte) error {
	var e entry
	if err := json.Unmarshal(line, &e); err != nil {
		return err
	}
	switch {
	case e.Cosigned != "":
		return s.restoreCosigned([]byte(e.Cosigned), e.Time)
	case e.Log != "":
		return s.config.Watch.RestoreLog([]byte(e.Log))
	case e.Kind != "":
		return s.checkKind(e.Kind)
	case e.Forked != "":
		s.forked[originOf([]byte(e.Forked))] = true
		return nil
	case e.Gate != nil && s.config.Custody != nil:
		err := s.config.Custody.Gate.Restore(*e.Gate)
		s.index(at, e.Gate.Entries)
		s.learnHouse()
		return err
	}
	return nil
}

// restoreCosigned takes up a checkpoint that was cosigned. The key of a public log that is followed stands in its first
// entry, which is before it in the book.
func (s *Server) restoreCosigned(note []byte, at int64) error {
	c, err := journal.UnverifiedCheckpoint(note)
	follows := err == nil && s.follower != nil && s.follower.Gate.Follows(c.Origin)
	if follows {
		if _, vkey := s.follower.Gate.Copied(); vkey != "" {
			if err := s.trust(vkey); err != nil {
				return err
			}
		}
	}
	signed, err := s.config.Watch.Restore(note)
	if err != nil {
		return err
	}
	s.newest[originHash(signed.Checkpoint.Origin)] = &newest{signed: signed, at: at}
	if follows {
		s.follower.Gate.Cosigned(signed)
	}
	return nil
}

// Close gives up the logbook.
func (s *Server) Close() error { return s.book.Close() }

// ServeHTTP answers a request, unless its address asks too often: a signature or a proof
// that is wrong costs as much as one that is right.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if key, counts := limit.Key(r, false); counts {
		if wait := s.perAddress.Take(key); wait > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(limit.Seconds(wait)))
			http.Error(w, "too many requests of your address; nothing happened", http.StatusTooManyRequests)
			return
		}
	}
	s.mux.ServeHTTP(w, r)
}

// append makes a line durable.
func (s *Server) append(e entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return s.book.Append(line)
}

// body reads a request. A longer one is no request.
func body(r *http.Request, most int64) ([]byte, error) {
	data, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, most))
	if err != nil {
		return nil, fmt.Errorf("a request has at most %d bytes: %w", most, err)
	}
	return data, nil
}

func (s *Server) addCheckpoint(w http.ResponseWriter, r *http.Request) {
	request, err := body(r, witness.MaxRequest)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	lines, err := s.cosign(r.Context(), request)
	if err != nil {
		s.refuse(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write(lines) // A client that is gone asks again.
}

// agreed has the records under a checkpoint graded, outside of the lock: that takes
// its time, and reads from the house.
func (s *Server) agreed(ctx context.Context, request []byte) error {
	if s.config.Agree == nil {
		return nil
	}
	s.mu.Lock()
	signed, refused := s.config.Watch.Judge(request)
	s.mu.Unlock()
	if refused == nil {
		return s.config.Agree(ctx, signed.Checkpoint)
	}
	return nil // It is refused for that when it is judged again, and a fork is recorded.
}

// cosign decides, makes the decision durable and signs. Deciding and writing down are under
// the lock: between the two nothing may come. The time is that of the decision, so that no
// checkpoint has a later time than a longer one.
func (s *Server) cosign(ctx context.Context, request []byte) ([]byte, error) {
	if err := s.agreed(ctx, request); err != nil {
		return nil, err
	}
	if err := s.follow(ctx, request); err != nil {
		return nil, err
	}
	signed, at, err := s.keep(request)
	if err != nil {
		return nil, err
	}
	line, err := s.config.Cosigner.CosignText(signed.Text, at)
	if err == nil {
		s.sign(originHash(signed.Checkpoint.Origin), at, line)
	}
	return line, err
}

// keep decides on a checkpoint and writes it down.
func (s *Server) keep(request []byte) (witness.Signed, int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fail := func(err error) (witness.Signed, int64, error) { return witness.Signed{}, 0, err }
	signed, err := s.config.Watch.Judge(request)
	if err != nil {
		return fail(errors.Join(err, s.recordFork(request, err)))
	}
	at := s.config.Now().Unix()
	if at <= 0 {
		return fail(errors.New("the clock stands before 1970"))
	}
	if !s.config.Watch.IsLatest(signed.Checkpoint) {
		if err := s.copied(signed.Checkpoint); err != nil {
			return fail(err)
		}
		if err := s.append(entry{Cosigned: string(signed.Note), Time: at}); err != nil {
			return fail(err)
		}
		s.config.Watch.Keep(signed)
		if s.follower != nil && s.follower.Gate.Follows(signed.Checkpoint.Origin) {
			s.follower.Gate.Cosigned(signed)
		}
	}
	s.newest[originHash(signed.Checkpoint.Origin)] = &newest{signed: signed, at: at}
	return signed, at, nil
}

// LetGo lets games go, because the people of this custodian say so at its start: it follows the next log although that
// leaves them, or goes on although they are void. The book keeps that until it takes effect, once.
func (s *Server) LetGo(games ...journal.Game) error {
	if len(games) == 0 {
		return nil
	}
	if s.follower == nil {
		return errors.New("wire: this witness holds no links, and lets no game go")
	}
	now, before, err := s.follower.Gate.LetGo(games, s.writeGate)
	if err != nil {
		return err
	}
	if len(now) > 0 {
		s.config.Log.Warn("games without a right result are let go, and their links are published", "games", fmt.Sprint(now))
	}
	if len(before) > 0 {
		s.config.Log.Warn("games were let go before; that counts once the log that leaves them is followed, or they are void",
			"games", fmt.Sprint(before))
	}
	if len(now)+len(before) == 0 {
		s.config.Log.Warn("there is nothing to let go any more", "games", fmt.Sprint(games))
	}
	return nil
}

// GiveUp goes on without entries of a log that were cosigned, because the people of this witness say that nobody has
// them any more: exactly so many were cosigned, here or, for a custodian, as far as it and the witnesses that it asks
// know. A custodian judges the number when the next log comes.
func (s *Server) GiveUp(origin string, size uint64) error {
	open := true
	if s.follower != nil {
		s.follower.giveUp(origin, size)
	} else {
		s.mu.Lock()
		defer s.mu.Unlock()
		var err error
		if open, err = s.config.Watch.GiveUp(origin, size); err != nil {
			return err
		}
	}
	s.config.Log.Warn("entries that were cosigned are given up: games sealed in them may be drawn a second time", "log", origin,
		"entries", size, "a later log is followed already", !open)
	return nil
}

// Latest returns the last checkpoint of a log that was cosigned here.
func (s *Server) Latest(origin string) (witness.Signed, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.config.Watch.Latest(origin)
}

// recordFork keeps the proof of a fork, once for each log: a log that forks may
// do so without end. The caller holds the lock.
func (s *Server) recordFork(request []byte, err error) error {
	refused := new(witness.Refusal)
	if !errors.As(err, &refused) || refused.Code != witness.Forked {
		return nil
	}
	r, _ := witness.ParseRequest(request)
	origin := originOf(r.Checkpoint)
	s.config.Log.Error("a log has two histories", "origin", origin, "error", err)
	if s.forked[origin] {
		return nil
	}
	last, _ := s.config.Watch.Latest(origin)
	written := s.append(entry{Forked: string(r.Checkpoint)})
	s.forked[origin] = written == nil
	return errors.Join(written, s.forks(origin, err.Error(), string(last.Note), string(r.Checkpoint)))
}

func originOf(checkpoint []byte) string {
	origin, _, _ := strings.Cut(string(checkpoint), "\n")
	return origin
}

// statuses are those of C2SP tlog-witness.
var statuses = map[witness.Code]int{
	witness.Malformed:    http.StatusBadRequest,
	witness.UnknownLog:   http.StatusNotFound,
	witness.NotSigned:    http.StatusForbidden,
	witness.OtherSize:    http.StatusConflict,
	witness.Forked:       http.StatusUnprocessableEntity,
	witness.Inconsistent: http.StatusUnprocessableEntity,
	witness.Unread:       http.StatusServiceUnavailable,
	witness.Disagrees:    http.StatusPreconditionFailed,
}

func (s *Server) refuse(w http.ResponseWriter, err error) {
	refused, difference := new(witness.Refusal), new(witness.Difference)
	switch {
	case errors.As(err, &difference):
		w.Header().Set("Content-Type", differenceType)
		w.WriteHeader(http.StatusPreconditionFailed)
		_ = json.NewEncoder(w).Encode(difference) // A client that is gone asks again.
	case !errors.As(err, &refused):
		s.config.Log.Error("the witness cannot answer", "error", err)
		http.Error(w, "the witness cannot make anything durable and signs nothing", http.StatusInternalServerError)
	case refused.Code == witness.OtherSize:
		w.Header().Set("Content-Type", sizeType)
		w.WriteHeader(http.StatusConflict)
		_, _ = fmt.Fprintf(w, "%d\n", refused.Size)
	default:
		if refused.Code == witness.Disagrees {
			s.refuses(err)
		}
		http.Error(w, err.Error(), statuses[refused.Code])
	}
}

func (s *Server) askLink(w http.ResponseWriter, r *http.Request) {
	request, err := body(r, witness.MaxRequest)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	link, err := s.release(r.Context(), request)
	if err == nil {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, link.Marshal())
		return
	}
	status := http.StatusBadRequest
	switch {
	case errors.Is(err, errNotDurable):
		s.config.Log.Error("the custodian cannot answer", "error", err)
		status = http.StatusInternalServerError
	case errors.Is(err, errBusy), errors.Is(err, errUnheard):
		status = http.StatusServiceUnavailable
	case errors.Is(err, witness.ErrStop):
		s.config.Log.Error("the custodian has stopped and gives out no link any more", "error", err)
		status = http.StatusConflict
	case errors.Is(err, witness.ErrUnproved):
		status = http.StatusForbidden
	case errors.Is(err, witness.ErrOrder):
		s.refuses(err)
		status = http.StatusPreconditionRequired
	case errors.Is(err, draw.ErrLink), errors.Is(err, witness.ErrNoLinks):
		status = http.StatusNotFound
	}
	http.Error(w, err.Error(), status)
}

var (
	// errNotDurable: a decision was made and could not be recorded.
	errNotDurable = errors.New("the decision could not be recorded")
	// errBusy: too many requests for links are being checked.
	errBusy = errors.New("too many requests for links at a time")
)

func (s *Server) release(ctx context.Context, request []byte) (draw.Link, error) {
	if s.config.Custody == nil {
		return draw.Link{}, witness.ErrNoLinks
	}
	asked, err := witness.ParseLinkRequest(request)
	if err != nil {
		return draw.Link{}, err
	}
	wait, cancel := context.WithTimeout(ctx, judgeWait)
	defer cancel()
	select {
	case s.judging <- struct{}{}:
		defer func() { <-s.judging }()
	case <-wait.Done():
		return draw.Link{}, errBusy
	}
	if err := s.follower.AskOthers(wait); err != nil {
		return draw.Link{}, err
	}
	return s.config.Custody.Release(asked, s.config.Now().Unix(), s.writeGate)
}

// published gives the links of the games of a day that were given out some time ago, and
// says if this custodian has stopped, and why.
func (s *Server) published(w http.ResponseWriter, r *http.Request) {
	var out struct {
		Links   []string         `json:"links"`
		Stopped *witness.Stopped `json:"stopped,omitempty"`
		// Refused is what this custodian refused last of what the house asked for.
		Refused *Refused `json:"refused,omitempty"`
		// KnownVoids is how many games of the log were declared void although all their links are in it.
		KnownVoids uint64 `json:"knownVoids,omitempty"`
	}
	out.Links = []string{}
	if last, ok := s.Refused(); ok {
		out.Refused = &last
	}
	if custody := s.config.Custody; custody != nil {
		out.Stopped, out.KnownVoids = custody.Gate.Stopped(), custody.Gate.KnownVoids()
		for _, game := range custody.Gate.Games(s.config.Now().Add(-s.config.Publish).Unix()) {
			if day := r.URL.Query().Get("day"); day != "" && day != game.Day || out.Stopped.Names(game) {
				continue
			}
			if link, err := custody.Link(game); err == nil {
				out.Links = append(out.Links, link.Marshal())
			}
		}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(out) // A client that is gone asks again.
}

func (s *Server) commitments(w http.ResponseWriter, _ *http.Request) {
	texts := make([]string, len(s.config.Commitments))
	for i, c := range s.config.Commitments {
		texts[i] = string(c)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string][]string{"commitments": texts})
}

// latest gives the last checkpoint of a log with a cosignature of now, for people
// who compare it with what the house shows them.
func (s *Server) latest(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	signed, ok := s.config.Watch.Latest(r.URL.Query().Get("origin"))
	at := s.config.Now().Unix()
	s.mu.Unlock()
	if !ok {
		http.Error(w, "no checkpoint of that origin was cosigned here", http.StatusNotFound)
		return
	}
	line, err := s.config.Cosigner.CosignText(signed.Text, at)
	if err != nil {
		s.refuse(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write(slices.Concat(signed.Note, line))
}

// about says who the witness is. Its keys are to be known from elsewhere.
func (s *Server) about(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = fmt.Fprintf(w, "witness %s\nkey %v\n", s.config.Cosigner.Name(), s.config.Cosigner)
	if s.config.LinksKey != "" {
		_, _ = fmt.Fprintf(w, "links key %s\n", s.config.LinksKey)
	}
}
