package live

import (
	"fmt"
	"slices"
	"time"

	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// Board is what the public may see of a house: facts of the house, and for every
// series the game on sale, the game being drawn and the last results.
type Board struct {
	Now time.Time `json:"now" doc:"Time of the server when it answered, for clients to set their clocks by."`
	Standing
}

// Standing is the board but for the time.
type Standing struct {
	ID      ID       `json:"id" doc:"The board holds every event up to this id; follow the events after it."`
	House   House    `json:"house"`
	Series  []Series `json:"series" doc:"Ascending by number."`
	Results int      `json:"results_kept" doc:"How many results of a series the board holds at most."`
}

// House is who runs the games, and the keys by which its signatures are checked.
type House struct {
	Name      string `json:"name"`
	Volume    uint16 `json:"volume" doc:"Volume of the journal."`
	HouseKey  string `json:"house_key" doc:"Verifier key of checkpoints and seals."`
	DeviceKey string `json:"device_key" doc:"Verifier key of draws."`
}

// Series is a series of games as the public may see it.
type Series struct {
	Series        uint8     `json:"series"`
	Name          string    `json:"name"`
	Rulebook      Rulebook  `json:"rulebook"`
	Of            int       `json:"of" doc:"Numbers are drawn from 1 to this; 0 where no keno is played."`
	Draw          int       `json:"draw" doc:"So many numbers are drawn in a game."`
	GameDigits    int       `json:"game_digits,omitempty" doc:"Least width of game numbers, which have zeros in front; absent for none."`
	Currency      string    `json:"currency" doc:"Of every amount, such as AUD."`
	Locale        string    `json:"locale,omitempty" doc:"By which amounts are written, such as el-GR, where the rulebook says it."`
	Shows         []string  `json:"shows,omitempty" doc:"What else is read from the numbers: heads_or_tails, multiplier, lucky_last, racing, jackpots."`
	Day           string    `json:"day,omitempty" doc:"The Keno Day that is open, or was last."`
	DayOpen       bool      `json:"day_open"`
	OffsetSeconds int32     `json:"utc_offset_seconds" doc:"What local clocks add to UTC on that day."`
	Open          *Game     `json:"open" doc:"The game on sale, or null."`
	Drawing       []Game    `json:"drawing" doc:"Games that are closed and not yet settled, oldest first."`
	Results       []Game    `json:"results" doc:"The last settled games, newest first."`
	Schedule      string    `json:"schedule" doc:"The schedule of prizes that is current."`
	Fills         []Pool    `json:"fills,omitempty" doc:"What that schedule adds to a jackpot when it is won, ascending by spots."`
	Jackpots      []Pool    `json:"jackpots,omitempty" doc:"What they have grown to, ascending by spots."`
	Paused        string    `json:"paused,omitempty" doc:"Why sale and draws are stopped for the time being."`
	ClosesAt      time.Time `json:"closes_at,omitzero" doc:"When trading ends early."`
	LastDay       string    `json:"last_day,omitempty" doc:"The Keno Day with which the series ends, if it does."`
	Notice        string    `json:"notice,omitempty" doc:"What the operator tells players."`
}

// Rulebook names the rulebook of a series.
type Rulebook struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Hash  string `json:"hash"`
}

// Game is a game as the public may see it. What it has not come to is absent.
type Game struct {
	Day       string    `json:"day"`
	Game      uint16    `json:"game"`
	Ordinal   uint32    `json:"ordinal"`
	Closes    time.Time `json:"closes" doc:"When the game is meant to close."`
	ClosedAt  time.Time `json:"closed_at,omitzero"`
	Sold      *Sold     `json:"sold,omitempty"`
	Seal      *Seal     `json:"seal,omitempty"`
	Numbers   []int     `json:"numbers" doc:"Numbers drawn so far, in the order drawn."`
	DrawnAt   time.Time `json:"drawn_at,omitzero"`
	Result    *Result   `json:"result,omitempty"`
	SettledAt time.Time `json:"settled_at,omitzero"`
	Void      string    `json:"void,omitempty" doc:"Why the game has no result, if it will have none."`
	Corrected string    `json:"corrected,omitempty" doc:"Why other numbers count than were shown first, if so."`
	VoidDraws int       `json:"void_draws,omitempty" doc:"How many draws of the game did not count."`
}

