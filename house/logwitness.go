package house

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"drawhouse/check/witness/wire"
	"drawhouse/core/refusal"
	"drawhouse/decide/game"
	"drawhouse/decide/state"
	"drawhouse/journal"
	"drawhouse/journal/public"
)

// The public log is cosigned twice a game: above its seal, and above its settlement. What comes between waits for the
// next of these, so that a witness that serves many logs is asked seldom.

// dueIn returns how many entries a log has up to the last one that is cosigned without delay. The log has grown since
// before, which may be nil.
func dueIn(before *shownLog, now public.View) (due uint64) {
	known, first := uint64(0), now.Size-uint64(len(now.Entries))
	if before.exists() && before.Number == now.Number {
		known, due = before.Size, before.due
	}
	if known < first {
		due = first // These entries are in a full bundle, and not at hand.
	}
	for i, data := range now.Entries {
		at := first + uint64(i) + 1
		if at <= known {
			continue
		}
		if e, err := public.Parse(data); err != nil || !slices.Contains(uncalled, e.Kind) {
			due = at
		}
	}
	return due
}

// uncalled are the kinds of entries that wait for the seal or the settlement behind them.
var uncalled = []public.Kind{public.Opened, public.Link, public.Result, public.BingoDrawn}

// logWaiters are the games that wait for the log to be cosigned.
type logWaiters struct {
	mu     sync.Mutex // guards what follows
	number uint16     // of the log
	wanted uint64     // up to how many entries
	change chan struct{}
}

// want waits for so many entries of a log, and reports whether nobody has wanted as many before.
func (w *logWaiters) want(number uint16, entries uint64) (news bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if number > w.number {
		w.number, w.wanted = number, 0
	}
	if number < w.number || entries <= w.wanted {
		return false
	}
	w.wanted = entries
	return true
}

// wants returns up to how many entries of a log somebody waits.
func (w *logWaiters) wants(number uint16) uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	if number != w.number {
		return 0
	}
	return w.wanted
}

// changes returns what is closed when readers are shown something else.
func (w *logWaiters) changes() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.change == nil {
		w.change = make(chan struct{})
	}
	return w.change
}

// moved tells those who wait that readers are shown something else.
func (w *logWaiters) moved() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.change != nil {
		close(w.change)
		w.change = nil
	}
}

// loggedSeal is how far the log went when the seal of a game was found in it.
type loggedSeal struct {
	ordinal uint32
	seal    journal.Hash
	number  uint16
	entries uint64
}

// logWitnessed waits until those who watch the log alone have cosigned it above the seal of a game, and that is in the
// journal. A game without that is drawn later.
func (l *Line) logWitnessed(ctx context.Context, ordinal uint32, seal journal.Hash) error {
	if len(wire.OfJournal(l.config.Witnesses.Members)) == len(l.config.Witnesses.Members) {
		return nil
	}
	shown := l.public.shown.Load()
	if !shown.exists() {
		return fmt.Errorf("a witness watches the public log alone: %w", ErrNoLog)
	}
	if shown.signed == nil {
		return fmt.Errorf("house: the key of %s is not at hand, and nobody can cosign the log", shown.Origin)
	}
	at := &l.draws.logged
	if at.ordinal != ordinal || at.seal != seal || at.number != shown.Number {
		*at = loggedSeal{ordinal, seal, shown.Number, shown.Size}
	}
	if err := l.waitLogged(ctx, at.number, at.entries); err != nil {
		return err
	}
	l.draws.clear.Store(ordinal)
	return nil
}

// waitLogged waits until a log is cosigned with so many entries, and the journal says so.
func (l *Line) waitLogged(ctx context.Context, number uint16, entries uint64) error {
	if l.public.waiters.want(number, entries) {
		l.public.wake()
	}
	patience := time.NewTimer(l.config.Witnesses.Timeout)
	defer patience.Stop()
	for {
		changes := l.public.waiters.changes()
		if shown := l.public.shown.Load(); shown.Number > number || shown.witnessed >= entries {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-patience.C:
			return fmt.Errorf("house: the %d entries of %s up to the seal of the game are not cosigned yet", entries,
				l.public.shown.Load().Origin)
		case <-changes:
		}
	}
}

// checkLogWitnessed refuses to begin a draw by people whose game waits for the public log to be cosigned.
func (l *Line) checkLogWitnessed(g *state.Game) error {
	if len(wire.OfJournal(l.config.Witnesses.Members)) == len(l.config.Witnesses.Members) ||
		l.draws.clear.Load() == g.Ordinal {
		return nil
	}
	return &refusal.Refusal{Code: game.NotWitnessed, Path: "game",
		Sentence: fmt.Sprintf("The public log is not cosigned yet above the seal of game %d.", g.Ref.Number)}
}

