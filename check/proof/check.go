package proof

import (
	"fmt"
	"strings"
	"time"

	"drawhouse/check/policy"
	"drawhouse/check/witness"
	"drawhouse/core/figure"
	"drawhouse/core/money"
	"drawhouse/core/serial"
	"drawhouse/games/draw"
	"drawhouse/games/keno"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// Evidence is what a player has beside the proof. Only the house's key is needed.
type Evidence struct {
	HouseKey    string // verifier key
	Receipt     []byte // the answer to the sale
	Seal        []byte // signed note
	Fingerprint string // of the seal, 32 digits in groups
	Checkpoint  []byte // signed note, with cosignatures
	WitnessKeys []string
	LogKey      string // verifier key of the public log
	LogProof    []byte // C2SP tlog-proof of the seal's entry; that of the proof, unless it is given
	Quorum      int    // how many witnesses must have cosigned the log; more than half of them, unless it is given
	// Policy says whose cosignatures the log must have, in the place of WitnessKeys and Quorum. It names the log's key
	// where LogKey does not.
	Policy    *policy.Policy
	Draw      []byte // signed note of the device
	DeviceKey string
	ClaimCode string
}

// A Report says what a proof shows.
type Report struct {
	Proved    []string `json:"proved"`
	NotProved []string `json:"not_proved"`
	// Failure is the first check that does not hold, or empty; Detail says more.
	Failure string `json:"failure,omitempty"`
	Detail  string `json:"detail,omitempty"`
}

// OK reports whether everything that was brought holds.
func (r *Report) OK() bool { return r.Failure == "" }

// Check checks a proof, as the house gave it, with what the player has.
func Check(data []byte, e Evidence) *Report {
	c := &checker{evidence: e, report: &Report{}}
	p, err := Parse(data)
	if err != nil {
		c.fail("The proof cannot be read.", err)
	}
	c.proof = p
	for _, check := range []func(){c.keys, c.volumes, c.seal, c.record, c.play, c.receipt, c.ownSeal, c.checkpoint,
		c.logged, c.draw, c.claim} {
		if c.report.OK() {
			check()
		}
	}
	if !c.report.OK() {
		c.report.Proved = nil
	}
	c.openQuestions()
	return c.report
}

type checker struct {
	evidence Evidence
	report   *Report
	proof    Proof
	house    journal.Verifier   // that signed the seal
	houses   []journal.Verifier // all keys of the house that are known, the first from the player
	body     journal.SealBody
	at       journal.Checkpoint // of the ticket's volume
	sold     *record.TicketSold
}

func (c *checker) fail(sentence string, err error) {
	c.report.Failure, c.report.Detail = sentence, err.Error()
}

func (c *checker) prove(format string, args ...any) {
	c.report.Proved = append(c.report.Proved, fmt.Sprintf(format, args...))
}

func (c *checker) keys() {
	var err error
	if c.house, err = journal.ParseVerifier(c.evidence.HouseKey); err != nil {
		c.fail("The house's key cannot be read.", err)
	}
	c.houses = []journal.Verifier{c.house}
}

// seal verifies the seal and says what it fixes.
func (c *checker) seal() {
	text, _, err := journal.OpenNote(c.proof.Seal, c.house)
	if err != nil {
		c.fail("The seal is not signed by the house's key.", err)
		return
	}
	if c.body, err = journal.ParseSeal(text); err != nil {
		c.fail("What the house signed is not a seal.", err)
		return
	}
	c.prove("%s signed the seal of %v, fingerprint %s.", c.house.Name(), c.body.Game, c.body.Fingerprint())
	c.prove("The seal fixes %s with stakes of %v, and a journal of %s with root %v.",
		figure.Count(c.body.Plays, "play"), money.Amount(c.body.StakesCents), figure.Count(c.body.Checkpoint.Size,
			"record"), c.body.Checkpoint.Root)
}

// record verifies that the record is in the journal, and reads it.
func (c *checker) record() {
	p := c.proof.Play
	if c.proof.Leaf != p.Leaf {
		c.fail("The record is not the one whose hash the proof states.", fmt.Errorf("its hash is %v", p.Leaf))
		return
	}
	at, err := c.body.JournalOf(p.Volumes)
	if err != nil {
		c.fail("The volumes do not lead from the ticket to the seal.", err)
		return
	}
	c.at = at
	if err := journal.CheckRecord(p.Record, at.Size, at.Root, p.Seq, p.Leaf); err != nil {
		c.fail("The record is not shown to be in the sealed journal.", err)
		return
	}
	r, err := record.Decode(c.proof.Record)
	if err != nil {
		c.fail("The record is not of a ticket.", err)
		return
	}
	sold, ok := r.Body.(*record.TicketSold)
	if !ok {
		c.fail("The record is not of a ticket.", fmt.Errorf("it is of kind %v", r.Kind()))
		return
	}
	ticket, err := keno.DecodeTicket(sold.Ticket)
	if err != nil {
		c.fail("The record is not of a ticket.", err)
		return
	}
	c.sold = sold
	for i, v := range p.Volumes {
		c.prove("%s had ended with %s and root %v: the first record of %s says so, and that was in the journal under the seal.",
			v.Previous.Origin, figure.Count(v.Previous.Size, "record"), v.Previous.Root, c.proof.Volumes[i].Origin())
	}
	c.prove("Record %d of %s was in the journal when the seal was signed: it was neither added nor changed after that.",
		p.Seq, at.Origin)
	c.prove("It is a ticket sold at %s by terminal %d, request %d, for %v. Its games: %d, from game %d of %v on, by the rules %s.",
		utc(r.Time.Time()), sold.Request.Terminal, sold.Request.Number, sold.CostCents, ticket.Games, ticket.First.Game,
		ticket.First.Day, ticket.Rulebook)
	for i := range ticket.Bets {
		c.prove("Bet %d: %s.", i+1, words(&ticket.Bets[i]))
	}
}

func utc(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// words returns a bet in short: its name, its stake, and its numbers if it has any.
func words(b *keno.Bet) string {
	text := fmt.Sprintf("%s, %v", b.Bet, b.Stake)
	var groups []string
	for _, g := range b.Groups {
		groups = append(groups, strings.Trim(fmt.Sprint(g.Numbers()), "[]"))
	}
	if b.Spots.IsValid() {
		groups = append(groups, strings.Trim(fmt.Sprint(b.Spots.Numbers()), "[]"))
	}
	if len(groups) > 0 {
		text += ", on " + strings.Join(groups, " | ")
	}
	return text
}

// play verifies that the ticket plays in the game.
func (c *checker) play() {
	set, err := c.body.CheckPlays(c.at, c.proof.Play)
	if err != nil {
		c.fail("The ticket's bit is not shown by the seal.", err)
		return
	}
	if !set {
		c.fail("The ticket is shown not to play in this game.", journal.ErrProof)
		return
	}
	c.prove("The ticket plays in this game: its bit is set under the seal.")
}

// receipt holds the receipt against the record.
func (c *checker) receipt() {
	if c.evidence.Receipt == nil {
		return
	}
	r, err := parseReceipt(c.evidence.Receipt)
	if err != nil {
		c.fail("The receipt cannot be read.", err)
		return
	}
	at, err := c.openReceipt([]byte(r.Checkpoint))
	if err != nil {
		c.fail("The receipt's checkpoint is not signed by the house's key.", err)
		return
	}
	if r.LeafHash != c.proof.Leaf.String() {
		c.fail("The receipt is of another ticket.", fmt.Errorf("the hash on it is %s", r.LeafHash))
		return
	}
	c.prove("It is the ticket of the receipt with serial %s, which the house gave out with a signed journal of %s.",
		r.Serial, figure.Count(at.Size, "record"))
}

// openReceipt opens the checkpoint of a receipt, which any key of the house may have
// signed: tickets are sold before keys change.
func (c *checker) openReceipt(signed []byte) (at journal.Checkpoint, err error) {
	for _, house := range c.houses {
		if at, _, err = journal.OpenCheckpoint(signed, house); err == nil {
			break
		}
	}
	return at, err
}

// ownSeal holds what the player saw of the seal against the one in the proof.
func (c *checker) ownSeal() {
	if c.evidence.Seal != nil {
		text, _, err := journal.OpenNote(c.evidence.Seal, c.house)
		if err != nil {
			c.fail("The seal that you brought is not signed by the house's key.", err)
			return
		}
		if text != c.body.Marshal() {
			c.fail("The seal that you brought is another one.",
				fmt.Errorf("the one in the proof has the fingerprint %s", c.body.Fingerprint()))
			return
		}
		c.prove("It is the seal that you brought.")
	}
	if c.evidence.Fingerprint == "" {
		return
	}
	noted, whole := digits(c.evidence.Fingerprint), digits(c.body.Fingerprint())
	if len(noted) < len(whole) {
		c.fail("The fingerprint that you noted is too short to show which seal it is.",
			fmt.Errorf("it has %d of %d digits", len(noted), len(whole)))
		return
	}
	if noted != whole {
		c.fail("The fingerprint that you noted is another one.",
			fmt.Errorf("that of the seal is %s", c.body.Fingerprint()))
		return
	}
	c.prove("It is the seal whose fingerprint you noted.")
}

// digits returns what counts of a fingerprint as somebody noted it.
func digits(fingerprint string) string {
	return strings.NewReplacer("-", "", " ", "", "\n", "", "\t", "", "\r", "").Replace(strings.ToLower(fingerprint))
}

// checkpoint looks for witnesses of the journal under the seal.
func (c *checker) checkpoint() {
	if c.evidence.Checkpoint == nil {
		return
	}
	at, _, err := journal.OpenCheckpoint(c.evidence.Checkpoint, c.house)
	if err != nil {
		c.fail("The checkpoint is not signed by the house's key.", err)
		return
	}
	if at != c.body.Checkpoint {
		c.fail("The checkpoint is not that of the seal.",
			fmt.Errorf("it is of %d records of %s with root %v", at.Size, at.Origin, at.Root))
		return
	}
	var known []*witness.Verifier
	for _, key := range c.evidence.WitnessKeys {
		v, err := witness.ParseVerifier(key)
		if err != nil {
			c.fail("A witness's key cannot be read.", err)
			return
		}
		known = append(known, v)
	}
	found, err := witness.Cosignatures(c.evidence.Checkpoint, known...)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("the keys of %d witnesses were given", len(known))
	}
	if err != nil {
		c.fail("No witness whose key you gave cosigned the checkpoint.", err)
		return
	}
	for _, w := range found {
		c.prove("%s had seen this journal, and none that contradicts it, at %s by its own clock.", w.Name,
			utc(time.Unix(w.Time, 0)))
	}
}

// draw verifies the numbers.
func (c *checker) draw() {
	if c.evidence.Draw == nil {
		return
	}
	device, err := journal.ParseVerifier(c.evidence.DeviceKey)
	if err != nil {
		c.fail("The device's key cannot be read.", err)
		return
	}
	result, _, err := draw.OpenResult(c.evidence.Draw, device)
	if err != nil {
		c.fail("The numbers are not signed by the device's key.", err)
		return
	}
	if result.Seal != c.body.Hash() || result.Game != c.body.Game {
		c.fail("The numbers were drawn under another seal.", fmt.Errorf("they are of %v", result.Game))
		return
	}
	c.prove("%s drew under this seal, in this order: %v.", device.Name(), result.Numbers)
}

// claim holds the claim code against the record.
func (c *checker) claim() {
	if c.evidence.ClaimCode == "" {
		return
	}
	code, err := serial.ParseClaimCode(c.evidence.ClaimCode)
	if err != nil {
		c.fail("The claim code cannot be read.", err)
		return
	}
	if !serial.ClaimHash(c.sold.Claim).Matches(code, c.sold.Request.Terminal, c.sold.Request.Number) {
		c.fail("The claim code is not of this ticket.", fmt.Errorf("the record has another hash"))
		return
	}
	c.prove("The claim code is the one of this ticket.")
}
