package verify

import (
	"crypto/sha256"
	"fmt"
	"io"
	"strings"
	"time"

	"drawhouse/core/figure"
	"drawhouse/core/money"
	"drawhouse/journal"
)

// A Report is what a run found. It holds if Failure is nil.
type Report struct {
	House      string      `json:"house"`
	Volume     uint16      `json:"volume"`
	HouseKey   Key         `json:"house_key"`
	DeviceKey  Key         `json:"device_key"`
	Checkpoint *Checkpoint `json:"checkpoint,omitempty"`
	// Earlier is how many earlier checkpoints the log was found to begin with.
	Earlier uint64 `json:"earlier_checkpoints"`
	// Lost is how many are of records that the house says it has lost.
	Lost uint64 `json:"checkpoints_of_lost_records,omitempty"`
	// Money is how the rulebook of the house writes amounts.
	Money money.Style `json:"-"`
	// Volumes are those of the export, if there are several.
	Volumes []Volume `json:"volumes,omitempty"`

	Rulebooks []Rulebook `json:"rulebooks"`
	// Witnesses are the last who were named, with their keys by the house's word.
	Witnesses []Witness `json:"witnesses,omitempty"`
	Series    []string  `json:"series"`

	// First and Last are the times of the first and the last record.
	First time.Time `json:"first_time,omitzero"`
	Last  time.Time `json:"last_time,omitzero"`

	Records   uint64 `json:"records"`
	Tickets   uint64 `json:"tickets"`
	Burned    uint64 `json:"requests_burned"`
	Days      uint64 `json:"days"`
	Games     uint64 `json:"games"`
	Seals     uint64 `json:"seals"`
	Numbers   uint64 `json:"numbers"`
	Settled   uint64 `json:"games_settled"`
	Winners   uint64 `json:"winners"`
	Reduced   uint64 `json:"games_pro_rated"`
	Payments  uint64 `json:"payments"`
	Pools     uint64 `json:"jackpots"`
	Revisions uint64 `json:"further_settlements"`
	Cancelled uint64 `json:"tickets_cancelled"`
	Voided    uint64 `json:"draws_voided"`
	// Corrected are results that were corrected.
	Corrected uint64 `json:"results_corrected,omitempty"`
	// GamesVoided are games without a result.
	GamesVoided uint64 `json:"games_voided"`
	// Witnessed are seals that witnesses have cosigned.
	Witnessed uint64 `json:"seals_witnessed"`
	// Chains and Links are those of custodians, and Balls those that people keyed.
	Chains uint64 `json:"chains,omitempty"`
	Links  uint64 `json:"links,omitempty"`
	Rounds uint64 `json:"rounds,omitempty"` // of beacons, each signed and under a seal that was cosigned before it
	Balls  uint64 `json:"balls_keyed,omitempty"`

	// PublicLog is the public log as the records make it; nil where there is none.
	PublicLog *PublicLog `json:"public_log,omitempty"`

	SoldCents     money.Amount `json:"sold_cents"`
	PlayedCents   money.Amount `json:"played_cents"`
	PrizesCents   money.Amount `json:"prizes_cents"`
	BreakageCents money.Amount `json:"breakage_cents"`
	CarriedCents  money.Amount `json:"carried_cents"`
	JackpotCents  money.Amount `json:"jackpot_cents"`
	RefundedCents money.Amount `json:"refunded_cents"`
	// SweptCents is what of the prizes nobody fetched in time, at each time once.
	SweptCents money.Amount `json:"swept_cents,omitempty"`
	PaidCents  money.Amount `json:"paid_cents"`

	// Rooms are those of bingo, BingoGames their games that were graded to the end, BingoClaims the claims that were
	// judged again, of which BingoGood won, and BingoPayments what winners were paid there, awards of disputes included.
	Rooms             uint64       `json:"bingo_rooms,omitempty"`
	BingoGames        uint64       `json:"bingo_games,omitempty"`
	BingoClaims       uint64       `json:"bingo_claims,omitempty"`
	BingoGood         uint64       `json:"bingo_claims_good,omitempty"`
	BingoPayments     uint64       `json:"bingo_payments,omitempty"`
	BingoPrizesCents  money.Amount `json:"bingo_prizes_cents,omitempty"`
	BingoJackpotCents money.Amount `json:"bingo_jackpot_cents,omitempty"`
	BingoPaidCents    money.Amount `json:"bingo_paid_cents,omitempty"`

	Balances []Balance `json:"balances"`
	// Findings are acts that the rules of today refuse, from before the level at which the
	// house refused them; at most maxFindings of FindingCount.
	Findings     []Finding `json:"findings,omitempty"`
	FindingCount uint64    `json:"finding_count,omitempty"`
	Failure      *Failure  `json:"failure,omitempty"`
}

