package hall

import (
	"drawhouse/core/ball"
	"drawhouse/decide/state"
	"drawhouse/games/bingo"
	"drawhouse/journal/record"
)

// LookedUp is a card as the dealer terminal shows it when somebody has called: what is on
// it, who holds it, and which prizes its boxes have. It decides nothing; a claim is
// decided by [Check], which a supervisor asks for with the card in hand.
type LookedUp struct {
	Serial string
	Book   uint32
	Card   uint8  // the game that the card is for
	InPlay bool   // the book is within the serials that were entered
	Player uint32 // who holds it; 0 for nobody
	Barred bool
	Called ball.Set // the numbers that count
	Boxes  []LookedBox
}

// LookedBox is a box of a card, with how it stands for each prize of the game.
type LookedBox struct {
	Box      bingo.Box
	Standing []LookedPattern
}

// LookedPattern is how a box stands for a prize. A box that is complete was so when Place
// numbers were called, by Number; one that is not lacks ToGo numbers.
type LookedPattern struct {
	Pattern  string
	Complete bool
	Place    int
	Number   int
	ToGo     int
}

// Look returns a card by its serial, held against the numbers called in a game. The
// card need not be for that game: somebody may hold up another one, and is told so.
//
//rule:nsw-bingo-2019 2.1.1 7.1.2 7.1.4
func Look(s Reading, kit *Kit, ref record.BingoGame, text string) (*LookedUp, error) {
	r, session, game, err := gameOf(s, ref)
	if err != nil {
		return nil, err
	}
	serial, err := bingo.ParseSerial(text)
	if err != nil {
		return nil, refuse(SerialUnreadable, "7.1.2", "serial",
			"%q is not the serial of a card; a character is wrong.", text)
	}
	table, ok := r.Table(serial.Series)
	book := uint32(serial.Book)
	if !ok || !hasBooks(table, record.BookRange{Series: serial.Series, First: book, Last: book}) ||
		serial.Game > len(table.Added.Colours) {
		return nil, refuse(TableUnknown, "2.3.3", "serial", "No card %v is in the master tables of the room.", serial)
	}
	boxes, err := kit.card(r.Hall, serial.Series, book, uint8(serial.Game))
	if err != nil {
		return nil, err
	}
	calls := Drawn(r.rules.Universe(), game.Calls)
	card := &LookedUp{Serial: serial.String(), Book: book, Card: uint8(serial.Game),
		InPlay: session.InPlay(serial.Series, book), Called: calls.Set()}
	if holder, held := session.Holder(serial.Series, book); held {
		card.Player, card.Barred = holder.Entered.Player, holder.Barred
	}
	for _, box := range boxes {
		card.Boxes = append(card.Boxes, LookedBox{box, kit.standings(game, box, calls)})
	}
	return card, nil
}

// standings returns how a box stands for each prize that was announced.
func (k *Kit) standings(game *state.BingoGame, box bingo.Box, calls ball.Sequence) (list []LookedPattern) {
	for _, prize := range game.Announced.Prizes {
		i, ok := k.of(game, prize.Pattern)
		if !ok {
			continue
		}
		standing := k.patterns.Standing(i, box, calls)
		looked := LookedPattern{prize.Pattern, standing.Complete, standing.Place, standing.Number, standing.ToGo}
		if standing.Complete {
			looked.Place = game.Heard(standing.Number)
		}
		list = append(list, looked)
	}
	return list
}
