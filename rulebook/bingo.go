package rulebook

// Bingo is what a rulebook says of bingo. It is immutable: each part is handed out as a copy of
// that part alone, because a room asks for one with every call.
type Bingo struct{ file *BingoFile }

// Bingo returns the policies of a bingo rulebook.
func (b *Book) Bingo() (*Bingo, bool) { return b.bingo, b.bingo != nil }

// Numbers returns out of how many numbers a game is drawn.
func (b *Bingo) Numbers() Numbers { return clone(b.file.Numbers) }

// Card returns the form of a scorecard.
func (b *Bingo) Card() Card { return clone(b.file.Card) }

// Session returns what it takes to play.
func (b *Bingo) Session() BingoSession { return b.file.Session }

// Calls returns how a game is won.
func (b *Bingo) Calls() BingoCalls { return b.file.Calls }

// Pattern returns the minor game of that name.
func (b *Bingo) Pattern(id string) (PatternFile, bool) {
	for i := range b.file.Patterns {
		if b.file.Patterns[i].ID == id {
			return clone(b.file.Patterns[i]), true
		}
	}
	return PatternFile{}, false
}

// Jackpot returns the jackpot numbers game.
func (b *Bingo) Jackpot() BingoJackpot { return clone(b.file.Jackpot) }

// Prizes returns how prizes are shared and paid.
func (b *Bingo) Prizes() BingoPrizes { return clone(b.file.Prizes) }

// Promotion returns what bounds promotional prizes.
func (b *Bingo) Promotion() BingoPromotion { return clone(b.file.Promotion) }
