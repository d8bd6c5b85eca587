package receipt

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/core/serial"
	"drawhouse/games/keno"
	"drawhouse/journal"
	"drawhouse/rulebook"
)

// A Counter is where a paper is printed and for whom.
type Counter struct {
	Heading  string // the operator's name, on top of every paper
	Venue    string
	Terminal uint32      // 0: not said
	Writer   string      // name or number; none at a terminal that players use
	Money    money.Style // how the place writes amounts
}

// A Sale is what a receipt ticket is printed from: the facts of the record, the
// counter that took the money, and the secret that only the terminal has.
type Sale struct {
	Counter
	Book   *rulebook.Book
	Ticket keno.Ticket
	Cost   money.Amount
	Time   time.Time // in the house's zone, whose name is printed
	Day    day.Day   // Keno Day of issue
	Last   keno.GameRef
	// Ordinal is the number of the first game in its series, in which numbers run on from one
	// Keno Day to the next; 0: not said.
	Ordinal uint32

	Serial serial.Code
	Claim  *serial.ClaimCode
	Proof  Proof

	Duplicate   bool   // printed again
	Preview     bool   // a picture for the counter: the claim code is on the paper, and not here
	Promotional bool   // a promotion asks for the word; it decides nothing (vic-keno-2015 16)
	Help        string // where players find help; empty for none
}

// A Proof is what a holder needs to prove later that the ticket was in the journal.
type Proof struct {
	Site       string       // address of the house's pages, such as https://keno.example; empty: no QR code
	Place      string       // of the ticket's record in the journal, as people write it, such as 1:5003; empty: not said
	Leaf       journal.Hash // of the ticket's record
	Checkpoint journal.Checkpoint
}

// ticketPath is where the ticket's page is.
const ticketPath = "/t/"

// shortHash is how many bytes of a hash stand on paper: 144 bits, which nobody finds
// a second text for. As whole groups of three bytes they are the first 24 characters
// of the whole hash in base64, so that a page compares texts.
const shortHash = 18

// short returns a hash as paper has it.
func short(h journal.Hash) string { return base64.RawURLEncoding.EncodeToString(h[:shortHash]) }

// Address returns what the QR code of the proof says. What stands behind the number
// sign is for the page and is not sent to the house.
func (p Proof) Address(serial string) string {
	return fmt.Sprintf("%s%s%s#%s.%d.%s", strings.TrimRight(p.Site, "/"), ticketPath, serial, short(p.Leaf),
		p.Checkpoint.Size, short(p.Checkpoint.Root))
}

// A Missing is a particular that the rulebook wants on a paper and that the facts do
// not have.
type Missing struct{ Field, Clause string }

// Error says what is missing.
func (m *Missing) Error() string {
	return fmt.Sprintf("receipt: the paper must show its %s (rule %s), and it was not said",
		strings.ReplaceAll(m.Field, "_", " "), m.Clause)
}

// serial returns the serial that is printed.
func (s *Sale) serial() string { return s.Serial.String() }

// check refuses facts that lack what the rulebook lists, or that contradict it.
// What the ticket itself says, such as numbers and games, it always says.
func (s *Sale) check() error {
	policy := s.Book.Receipt()
	said := map[string]bool{
		"serial": s.serial() != "", "bar_code": s.serial() != "", "total": s.Cost > 0, "writer": s.Writer != "",
		"terminal": s.Terminal != 0, "time": !s.Time.IsZero(), "keno_day": s.Day.IsValid(),
	}
	for _, field := range policy.Fields {
		if there, asked := said[field]; asked && !there {
			return &Missing{field, policy.Quoted()}
		}
	}
	if s.Ticket.Rulebook != s.Book.ID() {
		return fmt.Errorf("receipt: the ticket is by %s and not by %s", s.Ticket.Rulebook, s.Book.ID())
	}
	return s.checkSerial()
}

// checkSerial refuses a form of serial that the tickets of the rulebook do not have.
//
//rule:tas-keno-2023 3.2(a) 3.2(b)
func (s *Sale) checkSerial() error {
	form := rulebook.SerialDigits
	if serial.OfSuccessor(s.serial()) {
		form = rulebook.SerialSuccessor
	}
	if own := s.Book.SerialForm().Form; form != own {
		return fmt.Errorf("receipt: the tickets of %s have serials of the form %s, and this has one of the form %s",
			s.Book.ID(), own, form)
	}
	return nil
}

// game returns a game's number as it is printed.
func (s *Sale) game(number int) string {
	numbering := s.Book.Games().Numbering
	return numbering.Print(number)
}

// lastGame returns the number of the last game of some that begin with the ticket's
// first, and what is to be said about it. Numbers are counted on: where they begin
// anew with each Keno Day and the day ends before, the games go on in the next one.
func (s *Sale) lastGame(games int) (number, note string) {
	numbering := s.Book.Games().Numbering
	if s.Last.IsValid() && games == s.Ticket.Games {
		return s.game(s.Last.Game), ""
	}
	n := s.Ticket.First.Game + games - 1
	if numbering.Restarts == rulebook.RestartsDaily {
		if n > numbering.Last {
			return "the " + ordinal(games) + " in turn", ""
		}
		if games > 1 {
			note = "The games go on in the next Keno Day if the day ends before."
		}
		return s.game(n), note
	}
	span := numbering.Last - numbering.First + 1
	return s.game(numbering.First + (n-numbering.First)%span), ""
}

// ordinal returns a number as a place in a row.
func ordinal(n int) string {
	suffix := "th"
	if n%100/10 != 1 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}

// printedTime returns a time with its zone.
func printedTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("2 Jan 2006 15:04:05 MST")
}