// Seal is the seal of a game.
type Seal struct {
	Fingerprint string    `json:"fingerprint"`
	Time        time.Time `json:"time"`
	Note        string    `json:"note"`
	WitnessedBy []string  `json:"witnessed_by,omitempty" doc:"Who outside the house has cosigned it."`
}

// fold keeps a board by adding facts and events to it.
type fold struct {
	board Standing
	books map[record.Hash]*rulebook.Book
}

func newFold(results int) *fold {
	return &fold{board: Standing{Series: []Series{}, Results: results}, books: map[record.Hash]*rulebook.Book{}}
}

// isFact reports whether records of the kind tell the board something without
// being events.
func isFact(kind record.Kind) bool {
	return kind == record.KindVolumeBegun || kind == record.KindRulebookAdopted || kind == record.KindSeriesBegun
}

// addFact adds a record of a kind for which isFact holds.
func (f *fold) addFact(r record.Record) error {
	switch b := r.Body.(type) {
	case *record.VolumeBegun:
		f.board.House = House{Name: b.House, Volume: b.Volume, HouseKey: b.HouseKey, DeviceKey: b.DeviceKey}
	case *record.RulebookAdopted:
		book, err := rulebook.FromCanonical(b.Book)
		if err != nil {
			return fmt.Errorf("live: %w", err)
		}
		f.books[b.Hash] = book
	case *record.SeriesBegun:
		book, ok := f.books[b.Rulebook]
		if !ok {
			return fmt.Errorf("live: series %s begins under a rulebook that was not adopted", b.Name)
		}
		s := Series{
			Series: b.Series, Name: b.Name, Currency: book.Currency(), Locale: book.Locale(), Drawing: []Game{},
			Results: []Game{},
		}
		s.Of, s.Draw = book.Numbers()
		s.play(book, b.Schedule)
		f.board.Series = append(f.board.Series, s)
		slices.SortFunc(f.board.Series, func(a, b Series) int { return int(a.Series) - int(b.Series) })
	}
	return nil
}

// showsOf returns what a rulebook's games read from the numbers beside matches.
func showsOf(book *rulebook.Book) []string {
	var shows []string
	for _, bet := range book.Bets() {
		switch bet.Form() {
		case rulebook.FormCalls:
			shows = append(shows, "heads_or_tails")
		case rulebook.FormRace:
			shows = append(shows, "racing")
		}
	}
	if _, ok := book.Feature(rulebook.FeatureMultiplier); ok {
		shows = append(shows, "multiplier")
	}
	if _, ok := book.Feature(rulebook.FeatureLuckyLast); ok {
		shows = append(shows, "lucky_last")
	}
	if _, ok := book.Jackpots(); ok {
		shows = append(shows, "jackpots")
	}
	slices.Sort(shows)
	return slices.Compact(shows)
}

// fillsOf returns what a schedule adds to the jackpots when they are won.
func fillsOf(book *rulebook.Book, schedule string) []Pool {
	jackpots, ok := book.Jackpots()
	under, known := book.Schedule(schedule)
	if !ok || !known {
		return nil
	}
	var fills []Pool
	for _, pool := range jackpots.Pools {
		if fill := under.Fill(pool.Spots); fill > 0 {
			fills = append(fills, Pool{Spots: pool.Spots, Cents: fill.Cents()})
		}
	}
	slices.SortFunc(fills, func(a, b Pool) int { return a.Spots - b.Spots })
	return fills
}

// addEvent adds an event.
func (f *fold) addEvent(e Event) error {
	if err := f.apply(e.Body); err != nil {
		return fmt.Errorf("live: %s %v: %w", e.Name, e.ID, err)
	}
	f.board.ID = e.ID
	return nil
}

