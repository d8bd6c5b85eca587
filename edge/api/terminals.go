package api

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/engine"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/edge/terminal"
	"drawhouse/house"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
)

// The codes of terminals that show who they are.
const (
	// HelloWrong: the hello is not signed by the terminal's key.
	HelloWrong refusal.Code = "hello_wrong"
	// HelloStale: the hello's time is not near the house's, or the hello was said before.
	HelloStale refusal.Code = "hello_stale"
	// SessionOver: the house does not know the session, or it is over.
	SessionOver refusal.Code = "session_over"
	// RequestForged: the request is not as the terminal sent it.
	RequestForged refusal.Code = "request_forged"
	// RequestReplayed: the request was received before, or a later one was.
	RequestReplayed refusal.Code = "request_replayed"
)

const (
	// terminalLife is how long a terminal's session lasts.
	terminalLife = 12 * time.Hour
	// helloDrift is how far a terminal's clock may be from the house's.
	helloDrift = 2 * time.Minute
	// sessionsEach is how many sessions a terminal may have; a further one ends the
	// oldest. A terminal that was started again leaves one behind.
	sessionsEach = 4
)

// terminalSessions are the sessions of terminals. A house that is started again has
// none, and terminals say hello again.
type terminalSessions struct {
	house House
	now   func() time.Time

	mu       sync.RWMutex // guards all below
	sessions map[string]*terminalSession
	each     map[uint32][]string // by terminal, oldest first
	hellos   map[uint32]*hellos
}

// hellosKept is how many hellos of a terminal are remembered at most.
const hellosKept = 64

// hellos are those that a terminal has said, so that none counts twice. They need not come in the order of their
// times: a terminal whose clock was ahead and is put right says an earlier time than before.
type hellos struct {
	last  []saidHello // ascending by time
	floor int64       // the time of the newest that is not remembered any more
}

// saidHello is what tells a hello from others. Its time is in milliseconds: a hello signs no more of it.
type saidHello struct {
	time  int64
	share string
}

// say remembers a hello, or reports that it was said before, or may have been. Hellos of before the oldest time are too
// old to be taken again, and are forgotten.
func (s *hellos) say(h terminal.Hello, oldest time.Time) bool {
	now := saidHello{h.Time.UnixMilli(), h.Share}
	if now.time <= s.floor || slices.Contains(s.last, now) {
		return false
	}
	at, _ := slices.BinarySearchFunc(s.last, now.time, func(said saidHello, time int64) int {
		return cmp.Compare(said.time, time)
	})
	s.last = slices.Insert(s.last, at, now)
	for s.last[0].time < oldest.UnixMilli() || len(s.last) > hellosKept {
		s.floor = s.last[0].time
		s.last = slices.Delete(s.last, 0, 1)
	}
	return true
}

type terminalSession struct {
	*terminal.Session
	key     [32]byte // under which it was begun
	expires time.Time
}

func newTerminalSessions(h House, now func() time.Time) *terminalSessions {
	return &terminalSessions{house: h, now: now, sessions: map[string]*terminalSession{}, each: map[uint32][]string{},
		hellos: map[uint32]*hellos{}}
}

// post returns a terminal as it durably is.
func (t *terminalSessions) post(id uint32) (post state.Post, ok bool) {
	return t.house.People().Post(id)
}

