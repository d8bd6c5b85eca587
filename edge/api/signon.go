package api

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"drawhouse/core/limit"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/house"
	"drawhouse/house/person"
	"drawhouse/journal/record"
)

// The codes of signing on.
const (
	// SignOnWrong: the number and the password are not one person's.
	SignOnWrong refusal.Code = "sign_on_wrong"
	// CSRFMissing: the request lacks the token that the page was given.
	CSRFMissing refusal.Code = "csrf_missing"
	// PasswordWeak: the password is too short or too long.
	PasswordWeak refusal.Code = "password_weak"
	// TokenWrong: the one-time token is not one, or not any more.
	TokenWrong refusal.Code = "token_wrong"
	// RegisterDown: the register of people cannot be read or written now.
	RegisterDown refusal.Code = "register_down"
)

const (
	// sessionLife and sessionIdle are how long a session lasts, and unused.
	sessionLife = 12 * time.Hour
	sessionIdle = 30 * time.Minute
	// cookieName is the cookie of a session.
	cookieName = "drawhouse_session"
	// csrfHeader is the header with the token that a page was given.
	csrfHeader = "Drawhouse-CSRF"
	bearer     = "Bearer "
	// guessedMost is how many wrong passwords lock a person, for lockedFor.
	guessedMost = 5
	lockedFor   = 15 * time.Minute
	// guessedFrom is how many wrong passwords may come from an address meanwhile.
	guessedFrom = 30
)

// signOn is somebody who has signed on.
type signOn struct {
	token   [sha256.Size]byte // hash of the token
	csrf    string
	person  uint32
	secret  record.Hash // under which the person signed on
	begun   time.Time
	used    time.Time
	browser bool
}

// sessions are those who have signed on. They are in memory: a house that is started
// again has none.
type sessions struct {
	house  House
	now    func() time.Time
	secure bool // cookies are for TLS only

	mu  sync.Mutex // guards all
	all map[[sha256.Size]byte]*signOn
}

const (
	// maxSessions bounds how many have signed on at once.
	maxSessions = 1 << 14
	// maxOfOne bounds how often one person has signed on at once.
	maxOfOne = 64
)

// begin signs a person on and returns the token, which nobody else will know.
func (s *sessions) begin(p state.Person, browser bool) (string, *signOn) {
	token := rand.Text() + rand.Text()
	mac := hmac.New(sha256.New, []byte(token))
	_, _ = mac.Write([]byte("csrf"))
	now := s.now()
	fresh := &signOn{
		token: sha256.Sum256([]byte(token)), csrf: hex.EncodeToString(mac.Sum(nil)),
		person: p.ID, secret: p.Secret, begun: now, used: now, browser: browser,
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.makeRoom(p.ID, now)
	s.all[fresh.token] = fresh
	return token, fresh
}

// makeRoom ends sessions where there is no room for one more of a person: those whose time
// is over, else the one that was used least lately. A person who has signed on too often
// loses a session of their own, so that nobody drives others out.
func (s *sessions) makeRoom(person uint32, now time.Time) {
	own, full := 0, len(s.all) >= maxSessions
	var idleOwn, idle *signOn
	for key, x := range s.all {
		switch {
		case full && s.over(x, now):
			delete(s.all, key)
			continue
		case idle == nil || x.used.Before(idle.used):
			idle = x
		}
		if x.person != person {
			continue
		}
		own++
		if idleOwn == nil || x.used.Before(idleOwn.used) {
			idleOwn = x
		}
	}
	switch {
	case own >= maxOfOne:
		delete(s.all, idleOwn.token)
	case len(s.all) >= maxSessions:
		delete(s.all, idle.token)
	}
}

func (s *sessions) over(x *signOn, now time.Time) bool {
	return now.Sub(x.begun) >= sessionLife || now.Sub(x.used) >= sessionIdle
}

func (s *sessions) end(x *signOn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.all, x.token)
}

