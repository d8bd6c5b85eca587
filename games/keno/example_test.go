package keno_test

import (
	"fmt"
	"log"

	"drawhouse/core/day"
	"drawhouse/games/keno"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// A terminal asks for three groups of numbers and names two types of ways.
func Example() {
	book, err := rules.Book("vic-keno-2015")
	if err != nil {
		log.Fatal(err)
	}
	desk, err := keno.NewDesk(book)
	if err != nil {
		log.Fatal(err)
	}
	req, err := keno.ParseRequest([]byte(`{"v":1, "rulebook":"vic-keno-2015", "games":2, "bets":[
		{"bet":"classic", "groups":[[2,1],[11,12,13],[40]], "play":{"spots":[3,5]}, "stake_cents":100}]}`))
	if err != nil {
		log.Fatal(err)
	}
	ticket, err := desk.Resolve(req, keno.Setting{Open: keno.GameRef{Day: day.MustParse("2026-11-15"), Game: 417}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", ticket.AppendJSON(nil))

	counter := keno.Envelope{Channel: rulebook.ChannelWriter, Method: rulebook.MethodForm}
	price, err := desk.Quote(ticket, counter)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(price.Ways, "ways cost", price.Cost)
	for way := range desk.Ways(&ticket.Bets[0], 0) {
		fmt.Println(way.Spots)
	}

	ticket.Bets[0].Stake = 50
	_, err = desk.Quote(ticket, counter)
	fmt.Println(err)
	// Output:
	// {"v":1,"rulebook":"vic-keno-2015","first":{"day":"2026-11-15","game":417},"games":2,"bets":[{"bet":"classic","groups":[[1,2],[11,12,13],[40]],"play":{"spots":[3,5]},"stake_cents":100}]}
	// 3 ways cost $6.00
	// 1 2 11 12 13
	// 1 2 40
	// 11 12 13
	// bets[0].stake_cents: Keno Classic costs at least $1.00 a way, not $0.50. (rule 11(c))
}