// newLogGroup returns the witnesses of the public log as they are asked.
func (h *House) newLogGroup() *wire.Group {
	return &wire.Group{
		Members: h.config.Witnesses.Members, Timeout: h.config.Witnesses.Timeout, Hurry: true, FollowersFirst: true,
		Sign: func(journal.Checkpoint) ([]byte, error) {
			return nil, errors.New("house: a log is signed when it grows")
		},
		Prove: h.logGrowth,
	}
}

// startWitnessing begins to have the public log cosigned, if there is anybody to ask.
func (h *House) startWitnessing() {
	if len(h.config.Witnesses.Members) == 0 || h.public.stop != nil {
		return
	}
	h.public.group.Store(h.newLogGroup())
	ctx, stop := context.WithCancel(context.Background())
	h.public.stop, h.public.done = stop, h.Go(ctx, PartWitness, "having the public log cosigned", h.witnessing)
}

// stopWitnessing ends it and waits for the question under way.
func (h *House) stopWitnessing() {
	if h.public.stop != nil {
		h.public.stop()
		<-h.public.done
	}
}

const (
	// askAgainMost is how long the house waits at most before it asks again for the public log to be cosigned, and
	// askAgainGame while a game waits for that.
	askAgainMost = time.Minute
	askAgainGame = 2 * time.Second
)

// witnessing has the log cosigned when that is due, and asks again while a witness that must sign has not, ever more
// seldom: a witness may not watch the log. Growth of the log is no reason to ask earlier, and a game that begins to
// wait is.
func (h *House) witnessing(ctx context.Context) {
	timer, wait := time.NewTimer(0), askAgain
	defer timer.Stop()
	until, pressed := time.Time{}, uint64(0)
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.public.woken:
		case <-timer.C:
		}
		waits := uint64(0)
		if shown := h.public.shown.Load(); shown.exists() {
			waits = h.public.waiters.wants(shown.Number)
		}
		if time.Now().Before(until) && waits <= pressed {
			continue // The timer goes on.
		}
		pressed = waits
		err := h.Contain(PartWitness, "asking for the public log to be cosigned", func() error { return h.witnessLog(ctx) })
		if err == nil {
			wait, until = askAgain, time.Time{}
			continue
		}
		if shown := h.public.shown.Load(); shown.exists() && waits > shown.witnessed {
			wait = min(wait, askAgainGame)
		}
		until = time.Now().Add(wait)
		timer.Reset(wait)
		wait = min(2*wait, askAgainMost)
	}
}

// pendingLog is a checkpoint of the log that is being cosigned.
type pendingLog struct {
	shown *shownLog
	have  wire.Cosigned
}

// witnessLog has the log cosigned as it stands and records it, if those who are required have signed. Who has signed is
// not asked again.
func (h *House) witnessLog(ctx context.Context) error {
	shown, p := h.public.shown.Load(), &h.public.pending
	if !shown.exists() || shown.signed == nil || h.config.FollowLog == shown.Number+1 {
		return nil // Of a log that is given up nobody is asked to cosign more.
	}
	need := max(shown.due, h.public.waiters.wants(shown.Number))
	if shown.witnessed >= need {
		return nil
	}
	if p.shown == nil || p.shown.Number != shown.Number || p.shown.Size < need {
		*p = pendingLog{shown, wire.Cosigned{Checkpoint: shown.signed}}
	}
	asked := p.shown
	cosigned, err := h.public.group.Load().CosignMissing(ctx, asked.Checkpoint(), p.have)
	if h.introduceLog(ctx, asked, cosigned.Missing) {
		cosigned, err = h.public.group.Load().CosignMissing(ctx, asked.Checkpoint(), cosigned)
	}
	h.noteLogWitnesses(asked, cosigned)
	h.stopBeside(asked, cosigned.Missing)
	p.have = cosigned
	if err == nil && len(cosigned.By) == 0 {
		err = errors.New("house: no witness has cosigned the public log")
	}
	if err != nil {
		return err
	}
	err = h.do(ctx, func(m machine) error {
		origin, _ := m.State().PublicLog()
		if witnessed, _ := m.State().LogWitnessed(); origin != asked.Origin || witnessed >= asked.Size {
			return nil
		}
		return m.WitnessLog(h.now(), cosigned.Checkpoint, cosigned.Names())
	})
	if err == nil {
		*p = pendingLog{}
		if shown := h.public.shown.Load(); shown.witnessed < max(shown.due, h.public.waiters.wants(shown.Number)) {
			h.public.wake() // It has grown meanwhile.
		}
	}
	return err
}

