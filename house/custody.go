package house

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"drawhouse/check/witness"
	"drawhouse/check/witness/wire"
	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/decide/game"
	"drawhouse/games/draw"
	"drawhouse/house/timetable"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// chooseDevices records what draws each series from now on, if that has changed.
func (h *House) chooseDevices(ctx context.Context) error {
	var errs []error
	for _, l := range h.Lines() {
		errs = append(errs, l.chooseDevice(ctx))
	}
	return errors.Join(errs...)
}

// chooseDevice records what draws from now on, if that has changed. Draws by links begin
// with a Keno Day; while one is open the choice waits for the next.
func (l *Line) chooseDevice(ctx context.Context) error {
	chosen := record.DeviceChosen{Series: l.id, Device: cmp.Or(l.config.DrawsOf[l.id], l.config.Draws)}
	if chosen.Device == "" {
		return nil
	}
	if chosen.Device == record.DeviceWitnessed {
		chosen.Custodians = l.custodians()
	}
	err := l.do(ctx, func(m machine) error { return m.ChooseDevice(l.now(), chosen) })
	if refused := new(refusal.Refusal); errors.As(err, &refused) && refused.Code == game.DayIsOpen {
		l.config.Log.Warn("the device draws from the next Keno Day on", "device", string(chosen.Device))
		return nil
	}
	if err != nil {
		return fmt.Errorf("house: the device of series %d: %w", l.id, err)
	}
	return nil
}

