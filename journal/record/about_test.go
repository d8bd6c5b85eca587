package record

import "testing"

// untold are the kinds of records about a game of keno that are in no story of its tickets, with
// the reason.
var untold = map[Kind]string{
	KindGameOpened:           "the sale of the ticket names the game, and the seal what plays in it",
	KindNumberDrawn:          "what the device has signed has all numbers of the draw",
	KindLinkReleased:         "the result is worked out from the links that custodians publish",
	KindLinkGiven:            "a custodian hands it to anybody who checks the draw",
	KindRoundGiven:           "the public log has it for anybody who checks the draw",
	KindCageStarted:          "what people do at the machine ends in the signed result",
	KindBallKeyed:            "what people do at the machine ends in the signed result",
	KindPrizesCarried:        "the settlement has the sums, and the winners file the tickets",
	KindJurisdictionReported: "it is about a jackpot; the next settlement of the game says what it came to",
	KindDrawInspected:        "it changes nothing of a ticket; the book of the day has it",
	KindGameDesignated:       "it is said before the game opens",
}

// TestAboutGames shows that of each kind about a game somebody has said whether stories have it.
func TestAboutGames(t *testing.T) {
	for _, kind := range Kinds() {
		_, about := Record{Body: Empty(kind)}.Game()
		_, named := untold[kind]
		switch {
		case kind.InStories() && !about:
			t.Errorf("%v is in stories of tickets and names no game", kind)
		case about && kind.InStories() == named:
			t.Errorf("%v is about a game: mark its row for stories, or say here why not, and not both", kind)
		}
	}
}

func TestAbout(t *testing.T) {
	type about struct {
		series, counter, till, venue, person uint32
		session                              HallSession
	}
	in := HallSession{Hall: 2, Session: 5}
	for _, c := range []struct {
		body Body
		want about
	}{
		{&TicketSold{Series: 3, Request: Request{Terminal: 7}}, about{series: 3, counter: 7, till: 7}},
		{&TicketPaid{Series: 3, Request: Request{Terminal: 7}}, about{series: 3, counter: 7, till: 7}},
		{&BonusAllocated{Series: 3, Terminal: 7}, about{series: 3, counter: 7, till: 7}},
		{&BankMoved{Terminal: 7}, about{counter: 7, till: 7}},
		{&PaperReissued{Request: Request{Terminal: 7}}, about{counter: 7}},
		{&PrizeForfeited{Series: 3, Request: Request{Terminal: 7}}, about{series: 3, counter: 7}},
		{&TerminalKeyed{Terminal: 7}, about{}},
		{&GameSettled{Game: Game{Series: 3}}, about{series: 3}},
		{&ClaimPaid{Venue: 4}, about{venue: 4}},
		{&RoleGranted{Person: 9, Venue: 4}, about{venue: 4, person: 9}},
		{&PlayerEntered{Hall: 2, Session: 5}, about{session: in}},
		{&SessionClosed{Session: in}, about{session: in}},
		{&NumberCalled{Game: BingoGame{Hall: 2, Session: 5, Game: 1}}, about{session: in}},
		{&SessionEnded{Session: 5, Request: Request{Terminal: 7}}, about{counter: 7, till: 7}},
	} {
		r := Record{Body: c.body}
		var got about
		series, _ := r.Series()
		got.series = uint32(series)
		got.counter, _ = r.Counter()
		got.till, _ = r.Terminal()
		got.venue, _ = r.Venue()
		got.person, _ = r.Person()
		if session, ok := r.HallSession(); ok {
			got.session = session
		}
		if got != c.want {
			t.Errorf("%T is about %+v, and it should be %+v", c.body, got, c.want)
		}
	}
}