// A Volume is one volume of the journal: why it began, how many records it has, with
// which keys, and whether the key of the one before has signed for them.
type Volume struct {
	Volume    uint16 `json:"volume"`
	Reason    string `json:"reason"`
	Records   uint64 `json:"records"`
	HouseKey  string `json:"house_key"`
	DeviceKey string `json:"device_key"`
	Handed    bool   `json:"handed_over"`
	Abandoned int    `json:"abandoned,omitempty"` // checkpoints of records that are lost
}

// A Witness is somebody who cosigns seals.
type Witness struct {
	Name     string `json:"name"`
	Key      string `json:"key"`
	Required bool   `json:"required"`
	Given    bool   `json:"given"` // the inspector brought the key
}

// A Key is a verifier key and whether the inspector brought it.
type Key struct {
	Key   string `json:"key"`
	Given bool   `json:"given"`
}

// A Rulebook is one by which the export was graded, and whether the inspector
// knows it by its hash.
type Rulebook struct {
	ID    string `json:"id"`
	Hash  string `json:"hash"`
	Known bool   `json:"known"`
	// Own says that it is the operator's: the journal has the text of its file, and Reference
	// is that of its approval outside the house.
	Own       bool   `json:"operators,omitempty"`
	Reference string `json:"reference,omitempty"`
}

// A Checkpoint is the signed checkpoint up to which the records were checked.
type Checkpoint struct {
	Origin      string `json:"origin"`
	Size        uint64 `json:"size"`
	Root        string `json:"root"`
	Fingerprint string `json:"fingerprint"`
}

// A Balance is what an account came to: positive when debits prevail.
type Balance struct {
	Account string       `json:"account"`
	Venue   uint32       `json:"venue,omitempty"`
	Series  uint8        `json:"series,omitempty"` // with Spots, the jackpot; of bingo, room and level
	Spots   uint8        `json:"spots,omitempty"`
	For     string       `json:"for,omitempty"` // the unit of the account, in words
	Cents   money.Amount `json:"cents"`
}

// OK reports whether everything holds.
func (r *Report) OK() bool { return r.Failure == nil }

func (r *Report) setCheckpoint(c journal.Checkpoint) {
	h := sha256.Sum256([]byte(c.Marshal()))
	r.Checkpoint = &Checkpoint{
		Origin: c.Origin, Size: c.Size, Root: c.Root.String(),
		// The form in which seals are compared by people.
		Fingerprint: fingerprint(h),
	}
}

// fingerprint writes the first 128 bits of a hash in groups.
func fingerprint(h [sha256.Size]byte) string {
	text := fmt.Sprintf("%x", h[:2])
	for i := 2; i < 16; i += 2 {
		text += fmt.Sprintf("-%x", h[i:i+2])
	}
	return text
}

func (c *checker) finishReport() {
	if c.report.Records > 0 {
		c.report.Last = c.now.Time()
	}
	c.report.Balances = c.books.balances()
	c.report.PublicLog = c.public.report()
}