// noteLogWitnesses takes in who has cosigned the log and who has not. One that does not watch the log says so, whatever
// it says to the journal.
func (h *House) noteLogWitnesses(shown *shownLog, c wire.Cosigned) {
	alone := wire.Cosigned{}
	for _, by := range c.By {
		h.Clear(PartWitness, logAlarm(by.Name))
		h.Clear(PartWitness, disagreesAlarm(by.Name))
		if h.watchesLogAlone(by.Name) {
			alone.By = append(alone.By, by)
		}
	}
	for _, m := range c.Missing {
		if m.Policy == wire.LogOnly {
			alone.Missing = append(alone.Missing, m)
		}
		if errors.Is(m.Err, wire.ErrDisagrees) {
			h.Raise(PartWitness, disagreesAlarm(m.Name), fmt.Sprintf("Witness %s does not cosign the public log %s: %v", m.Name,
				shown.Origin, m.Err), "Do what its answer says, or ask its people. No game that needs it is drawn until then.")
		}
		if !errors.Is(m.Err, wire.ErrUnknownLog) {
			continue
		}
		if refused := h.public.introduced[introducedTo(shown, m.Name)]; errors.Is(refused, wire.ErrOther) {
			h.Raise(PartWitness, logAlarm(m.Name), fmt.Sprintf("Witness %s does not take the public log %s: %v", m.Name,
				shown.Origin, reason(refused)), "Do what its answer says, with its people and the inspector.")
			continue
		}
		h.Raise(PartWitness, logAlarm(m.Name), fmt.Sprintf("Witness %s does not watch the public log %s.", m.Name, shown.Origin),
			"Give the witness the key of the log: "+shown.Key)
	}
	h.noteWitnesses(alone)
}

// disagreesAlarm is the key of the alarm that a witness refuses what the log says.
func disagreesAlarm(name string) string { return "public log refused " + name }

// logAlarm is the key of the alarm that a witness does not watch the log.
func logAlarm(name string) string { return name + " and the public log" }

// watchesLogAlone reports whether a witness cosigns the log and no volume of the journal.
func (h *House) watchesLogAlone(name string) bool {
	return slices.ContainsFunc(h.config.Witnesses.Members, func(m wire.Member) bool {
		return m.Policy == wire.LogOnly && m.Witness.Name() == name
	})
}

// ErrBehindWitness means that a witness has cosigned a public log that this house does not have.
var ErrBehindWitness = errors.New("a witness knows another public log than this house has")

// askStanding asks every witness where it stands before the house sells. One that is ahead has seen entries that this
// house has lost, and one with another root another house: what is sold now could never be shown to be the same game.
// A witness that does not answer holds up nobody; games wait for it.
func (h *House) askStanding(ctx context.Context) error {
	shown := h.public.shown.Load()
	if len(h.config.Witnesses.Members) == 0 || !shown.exists() || shown.signed == nil ||
		h.config.FollowLog == shown.Number+1 {
		return nil
	}
	group := h.newLogGroup()
	group.Hurry = false
	cosigned, err := group.CosignNote(ctx, shown.Checkpoint(), shown.signed)
	h.noteLogWitnesses(shown, cosigned)
	for _, m := range cosigned.Missing {
		if knowsOther(m) {
			return behindWitness(shown, m)
		}
	}
	if ctx.Err() != nil {
		return errors.Join(ctx.Err(), err)
	}
	return nil
}

// knowsOther reports whether a witness has cosigned more of the log than it was shown, or something else.
func knowsOther(m wire.Missing) bool {
	return errors.Is(m.Err, wire.ErrAhead) || errors.Is(m.Err, wire.ErrOther)
}

func behindWitness(shown *shownLog, m wire.Missing) error {
	return fmt.Errorf("house: %w: %w. Nothing is sold. This is an older copy of the data, or another one: start on the newest copy (docs/RUNBOOK.md, a witness is ahead). If nobody has the missing entries, begin a log that follows this one, with --next-log=%d, and give its key to the witnesses",
		ErrBehindWitness, m.Err, shown.Number+1)
}

// stopBeside stops a house that runs beside another one of its name: a witness without which no game is drawn has
// cosigned another log than the one that it is shown. Two copies that are started at the same moment have the same log
// until one of them grows, so that the question at the start finds nothing. What a copy sells would be in no game.
func (h *House) stopBeside(shown *shownLog, missing []wire.Missing) {
	for _, m := range missing {
		if m.Policy != wire.Expected && knowsOther(m) {
			h.lane.Fail(h.lane.Epoch(), behindWitness(shown, m))
		}
	}
}
