package rulebook

// This file is the part of the schema about bingo.

// BingoFile holds the policies of a bingo rulebook.
type BingoFile struct {
	Numbers   Numbers        `json:"numbers"` // Draw is the least count of numbers in a game
	Card      Card           `json:"card"`
	Session   BingoSession   `json:"session"`
	Calls     BingoCalls     `json:"calls"`
	Patterns  []PatternFile  `json:"patterns"`
	Jackpot   BingoJackpot   `json:"jackpot"`
	Prizes    BingoPrizes    `json:"prizes"`
	Irregular BingoIrregular `json:"irregular,omitzero" retired:"prizes of a void game always roll on"`
	Promotion BingoPromotion `json:"promotion"`
	// Concordance names this document's clauses for those of nsw-bingo-2019 that the program
	// cites. Where it is absent, the program's clauses are those of the document.
	Concordance []ClauseFor `json:"concordance,omitempty"`
}

// ClauseFor is a clause of the document that says what clauses of nsw-bingo-2019 say.
type ClauseFor struct {
	Cite
	For []string `json:"for"`
}

// Card is the form of a scorecard.
type Card struct {
	Cite
	BoxesPerStrip int   `json:"boxes_per_strip"`
	Pages         []int `json:"pages"` // boxes to a page that may be sold
	Lines         int   `json:"lines"`
	Columns       int   `json:"columns"`
	PerLine       int   `json:"per_line"`
	ColumnMax     int   `json:"column_max"` // most numbers that one column of a box holds
	UniqueBoxes   bool  `json:"unique_boxes,omitempty"`
	ColourPerGame bool  `json:"colour_per_game,omitempty"`
	// ColumnFirst is the lowest number of each column. Where it is absent, a column has the
	// numbers of ten: 1 to 9, 10 to 19 and so on, and the last one all that are left.
	ColumnFirst []int    `json:"column_first,omitempty"`
	Letters     []string `json:"letters,omitempty"`   // of the columns, with which numbers are called
	Free        []Square `json:"free,omitempty"`      // squares without a number, which count as marked
	Unordered   bool     `json:"unordered,omitempty"` // the numbers of a column need not ascend
}

// Square is a cell of a box, counted from 1.
type Square struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// BingoSession is what it takes to play.
type BingoSession struct {
	Cite
	MembersOnly      bool    `json:"members_only,omitempty"`
	Administration   Percent `json:"administration"` // of the entry fee
	AutomaticMarking bool    `json:"automatic_marking,omitempty"`
	ClosureMinutes   int     `json:"closure_minutes,omitempty"`
}

// BingoCalls is how a game is won.
type BingoCalls struct {
	Cite
	Least        int  `json:"least"` // numbers drawn in any game
	CallWins     bool `json:"call_wins,omitempty" retired:"a player always wins by calling in time"`
	WrongPlaysOn bool `json:"wrong_plays_on,omitempty" retired:"play always goes on after a wrong call"`
	// AnyPattern says that the pattern with which a game is won is announced before it. Without
	// it every game is won with the full card.
	AnyPattern bool `json:"any_pattern,omitempty"`
}

// PatternFile is one minor game. Exactly one of Cells, Counts, AnyLines and Shapes is given.
// A file that lists the full card itself, as its first pattern, gives it its name.
type PatternFile struct {
	Cite
	ID       string         `json:"id"`
	Name     string         `json:"name"`
	Cells    *PatternCells  `json:"cells,omitempty"`
	Counts   *PatternCounts `json:"counts,omitempty"`
	AnyLines int            `json:"any_lines,omitempty"` // so many whole lines, whichever
	// Shapes are drawn line by line, with blanks between the lines: # for a number that is
	// needed, a dot for another. So many of them are enough as ShapesLeast says, or one.
	Shapes      []string `json:"shapes,omitempty"`
	ShapesLeast int      `json:"shapes_least,omitempty"`
}

// PatternCells names, for each line, which of its five numbers are needed,
// counted from the left from 1.
type PatternCells struct {
	Top    []int `json:"top,omitempty"`
	Middle []int `json:"middle,omitempty"`
	Bottom []int `json:"bottom,omitempty"`
}

// PatternCounts is the least count of numbers on each line.
type PatternCounts struct {
	Top    int `json:"top"`
	Middle int `json:"middle"`
	Bottom int `json:"bottom"`
}

// BingoJackpot is the jackpot numbers game.
type BingoJackpot struct {
	Cite
	NumbersMax  int      `json:"numbers_max"` // 0 where no jackpot numbers are drawn
	HighestOnly bool     `json:"highest_only,omitempty" retired:"a card always gets the highest level alone"`
	Carries     bool     `json:"carries,omitempty" retired:"money that nobody has won always stays in the jackpot"`
	PaidBy      []string `json:"paid_by" words:"cash cheque"`
}

// BingoPrizes is how prizes are shared and paid.
type BingoPrizes struct {
	Cite
	Shared string   `json:"shared,omitempty" words:"equally" retired:"winners always share equally"`
	Media  []string `json:"media" words:"cash casino_dollars slot_dollars"`
}

// BingoIrregular was what happens when a game cannot be finished. It is the same under every book.
type BingoIrregular struct {
	Cite
	RollPrizes        bool `json:"roll_prizes,omitempty"`
	RefundFees        bool `json:"refund_fees,omitempty"`
	ReplacementMarked bool `json:"replacement_marked,omitempty"`
}

// BingoPromotion bounds promotional prizes.
type BingoPromotion struct {
	Cite
	ScrutineerOver Dollars `json:"scrutineer_over"`
	ChoiceOver     Dollars `json:"choice_over"`
	DeniedKeptOver Dollars `json:"denied_kept_over"`
	// DeniedKeptOverClause is the clause by which name and address of a person are kept to whom more was denied.
	DeniedKeptOverClause string   `json:"denied_kept_over_clause,omitempty"`
	NoticeHours          int      `json:"notice_hours"`
	NotifyDays           int      `json:"notify_days"`
	LiquorLitres         int      `json:"liquor_litres"`
	Prohibited           []string `json:"prohibited"`
	Particulars          []string `json:"particulars"`
}