// hello begins a session of a terminal.
func (t *terminalSessions) hello(id uint32, h terminal.Hello) (terminal.Welcome, error) {
	post, ok := t.post(id)
	if !ok {
		return terminal.Welcome{}, &refusal.Refusal{Code: engine.TerminalUnknown, Path: "terminal",
			Sentence: fmt.Sprintf("There is no terminal %d.", id)}
	}
	if post.Key == [32]byte{} {
		return terminal.Welcome{}, &refusal.Refusal{Code: staff.KeyRevoked, Path: "terminal",
			Sentence: fmt.Sprintf("Terminal %d has no key.", id)}
	}
	now := t.now()
	expires := now.Add(terminalLife)
	welcome, s, err := terminal.Accept(post.Key[:], id, h, rand.Text(), expires, rand.Reader)
	if err != nil {
		return terminal.Welcome{}, &refusal.Refusal{Code: HelloWrong, Path: "signature",
			Sentence: "The hello is not signed by the terminal's key."}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if drift := now.Sub(h.Time).Abs(); drift > helloDrift {
		return terminal.Welcome{}, &refusal.Refusal{Code: HelloStale, Path: "time",
			Sentence: fmt.Sprintf("The clock of the terminal is %v off. It is %s here: set it, and say hello again.",
				drift.Round(time.Second), now.UTC().Format(time.RFC3339))}
	}
	if t.hellos[id] == nil {
		t.hellos[id] = new(hellos)
	}
	if !t.hellos[id].say(h, now.Add(-helloDrift)) {
		return terminal.Welcome{}, &refusal.Refusal{Code: HelloStale, Path: "time",
			Sentence: "The hello was said before. Say a new one, with the time of now and a new share."}
	}
	t.sessions[s.ID] = &terminalSession{s, post.Key, expires}
	t.each[id] = append(t.each[id], s.ID)
	if old := t.each[id]; len(old) > sessionsEach {
		delete(t.sessions, old[0])
		t.each[id] = old[1:]
	}
	return welcome, nil
}

// check finds out which terminal sent a request, and that it is as it was sent.
func (t *terminalSessions) check(w http.ResponseWriter, r *http.Request, header string) (uint32, error) {
	if _, err := t.named(header); err != nil {
		return 0, err // Nobody's body is not read.
	}
	body, err := hold(w, r)
	if err != nil {
		return 0, err
	}
	return t.verify(header, r.Method, r.RequestURI, body)
}

// named returns the session that a header names.
func (t *terminalSessions) named(header string) (*terminalSession, error) {
	t.mu.RLock()
	s, ok := t.sessions[terminal.Named(header)]
	t.mu.RUnlock()
	if !ok || !t.now().Before(s.expires) {
		return nil, &refusal.Refusal{Code: SessionOver,
			Sentence: "The house does not know the session. Say hello again."}
	}
	return s, nil
}

// verify finds out which terminal signed a request, and that it is as it was signed.
// The key is looked at each time, so that one that is revoked ends its sessions at
// once.
func (t *terminalSessions) verify(header, method, uri string, body []byte) (uint32, error) {
	s, err := t.named(header)
	if err != nil {
		return 0, err
	}
	switch err := s.Check(header, method, uri, body); {
	case errors.Is(err, terminal.ErrReplayed):
		return 0, &refusal.Refusal{Code: RequestReplayed,
			Sentence: "The request was received before, or a later one was."}
	case err != nil:
		return 0, &refusal.Refusal{Code: RequestForged, Sentence: "The request is not as the terminal sent it."}
	}
	if post, _ := t.post(s.Terminal); post.Key != s.key {
		return 0, &refusal.Refusal{Code: staff.KeyRevoked, Path: "terminal",
			Sentence: fmt.Sprintf("The key of terminal %d was taken away or changed.", s.Terminal)}
	}
	return s.Terminal, nil
}

// Shift is the body of a person's sign-on at a terminal.
type Shift struct {
	Person   uint32 `json:"person"`
	Password string `json:"password"`
}

// Signs is the body of a display's sign of life.
type Signs struct {
	Screens []string `json:"screens" doc:"What the display shows: draw, race."`
}

// The answers that say little are those of package command.
type (
	Done     = command.Done
	Numbered = command.Numbered
)

// terminalRoutes registers how terminals show who they are and who works there.
func (s *server) terminalRoutes() {
	const path = "/v1/terminals/{terminal}/"
	s.serve(route{
		name: "say-hello", method: http.MethodPost, path: path + "hello", says: "Begin a session of a terminal",
		tag: "terminal", who: everybody, refuses: "hello_stale hello_wrong key_revoked terminal_unknown",
		in: terminal.Hello{}, out: terminal.Welcome{},
	}, s.sayHello)
	s.serve(route{
		name: "begin-shift", method: http.MethodPost, path: path + "shift", says: "Sign a person on at the terminal",
		tag: "terminal", who: terminals, refuses: "on_shift role_not_held sign_on_wrong too_many_attempts", in: Shift{},
		out: Done{},
	}, s.beginShift)
	s.serve(route{
		name: "end-shift", method: http.MethodDelete, path: path + "shift",
		says: "Sign the person at the terminal off", tag: "terminal", who: terminals, refuses: "not_on_shift",
		out: Done{},
	}, s.endShift)
	s.serve(route{
		name: "show-signs", method: http.MethodPost, path: path + "signs",
		says: "Say that the displays of the device work", tag: "terminal", who: terminals, refuses: "area_unknown",
		in: Signs{}, out: Done{},
	}, s.showSigns)
}

func (s *server) sayHello(w http.ResponseWriter, r *http.Request) error {
	id, err := number32(r, "terminal")
	if err != nil {
		return err
	}
	var hello terminal.Hello
	err = s.read(w, r,
		field{name: "time", required: true, read: into("time", &hello.Time)},
		field{name: "share", required: true, read: text(&hello.Share)},
		field{name: "signature", required: true, read: text(&hello.Signature)})
	if err != nil {
		return err
	}
	welcome, err := s.terminals.hello(id, hello)
	if err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, welcome)
	return nil
}

// beginShift puts a person on duty at the terminal: in control of the venue where the
// person may be, and to sell otherwise.
func (s *server) beginShift(w http.ResponseWriter, r *http.Request) error {
	var shift Shift
	err := s.read(w, r, field{name: "person", required: true, read: whole(&shift.Person, 1)},
		field{name: "password", required: true, read: text(&shift.Password)})
	if err != nil {
		return err
	}
	person, err := s.authenticate(r, shift.Person, shift.Password)
	if err != nil {
		return err
	}
	s.noteSignOn(r, person)
	post, _ := s.terminals.post(callerOf(r).terminal)
	role := record.RoleWriter
	if person.Has(record.RoleSenior, post.Venue) {
		role = record.RoleSenior
	}
	return s.staff(w, r, staff.Begin{Person: person.ID, Terminal: post.Terminal,
		Grant: state.Grant{Role: role, Venue: post.Venue}})
}

