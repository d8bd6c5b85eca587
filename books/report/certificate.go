package report

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// Certificate is the report of the draws of one Keno Day, which an inspector signs.
const Certificate Name = "certificate"

var (
	colDevice  = remark("Device", "What drew the numbers: rng, witnessed or cage.")
	colSeal    = remark("Seal", "The beginning of the hash of the seal, which was signed before the first number.")
	colDraws   = count("Draws", "Draws of the game, void ones among them.")
	colResult  = remark("Result", "The numbers that count, in the order drawn; void for a game without a result.")
	colWinFile = remark("Winners file", "The beginning of the hash of the file of winners that the settlement names.")

	certificateColumns = []Column{colGame, colDevice, colPlays, colStaked, colSeal, colDraws, colResult, colWinners,
		colPrizes, colWinFile}
)

// DrawDay collects the draws of a Keno Day of a series from the records.
type DrawDay struct {
	series uint8
	day    day.Day
	games  map[record.Game]*drawn
	order  []*drawn
	closed record.Hash // of the books; the zero hash while the day is open
}

// drawn is what the records say of a game.
type drawn struct {
	number           uint16
	device           string
	plays            uint64
	staked, prizes   money.Amount
	seal, winnerFile string
	draws            uint8
	numbers          map[uint8][]string
	result           string
	winners          uint64
}

// NewDrawDay returns the draws of a Keno Day, of which no record has been read.
func NewDrawDay(series uint8, d day.Day) *DrawDay {
	return &DrawDay{series: series, day: d, games: map[record.Game]*drawn{}}
}

// Wants reports whether a game is of the day.
func (c *DrawDay) Wants(g record.Game) bool { return g.Series == c.series && g.Day == c.day }

// Add takes the next record. device names the device of a game, once it is closed.
func (c *DrawDay) Add(r record.Record, device func(record.Game) string) {
	switch b := r.Body.(type) {
	case *record.GameOpened:
		if c.Wants(b.Game) {
			g := &drawn{number: b.Game.Number, numbers: map[uint8][]string{}}
			c.games[b.Game], c.order = g, append(c.order, g)
		}
	case *record.GameClosed:
		if g := c.games[b.Game]; g != nil {
			g.device, g.plays, g.staked = device(b.Game), b.Plays, b.StakesCents
		}
	case *record.GameSealed:
		if g := c.games[b.Game]; g != nil {
			hash := sha256.Sum256(b.Seal)
			g.seal = beginning(hash[:])
		}
	case *record.NumberDrawn:
		if g := c.games[b.Game]; g != nil {
			g.numbers[b.Draw] = append(g.numbers[b.Draw], fmt.Sprint(b.Number))
			g.draws = max(g.draws, b.Draw)
		}
	case *record.GameSettled:
		if g := c.games[b.Game]; g != nil {
			g.result, g.winners, g.prizes = strings.Join(g.numbers[b.Draw], " "), b.Winners, b.PrizesCents
			g.winnerFile = beginning(b.WinnersHash[:])
		}
	case *record.GameVoided:
		if g := c.games[b.Game]; g != nil {
			g.result, g.winners, g.prizes = "void", 0, 0
			g.staked -= b.RefundCents + b.PrizesCents + b.CarriedCents
			g.winnerFile = beginning(b.WinnersHash[:])
		}
	case *record.DayClosed:
		if b.Series == c.series && b.Day == c.day {
			c.closed = b.Books
		}
	}
}

// beginning returns the first digits of a hash, with which people compare it.
func beginning(hash []byte) string { return fmt.Sprintf("%x", hash[:8]) }

// ErrNoGame reports that a Keno Day of which a certificate is wanted has no game.
var ErrNoGame = errors.New("report: the Keno Day has no game")

// Table returns the certificate. checkpoint is the signed checkpoint that commits to the records, with the signatures
// of the witnesses.
func (c *DrawDay) Table(checkpoint []byte) (*Table, error) {
	if len(c.order) == 0 {
		return nil, fmt.Errorf("%w: series %d, %v", ErrNoGame, c.series, c.day)
	}
	t := &Table{Title: "Certificate of a draw day", Columns: certificateColumns,
		Period: fmt.Sprintf("Keno Day %v, series %d", c.day, c.series)}
	var draws, void int
	for _, g := range c.order {
		t.Rows = append(t.Rows, []Cell{text(fmt.Sprint(g.number)), text(g.device), number(g.plays), amount(g.staked),
			text(g.seal), number(g.draws), text(g.result), number(g.winners), amount(g.prizes), text(g.winnerFile)})
		draws += int(g.draws)
		if g.result == "void" {
			void++
		}
	}
	t.addTotal()
	state := "open"
	if c.closed != (record.Hash{}) {
		state = "closed"
	}
	t.Figures = []Figure{{"Games", fmt.Sprint(len(c.order))}, {"Draws", fmt.Sprint(draws)},
		{"Games without a result", fmt.Sprint(void)}, {"Day", state}}
	if state == "closed" {
		t.Notes = append(t.Notes, "Hash of the books of the day: "+fmt.Sprintf("%x", c.closed))
	}
	t.Notes = append(t.Notes, signed(checkpoint)...)
	t.Notes = append(t.Notes, "Inspector: ______________________________   Signature: ______________________________   "+
		"Date: ______________")
	return t, nil
}

// signed says what a checkpoint commits to, and who has signed it.
func signed(checkpoint []byte) (notes []string) {
	body, signatures, _ := strings.Cut(string(checkpoint), "\n\n")
	if lines := strings.Split(body, "\n"); len(lines) >= 3 {
		notes = append(notes, fmt.Sprintf("Checkpoint of %s: %s records, root %s", lines[0], lines[1], lines[2]))
	}
	var names []string
	for line := range strings.Lines(signatures) {
		if parts := strings.Fields(line); len(parts) == 3 {
			names = append(names, parts[1])
		}
	}
	if len(names) > 0 {
		notes = append(notes, "It is signed by "+strings.Join(names, ", ")+
			". The house signs under its own name; the others are witnesses.")
	}
	return notes
}
