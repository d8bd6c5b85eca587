package game

import (
	"fmt"
	"slices"
	"strings"

	"drawhouse/core/ball"
	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/games/beacon"
	"drawhouse/games/draw"
	"drawhouse/games/draw/cage"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// The codes about devices and custodians.
const (
	DeviceNotAllowed refusal.Code = "device_not_allowed" // the rulebook has no draws by it
	CustodianUnknown refusal.Code = "custodian_unknown"  // nobody of the name, or with that key, gives links
	CustodiansTooFew refusal.Code = "custodians_too_few" // one alone could choose
	ChainMissing     refusal.Code = "chain_missing"      // a custodian has not committed to a chain for the game
	ChainTooLate     refusal.Code = "chain_too_late"     // the Keno Day of the chain has opened
	ChainOther       refusal.Code = "chain_other"        // the custodian has committed to another chain
	LinkMissing      refusal.Code = "link_missing"       // a custodian has not given its link
	LinkOther        refusal.Code = "link_does_not_fit"  // the link does not lead to the tip committed to
	DeviceOther      refusal.Code = "drawn_by_another"   // the game is drawn by another device
	ResultNotEntered refusal.Code = "result_not_entered" // the ball draw is not over
	CageDecides      refusal.Code = "say_it_at_the_cage" // a ball draw is made void by what happened at the machine
	NotACageEmployee refusal.Code = "not_an_employee"    // who records or attends a ball draw must work here
)

// leastCustodians is how many custodians there are at least.
const leastCustodians = 2

// ChooseDevice says what draws the games that open from now on, if the rulebook knows
// draws by it. It returns nil if that draws them already.
//
//rule:casino-keno-div2 2.1(a)(i) 2.1(a)(ii)
//rule:tas-keno-2023 9.3
func ChooseDevice(s *state.State, c record.DeviceChosen) (*record.DeviceChosen, error) {
	series, err := seriesOf(s, c.Series)
	if err != nil {
		return nil, err
	}
	device, custodians := series.Device()
	if device == c.Device && slices.Equal(custodians, c.Custodians) {
		return nil, nil
	}
	if err := checkAllowed(series.Book, c.Device); err != nil {
		return nil, err
	}
	if c.Registered, err = registeredAs(s, series, c.Device); err != nil {
		return nil, err
	}
	if c.Device == record.DeviceWitnessed && series.DayOpen {
		return nil, &refusal.Refusal{Code: DayIsOpen, Path: "device",
			Sentence: "Chains are committed to before a Keno Day, so that draws by them begin with one."}
	}
	if c.Device == record.DeviceWitnessed && len(c.Custodians) < leastCustodians &&
		(len(c.Custodians) > 0 || len(series.Beacons()) == 0) {
		return nil, &refusal.Refusal{Code: CustodiansTooFew, Path: "custodians",
			Sentence: fmt.Sprintf(
				"A witnessed draw needs at least %d custodians: who knows all secrets can choose the numbers.",
				leastCustodians)}
	}
	return &c, checkCustodians(s, c.Custodians)
}

// checkCustodians refuses custodians who are not known by a key of commitments each of their own: who stands behind two
// names would be the only one who has to agree, and a key that signs something else as well can be asked for that.
func checkCustodians(s *state.State, custodians []record.Custodian) error {
	refuse := func(sentence string, args ...any) error {
		return &refusal.Refusal{Code: CustodianUnknown, Path: "custodians", Sentence: fmt.Sprintf(sentence, args...)}
	}
	for i, c := range custodians {
		v, err := journal.ParseVerifier(c.Key)
		if err != nil || v.Name() != c.Name {
			return refuse("%q is not a verifier key of %s.", c.Key, c.Name)
		}
		for _, other := range custodians[:i] {
			if journal.SameKey(other.Key, c.Key) {
				return refuse("%s and %s have one key; each custodian needs a key of its own.", other.Name, c.Name)
			}
		}
		if of := s.KeyOf(c.Key); of != "" {
			return refuse("%s commits to links with the key of %s; a custodian needs a key of its own for commitments.",
				c.Name, of)
		}
		for series := range s.AllSeries() {
			for _, other := range custodiansOf(series) {
				if other.Name != c.Name && journal.SameKey(other.Key, c.Key) {
					return refuse("%s and %s have one key; each custodian needs a key of its own.", other.Name, c.Name)
				}
			}
		}
	}
	return nil
}

// CheckWitnesses refuses a new witness whose key of cosignatures is the one by which a custodian commits to links. One
// that was named before stays: a house whose custodians had one key for both goes on until it chooses them again.
func CheckWitnesses(s *state.State, named []record.Witness) error {
	for _, w := range named {
		if slices.ContainsFunc(s.Witnesses(), func(before record.Witness) bool { return before.Key == w.Key }) {
			continue
		}
		for series := range s.AllSeries() {
			for _, c := range custodiansOf(series) {
				if journal.SameKey(c.Key, w.Key) {
					return &refusal.Refusal{Code: CustodianUnknown, Path: "witnesses",
						Sentence: fmt.Sprintf("%s would cosign with the key by which %s commits to links; a key signs one of the two.",
							w.Name, c.Name)}
				}
			}
		}
	}
	return nil
}

// custodiansOf returns the custodians of the games that a series opens from now on.
func custodiansOf(series *state.Series) []record.Custodian {
	_, custodians := series.Device()
	return custodians
}

func checkAllowed(book *rulebook.Book, device record.Device) error {
	rule := book.Draw()
	if slices.Contains(rule.Devices, string(device)) {
		return nil
	}
	return &refusal.Refusal{
		Code: DeviceNotAllowed, Path: "device", Clause: rule.Quoted(),
		Sentence: fmt.Sprintf("The rules know draws by %s and not by %s.", strings.Join(rule.Devices, ", "), device),
	}
}

// CheckDevice reports why the next game of a series could not be drawn: its device is
// not one of the rulebook, or a custodian has not committed to a chain that has a link
// for it. Nothing may be sold for such a game.
func CheckDevice(s *state.State, series uint8) error {
	current, err := openSeries(s, series)
	if err != nil {
		return err
	}
	device, custodians := current.Device()
	book, _ := s.Terms(current, uint32(current.Games())+1)
	if err := checkAllowed(book, device); err != nil {
		return err
	}
	if err := checkRegistered(s, current, book); err != nil {
		return err
	}
	number, err := nextNumber(current)
	if err != nil {
		return err
	}
	name := current.SealName(record.Game{Series: series, Day: current.Day, Number: number})
	if device == record.DeviceWitnessed {
		if err := checkBeacon(s, current, custodians); err != nil {
			return err
		}
	}
	for _, c := range custodians {
		commitment, err := commitmentOf(current, c, current.Day)
		if err == nil {
			err = commitment.Covers(name)
		}
		if err != nil {
			return &refusal.Refusal{Code: ChainMissing,
				Sentence: fmt.Sprintf("%s has no chain for %v: %v.", c.Name, name, err)}
		}
	}
	return nil
}

// checkCommitted refuses a Keno Day whose chains are not all committed to: once it is
// open no commitment is taken any more.
func checkCommitted(series *state.Series, d day.Day) error {
	_, custodians := series.Device()
	for _, c := range custodians {
		if _, err := commitmentOf(series, c, d); err != nil {
			return &refusal.Refusal{Code: ChainMissing, Path: "day",
				Sentence: fmt.Sprintf(
					"%s has not committed to a chain for Keno Day %v, and once it is open it is too late.", c.Name, d)}
		}
	}
	return nil
}

// commitmentOf returns what a custodian has committed to for a Keno Day.
func commitmentOf(series *state.Series, c record.Custodian, d day.Day) (draw.Commitment, error) {
	for _, committed := range series.Commitments() {
		if committed.Custodian == c.Name && committed.Day == d {
			return openCommitment(committed.Note, c)
		}
	}
	return draw.Commitment{}, fmt.Errorf("nothing is committed to for %v", d)
}

func openCommitment(note []byte, c record.Custodian) (draw.Commitment, error) {
	verifier, err := journal.ParseVerifier(c.Key)
	if err != nil {
		return draw.Commitment{}, err
	}
	return draw.OpenCommitment(note, verifier)
}

// Commit takes a custodian's commitment to the links of a Keno Day that has not opened.
// It returns nil if it was taken before.
func Commit(s *state.State, series uint8, note []byte) (*record.LinksCommitted, error) {
	current, err := seriesOf(s, series)
	if err != nil {
		return nil, err
	}
	_, custodians := current.Device()
	for _, c := range custodians {
		if commitment, err := openCommitment(note, c); err == nil {
			return commit(current, commitment, note)
		}
	}
	return nil, &refusal.Refusal{Code: CustodianUnknown, Path: "commitment",
		Sentence: "It is no commitment that a custodian of this series has signed."}
}

func commit(series *state.Series, c draw.Commitment, note []byte) (*record.LinksCommitted, error) {
	d, err := day.Parse(c.Chain.Day)
	if err != nil || c.Chain.Series != series.Name {
		return nil, &refusal.Refusal{Code: ChainOther, Path: "commitment",
			Sentence: fmt.Sprintf("The %v are not for a Keno Day of %s.", c, series.Name)}
	}
	for _, known := range series.Commitments() {
		if known.Custodian != c.Chain.Custodian || known.Day != d {
			continue
		}
		if slices.Equal(known.Note, note) {
			return nil, nil
		}
		return nil, &refusal.Refusal{Code: ChainOther, Path: "commitment",
			Sentence: fmt.Sprintf("%s has committed to other links for Keno Day %v; a commitment is not changed.",
				known.Custodian, d)}
	}
	if d <= series.Day {
		return nil, &refusal.Refusal{Code: ChainTooLate, Path: "commitment",
			Sentence: fmt.Sprintf("Keno Day %v has opened; links are committed to before.", d)}
	}
	if !c.Singly {
		return nil, &refusal.Refusal{Code: ChainOther, Path: "commitment",
			Sentence: fmt.Sprintf(
				"%s has committed to a chain; one link of a chain gives all links before it, so links are committed to singly.",
				c.Chain.Custodian)}
	}
	return &record.LinksCommitted{Series: series.ID, Day: d, Custodian: c.Chain.Custodian, Note: note}, nil
}

// Link takes the link that a custodian gives to the draw of a sealed game, or that a
// person brings who rebuilt it from shares. It returns nil if it was taken before.
func Link(s *state.State, series uint8, ordinal uint32, link draw.Link, by uint32) (record.Body, error) {
	current, game, err := gameIn(s, series, ordinal, state.PhaseSealed)
	if err != nil {
		return nil, err
	}
	if game.Device != record.DeviceWitnessed {
		return nil, &refusal.Refusal{Code: DeviceOther, Path: "game",
			Sentence: fmt.Sprintf("Game %d is drawn by %s, which takes no links.", game.Ref.Number, game.Device)}
	}
	if err := checkWitnessed(s, game); err != nil {
		return nil, err
	}
	if game.LogSize > 0 && !game.Quorate {
		return nil, &refusal.Refusal{Code: NotWitnessed, Path: "game",
			Sentence: fmt.Sprintf(
				"Not all custodians have cosigned the public log with the seal of game %d, and before that nobody may know a link.",
				game.Ref.Number)}
	}
	if uncosigned := game.Uncosigned(); uncosigned != "" {
		return nil, &refusal.Refusal{Code: NotWitnessed, Path: "game",
			Sentence: fmt.Sprintf(
				"Custodian %s has not cosigned the seal of game %d, and before that nobody may know a link.", uncosigned,
				game.Ref.Number)}
	}
	i := slices.IndexFunc(game.Custodians, func(c record.Custodian) bool { return c.Name == link.Custodian })
	if i < 0 {
		return nil, &refusal.Refusal{Code: CustodianUnknown, Path: "link.custodian",
			Sentence: fmt.Sprintf("%q is no custodian of game %d.", link.Custodian, game.Ref.Number)}
	}
	commitment, err := commitmentOf(current, game.Custodians[i], game.Ref.Day)
	if err != nil {
		return nil, &refusal.Refusal{Code: ChainMissing, Path: "link",
			Sentence: fmt.Sprintf("%s: %v.", link.Custodian, err)}
	}
	if link.Game != current.SealName(game.Ref) || link.Revision != uint32(game.Draw) {
		return nil, &refusal.Refusal{Code: LinkOther, Path: "link",
			Sentence: fmt.Sprintf("The link is for %v, revision %d, and game %d is at draw %d.", link.Game,
				link.Revision, game.Ref.Number, game.Draw)}
	}
	if err := commitment.CheckLink(link); err != nil {
		return nil, &refusal.Refusal{Code: LinkOther, Path: "link",
			Sentence: fmt.Sprintf("The link does not fit: %v.", err)}
	}
	if game.Link(link.Custodian) != nil {
		return nil, nil // There is one link that fits, so it is the same.
	}
	if !commitment.Singly {
		return &record.LinkReleased{Game: game.Ref, Draw: game.Draw, Custodian: link.Custodian,
			Link: record.Hash(link.Value), By: by}, nil
	}
	given := &record.LinkGiven{Game: game.Ref, Custodian: link.Custodian, Link: record.Hash(link.Value), By: by}
	for _, h := range link.Path.Hashes() {
		given.Path = append(given.Path, record.Hash(h))
	}
	return given, nil
}

// linksKnown reports whether links of a game may be known to somebody: custodians give them once all of them have
// cosigned the public log with its seal. Before there was a log, they gave them once all had cosigned the seal.
func linksKnown(g *state.Game) bool {
	if g.LogSize > 0 {
		return g.Quorate
	}
	return g.Uncosigned() == ""
}

// checkDrawStands refuses to declare void what custodians have cosigned, or whose links are
// known: who could, would have a second try. One draw is made of a game, and its result is
// what seal and links give, whenever the links come. Where the rulebook itself ends a game
// that cannot go on, the game ends once all its links are public, so that everybody sees
// what its result would have been.
//
//rule:casino-keno-div2 11.6
func checkDrawStands(s *state.State, series *state.Series, g *state.Game, clause string, ends bool) error {
	if g.Device != record.DeviceWitnessed || len(g.Links) == 0 && !linksKnown(g) {
		return nil
	}
	if ends && g.NoRound && len(g.Signature) == 0 {
		return nil
	}
	stands := &refusal.Refusal{Code: ResultStands, Path: "game",
		Sentence: fmt.Sprintf(
			"All custodians have cosigned the seal of game %d, so its result is what seal and links give. There is no second draw.", g.Ref.Number)}
	if !ends || !slices.Contains(s.BookOf(g).Draw().Unfinished, fateCarry) {
		return stands
	}
	if clause == "" {
		stands.Sentence += " Name the clause that ends the game."
		return stands
	}
	if _, missing := Links(series, g); len(missing) > 0 {
		stands.Sentence = fmt.Sprintf(
			"A game whose seal is cosigned ends without a result once all its links are public, and %s has not given one.",
			missing[0])
		return stands
	}
	return nil
}

// Links returns the links of the draw of a game that counts, in the form of devices,
// and whose are missing.
func Links(series *state.Series, g *state.Game) (links []draw.Link, missing []string) {
	for _, c := range g.Custodians {
		i := slices.IndexFunc(g.Links, func(l record.LinkReleased) bool { return l.Custodian == c.Name })
		if i < 0 {
			missing = append(missing, c.Name)
			continue
		}
		link := draw.Link{Custodian: c.Name, Game: series.SealName(g.Ref), Revision: uint32(g.Draw),
			Value: journal.Hash(g.Links[i].Link)}
		if i < len(g.Paths) {
			var path []journal.Hash
			for _, h := range g.Paths[i] {
				path = append(path, journal.Hash(h))
			}
			link.Path = draw.PathOf(path)
		}
		links = append(links, link)
	}
	return links, missing
}

// checkByDevice refuses a number that is not the one that the game's device gives next.
func checkByDevice(s *state.State, series *state.Series, g *state.Game, remaining ball.Set, number int,
	bytes []byte) error {
	switch g.Device {
	case record.DeviceCage:
		return checkEntered(series, g, number, bytes)
	case record.DeviceWitnessed:
		if err := checkFromLinks(s, series, g, number, bytes); err != nil {
			return err
		}
	}
	if given, err := draw.NumberFromBytes(remaining, bytes); err != nil || given != number {
		return impossible(number, "its bytes give %d (%v)", given, err)
	}
	return nil
}

// checkFromLinks refuses a number of a witnessed draw that is not the one that seal and
// links give at its place.
func checkFromLinks(s *state.State, series *state.Series, g *state.Game, number int, bytes []byte) error {
	links, missing := Links(series, g)
	if len(missing) > 0 {
		return &refusal.Refusal{Code: LinkMissing, Path: "game",
			Sentence: fmt.Sprintf("%s has not given the link of game %d.", missing[0], g.Ref.Number)}
	}
	round, missed := Part(series, g)
	if missed {
		return &refusal.Refusal{Code: RoundMissing, Path: "game",
			Sentence: fmt.Sprintf("Round %d of the beacon is not there, which is part of game %d.", g.Round, g.Ref.Number)}
	}
	house, _, err := verifiers(s, g)
	if err != nil {
		return err
	}
	seal, err := journal.OpenSeal(g.Seal, house)
	if err != nil {
		return err
	}
	picks, err := draw.WitnessedNumbers(draw.KenoPlan(series.SealName(g.Ref), uint32(g.Draw)), seal.Body().Hash(),
		links, round)
	if err != nil {
		return err
	}
	if pick := picks[g.Numbers.Len()]; pick.Number != number || !slices.Equal(pick.Bytes, bytes) {
		return impossible(number, "seal and links give %d", pick.Number)
	}
	return nil
}

// Drawable is a sealed game as those need to know it who draw it. It shares nothing with
// the state.
type Drawable struct {
	Name       journal.Game
	Seal       []byte
	SealVolume uint16
	Draw       uint8
	Drawn      ball.Sequence // the numbers that are recorded

	Device     record.Device
	Custodians []record.Custodian
	// Commitments are those of the game's Keno Day, Links those of its draw, and Missing
	// the custodians who have given none.
	Commitments []record.ChainCommitted
	Links       []draw.Link
	Missing     []string
	LogSize     uint64 // as in state.Game
	// Beacon is the chain of which a round is part of the draw, if one is, and Round that round once it is there.
	Beacon  beacon.Chain
	Awaited uint64 // the number of the round, which the opening of the game states
	Round   draw.Round
	Cage    cage.State
}

// DrawableOf returns a game as those need to know it who draw it.
func DrawableOf(series *state.Series, g *state.Game) Drawable {
	d := Drawable{
		Name: series.SealName(g.Ref), Seal: slices.Clone(g.Seal), SealVolume: g.SealPlace.Volume, Draw: g.Draw,
		Drawn:  g.Numbers,
		Device: g.Device, Custodians: slices.Clone(g.Custodians), LogSize: g.LogSize, Cage: series.Cage(),
	}
	for _, c := range series.Commitments() {
		if c.Day == g.Ref.Day {
			d.Commitments = append(d.Commitments, c)
		}
	}
	d.Links, d.Missing = Links(series, g)
	d.Beacon, d.Awaited = series.Beacon(g), g.Round
	if round, missing := Part(series, g); !missing {
		d.Round = round
	}
	return d
}
