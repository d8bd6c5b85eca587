package proof

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"drawhouse/core/figure"
	"drawhouse/core/money"
	"drawhouse/games/draw"
	"drawhouse/games/keno"
	"drawhouse/games/settle"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// CheckStory checks the file of a story with the house's key as the inspector knows it,
// and returns the story, if it can be read, with what it shows. Several keys are needed
// where the house lost one, so that it could not sign for the next.
//
// Shown is that the house signed the story; that every record in it is in the journal
// of the checkpoint; that the ticket was under the seal of each game before the draw;
// that the device drew the stated numbers under that seal; that the prizes are those of
// the winners files that the settlements pin; and that what was paid is what the
// payments say. That the winners files are right is shown by grading all plays, which
// is what drawhouse verify does with an export.
func CheckStory(file []byte, houseKeys ...string) (*Story, *Report) {
	c := &storyChecker{report: &Report{}, records: map[record.Place]record.Record{}, devices: map[uint16]string{},
		paid: map[uint32]money.Amount{}, most: map[uint32]money.Amount{}}
	c.houseKeys = houseKeys
	for _, check := range []func() error{
		func() error { return c.open(file) }, c.volumes, c.entries, c.subject, c.games, c.payments,
	} {
		if err := check(); err != nil {
			c.report.Failure, c.report.Detail = "The story does not hold.", err.Error()
			c.report.Proved, c.report.NotProved = nil,
				[]string{"Anything: a story of which one part does not hold proves nothing."}
			return c.story, c.report
		}
	}
	c.report.NotProved = []string{
		"That the winners files are right: grade an export of the journal with drawhouse verify.",
		"That nothing was left out: a record about the ticket that the house keeps back is found in an export.",
		"That the key is the house's: know it from somebody you trust, and not from the one who gave you the story.",
	}
	return c.story, c.report
}

// storyChecker checks one story.
type storyChecker struct {
	houseKeys []string
	report    *Report
	story     *Story
	known     []journal.Verifier // keys of the house
	ends      map[uint16]journal.Checkpoint
	records   map[record.Place]record.Record
	order     []record.Place
	devices   map[uint16]string // device keys by volume
	ticket    record.Place
	sold      *record.TicketSold
	paid      map[uint32]money.Amount // by game, as the payments say
	most      map[uint32]money.Amount // by game, by whichever of its results it won most
}

func (c *storyChecker) prove(format string, args ...any) {
	c.report.Proved = append(c.report.Proved, fmt.Sprintf(format, args...))
}

// open verifies the signature. A story of several volumes may be signed with a later
// key than the one given; the volumes lead there.
func (c *storyChecker) open(file []byte) error {
	var peek struct{ Story Story }
	if err := json.Unmarshal(file, &peek); err != nil {
		return fmt.Errorf("not JSON: %w", err)
	}
	var volumes []*record.VolumeBegun
	for _, v := range peek.Story.Volumes {
		begun, err := begunOf(v)
		if err != nil {
			return err
		}
		volumes = append(volumes, begun)
	}
	keys := slices.Clone(c.houseKeys)
	for known := -1; known < len(keys); {
		known = len(keys)
		for _, begun := range volumes {
			keys = handOver(keys, begun)
		}
	}
	for _, key := range keys {
		verifier, err := journal.ParseVerifier(key)
		if err != nil {
			return fmt.Errorf("the house's key: %w", err)
		}
		c.known = append(c.known, verifier)
	}
	var err error
	if c.story, err = openStory(file, c.known); err != nil {
		return err
	}
	if c.ticket, err = parsePlace(c.story.Place); err != nil {
		return err
	}
	c.prove("%s signed this story of ticket %s, record %v, made %s.", c.story.House, c.story.Serial, c.ticket,
		c.story.Made.UTC().Format("2 January 2006, 15:04:05 UTC"))
	return nil
}