func (s *server) endShift(w http.ResponseWriter, r *http.Request) error {
	post, _ := s.terminals.post(callerOf(r).terminal)
	return s.staff(w, r, staff.End{By: post.Person, Person: post.Person})
}

// showSigns takes a sign of life of a display. It makes a record only where the
// display was silent before.
func (s *server) showSigns(w http.ResponseWriter, r *http.Request) error {
	var signs Signs
	if err := s.read(w, r, field{name: "screens", required: true, read: list(&signs.Screens)}); err != nil {
		return err
	}
	post, _ := s.terminals.post(callerOf(r).terminal)
	if post.Channel != staff.ChannelDisplay || post.Area == 0 {
		return &refusal.Refusal{Code: staff.AreaUnknown, Path: "terminal",
			Sentence: fmt.Sprintf("Terminal %d is not the display of an area.", post.Terminal)}
	}
	records := 0
	for _, screen := range signs.Screens {
		n, err := s.displays.sign(r.Context(), post, record.Screen(screen))
		if err != nil {
			return err
		}
		records += n
	}
	s.writeJSON(w, r, http.StatusOK, Done{Records: records})
	return nil
}

// number32 reads a number of the path.
func number32(r *http.Request, name string) (uint32, error) {
	n, err := strconv.ParseUint(r.PathValue(name), 10, 32)
	if err != nil || n == 0 {
		return 0, &refusal.Refusal{Code: ParameterValue, Path: name,
			Sentence: fmt.Sprintf("The %s must be a whole number from 1 on.", name)}
	}
	return uint32(n), nil
}

// silence is how long a display may be silent before its area does not sell.
const silence = 15 * time.Second

// displays knows when displays were last heard of.
type displays struct {
	house House
	now   func() time.Time
	since time.Time // when it began to listen

	mu     sync.Mutex // guards what follows
	seen   map[displayKey]time.Time
	panics int       // of recording a silent display in the lane
	until  time.Time // it is not tried before
	said   string    // the last error
}

type displayKey struct {
	venue  uint32
	area   uint16
	screen record.Screen
}

// sign notes a sign of life, and has it recorded where the display did not work.
func (d *displays) sign(ctx context.Context, post state.Post, screen record.Screen) (int, error) {
	made, err := d.house.Do(ctx, command.Change{Command: staff.ReportDisplay{Venue: post.Venue, Area: post.Area,
		Screen: screen, Working: true}}, record.By{})
	if err != nil {
		return 0, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.seen[displayKey{post.Venue, post.Area, screen}] = d.now()
	return command.DoneBy(made).Records, nil
}

// silent has the displays recorded that were not heard of for too long. Only those of
// areas with a device that gives signs are listened for; others are reported by
// people.
func (d *displays) silent(ctx context.Context) error {
	var quiet []displayKey
	p := d.house.People()
	for _, post := range p.Posts() {
		area, ok := p.Area(post.Venue, post.Area)
		if post.Channel != staff.ChannelDisplay || !ok {
			continue
		}
		for _, screen := range []record.Screen{record.ScreenDraw, record.ScreenRace} {
			if key := (displayKey{post.Venue, post.Area, screen}); area.Shows(screen) && d.isQuiet(key) {
				quiet = append(quiet, key)
			}
		}
	}
	var errs []error // One display that cannot be recorded does not keep the others.
	for _, key := range quiet {
		_, err := d.house.Do(ctx, command.Change{Command: staff.ReportDisplay{Venue: key.venue, Area: key.area,
			Screen: key.screen, Reason: "silent for " + silence.String()}}, record.By{})
		if errors.Is(err, lane.ErrPanicked) || errors.Is(err, lane.ErrStopped) {
			return err
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// look is silent, unless that has panicked in the lane: then it is not tried for a while,
// because the house sells nothing while it opens its journal again. An error is returned
// when it is another one than the time before.
func (d *displays) look(ctx context.Context) error {
	d.mu.Lock()
	held := d.now().Before(d.until)
	d.mu.Unlock()
	if held {
		return nil
	}
	err := d.silent(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil {
		d.panics, d.said = 0, ""
		return nil
	}
	if errors.Is(err, lane.ErrPanicked) && !errors.Is(err, lane.ErrStopped) {
		d.panics++
		d.until = d.now().Add(house.HeldFor(d.panics))
	}
	if err.Error() == d.said {
		return nil
	}
	d.said = err.Error()
	return err
}

// isQuiet reports whether a display was not heard of for too long. One that was never
// heard of is given the time since the house began to listen.
func (d *displays) isQuiet(key displayKey) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	last := d.seen[key]
	if last.Before(d.since) {
		last = d.since
	}
	return d.now().Sub(last) >= silence
}
