package record

import "reflect"

// This file says what a record is about. The names and types of fields say which game, series,
// venue, person or session of a bingo room it is, and at which terminal it came about; the row of
// the kind says in which field the ticket or paper stands.

// abouts is where the bodies of a kind name what their records are about. A field that a kind
// does not have is nil.
type abouts struct {
	game, series, venue, person []int
	request, terminal           []int
	// Of a bingo room: its game, its session, or the number of the room beside that of the session.
	bingo, session, hall, number []int
}

var aboutOf = findAbouts()

func findAbouts() *[256]abouts {
	found := new([256]abouts)
	for _, row := range rows {
		index := func(name string, kind reflect.Type) []int {
			if f, ok := row.body.FieldByName(name); ok && f.Type == kind {
				return f.Index
			}
			return nil
		}
		found[row.kind] = abouts{
			game: index("Game", reflect.TypeFor[Game]()), series: index("Series", reflect.TypeFor[uint8]()),
			venue: index("Venue", reflect.TypeFor[uint32]()), person: index("Person", reflect.TypeFor[uint32]()),
			request:  index("Request", reflect.TypeFor[Request]()),
			terminal: index("Terminal", reflect.TypeFor[uint32]()),
			bingo:    index("Game", reflect.TypeFor[BingoGame]()),
			session:  index("Session", reflect.TypeFor[HallSession]()),
			hall:     index("Hall", reflect.TypeFor[uint8]()), number: index("Session", reflect.TypeFor[uint32]()),
		}
	}
	return found
}

// field returns what the field of a body holds. The body is one of the kind whose field it is.
func field[V any](body Body, index []int) (value V, ok bool) {
	if index == nil {
		return value, false
	}
	v, ok := reflect.ValueOf(body).Elem().FieldByIndex(index).Addr().Interface().(*V)
	if !ok {
		return value, false
	}
	return *v, true
}

// Subject returns the ticket or paper that the record is about, where it is about
// one that an earlier record issued.
func (r Record) Subject() (Place, bool) {
	if row := rowOf[r.Kind()]; row != nil && row.papers != nil {
		return field[Place](r.Body, row.papers)
	}
	return Place{}, false
}

// Subjects returns the tickets and papers that the record is about, where it is about a list
// of them.
func (r Record) Subjects() []Place {
	if row := rowOf[r.Kind()]; row != nil && row.papers != nil {
		list, _ := field[[]Place](r.Body, row.papers)
		return list
	}
	return nil
}

// Counter returns the terminal at which the record came about, where it did at one.
func (r Record) Counter() (uint32, bool) {
	if sold, ok := r.Body.(*TicketSold); ok {
		return sold.Request.Terminal, true // Nearly all records are tickets.
	}
	kind := r.Kind()
	if request, ok := field[Request](r.Body, aboutOf[kind].request); ok {
		return request.Terminal, true
	}
	if row := rowOf[kind]; row == nil || !row.till {
		return 0, false
	}
	return field[uint32](r.Body, aboutOf[kind].terminal)
}

// Terminal returns the terminal in whose bank cash is that the record moves, where it came
// about at one.
func (r Record) Terminal() (uint32, bool) {
	if row := rowOf[r.Kind()]; row != nil && row.till {
		return r.Counter()
	}
	return 0, false
}

// Game returns the game that the record is about, if it is about one.
func (r Record) Game() (Game, bool) { return field[Game](r.Body, aboutOf[r.Kind()].game) }

// Series returns the series of games that the record belongs to, if it belongs to one.
func (r Record) Series() (uint8, bool) {
	if sold, ok := r.Body.(*TicketSold); ok {
		return sold.Series, true // Nearly all records are tickets.
	}
	about := &aboutOf[r.Kind()]
	if game, ok := field[Game](r.Body, about.game); ok {
		return game.Series, true
	}
	return field[uint8](r.Body, about.series)
}

// HasSeries reports whether records of the kind say to which series of games they belong. The end of a customer session
// does not say it of the first series, and the payment of a claim says it by its claim.
func (k Kind) HasSeries() bool {
	return aboutOf[k].game != nil || aboutOf[k].series != nil || k == KindClaimPaid
}

// Venue returns the venue that the record names, if it names one. 0 is none.
func (r Record) Venue() (uint32, bool) { return field[uint32](r.Body, aboutOf[r.Kind()].venue) }

// Person returns the person whom the record is about, if it is about one.
func (r Record) Person() (uint32, bool) { return field[uint32](r.Body, aboutOf[r.Kind()].person) }

// Bingo returns the game of bingo that the record is about, if it is about one.
func (r Record) Bingo() (BingoGame, bool) {
	return field[BingoGame](r.Body, aboutOf[r.Kind()].bingo)
}

// HallSession returns the session of a bingo room that the record is about, if it is about one.
func (r Record) HallSession() (HallSession, bool) {
	about := &aboutOf[r.Kind()]
	if game, ok := field[BingoGame](r.Body, about.bingo); ok {
		return game.In(), true
	}
	if session, ok := field[HallSession](r.Body, about.session); ok {
		return session, true
	}
	hall, inHall := field[uint8](r.Body, about.hall)
	number, ok := field[uint32](r.Body, about.number)
	return HallSession{Hall: hall, Session: number}, ok && inHall
}