// volumes finds where each volume ended, from the checkpoint back.
func (c *storyChecker) volumes() error {
	text, err := openByOne([]byte(c.story.Checkpoint), c.known)
	if err != nil {
		return fmt.Errorf("the checkpoint: %w", err)
	}
	at, err := journal.ParseCheckpoint(text)
	if err != nil {
		return err
	}
	c.prove("The journal has %s up to the checkpoint of %s, root %v.", figure.Count(at.Size, "record"), at.Origin,
		at.Root)
	c.ends = map[uint16]journal.Checkpoint{}
	for i := len(c.story.Volumes) - 1; ; i-- {
		house, volume, err := journal.ParseOrigin(at.Origin)
		if err != nil || house != c.story.House {
			return fmt.Errorf("%s is no volume of %s", at.Origin, c.story.House)
		}
		c.ends[volume] = at
		if i < 0 {
			return nil
		}
		data, begun, path, err := c.story.Volumes[i].read()
		if err != nil {
			return err
		}
		if err := journal.CheckRecord(path, at.Size, at.Root, 0, journal.LeafHash(data)); err != nil {
			return fmt.Errorf("the record that begins %s: %w", at.Origin, err)
		}
		if begun.Volume != volume {
			return fmt.Errorf("volume %d begins as volume %d", volume, begun.Volume)
		}
		c.devices[volume] = begun.DeviceKey
		if at, err = journal.UnverifiedCheckpoint(begun.Previous); err != nil {
			return err
		}
	}
}

// read reads the first record of a volume, and its path.
func (v StoryVolume) read() (data []byte, begun *record.VolumeBegun, path journal.RecordProof, err error) {
	r := reader{}
	data, path = r.bytes("record", v.Record), r.hashes("inclusion", v.Inclusion)
	if r.err != nil {
		return nil, nil, nil, r.err
	}
	begun, err = begunOf(v)
	return data, begun, path, err
}

func begunOf(v StoryVolume) (*record.VolumeBegun, error) {
	r := reader{}
	data := r.bytes("volumes.record", v.Record)
	if r.err != nil {
		return nil, r.err
	}
	decoded, err := record.Decode(data)
	if err != nil {
		return nil, err
	}
	begun, ok := decoded.Body.(*record.VolumeBegun)
	if !ok {
		return nil, fmt.Errorf("a volume begins with %v", decoded.Kind())
	}
	return begun, nil
}

// entries verifies that every record is in the journal.
func (c *storyChecker) entries() error {
	for _, e := range c.story.Entries {
		place, err := parsePlace(e.Place)
		if err != nil {
			return err
		}
		r := reader{}
		data, path := r.bytes("record", e.Record), r.hashes("inclusion", e.Inclusion)
		if r.err != nil {
			return r.err
		}
		end, ok := c.ends[place.Volume]
		if !ok {
			return fmt.Errorf("record %v is of a volume to which the story does not lead", place)
		}
		if err := journal.CheckRecord(path, end.Size, end.Root, place.Seq, journal.LeafHash(data)); err != nil {
			return fmt.Errorf("record %v: %w", place, err)
		}
		decoded, err := record.Decode(data)
		if err != nil {
			return fmt.Errorf("record %v: %w", place, err)
		}
		if n := len(c.order); n > 0 && !c.order[n-1].Before(place) {
			return fmt.Errorf("record %v stands behind %v", place, c.order[n-1])
		}
		if begun, ok := decoded.Body.(*record.VolumeBegun); ok {
			c.devices[place.Volume] = begun.DeviceKey
		}
		c.records[place], c.order = decoded, append(c.order, place)
	}
	c.prove("All %d records of the story are in that journal.", len(c.order))
	return nil
}