// cookie returns the cookie of a token; an empty one takes it away.
func (s *sessions) cookie(token string) *http.Cookie {
	c := &http.Cookie{Name: cookieName, Value: token, Path: "/", HttpOnly: true, Secure: s.secure,
		SameSite: http.SameSiteStrictMode, MaxAge: int(sessionLife / time.Second)}
	if token == "" {
		c.MaxAge = -1
	}
	return c
}

// credential returns the token of a request, and whether it claims to have one.
func credential(r *http.Request) (token string, claims bool) {
	if header := r.Header.Get("Authorization"); header != "" {
		token, _ := strings.CutPrefix(header, bearer)
		return token, true
	}
	if cookie, err := r.Cookie(cookieName); err == nil {
		return cookie.Value, true
	}
	return "", false
}

// check finds out who has sent a request. A person who was locked by a person, erased or given
// another password since is nobody any more. A lock after wrong passwords, which anybody can
// bring about, keeps out new sign-ons and ends nothing.
func (s *sessions) check(r *http.Request) (*signOn, state.Person, error) {
	token, claims := credential(r)
	if !claims {
		return nil, state.Person{}, &refusal.Refusal{Code: SignOnFirst, Sentence: "Sign on first."}
	}
	x, ok := s.find(token, r.Header.Get("Authorization") == "")
	if !ok {
		return nil, state.Person{}, &refusal.Refusal{Code: SessionOver, Sentence: "The session is over. Sign on again."}
	}
	if x.browser && r.Method != http.MethodGet && r.Method != http.MethodHead &&
		subtle.ConstantTimeCompare([]byte(r.Header.Get(csrfHeader)), []byte(x.csrf)) != 1 {
		return nil, state.Person{}, &refusal.Refusal{Code: CSRFMissing,
			Sentence: "The request lacks the token that the page was given."}
	}
	p, ok := s.house.People().Person(x.person)
	if !ok || p.Erased || p.Secret != x.secret || p.Stopped > record.Of(s.now()) {
		s.end(x)
		return nil, state.Person{}, &refusal.Refusal{Code: SessionOver, Sentence: "The session is over. Sign on again."}
	}
	return x, p, nil
}

// find returns the session of a token, as it came: the token of a browser's cookie is
// none for a header, or a page could leave its CSRF token out.
func (s *sessions) find(token string, cookie bool) (*signOn, bool) {
	key, now := sha256.Sum256([]byte(token)), s.now()
	s.mu.Lock()
	defer s.mu.Unlock()
	x, ok := s.all[key]
	if !ok || x.browser != cookie {
		return nil, false
	}
	if s.over(x, now) {
		delete(s.all, key)
		return nil, false
	}
	x.used = now
	return x, true
}

// SignOn is the body of a sign-on.
type SignOn struct {
	Person   uint32 `json:"person"`
	Password string `json:"password"`
	Bearer   bool   `json:"bearer,omitempty" doc:"The answer has a token for the header Authorization, and no cookie is set."`
}

// SignedOn is who has signed on.
type SignedOn struct {
	Person  uint32        `json:"person"`
	Grants  []state.Grant `json:"grants"`
	May     []string      `json:"may" doc:"Ids of the operations that the roles allow, beside those that everybody may use. The house holds every request against the same table."`
	Expires time.Time     `json:"expires"`
	CSRF    string        `json:"csrf,omitempty" doc:"What a page sends in the header Drawhouse-CSRF with everything but GET."`
	Token   string        `json:"token,omitempty" doc:"What a machine sends in the header Authorization, after Bearer."`
}

// NewPassword is the body of a change of password.
type NewPassword struct {
	Old string `json:"old" doc:"Password until now."`
	New string `json:"new" doc:"Password from now on."`
}

