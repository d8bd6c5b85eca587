package state

import (
	"slices"

	"drawhouse/core/digest"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// SessionPhase is how far a session has come.
type SessionPhase uint8

// The phases, in their order.
const (
	SessionEntering SessionPhase = iota + 1 // players enter and are issued cards
	SessionPlaying                          // the first and the last serial are entered
	SessionClosed
)

var sessionPhases = [...]string{"no session", "entering", "playing", "closed"}

// String returns the phase's name.
func (p SessionPhase) String() string { return sessionPhases[min(p, SessionClosed)] }

// Session is a number of games of bingo that were announced together.
type Session struct {
	Set     record.SessionSet
	Phase   SessionPhase
	Players []Player // by number - 1
	Devices []HallDevice
	Issued  record.IssueClosed
	Games   []BingoGame // by number - 1
	// Contributed is what the fees of the session have put into the levels of the
	// jackpot and was not taken out again.
	Contributed []record.Exact
	// Halted is the electronic card because of which play stands still; 0 if it goes on.
	Halted uint32
	// ClosesAt is the time on the sign, put up at SignedAt; 0 without one.
	ClosesAt, SignedAt record.Time
	Refunded           bool // all fees go back

	done bool       // closed and paid
	sum  digest.Sum `unhashed:"it is the hash of the rest"` // once it is done
}

// Player is somebody who plays in a session.
type Player struct {
	Entered  record.PlayerEntered
	Place    record.Place
	Barred   bool // the cards are out of play
	FeeVoid  bool
	DueCents money.Amount // that goes back and was not fetched

	// back is what of the fee went or goes back, and kept what of it is forfeited.
	back, kept money.Amount
}

// Back returns how much of an amount goes back to a player: whatever the reason for it and
// whatever went back before, all of it together is never more than the fee, and what was
// forfeited of it stays so.
//
//rule:nsw-bingo-2019 8.4.3 9.3.1 9.5
func (p *Player) Back(cents money.Amount) money.Amount {
	return min(cents, max(0, p.Entered.FeeCents-p.back-p.kept))
}

// giveBack lets an amount go back. Before record.LevelGuarded nothing bounded it.
func (p *Player) giveBack(cents money.Amount, guarded bool) {
	if guarded {
		cents = p.Back(cents)
	}
	p.back += cents
	p.DueCents += cents
}

// HallDevice is an electronic card that was issued.
type HallDevice struct {
	ID, Player uint32
	Back       bool // returned, missing or replaced
	Missing    bool
}

// Ref returns the session's name.
func (s *Session) Ref() record.HallSession {
	return record.HallSession{Hall: s.Set.Hall, Session: s.Set.Session}
}

// Game returns a game by its number.
func (s *Session) Game(number uint8) (*BingoGame, bool) {
	if number == 0 || int(number) > len(s.Games) {
		return nil, false
	}
	return &s.Games[number-1], true
}

// Current returns the first game that is not over.
func (s *Session) Current() (*BingoGame, bool) {
	for i := range s.Games {
		if !s.Games[i].Phase.IsOver() {
			return &s.Games[i], true
		}
	}
	return nil, false
}

// Player returns a player by number.
func (s *Session) Player(number uint32) (*Player, bool) {
	if number == 0 || int(number) > len(s.Players) {
		return nil, false
	}
	return &s.Players[number-1], true
}

// WonBy returns the first game in which a claim of a player was found good that still stands.
func (s *Session) WonBy(player uint32) (game uint8, won bool) {
	for i := range s.Games {
		for j := range s.Games[i].Claims {
			if c := &s.Games[i].Claims[j]; c.Stands(&s.Games[i]) && c.Checked.Player == player {
				return s.Games[i].Number, true
			}
		}
	}
	return 0, false
}

// Holder returns who was issued a book.
func (s *Session) Holder(series string, book uint32) (*Player, bool) {
	for i := range s.Players {
		for _, books := range s.Players[i].Entered.Books {
			if books.Has(series, book) {
				return &s.Players[i], true
			}
		}
	}
	return nil, false
}

// InPlay reports whether a book is within the serials that were entered.
func (s *Session) InPlay(series string, book uint32) bool {
	return slices.ContainsFunc(s.Issued.Ranges, func(r record.IssuedRange) bool { return r.Has(series, book) })
}

// Device returns an electronic card that is out.
func (s *Session) Device(id uint32) (*HallDevice, bool) {
	i := slices.IndexFunc(s.Devices, func(d HallDevice) bool { return d.ID == id && !d.Back })
	if i < 0 {
		return nil, false
	}
	return &s.Devices[i], true
}

// Paying returns how many players have paid a fee that stands.
func (s *Session) Paying() int {
	count := 0
	for i := range s.Players {
		if !s.Players[i].FeeVoid {
			count++
		}
	}
	return count
}

// owes reports whether something of the session is unpaid.
func (s *Session) owes() bool {
	if slices.ContainsFunc(s.Players, func(p Player) bool { return p.DueCents > 0 }) {
		return true
	}
	for i := range s.Games {
		if slices.ContainsFunc(s.Games[i].Claims, func(c Claim) bool { return c.Unpaid() > 0 }) {
			return true
		}
	}
	return false
}

// sessionFolds are about what happens in a session around its games.
var sessionFolds = []folding{
	on(func(s *State, b *record.SessionChanged) error {
		ref := record.HallSession{Hall: b.Hall, Session: b.Set.Session}
		return s.inSession(ref, func(_ *Hall, session *Session) error { return session.change(&b.Set) })
	}),
	during(func(s *State, h *Hall, session *Session, b *record.PlayerEntered) error {
		return session.enter(h, b, s.next)
	}),
	during(func(_ *State, h *Hall, session *Session, b *record.IssueClosed) error {
		return session.closeIssue(h, b)
	}),
	during(func(s *State, h *Hall, session *Session, b *record.FeesRefunded) error {
		return session.refund(h, b, s.Guarded())
	}),
	during(func(_ *State, _ *Hall, session *Session, b *record.RefundPaid) error { return session.payRefund(b) }),
	during(func(_ *State, _ *Hall, session *Session, b *record.DeviceFailed) error { return session.failDevice(b) }),
	on(func(s *State, b *record.DeviceReplaced) error {
		return s.inSession(b.Old.Session, func(_ *Hall, session *Session) error { return session.replaceDevice(b) })
	}),
	during(func(s *State, _ *Hall, session *Session, b *record.DeviceReturned) error {
		return session.returnDevice(b, s.Guarded())
	}),
	during(func(s *State, h *Hall, session *Session, b *record.PlayerBarred) error {
		return session.bar(h, b, s.Guarded())
	}),
	at(func(s *State, b *record.SessionClosing, now record.Time) error {
		return s.inSession(b.Session, func(_ *Hall, session *Session) error {
			session.ClosesAt, session.SignedAt = b.At, now
			return nil
		})
	}),
	during(func(_ *State, h *Hall, session *Session, b *record.SessionClosed) error { return session.close(h, b) }),
	during(func(_ *State, _ *Hall, session *Session, _ *record.SessionCancelled) error { return session.cancel() }),
	during(func(_ *State, h *Hall, session *Session, b *record.EntryUndone) error { return session.undo(h, b) }),
	on(func(s *State, b *record.IncidentNoted) error {
		if session, ok := s.sessionAt(b.Session); ok && session.done {
			return nil // What happened is often told when all is paid; it changes nothing.
		}
		return s.inSession(b.Session, func(*Hall, *Session) error { return nil })
	}),
}

// during applies the records of a kind to the session of a bingo room that they name.
func during[B record.Body](apply func(*State, *Hall, *Session, B) error) folding {
	return on(func(s *State, b B) error {
		ref, _ := record.Record{Body: b}.HallSession()
		return s.inSession(ref, func(h *Hall, session *Session) error { return apply(s, h, session, b) })
	})
}

// sessionAt finds a session.
func (s *State) sessionAt(ref record.HallSession) (*Session, bool) {
	hall, ok := s.halls[ref.Hall]
	if !ok {
		return nil, false
	}
	return hall.Session(ref.Session)
}

func (s *Session) enter(h *Hall, b *record.PlayerEntered, place record.Place) error {
	if s.Phase != SessionEntering || int(b.Player) != len(s.Players)+1 {
		return cannot("player %d enters after %d, the session is %v", b.Player, len(s.Players), s.Phase)
	}
	for _, books := range b.Books {
		table, ok := h.Table(books.Series)
		if !ok || slices.ContainsFunc(table.Issued, books.Meets) {
			return cannot("books %d to %d of %s are issued twice, or there are none", books.First, books.Last,
				books.Series)
		}
		table.Issued = append(table.Issued, books)
	}
	if b.Device != 0 {
		if _, out := s.Device(b.Device); out {
			return cannot("device %d is issued twice", b.Device)
		}
		s.Devices = append(s.Devices, HallDevice{ID: b.Device, Player: b.Player})
	}
	s.Players = append(s.Players, Player{Entered: *b, Place: place})
	return nil
}

func (s *Session) closeIssue(h *Hall, b *record.IssueClosed) error {
	if s.Phase != SessionEntering || int(b.Players) != s.Paying() {
		return cannot("the issue to %d players ends, %d have paid", b.Players, s.Paying())
	}
	if err := h.add(b.Contributions, 1); err != nil {
		return err
	}
	s.Phase, s.Issued = SessionPlaying, *b
	copy(s.Contributed, b.Contributions)
	return nil
}

// take takes what fees brought out of the jackpot.
func (s *Session) take(h *Hall, taken []record.Exact) error {
	for i, amount := range taken {
		if i >= len(s.Contributed) || amount > s.Contributed[i] {
			return cannot("%d are taken from level %d, which the session did not bring", amount, i+1)
		}
		s.Contributed[i] -= amount
	}
	return h.add(taken, -1)
}

func (s *Session) refund(h *Hall, b *record.FeesRefunded, guarded bool) error {
	if s.Refunded || int(b.Players) != s.Paying() {
		return cannot("fees are refunded to %d of %d players, or twice", b.Players, s.Paying())
	}
	for i := range s.Players {
		if !s.Players[i].FeeVoid {
			s.Players[i].giveBack(b.FeeCents, guarded)
		}
	}
	s.Refunded = true
	return s.take(h, b.Taken)
}

func (s *Session) payRefund(b *record.RefundPaid) error {
	player, ok := s.Player(b.Player)
	if !ok || b.Cents > player.DueCents {
		return cannot("player %d is refunded %v", b.Player, b.Cents)
	}
	player.DueCents -= b.Cents
	return nil
}

func (s *Session) failDevice(b *record.DeviceFailed) error {
	if _, out := s.Device(b.Device); !out || s.Halted != 0 {
		return cannot("device %d fails and is not out, or play stands still already", b.Device)
	}
	s.Halted = b.Device
	return nil
}

func (s *Session) replaceDevice(b *record.DeviceReplaced) error {
	old, out := s.Device(b.Old.Device)
	if _, twice := s.Device(b.Device); !out || twice || s.Halted != b.Old.Device {
		return cannot("device %d replaces device %d", b.Device, b.Old.Device)
	}
	old.Back, s.Halted = true, 0
	s.Devices = append(s.Devices, HallDevice{ID: b.Device, Player: old.Player})
	return nil
}

func (s *Session) returnDevice(b *record.DeviceReturned, guarded bool) error {
	device, out := s.Device(b.Device)
	if !out {
		return cannot("device %d comes back and is not out", b.Device)
	}
	if guarded && s.Halted == b.Device && s.IsHeldByBarred(b.Device) {
		s.Halted = 0
	}
	device.Back, device.Missing = true, b.Missing
	return nil
}

// IsHeldByBarred reports whether an electronic card that is out is held by a player who was shut out.
func (s *Session) IsHeldByBarred(id uint32) bool {
	device, out := s.Device(id)
	if !out {
		return false
	}
	player, ok := s.Player(device.Player)
	return ok && player.Barred
}

func (s *Session) bar(h *Hall, b *record.PlayerBarred, guarded bool) error {
	player, ok := s.Player(b.Player)
	if !ok || player.Barred && !b.FeeVoid || b.FeeVoid && player.FeeVoid {
		return cannot("player %d is barred twice", b.Player)
	}
	player.Barred = true
	if b.FeeVoid {
		player.FeeVoid = true
		player.giveBack(player.Entered.FeeCents, guarded)
	}
	return s.take(h, b.Taken)
}

func (s *Session) close(h *Hall, b *record.SessionClosed) error {
	if s.Phase == SessionClosed {
		return cannot("session %d is closed twice", s.Set.Session)
	}
	s.Phase, s.Halted = SessionClosed, 0
	return h.roll(b.Rolled)
}

// roll adds prizes to those that roll into the next game.
func (h *Hall) roll(prizes []record.PatternPrize) error {
	for _, p := range prizes {
		i := slices.IndexFunc(h.Rolled, func(r record.PatternPrize) bool { return r.Pattern == p.Pattern })
		if i < 0 {
			h.Rolled = append(h.Rolled, p)
			continue
		}
		var err error
		if h.Rolled[i].Cents, err = h.Rolled[i].Cents.Add(p.Cents); err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) cancel() error {
	if s.Phase != SessionEntering || s.Paying() > 0 {
		return cannot("session %d is cancelled, is %v and has %d players", s.Set.Session, s.Phase, s.Paying())
	}
	s.Phase = SessionClosed
	return nil
}

// undo takes an entry back: the books are in the stock again.
func (s *Session) undo(h *Hall, b *record.EntryUndone) error {
	player, ok := s.Player(b.Player)
	if !ok || s.Phase != SessionEntering || player.Barred || player.FeeVoid {
		return cannot("the entry of player %d is undone, and the session is %v", b.Player, s.Phase)
	}
	for _, books := range player.Entered.Books {
		table, ok := h.Table(books.Series)
		if !ok {
			return cannot("there is no series %s", books.Series)
		}
		// Views share the list, so that it is made anew.
		table.Issued = slices.DeleteFunc(slices.Clone(table.Issued), func(r record.BookRange) bool { return r == books })
	}
	for i := range s.Devices {
		if s.Devices[i].Player == b.Player {
			s.Devices[i].Back = true
		}
	}
	player.Entered.Books, player.Barred, player.FeeVoid = nil, true, true
	player.back = player.Entered.FeeCents
	return nil
}

// Undone reports whether the entry was undone: the player holds no books.
func (p *Player) Undone() bool { return len(p.Entered.Books) == 0 }