// WriteText writes the report for people.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	if r.Checkpoint != nil {
		fmt.Fprintf(&b, "%s, volume %d: %s up to checkpoint %s\n", r.House, r.Volume,
			figure.Count(r.Checkpoint.Size, "record"), r.Checkpoint.Fingerprint)
		fmt.Fprintf(&b, "root %s\n", r.Checkpoint.Root)
		if r.Failure == nil {
			fmt.Fprintf(&b, "time: from %s to %s\n", inUTC(r.First), inUTC(r.Last))
		}
		b.WriteString(r.volumeAdvice())
		b.WriteString(r.keyAdvice())
		b.WriteString(r.historyAdvice())
		b.WriteString(r.rulebookAdvice())
		for _, w := range r.Witnesses {
			if w.Given {
				fmt.Fprintf(&b, "witness: %s, given apart from the export\n", w.Key)
				continue
			}
			fmt.Fprintf(&b, "witness: %s, by the house's word; compare with what %s publishes\n", w.Key, w.Name)
		}
	}
	if r.Failure != nil {
		fmt.Fprintf(&b, "\nDOES NOT HOLD\n%s\n", r.Failure.Error())
		_, err := io.WriteString(w, r.Money.In(b.String()))
		return err
	}
	r.writeChecks(&b)
	r.writeBalances(&b)
	r.writeFindings(&b)
	b.WriteString("\nEverything holds.\n")
	_, err := io.WriteString(w, r.Money.In(b.String()))
	return err
}

