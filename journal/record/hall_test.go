package record

import (
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
)

// hallSamples are records of every kind of bingo rooms.
func hallSamples(at func(Body, ...ledger.Posting) Record) []Record {
	game, session, offer := BingoGame{Hall: 1, Session: 12, Game: 3}, HallSession{Hall: 1, Session: 12},
		Offer{Hall: 1, Offer: 4}
	dealer, supervisor := By{Person: 7, Rank: RankDealer}, By{Person: 8, Rank: RankSupervisor}
	prizes := []PatternPrize{{Pattern: PatternBingo, Cents: 50_000}, {Pattern: "top-line", Cents: 5_000}}
	books := BookRange{Series: "K7", First: 101, Last: 110}
	return []Record{
		at(&HallOpened{Hall: 1, Name: "bingo", Venue: 1, Rulebook: Hash{3},
			Levels: []JackpotLevel{{Name: "major", Within: 45, Share: 7000, SeedCents: 100}, {Name: "minor", Share: 3000}},
			By:     supervisor},
			ledger.Debit(ledger.Operator, 0, 100), ledger.Credit(ledger.HallJackpot, ledger.Pool(1, 1), 100)),
		at(&TableAdded{Hall: 1, Series: "K7", Hash: Hash{4}, Up: 6, FirstBook: 101, Books: 500,
			Colours: []string{"pink", "blue"}, By: dealer}),
		at(&MemberSet{Hall: 1, Member: "100200", By: dealer}),
		at(&SessionSet{Hall: 1, Session: 12, Day: day.MustParse("2026-11-15"), Begins: 1_794_700_800_000, FeeCents: 1000,
			BooksMax: 4, Series: []string{"K7"},
			Games: []BingoPlan{{Colour: "pink", Prizes: prizes, JackpotNumbers: 5, JackpotShare: 10000}}, By: supervisor}),
		at(&PlayerEntered{Hall: 1, Session: 12, Player: 1, Member: "100200", Books: []BookRange{books}, Device: 9,
			FeeCents: 1000, By: dealer},
			ledger.Debit(ledger.Cash, 1, 1000), ledger.Credit(ledger.EntryFees, 0, 1000)),
		at(&IssueClosed{Hall: 1, Session: 12, Ranges: []IssuedRange{{Books: books, Struck: []uint32{105}}}, Players: 1,
			FeesCents: 1000, Contributions: []Exact{5_600_000, 2_400_000}, By: dealer},
			ledger.Debit(ledger.EntryFees, 0, 1000), ledger.Credit(ledger.Retained, 0, 200),
			ledger.Credit(ledger.HallJackpot, ledger.Pool(1, 1), 560),
			ledger.Credit(ledger.HallJackpot, ledger.Pool(1, 2), 240)),
		at(&BingoAnnounced{Game: game, Colour: "pink", Prizes: prizes, JackpotNumbers: []uint8{7, 90},
			JackpotCents: []money.Amount{560, 240}, By: dealer}),
		at(&BingoSealed{Game: game, Draw: DrawCalls, Seal: []byte("seal")}),
		at(&BingoWitnessed{Game: game, Draw: DrawCalls, Seal: []byte("cosigned"), By: []string{"a.example", "b.example"}}),
		at(&NumberCalled{Game: game, Draw: DrawCalls, Number: 90, Bytes: []byte{0xff, 89}}),
		at(&BingoDrawn{Game: game, Draw: DrawJackpot, Note: []byte("note")}),
		at(&CallCorrected{Game: game, Number: 90, Wrong: 19, By: supervisor}),
		at(&ClaimOpened{Game: game, Claim: 2, Pattern: "top-line", Series: "K7", Book: 103, Card: 3, Box: 6, Behalf: true,
			Called: 23, By: dealer}),
		at(&ClaimChecked{Game: game, Claim: 2, Accepted: true, InHand: true, Marked: true, Player: 1, Number: 90,
			By: supervisor}),
		at(&BingoSettled{Game: game, Final: true,
			Prizes: []PrizeShared{{Pattern: PatternBingo, Cents: 50_000, Cards: 3, ShareCents: 16_666}},
			Levels: []LevelShared{{Level: 2, Cents: 240, Cards: 1, ShareCents: 240}},
			Shares: []ClaimShare{{Claim: 2, Cents: 16_666, JackpotCents: 240}}, Lapsed: prizes[1:]},
			ledger.Debit(ledger.Operator, 0, 49_998), ledger.Debit(ledger.HallJackpot, ledger.Pool(1, 2), 240),
			ledger.Credit(ledger.HallPrizes, 0, 50_238)),
		at(&BingoVoided{Game: game, Reason: "fire", Clause: "9.4.1", Last: true, Rolled: prizes, RefundCents: 50,
			Forfeited: []uint32{2}, By: supervisor},
			ledger.Debit(ledger.Operator, 0, 50), ledger.Credit(ledger.HallRefunds, 0, 50)),
		at(&FeesRefunded{Session: session, Players: 2, FeeCents: 1000, Taken: []Exact{1, 2}}),
		at(&RefundPaid{Session: session, Player: 1, Cents: 1000, By: dealer}, ledger.Debit(ledger.HallRefunds, 0, 1000),
			ledger.Credit(ledger.Cash, 1, 1000)),
		at(&BingoPaid{Game: game, Claim: 2, Prize: []MediumPart{{Medium: MediumCash, Cents: 6_666},
			{Medium: MediumSlotDollars, Cents: 10_000}}, Jackpot: []MediumPart{{Medium: MediumCheque, Cents: 240}}, By: dealer},
			ledger.Debit(ledger.HallPrizes, 0, 16_906), ledger.Credit(ledger.Cash, 1, 6_666),
			ledger.Credit(ledger.SlotDollars, 0, 10_000), ledger.Credit(ledger.Bank, 0, 240)),
		at(&DeviceFailed{Session: session, Device: 9, By: dealer}),
		at(&DeviceReplaced{Old: DeviceFailed{Session: session, Device: 9, By: dealer}, Device: 10, Marked: []uint8{90}}),
		at(&DeviceReturned{Session: session, Device: 10, Missing: true, By: supervisor}),
		at(&PlayerBarred{Session: session, Player: 1, FeeVoid: true, Taken: []Exact{1, 2}, Reason: "a device of 9.1",
			By: supervisor}),
		at(&SessionClosing{Session: session, At: 1_794_702_000_000, By: supervisor}),
		at(&SessionClosed{Session: session, Early: true, Rolled: prizes, By: supervisor}),
		at(&SessionChanged{Hall: 1, Set: SessionSet{Hall: 1, Session: 12, Day: 739572, Begins: 1_794_787_200_000,
			FeeCents: 10_00, BooksMax: 3, Series: []string{"K7"},
			Games: []BingoPlan{{Colour: "pink", Prizes: []PatternPrize{{Pattern: PatternBingo, Cents: 100_00}}}},
			By:    supervisor}, By: supervisor}),
		at(&SessionCancelled{Session: session, Reason: "the wrong evening", By: dealer}),
		at(&EntryUndone{Session: session, Player: 2, Reason: "another book", By: supervisor}),
		at(&OutcomeInvalidated{Game: game, Reason: "a card from outside", Clause: "9.4.2", Claims: []uint16{1, 3},
			Rolled:   []PatternPrize{{Pattern: PatternBingo, Cents: 50_00}},
			Restored: []money.Amount{0, 7_00}, RefundCents: 1_66, Forfeited: []uint32{2}, By: By{Person: 13, Rank: RankCasino}}),
		at(&DisputeAwarded{Hall: 1, Dispute: 1, Cents: 20_00, By: supervisor}),
		at(&DisputePaid{Hall: 1, Dispute: 1, Parts: []MediumPart{{Medium: MediumCash, Cents: 20_00}}, By: dealer}),
		at(&DisputeRaised{Hall: 1, Dispute: 1, Session: 12, Game: 3, Member: "100200", Subject: "my call was not heard",
			By: dealer}),
		at(&DisputeMoved{Hall: 1, Dispute: 1, Step: StepDecided, Text: "the call was late", By: supervisor}),
		at(&IncidentNoted{Session: session, Player: 1, Text: "a calculator at table 4", By: supervisor}),
		at(&OfferNotified{Offer: offer, Version: 1, Terms: OfferTerms{
			Name: "Cup day", Particulars: []OfferDetail{{Name: "manner", Text: "a draw"}}, Available: "at the desk",
			Marketing: "poster 3",
			Starts:    1_794_787_200_000, Closes: 1_794_873_600_000, Draws: 1_794_877_200_000, Present: true,
			Prizes: []OfferPrize{{Kind: "vehicle", Name: "a car", ValueCents: 3_000_000, Conditions: "none", Alternative: true,
				Contains: []string{"liquor"}, LiquorMillilitres: 750, Details: []OfferDetail{{Name: "make", Text: "X"}}}},
		}, Approval: "decision 9", By: supervisor}),
		at(&OfferStarted{Offer: offer, By: supervisor}),
		at(&OfferEntered{Offer: offer, Entry: 1, Member: "100200"}),
		at(&OfferSealed{Offer: offer, Prize: 1, Seal: []byte("seal"), Scrutineer: "licence 5", By: supervisor}),
		at(&OfferDrawn{Offer: offer, Prize: 1, Draw: 1, Numbers: []uint8{4, 90}, Bytes: [][]byte{{3}, {0xff, 88}},
			Note: []byte("note"), Entry: 1}),
		at(&OfferTold{Offer: offer, Prize: 1, Method: "mail", Reached: true, By: dealer}),
		at(&OfferClaimed{Offer: offer, Prize: 1, Member: "100200", Reason: "not eligible", Details: make([]byte, 32),
			By: supervisor}),
		at(&OfferStopped{Offer: offer, Act: OfferPostponed, Reason: "a box was open", Told: "by telephone", By: supervisor}),
	}
}

