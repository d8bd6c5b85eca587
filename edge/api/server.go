package api

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"
	_ "time/tzdata" // The house's zone must not depend on the machine.

	"drawhouse/decide/command"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/core/refusal"
	"drawhouse/house"
	"drawhouse/house/person"
)

// Options say how the interface works. The zero value is good.
type Options struct {
	// Version is that of the program, for the description.
	Version string
	// Log is told of internal errors; nil tells nobody.
	Log *slog.Logger
	// Register keeps who people are; without one nobody can sign on.
	Register *person.Register
	// Keeping is how long personal details are kept (Server.Keep).
	Keeping Keeping
	// Cost is what a password costs to guess; zero stands for person.DefaultCost.
	Cost person.Cost
	// Now is the house's clock; nil stands for the machine's.
	Now func() time.Time
	// Secure says that the house is reached by TLS: cookies are for nothing else, and
	// browsers are told to stay with it.
	Secure bool
	// Follower says how a house stands that follows a journal which another one writes;
	// nil is a house that writes.
	Follower func() house.Standing
	// Ready returns why the house is not ready to sell; nil asks only whether it has
	// stopped.
	Ready func(context.Context) error
	// Papers says how counters print.
	Papers Papers
	// Care tells players where they find help; it stands on every page that they use.
	Care string
	// PerAddress and PerTerminal bound how often an address and a terminal may ask.
	PerAddress, PerTerminal Rate
	// StreamsPerAddress and StreamsInAll bound the streams of events that are open at
	// once; zero stands for the bounds of this package.
	StreamsPerAddress, StreamsInAll int
	// LimitLocal counts requests and streams of the machine itself as those of any address.
	// Without it a proxy on the machine is trusted to do that.
	LimitLocal bool
	// Setup are the one-time tokens with which the first administrators are made, one for
	// each. Without any nobody is made so.
	Setup []string
}

// server is the interface of a house.
type server struct {
	access map[string]command.Who // who may use which operation
	house  House
	zone   *time.Location
	log    *slog.Logger
	mux    *http.ServeMux
	pages  *http.ServeMux  // what stands beside the interface (Server.Beside)
	open   map[string]bool // patterns of mux that pages of any origin may read
	secure bool
	routes []route // in the order in which they were registered
	now    func() time.Time
	care   string

	description func() *huma.OpenAPI // of all routes

	follower func() house.Standing // nil if the house writes
	register *person.Register
	cost     person.Cost
	terms    Keeping
	setups   *setups
	ready    func(context.Context) error
	hashing  *passwordQueue
	// pretending is the queue of those whose number is nobody's: they wait as others do,
	// and never before others.
	pretending *passwordQueue
	sessions   *sessions
	terminals  *terminalSessions
	displays   *displays
	invited    *invitations
	enrolling  *enrolments
	papers     Papers
	clauses    sync.Map    // of rulebooks by their ids, as they are shown: files that do not change
	effects    effectsKept // of requests for other rulebooks

	// What was guessed wrong: passwords by person and by address, claim codes by
	// terminal, and by terminal and ticket.
	guesses, guessesFrom, codes, codesOf *attempts
	// How often somebody may ask.
	perAddress, perTerminal *limiter
	limitLocal              bool // the machine itself is counted too
	streams                 *streams
	poison                  *poison
	failed                  failed // sign-ons, for the log
}

// Server is the interface of a house. It is a handler; Watch looks after the displays
// of venues while the house runs.
type Server struct {
	http.Handler
	server *server
}

// Watch has displays recorded that fall silent, until the context ends.
func (s *Server) Watch(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := s.server.displays.look(ctx); err != nil && ctx.Err() == nil {
				s.server.log.Error("a silent display could not be recorded", "error", err)
			}
		}
	}
}

// Contained has a handler that stands beside the interface, such as that of the pages, answer
// as the interface does when it panics.
func (s *Server) Contained(next http.Handler) http.Handler { return s.server.recovering(next) }