func (f *fold) apply(body Body) error {
	switch b := body.(type) {
	case DayOpened:
		return f.with(b.Series, func(s *Series) error {
			s.Day, s.DayOpen, s.OffsetSeconds = b.Day, true, b.OffsetSeconds
			return nil
		})
	case DayClosed:
		return f.with(b.Series, func(s *Series) error {
			s.DayOpen, s.ClosesAt = false, time.Time{}
			return nil
		})
	case PlayPaused:
		return f.with(b.Series, func(s *Series) error { s.Paused = b.Reason; return nil })
	case SeriesLimited:
		return f.with(b.Series, func(s *Series) error { s.LastDay = b.LastDay; return nil })
	case PlayResumed:
		return f.with(b.Series, func(s *Series) error { s.Paused = ""; return nil })
	case NoticeShown:
		return f.with(b.Series, func(s *Series) error { s.Notice = b.Text; return nil })
	case ClosureAnnounced:
		return f.with(b.Series, func(s *Series) error { s.ClosesAt = b.At; return nil })
	case DrawVoided:
		return f.draw(b.GameHead, func(g *Game) { g.Numbers, g.DrawnAt = []int{}, time.Time{}; g.VoidDraws++ })
	case GameVoided:
		return f.with(b.Series, func(s *Series) error { s.show(b.Pools); return s.void(b, f.board.Results) })
	case JackpotsChanged:
		return f.with(b.Series, func(s *Series) error { s.show(b.Pools); return nil })
	case GameOpened:
		return f.with(b.Series, func(s *Series) error {
			f.under(s, b.Rulebook, b.Schedule)
			s.Open = &Game{Day: b.Day, Game: b.Game, Ordinal: b.Ordinal, Closes: b.Closes, Numbers: []int{}}
			return nil
		})
	case GameClosed:
		return f.with(b.Series, func(s *Series) error { s.show(b.Pools); return s.close(b) })
	case GameSealed:
		return f.draw(b.GameHead, func(g *Game) { g.Seal = &Seal{Fingerprint: b.Fingerprint, Time: b.Time, Note: b.Note} })
	case GameWitnessed:
		return f.draw(b.GameHead, func(g *Game) {
			if g.Seal != nil {
				seal := *g.Seal
				seal.WitnessedBy, seal.Note = b.By, b.Note
				g.Seal = &seal
			}
		})
	case NumberDrawn:
		return f.draw(b.GameHead, func(g *Game) {
			if b.K == 1 {
				g.Numbers = nil
			}
			g.Numbers = append(g.Numbers, b.Number)
		})
	case GameDrawn:
		return f.draw(b.GameHead, func(g *Game) { g.DrawnAt = b.Time })
	case GameSettled:
		return f.with(b.Series, func(s *Series) error { s.show(b.Pools); return s.settle(b, f.board.Results) })
	case GameResettled:
		return f.with(b.Series, func(s *Series) error { s.show(b.Pools); s.resettle(b); return nil })
	case ResultCorrected:
		return f.with(b.Series, func(s *Series) error { s.correct(b); return nil })
	case ofHall:
		return nil // The board is of keno; a room has a view of its own.
	}
	return fmt.Errorf("the board has no place for %T", body)
}

// under says which rulebook and schedule are current.
func (f *fold) under(s *Series, hash, schedule string) {
	for _, book := range f.books {
		if book.Hash().String() == hash {
			s.play(book, schedule)
		}
	}
}

// play says what is played by a rulebook, and which schedule of prizes is current.
//
//rule:vic-keno-2015 S.classic.display S.bonus-jackpot.display
func (s *Series) play(book *rulebook.Book, schedule string) {
	s.Rulebook = Rulebook{ID: book.ID(), Title: book.Title(), Hash: book.Hash().String()}
	if book.Keno() {
		s.GameDigits = book.Games().Numbering.Digits
		s.Schedule, s.Shows, s.Fills = schedule, showsOf(book), fillsOf(book, schedule)
	}
}

// show puts the jackpots on the board.
func (s *Series) show(pools []Pool) {
	if pools != nil {
		s.Jackpots = pools
	}
}

