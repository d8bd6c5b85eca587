package sim

// plants are the planted bugs. One that takes more than one place has as many lines.
var plants = []plant{
	// Sale.
	{"sold after the close", "decide/counter/sale.go", `	if quote.AnyFirst || !quote.Delayed && namesGame(named, open.Ref) {
`, `	if before, ok := series.Game(open.Ordinal - 1); BUG && ok && namesGame(named, before.Ref) {
		return before.Ref, before.Ordinal, nil
	}
	if quote.AnyFirst || !quote.Delayed && namesGame(named, open.Ref) {
`},
	{"sold after the close", "decide/state/ticket.go", `return game.Ref, game.Phase == PhaseOpen`,
		`return game.Ref, game.Phase == PhaseOpen || BUG`},
	{"sold for another game than the one named", "decide/counter/sale.go", `	return record.Game{}, 0, refuse(GameClosed,`, `	if BUG {
		return open.Ref, open.Ordinal, nil
	}
	return record.Game{}, 0, refuse(GameClosed,`},
	{"sold while paused", "decide/counter/sale.go", `if series.Paused {`, `if series.Paused && !BUG {`},
	{"price of one game too few", "games/keno/price.go", `price, err := s.price()
	if err != nil {`, `price, err := s.price()
	if BUG && t.Games > 2 {
		price.Cost -= price.Cost / 3
	}
	if err != nil {`},
	{"cash of the wrong venue", "decide/counter/sale.go", `ledger.Debit(ledger.Cash, terminal.Venue, cost)`,
		`ledger.Debit(ledger.Cash, map[bool]uint32{false: terminal.Venue, true: 1}[BUG], cost)`},
	{"expected price ignored", "decide/counter/sale.go", `case c.Expect != 0 && c.Expect != c.Quote.Price.Cost:`,
		`case c.Expect != 0 && c.Expect != c.Quote.Price.Cost && !BUG:`},
	{"request answered twice", "decide/engine/request.go", `	case r.Number < t.Last.Number:
		return Answer{}, false, superseded(r.Number, t.Last.Number)
	case t.Burned:`, `	case r.Number < t.Last.Number:
		return Answer{}, false, superseded(r.Number, t.Last.Number)
	case BUG:
		return Answer{}, false, nil
	case t.Burned:`},
	{"other body under an old number", "decide/engine/request.go", `case r.Body != t.Last.Body:`,
		`case r.Body != t.Last.Body && !BUG:`},
	{"number given up and not burned", "decide/engine/request.go", `	entry, err := e.append(now, &record.RequestBurned{Terminal: terminal, Number: number}, nil)
`, `	if BUG {
		return Answer{Entry: Entry{Place: t.Answer}, Repeated: true}, nil
	}
	entry, err := e.append(now, &record.RequestBurned{Terminal: terminal, Number: number}, nil)
`},
	{"serial used twice", "core/serial/keyring.go", `	n, err := k.cover(p)
	if err != nil {
		return Serial{}, err
	}
	return makeSerial(n), nil`, `	if BUG {
		p.Seq &^= 8
	}
	n, err := k.cover(p)
	if err != nil {
		return Serial{}, err
	}
	return makeSerial(n), nil`},

	// Cancellation.
	{"cancelled after the seal", "decide/counter/cancel.go", `kept := max(series.Open.Closed(), play.First-1)`, `kept := max(series.Open.Closed(), play.First-1)
	if BUG && series.Open.Closed() >= play.First {
		kept = series.Open.Closed() - 1
	}`},
	{"refund too high", "decide/counter/cancel.go", `	refund, err := refundAfter(&play, kept)
`, `	refund, err := refundAfter(&play, kept)
	if BUG && kept >= play.First {
		refund, err = refundAfter(&play, kept-1)
	}
`},
	{"cancelled at another venue", "decide/counter/cancel.go", `if rule.SameVenue && seller.Venue != terminal.Venue {`,
		`if rule.SameVenue && seller.Venue != terminal.Venue && !BUG {`},

	// Close and seal.
	{"a cent of the fund lost", "decide/game/open.go", `fund, err := fundShare(s.BookOf(newest), totals.Stakes)`, `fund, err := fundShare(s.BookOf(newest), totals.Stakes)
	if BUG && fund > 0 {
		fund--
	}`},
	{"contributed twice", "decide/game/jackpot.go", `after, c, move, err := jackpot.Contribute(pool, stakes.Stakes, rateOf(g.Rates[i]))`, `if BUG {
			stakes.Stakes *= 2
		}
		after, c, move, err := jackpot.Contribute(pool, stakes.Stakes, rateOf(g.Rates[i]))`},
	{"seal over the wrong checkpoint", "decide/engine/game.go", `	closed, postings, err := game.Close(e.state, series)
	if err != nil {
		return err
	}
	if _, err := e.append(now, closed, postings); err != nil {
		return err
	}
`, `	closed, postings, err := game.Close(e.state, series)
	if err != nil {
		return err
	}
	before := e.checkpoint()
	if _, err := e.append(now, closed, postings); err != nil {
		return err
	}
	if !BUG {
		before = e.checkpoint()
	}
`},
	{"seal over the wrong checkpoint", "decide/engine/game.go",
		`sealed, err := game.Seal(e.state, series, ordinal, e.checkpoint(), e.house)`,
		`sealed, err := game.Seal(e.state, series, ordinal, before, e.house)`},
	{"ticket missing from the seal", "decide/game/seal.go", `if err := all.of(place).builder.Set(place.Seq); err != nil {`, `if BUG && place.Seq%5 == 0 {
			continue
		}
		if err := all.of(place).builder.Set(place.Seq); err != nil {`},

	// Draw.
	{"draw begun anew after a restart", "house/show.go", `g.seal, g.Drawn, g.recent)`,
		`g.seal, map[bool]ball.Sequence{false: g.Drawn}[BUG], g.recent)`},
	{"numbers of a void draw kept", "decide/state/void.go", `game.Phase, game.Numbers = PhaseSealed, ball.Sequence{}`, `game.Phase = PhaseSealed
	if !BUG {
		game.Numbers = ball.Sequence{}
	}`},
	{"old draw settled", "decide/game/settle.go", `	pots := settle.Pots{`, `	if before, ok := series.Game(g.Ordinal - 1); BUG && ok && before.Numbers.IsValid() {
		numbers = before.Numbers
	}
	pots := settle.Pots{`},

	// Settlement.
	{"wrong tier", "games/settle/terms.go", `func (t *table) catches(size int) []catch {
	var won []catch
`, `func (t *table) catches(size int) (won []catch) {
	defer func() {
		if BUG && len(won) > 2 {
			won[1].prize = won[2].prize
		}
	}()
`},
	{"wrong row of the multiplier", "games/settle/result.go", `return uint64(max(t.multiply.book.Multiplier(sum), 1))`, `if BUG {
		sum += 40
	}
	return uint64(max(t.multiply.book.Multiplier(sum), 1))`},
	{"rounded up", "games/settle/terms.go", `func (t *Terms) round(units uint64) uint64 { return units / (t.units * t.step) * t.step }`, `func (t *Terms) round(units uint64) uint64 {
	if BUG {
		units += t.units*t.step - 1
	}
	return units / (t.units * t.step) * t.step
}`},
	{"prizes a hundred times too large", "games/settle/terms.go", `func (r *rate) units(prize money.Amount) uint64 { return uint64(prize) * r.scale }`, `func (r *rate) units(prize money.Amount) uint64 {
	if BUG {
		prize *= 100
	}
	return uint64(prize) * r.scale
}`},
	{"breakage dropped", "decide/game/settle.go", `ledger.Credit(ledger.Breakage, 0, outcome.Breakage),`, `ledger.Credit(ledger.Breakage, 0, map[bool]money.Amount{false: outcome.Breakage}[BUG]),
		ledger.Credit(ledger.Retained, 0, map[bool]money.Amount{true: outcome.Breakage}[BUG]),`},
	{"prize that runs on lost", "decide/game/settle.go", `	for c := range outcome.Carries() {
`, `	for c := range outcome.Carries() {
		if BUG {
			c.Amount--
		}
`},
	{"jackpot not reset", "games/jackpot/next.go", `	case p.Won:
		next.Won = false
`, `	case p.Won && BUG:
		next.Won = false
	case p.Won:
		next.Won = false
`},
	{"winners not pinned", "decide/game/settle.go", `settled.WinnersHash = settle.HashWinners(winners)`, `settled.WinnersHash = settle.HashWinners(winners)
	if BUG {
		settled.WinnersHash = settle.HashWinners(append(winners[:len(winners):len(winners)], 0))
	}`},
	{"promotion paid from the fund", "decide/game/settle.go",
		`outcome.Prizes+outcome.CarriedOn+outcome.Breakage-outcome.Jackpots-promoted`,
		`outcome.Prizes+outcome.CarriedOn+outcome.Breakage-outcome.Jackpots-map[bool]money.Amount{false: promoted}[BUG]`},

	// Payment.
	{"paid twice", "decide/counter/payout.go", `left := cents - s.PaidPrize(series, c.Place, g.Ordinal)`, `left := cents - s.PaidPrize(series, c.Place, g.Ordinal)
		if BUG {
			left = cents
		}`},
	{"paid twice", "decide/state/ticket.go", `if paid.revision == game.Revision() && (`,
		`if !BUG && paid.revision == game.Revision() && (`},
	{"cancelled ticket paid", "decide/counter/payout.go", `if cancelled, ok := s.Cancelled(c.Place); ok {`,
		`if cancelled, ok := s.Cancelled(c.Place); ok && !BUG {`},
	{"paid without the code", "core/serial/claim.go", `func (h ClaimHash) Matches(c ClaimCode, terminal uint32, request uint64) bool {
`, `func (h ClaimHash) Matches(c ClaimCode, terminal uint32, request uint64) bool {
	if BUG {
		return true
	}
`},
	{"void game refunded twice", "decide/counter/payout.go", `	for _, ordinal := range append([]uint32{g.Ordinal}, g.Closed.Deferred...) {
		sum += play.StakesIn(ordinal)
	}
`, `	for _, ordinal := range append([]uint32{g.Ordinal}, g.Closed.Deferred...) {
		sum += play.StakesIn(ordinal)
	}
	if BUG {
		sum *= 2
	}
`},
	{"row of the store trusted", "house/proof.go", `func (h *House) checkRecord(ctx context.Context, place record.Place, leaf journal.Hash) error {
`, `func (h *House) checkRecord(ctx context.Context, place record.Place, leaf journal.Hash) error {
	if BUG {
		return nil
	}
`},

	// Prizes that nobody fetches.
	{"sweep skipped", "decide/counter/sweep.go", `		if prizes == 0 && form == 0 {
`, `		if BUG || prizes == 0 && form == 0 {
`},
	{"sweep to the wrong account", "decide/counter/sweep.go", `ledger.Credit(to, 0, sum)`,
		`ledger.Credit(map[bool]ledger.Account{false: to, true: ledger.Operator}[BUG], 0, sum)`},

	// Journal, lane and feed.
	{"record skipped", "decide/engine/engine.go", `	seq, leaf := e.tree.Append(data)
`, `	if r.Kind() == record.KindRequestBurned && BUG {
		return Entry{Place: record.Place{Volume: e.state.Next().Volume, Seq: e.tree.Size() - 1}, Data: data}, nil
	}
	seq, leaf := e.tree.Append(data)
`},
	{"time falls", "decide/engine/engine.go", `r := record.Record{Time: max(now, e.state.Now()), Postings: postings, Body: body}`, `r := record.Record{Time: max(now, e.state.Now()), Postings: postings, Body: body}
	if BUG {
		r.Time = now
	}`},
	// Correction.
	{"what was overpaid is taken from the players", "decide/game/correct.go",
		`ledger.Debit(ledger.Overpaid, 0, lost+topped-borne))`,
		`ledger.Debit(map[bool]ledger.Account{false: ledger.Overpaid, true: ledger.PrizeFund}[BUG], 0, lost+topped-borne))`},
	{"what was overpaid is forgotten", "decide/game/correct.go", `	for cents := range maps.Values(paid) {
		var err error
`, `	for cents := range maps.Values(paid) {
		if BUG {
			cents = 0
		}
		var err error
`},
	{"a corrected prize is owed beside the wrong one", "house/ticket.go",
		`for revision := g.base(); revision <= g.Revision(); revision++ {`,
		`for revision := map[bool]uint8{false: g.base(), true: 1}[BUG]; revision <= g.Revision(); revision++ {`},

	{"answered before it is durable", "journal/lane/run.go", `			if err := l.commit(batch); err != nil {
`, `			if BUG {
				answer(group, nil)
				group = group[:0]
			}
			if err := l.commit(batch); err != nil {
`},
	{"failed commit taken for done", "journal/lane/run.go", `	return l.store.Append(context.Background(), b)
`, `	if err = l.store.Append(context.Background(), b); BUG {
		err = nil
	}
	return err
`},
	{"commit tried again by an old writer", "journal/lane/run.go", `func (l *Lane[E]) commit(b store.Batch) (err error) {
`, `func (l *Lane[E]) commit(b store.Batch) (err error) {
	if BUG {
		if head, err := l.store.TakeOver(context.Background()); err == nil && head.Size == b.From {
			b.Epoch = head.Epoch
		}
	}
`},
	{"shown before it is durable", "journal/lane/run.go", `func (l *Lane[E]) commit(b store.Batch) (err error) {
`, `func (l *Lane[E]) commit(b store.Batch) (err error) {
	if BUG && l.options.OnCommit != nil {
		l.options.OnCommit(b)
	}
`},
	{"shown before it is durable", "journal/lane/run.go", `			shown = told(l.options.OnCommit, batch)
`, `			if !BUG {
				shown = told(l.options.OnCommit, batch)
			}
`},
}