// subject finds the sale, and adds up what the payments say.
func (c *storyChecker) subject() error {
	r, ok := c.records[c.ticket]
	if !ok {
		return fmt.Errorf("the record of the ticket, %v, is not among them", c.ticket)
	}
	sold, ok := r.Body.(*record.TicketSold)
	if !ok {
		return fmt.Errorf("record %v is %v and no sale", c.ticket, r.Kind())
	}
	c.sold = sold
	ticket, err := keno.DecodeTicket(sold.Ticket)
	if err != nil {
		return err
	}
	c.prove("It was sold on %s at terminal %d for %v. Its games: %d, from game %d of %v on, by the rules %s.",
		r.Time.Time().Format(
			"2 January 2006, 15:04:05 MST"), sold.Request.Terminal, sold.CostCents, ticket.Games, ticket.First.Game,
		ticket.First.Day, ticket.Rulebook)
	for i := range ticket.Bets {
		c.prove("Bet %d: %s.", i+1, words(&ticket.Bets[i]))
	}
	for _, place := range c.order {
		if paid, ok := c.records[place].Body.(*record.TicketPaid); ok && paid.Ticket == c.ticket {
			for _, part := range paid.Parts {
				c.paid[part.Ordinal] += part.Cents
			}
		}
	}
	return nil
}