func inUTC(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// volumeAdvice tells the volumes, and what is to be asked about them.
func (r *Report) volumeAdvice() string {
	var b strings.Builder
	for i, v := range r.Volumes {
		fmt.Fprintf(&b, "volume %d: %s, begun for the reason %s", v.Volume, figure.Count(v.Records, "record"), v.Reason)
		if i > 0 && !v.Handed {
			b.WriteString("; the key before did NOT sign for its key, so ask the operator for that")
		}
		if v.Abandoned > 0 {
			fmt.Fprintf(&b, "; records before it are LOST, by %s", figure.Count(v.Abandoned, "checkpoint"))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// keyAdvice says what the proof is worth.
func (r *Report) keyAdvice() string {
	switch {
	case r.HouseKey.Given && r.DeviceKey.Given:
		return "keys: given apart from the export\n"
	case !r.HouseKey.Given && !r.DeviceKey.Given:
		return "keys: the export's own, so this shows only that the export agrees with itself;\n" +
			"      with keys from elsewhere (--house-key, --device-key) the proof is worth more\n"
	case r.HouseKey.Given:
		return "keys: house key given; device key the export's own, so the maker of the export may have drawn\n"
	}
	return "keys: device key given; house key the export's own, so the maker of the export may have signed it\n"
}

// historyAdvice says whether the log can have been written anew.
func (r *Report) historyAdvice() string {
	if r.Lost > 0 {
		return fmt.Sprintf("past: the log begins with what %s given stated; %d are of records that the house says it lost\n",
			figure.Count(r.Earlier, "earlier checkpoint"), r.Lost)
	}
	if r.Earlier > 0 {
		return fmt.Sprintf("past: the log begins with what %s given stated\n",
			figure.Count(r.Earlier, "earlier checkpoint"))
	}
	return "past: no earlier checkpoint given (--checkpoint), so the house may have shown others another history\n"
}

// rulebookAdvice says by whose rules prices and prizes were worked out.
func (r *Report) rulebookAdvice() string {
	var b strings.Builder
	for _, book := range r.Rulebooks {
		word := "as known here"
		switch {
		case book.Own:
			word = "the OPERATOR'S OWN: its text is in the journal, and prices and prizes are right by it only"
			if book.Reference != "" {
				word += fmt.Sprintf("; approved as %q", book.Reference)
			}
		case !book.Known:
			word = "NOT known here: prices and prizes are right by the house's own rulebook only"
		}
		fmt.Fprintf(&b, "rules: %s %s, %s\n", book.ID, book.Hash, word)
	}
	return b.String()
}

func (r *Report) writeChecks(b *strings.Builder) {
	line := func(check Check, format string, args ...any) {
		fmt.Fprintf(b, "  %-11s %s\n", check, fmt.Sprintf(format, args...))
	}
	b.WriteString("\nchecked\n")
	line(CheckLog, "%s, each in its one form, in order, under the signed root", figure.Count(r.Records, "record"))
	line(CheckHouse, "%s, each with the hash that names it; series %s", figure.Count(len(r.Rulebooks), "rulebook"),
		strings.Join(r.Series, ", "))
	line(CheckRequests, "%s for %v, each price worked out again; %s burned", figure.Count(r.Tickets, "ticket"),
		r.SoldCents, figure.Count(r.Burned, "request"))
	line(CheckGames, "%s on %s, stakes of %v", figure.Count(r.Games, "game"), figure.Count(r.Days, "day"),
		r.PlayedCents)
	line(CheckSeal, "%s, each over exactly the tickets sold before it; %s", figure.Count(r.Seals, "seal"), r.sealsCosigned())
	line(CheckDraw, "%s, each worked out from its bytes%s", figure.Count(r.Numbers, "number"), r.devices())
	line(CheckSettlement, "%s graded anew: %s, prizes of %v, %v kept by rounding, %s pro-rated",
		figure.Count(r.Settled, "game"), figure.Count(r.Winners,
			"winning play"), r.PrizesCents, r.BreakageCents, figure.Count(r.Reduced, "game"))
	line(CheckPayments, "%s of %v, no play twice", figure.Count(r.Payments, "payment"), r.PaidCents)
	if r.Rooms > 0 {
		line(CheckHall, "%s: %s graded anew, %s judged again and %d of them good, prizes of %v and jackpots of %v; %s of %v, no claim twice",
			figure.Count(r.Rooms, "room"), figure.Count(r.BingoGames, "game"), figure.Count(r.BingoClaims, "claim"), r.BingoGood,
			r.BingoPrizesCents, r.BingoJackpotCents, figure.Count(r.BingoPayments, "payment"), r.BingoPaidCents)
	}
	if l := r.PublicLog; l != nil {
		line(CheckPublicLog, "%s of %s, each made again from its record, with root %s; %s",
			figure.CountOf(l.Entries, "entry", "entries"), l.Origin, l.Root, l.told())
	}
	line(CheckLedger, "debits equal credits after every record")
}

// devices says what else numbers were held against.
func (r *Report) devices() string {
	text := ""
	if r.Rounds > 0 {
		text += fmt.Sprintf("; %s of a beacon, each behind a seal that was cosigned before it", figure.Count(r.Rounds, "round"))
	}
	if r.Links > 0 {
		text += fmt.Sprintf("; %s under %s, each made before its day", figure.Count(r.Links, "link"),
			figure.Count(r.Chains, "commitment"))
	}
	if r.Balls > 0 {
		text += fmt.Sprintf("; %s, each keyed by two", figure.Count(r.Balls, "ball"))
	}
	return text
}

func (r *Report) writeBalances(b *strings.Builder) {
	b.WriteString("\nbalances (debits positive)\n")
	for _, balance := range r.Balances {
		name := balance.Account
		if balance.For != "" {
			name += ", " + balance.For
		}
		fmt.Fprintf(b, "  %-28s %20v\n", name, balance.Cents)
	}
}

// writeFindings lists what the inspector asks the operator about.
func (r *Report) writeFindings(b *strings.Builder) {
	if r.FindingCount == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s to ask the operator about:\n", figure.Count(r.FindingCount, "finding"))
	for _, f := range r.Findings {
		fmt.Fprintf(b, "  %s\n", f)
	}
	if left := r.FindingCount - uint64(len(r.Findings)); left > 0 {
		fmt.Fprintf(b, "  and %d more\n", left)
	}
}

// sealsCosigned says how many seals have cosignatures of their own. Witnesses of the public log alone sign none: what
// they have signed is the log, in which the seals are.
func (r *Report) sealsCosigned() string {
	if l := r.PublicLog; r.Witnessed == 0 && l != nil && l.Cosigned > 0 {
		return "none cosigned by itself, witnesses cosign the public log"
	}
	return fmt.Sprintf("%d cosigned by witnesses", r.Witnessed)
}