// custodians returns the witnesses who hold links, in the order of their names, with their keys of commitments.
func (h *House) custodians() (list []record.Custodian) {
	for _, m := range h.config.Witnesses.Members {
		if m.Custodian {
			list = append(list, record.Custodian{Name: m.Witness.Name(), Key: m.LinksKey})
		}
	}
	slices.SortFunc(list, func(a, b record.Custodian) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// custodian returns the one of a name as it is asked.
func (h *House) custodian(name string) (*wire.Client, bool) {
	for _, m := range h.config.Witnesses.Members {
		if m.Custodian && m.Witness.Name() == name {
			return m.Client, true
		}
	}
	return nil, false
}

// bindCustodians brings the commitments for a Keno Day into the journal before it opens.
// A day that waits for one is opened later: once it is open, it would be too late.
func (l *Line) bindCustodians(ctx context.Context, d day.Day) error {
	if err := l.chooseDevice(ctx); err != nil {
		return err
	}
	unbound, err := l.unbound(ctx, d)
	if err != nil || len(unbound) == 0 {
		return err
	}
	for _, name := range unbound {
		l.tellOfBinding(name, l.bind(ctx, name))
	}
	if unbound, err = l.unbound(ctx, d); err != nil || len(unbound) == 0 {
		return err
	}
	return fmt.Errorf("house: %w: no commitment of %s for Keno Day %v", timetable.ErrNotYet,
		strings.Join(unbound, ", "), d)
}

// tellOfBinding tells the log what became of asking a custodian for its commitments, if that
// is something new.
func (l *Line) tellOfBinding(name string, err error) {
	whom := "commitments of " + name
	switch {
	case err == nil:
		l.waits.news(whom, "")
	case l.waits.news(whom, err.Error()):
		l.config.Log.Warn("a custodian was not asked for its commitments", "custodian", name, "error", err)
	}
}

// unbound returns the custodians who have committed to no chain for a Keno Day.
func (l *Line) unbound(ctx context.Context, d day.Day) (names []string, err error) {
	err = l.do(ctx, func(m machine) error {
		series, _ := m.State().Series(l.id)
		_, custodians := series.Device()
		for _, c := range custodians {
			if !slices.ContainsFunc(series.Commitments(),
				func(known record.ChainCommitted) bool { return known.Custodian == c.Name && known.Day == d }) {
				names = append(names, c.Name)
			}
		}
		return nil
	})
	return names, err
}

// bind takes what a custodian has committed to. Commitments of days that are over, or of
// other series, are refused and mean nothing here.
func (l *Line) bind(ctx context.Context, name string) error {
	client, ok := l.custodian(name)
	if !ok {
		return errors.New("house: no address of it was given")
	}
	asking, cancel := context.WithTimeout(ctx, l.config.Witnesses.Timeout)
	defer cancel()
	notes, err := client.Commitments(asking)
	if err != nil {
		return err
	}
	for _, note := range notes {
		err := l.do(ctx, l.committing(note))
		if refused := new(refusal.Refusal); err != nil && !errors.As(err, &refused) {
			return err
		}
	}
	return nil
}

// CommitChain takes a custodian's commitment for a Keno Day to come, which a person brings.
func (l *Line) CommitChain(ctx context.Context, note []byte) error {
	return l.soon(ctx, l.committing(note))
}

// committing takes a custodian's commitment.
func (l *Line) committing(note []byte) func(machine) error {
	return func(m machine) error { return m.CommitChain(l.now(), l.id, note) }
}

// startWitnessed asks the custodians for their links under the cosigned seal and relays for the round of the beacon,
// records them, and has the numbers made of them. A game that waits for a link or a round is drawn later.
func (l *Line) startWitnessed(ctx context.Context, g *sealed) (Drawing, error) {
	keys, err := deviceKeys(l.configNow(), g.houseKey)
	if err != nil {
		return nil, err
	}
	keys.Required = slices.DeleteFunc(keys.Required, func(name string) bool { return slices.Contains(g.loggedBy, name) })
	var verifiers []journal.Verifier
	for _, c := range g.Custodians {
		v, err := journal.ParseVerifier(c.Key)
		if err != nil {
			return nil, err
		}
		verifiers = append(verifiers, v)
	}
	device, err := draw.NewBeacon(keys, g.Beacon, verifiers...)
	if err != nil {
		return nil, err
	}
	commitments := map[string]draw.Commitment{}
	for _, c := range g.Commitments {
		if commitments[c.Custodian], err = device.Commit(c.Note); err != nil {
			return nil, err
		}
	}
	if g.Awaited > 0 {
		if _, err := l.logCosigned(ctx, g); err != nil { // Nothing is asked for a game that may be void.
			return nil, err
		}
	}
	if err := l.askLinks(ctx, g, commitments); err != nil {
		return nil, err
	}
	if g.Awaited > 0 {
		if err := l.askRound(ctx, g); err != nil {
			return nil, err
		}
		if err := device.TakeRound(g.Name, g.Round.Number, g.Round.Signature); err != nil {
			return nil, err
		}
	}
	for _, link := range g.Links {
		if err := device.Take(link); err != nil {
			return nil, err
		}
	}
	drawing, err := device.Start(g.plan(), g.seal, g.Drawn, g.recent)
	if err != nil {
		return nil, err
	}
	return drawing, nil
}

// askLinks asks those custodians who have not given their link, and records what they
// give. All of them have cosigned the public log with the seal before, and the journal says so.
func (l *Line) askLinks(ctx context.Context, g *sealed, commitments map[string]draw.Commitment) error {
	if len(g.Missing) == 0 {
		return nil
	}
	var cosigned []byte
	var err error
	switch singly := commitments[g.Missing[0]].Singly; {
	case singly && g.LogSize > 0:
		cosigned, err = l.logCosigned(ctx, g)
	case singly:
		err = l.cosignSealed(ctx, g)
	}
	if err != nil {
		return err
	}
	var waiting []error
	for _, name := range g.Missing {
		link, err := l.askLink(ctx, g, name, commitments[name], cosigned)
		l.tellOfLink(name, g.Name.String(), err)
		if err != nil {
			waiting = append(waiting, err)
			continue
		}
		if err := l.do(ctx, func(m machine) error { return m.TakeLink(l.now(), l.id, g.ordinal, link, 0) }); err != nil {
			return err
		}
		g.Links = append(g.Links, link)
	}
	if len(waiting) > 0 {
		return fmt.Errorf("house: %w: %w", timetable.ErrNotYet, errors.Join(waiting...))
	}
	return nil
}

// logCosigned returns a cosigned checkpoint of the public log, once all custodians of a game have cosigned the log with
// its seal. The game waits for them.
func (l *Line) logCosigned(ctx context.Context, g *sealed) ([]byte, error) {
	if note, err := l.quorate(ctx, g.ordinal); err != nil || note != nil {
		return note, err
	}
	why := l.waitLogged(ctx, l.public.shown.Load().Number, g.LogSize)
	if note, err := l.quorate(ctx, g.ordinal); err != nil || note != nil {
		return note, err
	}
	if why == nil {
		why = errors.New("not every custodian has cosigned it, and this house was not told where to ask, see --witness")
	}
	return nil, fmt.Errorf("house: %w: the public log with the seal of %v is not cosigned: %w", timetable.ErrNotYet, g.Name,
		why)
}

// quorate returns the newest cosigned checkpoint of the public log, if all custodians of a game have cosigned the log
// with its seal, and otherwise nil. Of a game with a round of a beacon it is the one that shows its seal in time.
func (l *Line) quorate(ctx context.Context, ordinal uint32) (note []byte, err error) {
	err = l.do(ctx, func(m machine) error {
		series, _ := m.State().Series(l.id)
		if g, ok := series.Game(ordinal); ok && g.Quorate {
			if note = g.InTime; note == nil {
				_, note = m.State().LogWitnessed()
			}
		}
		return nil
	})
	return note, err
}

// tellOfLink tells the log what became of asking a custodian for the link of a game, if that
// is something new: a game that waits for it asks every second.
func (l *Line) tellOfLink(name, game string, err error) {
	whom := "link of " + name
	switch {
	case err == nil && l.waits.news(whom, ""):
		l.config.Log.Info("a custodian has given its link", "custodian", name, "game", game)
	case err != nil && l.waits.news(whom, game+": "+err.Error()):
		l.config.Log.Warn("a custodian has not given its link", "custodian", name, "game", game, "error", err)
	}
}

func (l *Line) askLink(ctx context.Context, g *sealed, name string, commitment draw.Commitment,
	cosigned []byte) (draw.Link, error) {
	client, ok := l.custodian(name)
	if !ok {
		return draw.Link{}, fmt.Errorf(
			"house: no address of %s was given: its link comes from holders of shares, or not at all", name)
	}
	asking, cancel := context.WithTimeout(ctx, l.config.Witnesses.Timeout)
	defer cancel()
	if !commitment.Singly {
		return client.ReleaseChain(asking, commitment, uint32(g.Draw), g.seal)
	}
	if cosigned != nil {
		return client.Link(asking, commitment, witness.LinkRequest{Game: g.Name, Checkpoint: cosigned})
	}
	evidence, err := l.evidence(ctx, g.ref)
	if err != nil {
		return draw.Link{}, err
	}
	return client.ReleaseEvidence(asking, commitment, evidence)
}

// BringLink takes a link that was rebuilt from escrow for a game that waits for it.
func (h *House) BringLink(ctx context.Context, link draw.Link, by uint32) error {
	return h.soon(ctx, func(m machine) error {
		for series := range m.State().AllSeries() {
			for _, g := range series.Unsettled() {
				if series.SealName(g.Ref) == link.Game {
					return m.TakeLink(h.now(), series.ID, g.Ordinal, link, by)
				}
			}
		}
		return &refusal.Refusal{Code: game.GameNotReady, Path: "link.game",
			Sentence: fmt.Sprintf("%v is not waiting for a link.", link.Game)}
	})
}

// Commitments returns what the custodians of a game have committed to for its Keno Day, in
// the order of their names.
func (h *House) Commitments(g Game) []record.ChainCommitted { return h.history.commitments(g) }