// TestHallRecordsCheck changes one thing at a time in records of bingo rooms.
func TestHallRecordsCheck(t *testing.T) {
	for name, change := range map[string]struct {
		kind Kind
		make func(Body)
	}{
		"nobody did it":          {KindMemberSet, func(b Body) { b.(*MemberSet).By = By{} }},
		"levels above the whole": {KindHallOpened, func(b Body) { b.(*HallOpened).Levels[0].Share++ }},
		"a level for ever":       {KindHallOpened, func(b Body) { b.(*HallOpened).Levels[0].Within = 0 }},
		"books backwards":        {KindPlayerEntered, func(b Body) { b.(*PlayerEntered).Books[0].Last = 1 }},
		"struck out elsewhere":   {KindIssueClosed, func(b Body) { b.(*IssueClosed).Ranges[0].Struck[0] = 99 }},
		"number 91":              {KindNumberCalled, func(b Body) { b.(*NumberCalled).Number = 91 }},
		"no such draw":           {KindNumberCalled, func(b Body) { b.(*NumberCalled).Draw = 3 }},
		"corrected into itself":  {KindCallCorrected, func(b Body) { b.(*CallCorrected).Wrong = 90 }},
		"accepted with a code":   {KindClaimChecked, func(b Body) { b.(*ClaimChecked).Code = "late" }},
		"a prize twice": {KindSessionSet,
			func(b Body) { b.(*SessionSet).Games[0].Prizes[1].Pattern = PatternBingo }},
		"bingo not first":       {KindSessionSet, func(b Body) { b.(*SessionSet).Games[0].Prizes[0].Pattern = "top-line" }},
		"nothing paid":          {KindBingoPaid, func(b Body) { b.(*BingoPaid).Prize[0].Cents = 0 }},
		"a decision unsaid":     {KindDisputeMoved, func(b Body) { b.(*DisputeMoved).Text = "" }},
		"a draw before the end": {KindOfferNotified, func(b Body) { b.(*OfferNotified).Terms.Draws = 1 }},
		"denied without reason": {KindOfferClaimed, func(b Body) { b.(*OfferClaimed).Reason = "" }},
	} {
		r := samples()[change.kind]
		change.make(r.Body)
		if _, err := Encode(r); err == nil {
			t.Errorf("%s: encoded", name)
		}
	}
}

// TestWholeTerms changes one thing at a time in the terms of a promotion.
func TestWholeTerms(t *testing.T) {
	for what, change := range map[string]func(*OfferTerms){
		"no name": func(t *OfferTerms) { t.Name = "" }, "no start": func(t *OfferTerms) { t.Starts = 0 },
		"an end at the start":   func(t *OfferTerms) { t.Closes = t.Starts },
		"a draw before the end": func(t *OfferTerms) { t.Draws-- },
		"no prizes":             func(t *OfferTerms) { t.Prizes = nil },
		"many prizes":           func(t *OfferTerms) { t.Prizes = make([]OfferPrize, 100) },
	} {
		terms := OfferTerms{Name: "Cup day", Starts: 1, Closes: 2, Draws: 2, Prizes: make([]OfferPrize, 99)}
		if !terms.Whole() {
			t.Fatal("good terms are not whole")
		}
		if change(&terms); terms.Whole() {
			t.Errorf("terms with %s are whole", what)
		}
	}
}
