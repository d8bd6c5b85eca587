package state

import (
	"bytes"
	"slices"
	"strconv"

	"drawhouse/games/draw/cage"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// devices is what draws the games of a series.
type devices struct {
	// chosen draws the games that open from now on, with these custodians.
	chosen     record.Device
	custodians []record.Custodian
	registered uint32 // its number in the register, or 0
	// commitments are those of the last Keno Day that opened and of days to come: to
	// chains or to links, as the note of each says.
	commitments []record.ChainCommitted
	// beacons are the beacon that is part of draws now and the one from a day to come, ascending by that day.
	beacons []record.BeaconChosen
	cage    cage.State
}

// Device returns what draws the games that open from now on, and its custodians. The
// caller must not change them.
func (s *Series) Device() (record.Device, []record.Custodian) {
	if s.devices.chosen == "" {
		return record.DeviceGenerator, nil
	}
	return s.devices.chosen, s.devices.custodians
}

// Chosen returns the record that chose the device; one without a device if no record did. The caller must not
// change the custodians.
func (s *Series) Chosen() record.DeviceChosen {
	return record.DeviceChosen{Series: s.ID, Device: s.devices.chosen, Custodians: s.devices.custodians,
		Registered: s.devices.registered}
}

// Commitments returns the commitments to chains of the last Keno Day that opened and of
// days to come. The caller must not change them.
func (s *Series) Commitments() []record.ChainCommitted { return s.devices.commitments }

// Cage returns how the ball machine of the series stands.
func (s *Series) Cage() cage.State { return s.devices.cage }

// SealName returns the name of a game as seals and devices have it.
func (s *Series) SealName(ref record.Game) journal.Game {
	return journal.Game{Series: s.Name, Day: ref.Day.String(), Number: uint32(ref.Number)}
}

// AtCage reports whether the ball machine is at a draw of the game, which may be void.
func (s *Series) AtCage(g *Game) bool {
	name, revision := s.devices.cage.Game()
	return s.devices.cage.Phase() != cage.Idle && name == s.SealName(g.Ref) && revision == uint32(g.Draw)
}

// deviceFolds are about what draws the games.
var deviceFolds = []folding{
	on((*State).chooseDevice),
	on((*State).registerDevice),
	at((*State).inspectDevice),
	on((*State).inspectDraw),
	on((*State).commitChain),
	on(func(s *State, b *record.LinksCommitted) error {
		return s.commitChain(&record.ChainCommitted{Series: b.Series, Day: b.Day, Custodian: b.Custodian, Note: b.Note})
	}),
	on((*State).releaseLink),
	on((*State).giveLink),
	on((*State).chooseBeacon),
	on((*State).giveRound),
	on(func(s *State, b *record.CageStarted) error { return s.attendCage(b) }),
	on(func(s *State, b *record.BallKeyed) error { return s.attendCage(b) }),
	on(func(s *State, b *record.CageAttended) error { return s.attendCage(b) }),
}

func (s *State) chooseDevice(b *record.DeviceChosen) error {
	series, ok := s.series[b.Series]
	if !ok {
		return cannot("a device for series %d", b.Series)
	}
	if _, known := s.RegisteredDevice(b.Registered); b.Registered != 0 && !known {
		return cannot("games are drawn by device %d, and the register has %d", b.Registered, len(s.register))
	}
	series.devices.chosen, series.devices.custodians, series.devices.registered = b.Device, b.Custodians, b.Registered
	return nil
}

func (s *State) commitChain(b *record.ChainCommitted) error {
	series, ok := s.series[b.Series]
	if !ok || b.Day <= series.Day {
		return cannot("%s commits to a chain for Keno Day %v, which has opened", b.Custodian, b.Day)
	}
	for _, c := range series.devices.commitments {
		if c.Custodian != b.Custodian || c.Day != b.Day {
			continue
		}
		if bytes.Equal(c.Note, b.Note) {
			return nil // The public log begins, and it is said again.
		}
		return cannot("%s commits to two chains for Keno Day %v", b.Custodian, b.Day)
	}
	series.devices.commitments = append(series.devices.commitments, *b)
	return nil
}

// dropCommitments forgets those of Keno Days that are over.
func (s *Series) dropCommitments() {
	s.devices.commitments = slices.DeleteFunc(s.devices.commitments,
		func(c record.ChainCommitted) bool { return c.Day < s.Day })
}

func (s *State) releaseLink(b *record.LinkReleased) error {
	_, game, err := s.gameIn(b.Game, PhaseSealed)
	if err != nil {
		return err
	}
	if game.Device != record.DeviceWitnessed || b.Draw != game.Draw || game.Link(b.Custodian) != nil {
		return cannot("a link of %s for draw %d of game %v, which is drawn by %s and at draw %d", b.Custodian, b.Draw,
			b.Game, game.Device, game.Draw)
	}
	game.Links = append(game.Links, *b)
	return nil
}

// giveLink takes a link that stands for itself, which is for the first draw and so the only
// one.
func (s *State) giveLink(b *record.LinkGiven) error {
	err := s.releaseLink(&record.LinkReleased{Game: b.Game, Draw: 1, Custodian: b.Custodian, Link: b.Link, By: b.By})
	if err != nil {
		return err
	}
	_, game, err := s.gameIn(b.Game, PhaseSealed)
	if err == nil {
		game.Paths = append(game.Paths, b.Path)
	}
	return err
}

// Link returns the link that a custodian has given to the draw of the game that counts,
// or nil.
func (g *Game) Link(custodian string) *record.LinkReleased {
	for i := range g.Links {
		if g.Links[i].Custodian == custodian {
			return &g.Links[i]
		}
	}
	return nil
}

// Uncosigned returns a custodian of the game who is not known to have cosigned its seal, or nothing if all have.
func (g *Game) Uncosigned() string {
	for _, c := range g.Custodians {
		if !slices.Contains(g.Cosigners, c.Name) && !g.LogCosigned(c.Name) {
			return c.Name
		}
	}
	return ""
}

// LogCosigned reports whether somebody, as a custodian of the game, has cosigned its seal in the public log. That is as
// good as the seal in the journal: both name the same records.
func (g *Game) LogCosigned(name string) bool {
	return g.LogSize > 0 && g.Quorate &&
		slices.ContainsFunc(g.Custodians, func(c record.Custodian) bool { return c.Name == name })
}

// attendCage moves the ball machine on by a record.
func (s *State) attendCage(body record.Body) error {
	series, event, err := s.cageEvent(body)
	if err != nil {
		return err
	}
	next, _, err := series.devices.cage.Do(event)
	if err != nil {
		return cannot("at the cage: %v", err)
	}
	if b, ok := body.(*record.CageAttended); ok && b.Approval != 0 {
		if approval, _ := s.people.Approval(b.Approval); !approval.Used {
			return cannot("%s at the cage by approval %d, which is not in use", b.Act, b.Approval)
		}
	}
	series.noteByHand(next)
	series.devices.cage = next
	return nil
}

// noteByHand notes the game of a draw whose result the computer does not take, and forgets it
// if that draw turns out void: then there are no prizes that anybody could have paid.
func (s *Series) noteByHand(next cage.State) {
	name, _ := next.Game()
	open := s.Unsettled()
	i := slices.IndexFunc(open, func(g *Game) bool { return s.SealName(g.Ref) == name })
	if i < 0 || !next.ManualPayment() {
		return
	}
	ordinal := open[i].Ordinal
	switch noted := s.ByHand(ordinal); {
	case next.Phase() == cage.Void && noted:
		s.byHand = s.byHand[:len(s.byHand)-1]
	case next.Phase() != cage.Void && !noted:
		s.byHand = append(s.byHand, ordinal)
	}
}

// ByHand reports whether prizes of a game were paid by hand, because the computer did not take
// its result at first.
func (s *Series) ByHand(ordinal uint32) bool { return slices.Contains(s.byHand, ordinal) }

// OnlyByHand reports whether prizes of a game are still paid by hand alone: until the next draw begins, by the ball
// machine or by what draws in its place.
func (s *Series) OnlyByHand(ordinal uint32) bool {
	g, ok := s.Game(ordinal)
	return ok && s.ByHand(ordinal) && s.devices.cage.ManualPayment() && s.AtCage(g) && !s.drawnAfter(ordinal)
}

// drawnAfter reports whether the draw of a later game has begun. Games are drawn in their order, so that it looks at
// few games.
func (s *Series) drawnAfter(ordinal uint32) bool {
	for later := uint32(s.Games()); later > ordinal; later-- {
		if g, ok := s.Game(later); ok && (g.Numbers.Len() > 0 || g.Draw > 1) {
			return true
		}
	}
	return false
}

// CageStep returns how the ball machine would stand after a record, and what would
// become of it, or a refusal.
func (s *State) CageStep(body record.Body) (cage.State, cage.Step, error) {
	series, event, err := s.cageEvent(body)
	if err != nil {
		return cage.State{}, cage.Step{}, err
	}
	return series.devices.cage.Do(event)
}

// CageTrial returns the same for an act beside the balls to which a second person would
// consent, so that nobody is asked to consent to what cannot be.
func (s *State) CageTrial(b record.CageAttended) (cage.State, cage.Step, error) {
	series, ok := s.series[b.Series]
	if !ok {
		return cage.State{}, cage.Step{}, cannot("a cage of series %d", b.Series)
	}
	act := alone(b.By)
	act.Why, act.By = b.Reason, append(act.By, "another person")
	return series.devices.cage.Do(attended(&b, act))
}

// cageEvent returns the event that a record tells of, and the series of the cage.
func (s *State) cageEvent(body record.Body) (*Series, cage.Event, error) {
	switch b := body.(type) {
	case *record.CageStarted:
		series, game, err := s.atDraw(b.Game, b.Draw)
		if err != nil {
			return nil, nil, err
		}
		return series, cage.Started{
			Act: alone(b.By), Game: series.SealName(game.Ref), Revision: uint32(b.Draw),
			Recorders: [2]string{personName(b.Recorders[0]), personName(b.Recorders[1])},
		}, nil
	case *record.BallKeyed:
		series, game, err := s.atDraw(b.Game, b.Draw)
		if err != nil {
			return nil, nil, err
		}
		if !series.AtCage(game) {
			return nil, nil, cannot("a ball of draw %d of game %v, for which the cage was not started", b.Draw, b.Game)
		}
		return series, cage.Keyed{Act: alone(b.By), Place: int(b.Place), Number: int(b.Number)}, nil
	case *record.CageAttended:
		series, ok := s.series[b.Series]
		if !ok {
			return nil, nil, cannot("a cage of series %d", b.Series)
		}
		return series, attended(b, s.act(b)), nil
	}
	return nil, nil, cannot("%T is not of a cage", body)
}

// atDraw returns a sealed game that a cage draws and that is at a draw.
func (s *State) atDraw(ref record.Game, draw uint8) (*Series, *Game, error) {
	series, game, err := s.gameIn(ref, PhaseSealed)
	if err != nil {
		return nil, nil, err
	}
	if game.Device != record.DeviceCage || game.Draw != draw {
		return nil, nil, cannot("draw %d at the cage of game %v, which is drawn by %s and at draw %d", draw, ref,
			game.Device, game.Draw)
	}
	return series, game, nil
}

// personName names a person for the cage, which knows people by names.
func personName(id uint32) string { return strconv.FormatUint(uint64(id), 10) }

func alone(by uint32) cage.Act { return cage.Act{By: []string{personName(by)}} }

// act says who did or decided something: who did it, and who approved of it.
func (s *State) act(b *record.CageAttended) cage.Act {
	act := alone(b.By)
	act.Why = b.Reason
	if approval, ok := s.people.Approval(b.Approval); ok && approval.Granted && approval.By == b.By {
		act.By = append(act.By, personName(approval.Decider))
	}
	return act
}

// attended returns the event of an act beside the balls.
func attended(b *record.CageAttended, act cage.Act) cage.Event {
	switch b.Act {
	case record.CageCounted:
		return cage.Counted{Act: act, Balls: int(b.Balls)}
	case record.CageFound:
		return cage.FoundAtStart{Act: act, Balls: int(b.Balls)}
	case record.CageHeldBack:
		return cage.HeldBack{Act: act, Number: int(b.Number)}
	case record.CageBroke:
		return cage.Broke{Act: act, Number: int(b.Number)}
	case record.CageReplaced:
		return cage.Replaced{Act: act, Number: int(b.Number)}
	case record.CageFailed:
		return cage.Failed{Act: act}
	case record.CageRepaired:
		return cage.Repaired{Act: act}
	case record.CageFellBack:
		return cage.FellBack{Act: act, Place: int(b.Place), Number: int(b.Number), Video: b.Video}
	case record.CageReread:
		return cage.Reread{Act: act, Place: int(b.Place), Number: int(b.Number)}
	case record.CageComputerFailed:
		return cage.ComputerFailed{Act: act}
	case record.CageNotAccepted:
		return cage.NotAccepted{Act: act}
	case record.CageRectified:
		return cage.Rectified{Act: act}
	case record.CageAbandoned, record.CageNoFurther:
		return cage.Abandoned{Act: act}
	}
	return cage.ResultAccepted{Act: act}
}

// checkCageVoid demands that the ball machine has said first why a draw at it does not
// count, and how the machine is put right.
func (s *Series) checkCageVoid(g *Game) error {
	if g.Device == record.DeviceCage && s.AtCage(g) && s.devices.cage.Phase() != cage.Void {
		return cannot("draw %d of game %v is declared void, and the cage is %v", g.Draw, g.Ref, s.devices.cage.Phase())
	}
	return nil
}

// checkCageGone demands that a game which the ball machine has begun to draw was given up
// there before it ends without a result.
func (s *Series) checkCageGone(g *Game) error {
	if s.HeldByCage(g) {
		return cannot("game %v is declared void, and was not given up at the cage", g.Ref)
	}
	return nil
}

// HeldByCage reports whether the ball machine has begun to draw a game and has not given
// it up.
func (s *Series) HeldByCage(g *Game) bool {
	name, _ := s.devices.cage.Game()
	return g.Device == record.DeviceCage && s.devices.cage.Phase() != cage.Idle && name == s.SealName(g.Ref) &&
		!s.devices.cage.Ended()
}

// checkCageNumber demands that a number of a ball draw is the one entered at its place.
func (s *Series) checkCageNumber(g *Game, number uint8) error {
	if g.Device != record.DeviceCage {
		return nil
	}
	entered := s.devices.cage.Drawn()
	if place := g.Numbers.Len(); !s.AtCage(g) || s.devices.cage.Phase() != cage.Accepted ||
		entered.At(place) != int(number) {
		return cannot("number %d of game %v at place %d is not the one entered at the cage", number, g.Ref, place+1)
	}
	return nil
}