// sessionRoutes registers how people sign on and off.
func (s *server) sessionRoutes() {
	s.serve(route{
		name: "sign-on", method: http.MethodPost, path: "/v1/session", says: "Sign on", tag: "people",
		who: everybody, refuses: "no_register person_locked sign_on_wrong too_many_attempts", in: SignOn{},
		out: SignedOn{},
	}, s.signOn)
	s.serve(route{
		name: "get-session", path: "/v1/session", says: "Who has signed on", tag: "people", who: signedOn,
		out: SignedOn{},
	}, s.getSession)
	s.serve(route{
		name: "sign-off", method: http.MethodDelete, path: "/v1/session", says: "Sign off", tag: "people",
		who: signedOn, out: Done{},
	}, s.signOff)
	s.serve(route{
		name: "change-password", method: http.MethodPut, path: "/v1/session/password", says: "Change one's password",
		tag: "people", who: signedOn, refuses: "password_weak sign_on_wrong too_many_attempts", in: NewPassword{}, out: Done{},
	}, s.changePassword)
}

func (s *server) signOn(w http.ResponseWriter, r *http.Request) error {
	var in SignOn
	err := s.read(w, r, field{name: "person", required: true, read: whole(&in.Person, 1)},
		field{name: "password", required: true, read: text(&in.Password)}, field{name: "bearer",
			read: flag(&in.Bearer)})
	if err != nil {
		return err
	}
	p, err := s.authenticate(r, in.Person, in.Password)
	if err != nil {
		return err
	}
	s.noteSignOn(r, p)
	token, x := s.sessions.begin(p, !in.Bearer)
	view := s.viewSignedOn(x, p)
	if in.Bearer {
		view.Token = token
	} else {
		http.SetCookie(w, s.sessions.cookie(token))
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}

func (s *server) viewSignedOn(x *signOn, p state.Person) SignedOn {
	view := SignedOn{Person: p.ID, Grants: rolesOf(p), May: s.mayUse(p), Expires: x.begun.Add(sessionLife).In(s.zone)}
	if x.browser {
		view.CSRF = x.csrf
	}
	return view
}

func (s *server) getSession(w http.ResponseWriter, r *http.Request) error {
	c := callerOf(r)
	s.writeJSON(w, r, http.StatusOK, s.viewSignedOn(c.session, c.person))
	return nil
}

func (s *server) signOff(w http.ResponseWriter, r *http.Request) error {
	s.sessions.end(callerOf(r).session)
	http.SetCookie(w, s.sessions.cookie(""))
	s.writeJSON(w, r, http.StatusOK, Done{})
	return nil
}

// noteSignOn notes that a person has signed on, here or at a counter.
func (s *server) noteSignOn(r *http.Request, p state.Person) {
	exchangeOf(r.Context()).SignedOn = p.ID
	s.log.LogAttrs(r.Context(), slog.LevelInfo, "a person has signed on", signOnAttrs(r, p.ID)...)
}

// signOnAttrs says who tried to sign on and from where, and nothing of the password.
func signOnAttrs(r *http.Request, person uint32) []slog.Attr {
	attrs := []slog.Attr{slog.Uint64("person", uint64(person)), slog.String("from", limit.Address(r))}
	if at := callerOf(r).terminal; at != 0 {
		attrs = append(attrs, slog.Uint64("terminal", uint64(at)))
	}
	return attrs
}

// authenticate finds out whether a password is that of a person. Who guesses wrong
// too often is locked, and the journal says so. Whether there is such a person is not
// told, neither by the answer nor by the time it takes.
func (s *server) authenticate(r *http.Request, id uint32, password string) (state.Person, error) {
	if s.register == nil {
		return state.Person{}, command.WithoutRegister()
	}
	g, err := s.guess(r, id, password)
	switch {
	case err != nil:
		return state.Person{}, err
	case !g.right:
		if tell, untold := s.failed.add(s.now()); tell {
			s.log.LogAttrs(r.Context(), slog.LevelWarn, "a sign-on failed", append(signOnAttrs(r, id),
				slog.String("code", string(SignOnWrong)), slog.Bool("known", g.known), slog.Uint64("untold", untold))...)
		}
		if g.last && g.known && !g.person.Erased {
			until := record.Of(s.now().Add(lockedFor))
			if _, err := s.house.Do(r.Context(),
				command.Change{Command: staff.Lock{Person: id, Until: max(until, g.person.Locked),
					Reason: fmt.Sprintf("%d wrong passwords", guessedMost)}}, record.By{}); err != nil {
				return state.Person{}, err
			}
		}
		return state.Person{}, &refusal.Refusal{Code: SignOnWrong, Sentence: "Wrong number or password."}
	case g.person.Locked > record.Of(s.now()):
		s.log.LogAttrs(r.Context(), slog.LevelWarn, "a sign-on failed", append(signOnAttrs(r, id),
			slog.String("code", string(staff.PersonLocked)), slog.Bool("known", true))...)
		return state.Person{}, &refusal.Refusal{Code: staff.PersonLocked, Path: "person",
			Sentence: "You are locked. An administrator can unlock you."}
	}
	s.guesses.right(fmt.Sprint(id))
	return g.person, nil
}

// guessed is what came of a password.
type guessed struct {
	person state.Person
	known  bool // there is such a person
	right  bool
	last   bool // the last wrong one that is allowed
}

// guess tries a password, unless too many were wrong. That is asked before there is room
// for it, so that nobody waits for a refusal, and once more when there is: what came in
// together is not tried together.
func (s *server) guess(r *http.Request, id uint32, password string) (g guessed, err error) {
	who := fmt.Sprint(id)
	from, counts := s.guesser(r)
	if !counts {
		from = "person " + who
	}
	if err := errors.Join(s.guesses.check(who), s.guessesFrom.check(from)); err != nil {
		return guessed{}, err
	}
	g.person, g.known = s.house.People().Person(id)
	queue := s.hashing
	if !hasPassword(g.person) {
		queue = s.pretending
	}
	if err := queue.enter(r.Context(), from); err != nil {
		return guessed{}, err
	}
	defer queue.exit()
	if err := s.guesses.begin(who); err != nil {
		return guessed{}, err
	}
	defer func() { g.last = s.guesses.end(who, err == nil && !g.right) }()
	if err := s.guessesFrom.begin(from); err != nil {
		return guessed{}, err
	}
	defer func() { s.guessesFrom.end(from, err == nil && !g.right) }()
	g.right, err = s.matches(r.Context(), g.person, password)
	return g, err
}

// guesser returns for whom wrong passwords and tokens are counted: the terminal that signed
// the request, or else the address. A proxy on this machine stands for everybody, so that
// it does not count.
func (s *server) guesser(r *http.Request) (key string, counts bool) {
	if at := callerOf(r).terminal; at != 0 {
		return fmt.Sprintf("terminal %d", at), true
	}
	return limit.Key(r, s.limitLocal)
}

// checkGuesser refuses who has guessed too often, and wrongGuess counts a wrong guess.
func (s *server) checkGuesser(r *http.Request) error {
	if from, counts := s.guesser(r); counts {
		return s.guessesFrom.check(from)
	}
	return nil
}

func (s *server) wrongGuess(r *http.Request) {
	if from, counts := s.guesser(r); counts {
		s.guessesFrom.wrong(from)
	}
}

// hasPassword reports whether there is something to compare a password with.
func hasPassword(p state.Person) bool { return p.Secret != (record.Hash{}) && !p.Erased }

// matches compares a password with the entry that the journal names. Where there is
// none it takes as long. The caller has room for it (passwordQueue).
func (s *server) matches(ctx context.Context, p state.Person, password string) (bool, error) {
	if !hasPassword(p) {
		return false, s.pretend(ctx)
	}
	secret, err := s.register.Secret(ctx, p.Secret)
	switch {
	case errors.Is(err, person.ErrUnknown), errors.Is(err, person.ErrChanged):
		// The journal says that the person has a password: this is another register.
		err = fmt.Errorf("%w: %w", person.ErrUnavailable, err)
		fallthrough
	case err != nil:
		return false, fmt.Errorf("api: the password of person %d: %w", p.ID, err)
	}
	s.house.Clear(house.PartInterface, alarmRegister)
	defer s.hashing.measure(time.Now())
	return secret.Matches(password)
}

// alarmRegister is the key of the alarm that the register of people does not answer.
const alarmRegister = "register"

// registerDown raises the alarm that the register of people does not answer. It ends with
// the next password that is read there.
func (s *server) registerDown(ctx context.Context, err error) *Error {
	s.log.ErrorContext(ctx, "the register of people does not answer", "error", err)
	if errors.Is(err, person.ErrNoKey) {
		s.house.Raise(house.PartInterface, alarmRegister,
			"A key of the register of people is missing: what is sealed under it cannot be read, neither names nor passwords. Terminals sell, and people who have signed on work on.",
			"Put the file back from the backup of the keys; the house takes it up by itself. If the key is lost: drawhouse keys rotate personal --lost, and then let people in anew (OPERATING, Personal details). The log names the file.")
		return refusedWith(&refusal.Refusal{Code: RegisterDown,
			Sentence: "A key of the register of people is missing. Nothing was done. Tell the operator, who has an alarm of it."})
	}
	s.house.Raise(house.PartInterface, alarmRegister,
		"The register of people does not answer, or is not that of this house: nobody signs on. Who has signed on works on, and terminals sell.",
		"Look at "+person.FileName+
			" in the data directory, or at its database, and at the log. If it is lost, bring it back from the newest backup (RUNBOOK, Nobody can sign on).")
	return refusedWith(&refusal.Refusal{Code: RegisterDown,
		Sentence: "The register of people does not answer. Nothing was done. Tell the operator, who has an alarm of it, and try again."})
}

// checkPassword refuses a password that is easily guessed. Names are what the house knows of
// the person.
func checkPassword(password string, names ...string) error {
	var weak *person.Weak
	if err := person.CheckPassword(password, names...); errors.As(err, &weak) {
		return &refusal.Refusal{Code: PasswordWeak, Path: "password", Sentence: weak.Sentence}
	}
	return nil
}

// newSecret makes the entry of a password and keeps it.
func (s *server) newSecret(r *http.Request, password string) (record.Hash, error) {
	if err := s.hashing.enter(r.Context(), limit.Network(r)); err != nil {
		return record.Hash{}, err
	}
	secret, err := person.NewSecret(password, s.cost, rand.Reader)
	s.hashing.exit()
	if err != nil {
		return record.Hash{}, err
	}
	return secret.Hash(), s.register.PutSecret(r.Context(), secret)
}

// nameOf returns what the register says of a person: a password has none of it.
func (s *server) nameOf(ctx context.Context, id uint32) string {
	p, _ := s.house.People().Person(id)
	if s.register == nil || p.ID == 0 || p.Erased {
		return ""
	}
	details, err := s.register.Details(ctx, p.Details)
	if err != nil {
		return "" // The register has forgotten the person, or does not answer.
	}
	return details.Name
}

func (s *server) changePassword(w http.ResponseWriter, r *http.Request) error {
	var in NewPassword
	if err := s.read(w, r, field{name: "old", required: true, read: text(&in.Old)},
		field{name: "new", required: true, read: text(&in.New)}); err != nil {
		return err
	}
	p, err := s.authenticate(r, callerOf(r).person.ID, in.Old)
	if err != nil {
		return err
	}
	if err := checkPassword(in.New, s.nameOf(r.Context(), p.ID)); err != nil {
		return err
	}
	secret, err := s.newSecret(r, in.New)
	if err != nil {
		return err
	}
	return s.staff(w, r, staff.SetPassword{By: p.ID, Person: p.ID, Secret: secret})
}