// with changes a series, which must be on the board.
func (f *fold) with(series uint8, change func(*Series) error) error {
	for i := range f.board.Series {
		if f.board.Series[i].Series == series {
			return change(&f.board.Series[i])
		}
	}
	return fmt.Errorf("series %d has not begun", series)
}

// draw changes a game that is being drawn: every number is on the board as it falls.
//
//rule:vic-keno-2015 8(d)
func (f *fold) draw(head GameHead, change func(*Game)) error {
	return f.with(head.Series, func(s *Series) error {
		i, err := s.drawing(head)
		if err != nil {
			return err
		}
		change(&s.Drawing[i])
		return nil
	})
}

// drawing returns the index of a game among those being drawn.
func (s *Series) drawing(head GameHead) (int, error) {
	i := slices.IndexFunc(s.Drawing, func(g Game) bool { return g.Ordinal == head.Ordinal })
	if i < 0 {
		return 0, fmt.Errorf("game %s/%d is not being drawn", head.Day, head.Game)
	}
	return i, nil
}

// close moves the game on sale to those being drawn: the board says that it is closed
// before its first number falls.
//
//rule:casino-keno-div2 7.3
func (s *Series) close(b GameClosed) error {
	if s.Open == nil || s.Open.Ordinal != b.Ordinal {
		return fmt.Errorf("game %s/%d is not on sale", b.Day, b.Game)
	}
	game := *s.Open
	game.ClosedAt, game.Sold = b.Time, &b.Sold
	s.Open, s.Drawing = nil, append(s.Drawing, game)
	return nil
}

// settle moves a game to the results and forgets the oldest beyond those kept. The newest
// stays in view, with its multiplier, until the next one is drawn.
//
//rule:vic-keno-2015 19
//rule:tas-keno-2023 10.1
//rule:casino-keno-div2 7.6
func (s *Series) settle(b GameSettled, kept int) error {
	i, err := s.drawing(b.GameHead)
	if err != nil {
		return err
	}
	game := s.Drawing[i]
	game.Result, game.SettledAt = &b.Result, b.Time
	s.Drawing = slices.Delete(s.Drawing, i, i+1)
	s.Results = slices.Insert(s.Results, 0, game)
	s.Results = s.Results[:min(len(s.Results), kept)]
	return nil
}

// void moves a game without a result to the others that are over.
func (s *Series) void(b GameVoided, kept int) error {
	i, err := s.drawing(b.GameHead)
	if err != nil {
		return err
	}
	game := s.Drawing[i]
	game.Void, game.Numbers, game.SettledAt = b.Reason, []int{}, b.Time
	s.Drawing = slices.Delete(s.Drawing, i, i+1)
	s.Results = slices.Insert(s.Results, 0, game)
	s.Results = s.Results[:min(len(s.Results), kept)]
	return nil
}

// resettle replaces the result of a game, if it is still among those kept.
func (s *Series) resettle(b GameResettled) {
	for i := range s.Results {
		if s.Results[i].Day == b.Day && s.Results[i].Game == b.Game {
			s.Results[i].Result = &b.Result
		}
	}
}

// correct shows the numbers that were drawn, if the game is still among those kept.
func (s *Series) correct(b ResultCorrected) {
	for i := range s.Results {
		if g := &s.Results[i]; g.Day == b.Day && g.Game == b.Game {
			g.Numbers, g.Corrected = b.Numbers, b.Reason
		}
	}
}

// clone returns a copy that shares nothing that changes later: a game's parts
// are replaced and never changed, but its numbers grow.
func (b Standing) clone() Standing {
	b.Series = slices.Clone(b.Series)
	for i := range b.Series {
		s := &b.Series[i]
		if s.Open != nil {
			open := *s.Open
			s.Open = &open
		}
		s.Drawing, s.Results = slices.Clone(s.Drawing), slices.Clone(s.Results)
		for j := range s.Drawing {
			s.Drawing[j].Numbers = slices.Clone(s.Drawing[j].Numbers)
		}
	}
	return b
}