// New returns the interface of a house: everything below /v1/, /healthz, /openapi.json
// and /docs.
func New(h House, options Options) (*Server, error) {
	book := h.First().Book()
	zone, err := time.LoadLocation(book.Zone())
	if err != nil {
		return nil, fmt.Errorf("api: the zone of rulebook %s: %w", book.ID(), err)
	}
	s := newServer(h, options)
	s.zone, s.care = zone, options.Care
	s.readings()
	s.catalogueRoutes()
	s.commands()
	s.saleRoutes()
	s.hallRoutes(h)
	s.journalRoutes(h)
	s.logRoutes(h)
	s.proofRoutes()
	s.codeRoutes()
	s.inspectionRoutes(h)
	s.moneyRoutes(h)
	s.claimRoutes(h)
	s.drawRoutes()
	s.feed()
	s.resultRoutes()
	s.publishRoutes()
	s.sessionRoutes()
	s.setUpRoutes()
	s.terminalRoutes()
	s.counterRoutes()
	s.enrolmentRoutes()
	s.paperRoutes(options.Papers)
	s.personRoutes()
	s.placeRoutes()
	s.disputeRoutes()
	s.venueMoneyRoutes()
	s.approvalRoutes()
	s.operatorRoutes()
	s.rowRoutes()
	s.deskRoutes()
	s.reportRoutes()
	s.entryRoutes()
	s.describing(options.Version)
	s.docsRoute()
	s.mux.HandleFunc("/", s.otherwise)
	return &Server{Secured(unkept(s.recovering(s.limited(s.sameOrigin(s.remembering(s.mux))))), options.Secure), s}, nil
}

// newServer puts together what a server remembers.
func newServer(h House, o Options) *server {
	s := &server{access: map[string]command.Who{}, house: h, log: o.Log, mux: http.NewServeMux(), now: o.Now,
		pages: http.NewServeMux(), open: map[string]bool{}, secure: o.Secure,
		follower: o.Follower, register: o.Register, cost: o.Cost, terms: o.Keeping,
		setups: newSetups(o.Setup), ready: o.Ready,
		hashing: newPasswordQueue(hashing), pretending: newPasswordQueue(hashing)}
	if s.log == nil {
		s.log = discard
	}
	s.log = tag(s.log)
	if s.now == nil {
		s.now = time.Now
	}
	if s.cost == (person.Cost{}) {
		s.cost = person.DefaultCost
	}
	s.sessions = &sessions{house: h, now: s.now, secure: o.Secure, all: map[[sha256.Size]byte]*signOn{}}
	s.terminals = newTerminalSessions(h, s.now)
	s.displays = &displays{house: h, now: s.now, since: s.now(), seen: map[displayKey]time.Time{}}
	s.enrolling = &enrolments{now: s.now, all: map[[sha256.Size]byte]enrolment{}}
	s.invited = &invitations{now: s.now, all: map[[sha256.Size]byte]invitation{}}
	s.guesses = newAttempts(guessedMost, lockedFor, "passwords", s.now)
	s.guessesFrom = newAttempts(guessedFrom, lockedFor, "passwords or tokens from your address", s.now)
	s.limitLocal = o.LimitLocal
	s.perAddress = newLimiter(o.PerAddress, "your address", s.now)
	s.perTerminal = newLimiter(o.PerTerminal, "this terminal", s.now)
	s.streams = newStreams(o.StreamsPerAddress, o.StreamsInAll, o.LimitLocal)
	s.poison = newPoison(s.now)
	s.codes = newAttempts(codesMost, codesWindow, "claim codes at this terminal", s.now)
	s.codesOf = newAttempts(codesEach, codesWindow, "claim codes for this ticket", s.now)
	return s
}

// How many wrong claim codes are taken in a window, at a terminal and for one ticket
// there.
const (
	codesMost   = 20
	codesEach   = 5
	codesWindow = 10 * time.Minute
)

// unkept asks everybody on the way to keep no answer, where the answer itself says nothing
// of it: answers about tickets are for their holders.
func unkept(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Cache-Control"] = noStore
		next.ServeHTTP(w, r)
	})
}

// Secured adds to every answer what keeps a browser from misusing it. What is served
// beside the interface, such as pages, which allow themselves more, belongs behind it
// too: it is a page that a person asks for first, and learns to stay with TLS from.
func Secured(next http.Handler, tls bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h["X-Content-Type-Options"] = nosniff
		h["Referrer-Policy"] = noReferrer
		h["X-Frame-Options"] = noFrames
		h["Content-Security-Policy"] = nothing
		h["Cross-Origin-Resource-Policy"] = sameOriginOnly
		if tls {
			h["Strict-Transport-Security"] = stayWithTLS
		}
		next.ServeHTTP(w, r)
	})
}

// The values of those headers. They are shared by all answers, and nobody changes them.
var (
	nosniff        = []string{"nosniff"}
	noReferrer     = []string{"no-referrer"}
	noFrames       = []string{"DENY"} // for browsers that do not know the policy's frame-ancestors
	nothing        = []string{"default-src 'none'; frame-ancestors 'none'"}
	sameOriginOnly = []string{"same-origin"}
	stayWithTLS    = []string{"max-age=31536000; includeSubDomains"}
)

// sameOrigin refuses what a page of another origin makes a browser send. Who is
// no browser is not concerned.
func (s *server) sameOrigin(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.writeError(w, r, &refusal.Refusal{Code: OriginOther,
			Sentence: "The request came from a page of another origin."})
	}))
	return protection.Handler(next)
}