// games checks each game: seal, draw and prize.
func (c *storyChecker) games() error {
	for i := range c.story.Games {
		g := &c.story.Games[i]
		name := fmt.Sprintf("game %s/%d", g.Day, g.Number)
		if g.Proof == nil {
			c.prove("%s is not sealed yet.", strings.ToUpper(name[:1])+name[1:])
			continue
		}
		seal, err := c.sealed(g)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		c.prove("In %s it was under the seal %s, with %s for %v.", name, seal.Fingerprint(),
			figure.Count(seal.Plays, "play"), money.Amount(seal.StakesCents))
		if err := c.drawn(g, name, seal); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := c.prize(g, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// sealed checks that the ticket is in the seal of a game.
func (c *storyChecker) sealed(g *Game) (journal.SealBody, error) {
	p, err := Parse(g.Proof)
	if err != nil {
		return journal.SealBody{}, err
	}
	text, err := openByOne(p.Seal, c.known)
	if err != nil {
		return journal.SealBody{}, fmt.Errorf("the seal: %w", err)
	}
	body, err := journal.ParseSeal(text)
	if err != nil {
		return journal.SealBody{}, err
	}
	if body.Game.Day != g.Day || body.Game.Number != uint32(g.Number) {
		return journal.SealBody{}, fmt.Errorf("the seal is of %v", body.Game)
	}
	if sale, err := record.Encode(c.records[c.ticket]); err != nil || !bytes.Equal(sale, p.Record) ||
		p.Play.Seq != c.ticket.Seq {
		return journal.SealBody{}, fmt.Errorf("the proof is of another ticket")
	}
	return body, body.CheckPlay(p.Play)
}

// drawn checks the device's statement of the numbers, if there is a result.
func (c *storyChecker) drawn(g *Game, name string, seal journal.SealBody) error {
	for _, place := range c.order {
		b, ok := c.records[place].Body.(*record.GameDrawn)
		if !ok || !g.is(b.Game) {
			continue
		}
		device, err := journal.ParseVerifier(c.devices[place.Volume])
		if err != nil {
			return fmt.Errorf("the device's key: %w", err)
		}
		result, _, err := draw.OpenResult(b.Note, device)
		if err != nil {
			return fmt.Errorf("the device's statement: %w", err)
		}
		if result.Seal != seal.Hash() {
			return fmt.Errorf("the device drew under another seal")
		}
		c.prove("In %s the device drew %v under that seal.", name, result.Numbers)
	}
	return nil
}

// is reports whether a record is of the game.
func (g *Game) is(ref record.Game) bool {
	return ref.Series == g.Series && ref.Day.String() == g.Day && ref.Number == g.Number
}

// prize holds the stated prize against the winners files, and those against the
// settlements.
func (c *storyChecker) prize(g *Game, name string) error {
	var hashes []record.Hash
	begins := map[int]bool{} // files with which those of a corrected result begin
	for _, place := range c.order {
		switch b := c.records[place].Body.(type) {
		case *record.GameSettled:
			if g.is(b.Game) {
				hashes = append(hashes, b.WinnersHash)
			}
		case *record.ResultCorrected:
			if g.is(b.Game) {
				begins[len(hashes)] = true
				c.prove("In %s the result was corrected to %v: %s.", name, b.Numbers, b.Reason)
			}
		case *record.GameVoided:
			if g.is(b.Game) {
				hashes = append(hashes, b.WinnersHash)
			}
		}
	}
	if len(hashes) != len(g.Winners) {
		return fmt.Errorf("there are %d settlements and %d winners files", len(hashes), len(g.Winners))
	}
	var won money.Amount
	for i, text := range g.Winners {
		r := reader{}
		data := r.bytes("winners", text)
		if r.err != nil {
			return r.err
		}
		file, err := settle.DecodeWinners(data)
		if err != nil {
			return err
		}
		if file.Hash() != hashes[i] {
			return fmt.Errorf("winners file %d is not the one that the settlement pins", i+1)
		}
		if begins[i] {
			won = 0 // Those before it are of a result that was corrected.
		}
		cents, _ := file.Lookup(c.ticket)
		won += cents
		c.most[g.Ordinal] = max(c.most[g.Ordinal], won)
	}
	if won.Cents() != g.PrizeCents {
		return fmt.Errorf("it states a prize of %v, and the winners files have %v", money.Amount(g.PrizeCents), won)
	}
	if len(hashes) > 0 {
		c.prove("In %s it has won %v.", name, won)
	}
	for _, line := range g.Lines {
		c.prove("    way %d: %s (%s)", line.Way, line.Text, line.Clause)
	}
	return nil
}

// payments holds what was paid against the payments.
func (c *storyChecker) payments() error {
	var sum money.Amount
	for i := range c.story.Games {
		g := &c.story.Games[i]
		paid := c.paid[g.Ordinal]
		if paid.Cents() != g.PaidCents {
			return fmt.Errorf("game %s/%d states %v as paid, and the payments say %v", g.Day, g.Number,
				money.Amount(g.PaidCents), paid)
		}
		// What was paid by a result is kept when that is corrected, and no more is.
		if paid.Cents() > c.most[g.Ordinal].Cents()+g.RefundCents {
			return fmt.Errorf("for game %s/%d %v was paid, which is more than it won", g.Day, g.Number, paid)
		}
		sum += paid
	}
	c.prove("Of what it has won %v was paid.", sum)
	for _, place := range c.order {
		r := c.records[place]
		if subject, ok := r.Subject(); ok && subject == c.ticket && r.Kind() != record.KindTicketPaid ||
			isStop(r, c.ticket) {
			c.prove("On %s: %v (record %v).", r.Time.Time().Format("2 January 2006, 15:04:05 MST"), r.Kind(), place)
		}
	}
	return nil
}

// isStop reports whether a record stops, or no longer stops, the payment of a ticket.
func isStop(r record.Record, ticket record.Place) bool {
	switch b := r.Body.(type) {
	case *record.PaymentFrozen:
		return slices.Contains(b.Places, ticket)
	case *record.PaymentReleased:
		return slices.Contains(b.Places, ticket)
	}
	return false
}

// parsePlace reads a place as people write it.
func parsePlace(text string) (record.Place, error) {
	volume, seq, ok := strings.Cut(text, ":")
	v, err1 := strconv.ParseUint(volume, 10, 16)
	s, err2 := strconv.ParseUint(seq, 10, 48)
	if !ok || err1 != nil || err2 != nil || v == 0 {
		return record.Place{}, fmt.Errorf("%q is not the place of a record, VOLUME:SEQUENCE", text)
	}
	return record.Place{Volume: uint16(v), Seq: s}, nil
}
