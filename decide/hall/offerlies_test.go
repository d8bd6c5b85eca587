package hall_test

import (
	"crypto/sha256"
	"maps"
	"slices"
	"strings"
	"testing"

	"drawhouse/core/ball"
	"drawhouse/decide/hall"
	"drawhouse/games/draw"
	"drawhouse/internal/cases"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// promoted is a room in which a scenario of promotions has been played.
func promoted(t *testing.T, seed string, lines ...string) evening {
	t.Helper()
	play, err := cases.NewPlay(cases.RoomBook, nil, seed, "hall")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		if _, err := play.Do(line); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	e := evening{play.Room(), t}
	e.must(e.Take())
	return e
}

// TestLyingOffers changes one thing at a time in the records of promotions.
//
//rule:nsw-bingo-2019 10.7 10.9 10.10 10.12
func TestLyingOffers(t *testing.T) {
	e := promoted(t, liesSeed, "terms cash 500.00", "notify", "clock 24h", "start", "entry M1 M2 M3", "clock 25h",
		"stop postponed", "stop cleared", "draw", "tell mail reached", "grant to winner cash 500.00")
	lies, kinds := e.lie(liesSeed, record.KindOfferNotified)
	t.Logf("%d lies about %d kinds of records", lies, kinds)
	if kinds < 8 {
		t.Errorf("only %d kinds", kinds)
	}
}

// TestForgedOffers says things of promotions that are not there, or out of turn.
//
//rule:nsw-bingo-2019 10.7 10.9 10.9.1 10.10 10.12
func TestForgedOffers(t *testing.T) {
	one, none := record.Offer{Hall: 1, Offer: 1}, record.Offer{Hall: 1, Offer: 7}
	started := promoted(t, forgedSeed, "terms cash 500.00", "notify", "clock 24h", "start", "entry M1 M2 M3")
	terms := *last[*record.OfferNotified](started)
	for words, body := range map[string]record.Body{
		"there is no promotion 7":  &record.OfferStarted{Offer: none, By: cases.Supervisor},
		"promotion 1 starts twice": &record.OfferStarted{Offer: one, By: cases.Supervisor},
		"change, and may not": &record.OfferNotified{Offer: one, Version: 2, Terms: terms.Terms,
			Confirms: terms.Confirms, By: cases.Supervisor},
		"promotion 9 comes after 1": &record.OfferNotified{Offer: record.Offer{Hall: 1, Offer: 9}, Version: 1,
			Terms: terms.Terms, Confirms: terms.Confirms, By: cases.Supervisor},
		"entry 4 of M99": &record.OfferEntered{Offer: one, Entry: 4, Member: "M99"},
		"entry 5 of M4":  &record.OfferEntered{Offer: one, Entry: 5, Member: "M4"},
		"told by mail":   &record.OfferTold{Offer: one, Prize: 1, Method: "mail", By: cases.Dealer},
		"there is no prize 9": &record.OfferClaimed{Offer: one, Prize: 9, Member: "M1", Granted: true,
			By: cases.Supervisor},
		"is granted to M1, who has not": &record.OfferClaimed{Offer: one, Prize: 1, Member: "M1", Granted: true,
			By: cases.Supervisor},
		"is cleared out of turn": &record.OfferStopped{Offer: one, Act: record.OfferCleared, Reason: "it is good",
			By: cases.Supervisor},
		"the inspectorate was not told": &record.OfferStopped{Offer: one, Act: record.OfferPostponed,
			Reason: "a box was open", By: cases.Supervisor},
	} {
		started.forge(words, body)
	}
	stopped := promoted(t, forgedSeed, "terms cash 500.00", "notify", "clock 24h", "start", "entry M1 M2 M3",
		"stop postponed")
	stopped.forge("takes none now", &record.OfferEntered{Offer: one, Entry: 4, Member: "M4"})
	over := promoted(t, forgedSeed, "terms cash 500.00", "notify", "clock 24h", "start", "entry M1 M2 M3",
		"stop cancelled")
	over.forge("takes none now", &record.OfferEntered{Offer: one, Entry: 4, Member: "M4"})
	over.forge("out of turn", &record.OfferStopped{Offer: one, Act: record.OfferPostponed, Reason: "again",
		Told: "by telephone", By: cases.Supervisor})
	closed := promoted(t, forgedSeed, "terms cash 500.00", "notify", "clock 24h", "start", "entry M1 M2 M3", "clock 25h",
		"draw")
	closed.forge("takes none now", &record.OfferEntered{Offer: one, Entry: 4, Member: "M4"})
	closed.forge("change, and may not", &record.OfferNotified{Offer: one, Version: 2, Terms: terms.Terms,
		Confirms: terms.Confirms, Approval: "A 17", By: cases.Supervisor})
	early := promoted(t, forgedSeed, "terms cash 500.00", "notify")
	early.forge("before the Authority had its terms", &record.OfferStarted{Offer: one, By: cases.Supervisor})
	early.forge("takes none now", &record.OfferEntered{Offer: one, Entry: 1, Member: "M4"})
	unread := promoted(t, forgedSeed, "terms cash 500.00", "notify", "clock 25h", "notify again")
	unread.forge("before the Authority had its terms", &record.OfferStarted{Offer: one, By: cases.Supervisor})
	never := promoted(t, forgedSeed, "terms cash 500.00", "notify", "clock 25h", "stop cancelled")
	never.forge("starts twice, or before", &record.OfferStarted{Offer: one, By: cases.Supervisor})
}

// TestForgedTerms gives the Authority terms that no promotion may have.
//
//rule:nsw-bingo-2019 10.5 10.6 10.9.1
func TestForgedTerms(t *testing.T) {
	e := promoted(t, forgedSeed, "terms cash 500.00", "notify", "stop cancelled")
	good := *last[*record.OfferNotified](e)
	again := good
	again.Version, again.Approval = 2, "A 17"
	e.forge("change, and may not", &again)
	for words, change := range map[string]func(*record.OfferNotified, *record.OfferPrize){
		"has tobacco":           func(_ *record.OfferNotified, p *record.OfferPrize) { p.Contains = []string{"tobacco"} },
		"has Ammunition":        func(_ *record.OfferNotified, p *record.OfferPrize) { p.Contains = []string{"Ammunition"} },
		"has Imitation-firearm": func(_ *record.OfferNotified, p *record.OfferPrize) { p.Contains = []string{"Imitation-firearm"} },
		"has prescribed item":   func(_ *record.OfferNotified, p *record.OfferPrize) { p.Contains = []string{"prescribed item"} },
		"millilitres of liquor": func(_ *record.OfferNotified, p *record.OfferPrize) { p.LiquorMillilitres = 1_000_000 },
		"is no money": func(n *record.OfferNotified, p *record.OfferPrize) {
			n.Confirms, p.Kind = nil,
				"appliance"
		},
	} {
		bad := good
		bad.Offer.Offer, bad.Terms.Prizes = 2, []record.OfferPrize{good.Terms.Prizes[0]}
		change(&bad, &bad.Terms.Prizes[0])
		e.forge(words, &bad)
	}
}

// TestForgedDraws seals and draws prizes out of turn, and pays what was not won.
//
//rule:nsw-bingo-2019 10.8 10.10 10.10.1 10.12
func TestForgedDraws(t *testing.T) {
	open := []string{"terms cash 500.00", "notify", "clock 24h", "start", "entry M1 M2 M3"}
	with := func(more ...string) evening { return promoted(t, forgedSeed, slices.Concat(open, more)...) }
	drawn := with("clock 25h", "draw")
	seal, draw := *last[*record.OfferSealed](drawn), *last[*record.OfferDrawn](drawn)
	for name, e := range map[string]evening{
		"before its time": with(), "postponed": with("clock 25h", "stop postponed"),
		"cancelled": with("clock 25h", "stop cancelled"),
		"again":     drawn, "not started": promoted(t, forgedSeed, "terms cash 500.00", "notify", "clock 50h",
			"stop postponed",
			"stop cleared"),
	} {
		t.Log(name)
		maps.Copy(e.Objects, drawn.Objects)
		e.forge("sealed out of turn", &seal)
	}
	ready := with("clock 25h", "stop postponed", "stop cleared") // A record at the time of the draw.
	other := seal
	other.Prize = 9
	ready.Objects["entries/1/1/9/1"] = drawn.Objects["entries/1/1/1/1"]
	ready.forge("sealed out of turn", &other)
	ready.forge("draw 1 of prize 1 is out of turn", &draw)
	next := draw
	next.Draw++
	drawn.forge("of prize 1 is out of turn", &next)
	for _, stop := range []string{"stop postponed", "stop cancelled"} {
		with("clock 25h", "draw", stop).forge("prize 1 is drawn out of turn", &next)
	}

	paid := with("clock 25h", "draw", "grant to winner cash 500.00")
	claim := *last[*record.OfferClaimed](paid)
	paid.forge("or twice", &claim)
	less := claim
	less.Parts = []record.MediumPart{{Medium: record.MediumCash, Cents: 499_00}}
	drawn.forge("is paid for a prize of", &less)

	goods := promoted(t, forgedSeed, "terms appliance 500.00", "notify", "clock 24h", "start", "entry M1", "clock 25h",
		"draw")
	for _, medium := range []record.Medium{record.MediumCasinoDollars, record.MediumCash} {
		goods.forge("paid", &record.OfferClaimed{
			Offer: seal.Offer, Prize: 1, Member: "M1", Granted: true, Parts: []record.MediumPart{{Medium: medium, Cents: 1}},
			By: cases.Supervisor,
		})
	}

	large := promoted(t, forgedSeed, "terms cash 900000.00", "notify", "clock 24h", "start", "entry M1 M2 M3", "clock 25h",
		"stop postponed", "stop cleared")
	maps.Copy(large.Objects, drawn.Objects)
	large.forge("without a scrutineer", &seal)
	large.forge("nothing is kept of it", &record.OfferClaimed{Offer: seal.Offer, Prize: 1, Member: "M1",
		Reason: "not eligible", By: cases.Supervisor})
}

// TestForgedNumbers has the device sign draws for a promotion with more numbers than there should be, with
// fewer, and with another number of the draw.
//
//rule:nsw-bingo-2019 10.2
func TestForgedNumbers(t *testing.T) {
	e := promoted(t, forgedSeed, "terms cash 500.00", "notify", "clock 24h", "start", "entry M1 M2 M3", "clock 25h",
		"draw")
	room, _ := e.Engine.State().Hall(1)
	offer, _ := room.Offer(1)
	award, _ := offer.Award(1)
	script := cases.NewScript(sha256.Sum256([]byte(forgedSeed)))
	houseKey, houseVerifier, err := journal.GenerateKey(script, "case.example")
	e.must(err)
	deviceKey, _, err := journal.GenerateKey(script, "case.example/device")
	e.must(err)
	house, err := journal.ParseSigner(houseKey)
	e.must(err)
	signer, err := journal.ParseSigner(deviceKey)
	e.must(err)
	verifier, err := journal.ParseVerifier(houseVerifier)
	e.must(err)
	seal, err := journal.OpenSeal(award.Seal, verifier)
	e.must(err)
	honest := *last[*record.OfferDrawn](e)
	for words, change := range map[string]func(*draw.Plan){
		"number 3 of the draw":             func(p *draw.Plan) { p.Least, p.Most = 3, 3 },
		"1 numbers are too few":            func(p *draw.Plan) { p.Least, p.Most = 1, 1 },
		"draw 2 of prize 1 is out of turn": func(p *draw.Plan) { p.Revision = 2 },
	} {
		source, err := draw.NewSource(cases.NewScript(sha256.Sum256([]byte(words))))
		e.must(err)
		device, err := draw.NewDevice(draw.Config{Signer: signer, House: verifier, Source: source})
		e.must(err)
		plan := draw.Plan{Game: hall.OfferName(room, offer, 1), Revision: 1, Universe: ball.Bingo, Least: 2, Most: 2}
		change(&plan)
		drawing, err := device.Start(plan, seal, hall.Drawn(ball.Bingo, nil), nil)
		e.must(err)
		b := record.OfferDrawn{Offer: honest.Offer, Prize: 1, Draw: uint16(plan.Revision)}
		for place := 1; place <= plan.Most; place++ {
			pick, err := drawing.Next(place)
			e.must(err)
			b.Numbers, b.Bytes = append(b.Numbers, uint8(pick.Number)), append(b.Bytes, pick.Bytes)
		}
		b.Note, err = drawing.Sign()
		e.must(err)
		data, err := record.Encode(record.Record{Time: timeOfLast(e), Body: &b})
		e.must(err)
		if failure := e.verifyPrefix(house, len(e.Records)-1, data); failure == nil ||
			!strings.Contains(failure.Reason, words) {
			t.Errorf("verify says %v, and should say: %s", failure, words)
		}
	}
}

// timeOfLast returns the time of the newest record.
func timeOfLast(e evening) record.Time {
	e.t.Helper()
	r, err := record.Decode(e.Records[len(e.Records)-1])
	e.must(err)
	return r.Time
}

// last returns what the newest record of a kind in a journal says.
func last[B record.Body](e evening) B {
	e.t.Helper()
	for i := len(e.Records) - 1; i >= 0; i-- {
		r, err := record.Decode(e.Records[i])
		e.must(err)
		if body, ok := r.Body.(B); ok {
			return body
		}
	}
	var none B
	e.t.Fatalf("there is no %T", none)
	return none
}
