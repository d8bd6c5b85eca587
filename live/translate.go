package live

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"drawhouse/day"
	"drawhouse/journal"
	"drawhouse/record"
	"drawhouse/rulebook"
)

// translator makes events from records. A record does not repeat what the ones
// before it said, such as how many numbers a game has by now, so the translator
// remembers that for games under way. Only records that become events change it.
type translator struct {
	series map[uint8]*course
	rooms  map[uint8]*room // by hall
}

// course is what the translator remembers of a series.
type course struct {
	zone  *time.Location
	games []underWay // opened and not yet settled, oldest first: a few
	pools []pool     // ascending by spots
}

type pool struct {
	spots   uint8
	primary record.Exact
}

type underWay struct {
	ref     record.Game
	ordinal uint32
	draw    uint8
	numbers []int // of that draw
}

func newTranslator() *translator {
	return &translator{series: map[uint8]*course{}, rooms: map[uint8]*room{}}
}

// clone returns a translator that goes its own way from here.
func (t *translator) clone() *translator {
	c := &translator{series: maps.Clone(t.series), rooms: maps.Clone(t.rooms)}
	for id, r := range c.rooms {
		c.rooms[id] = r.clone()
	}
	for id, s := range c.series {
		games := slices.Clone(s.games)
		for i := range games {
			games[i].numbers = slices.Clone(games[i].numbers)
		}
		c.series[id] = &course{zone: s.zone, games: games, pools: slices.Clone(s.pools)}
	}
	return c
}

// isPublic reports whether records of the kind become events.
func isPublic(kind record.Kind) bool {
	switch kind {
	case record.KindDayOpened, record.KindDayClosed, record.KindGameOpened, record.KindGameClosed,
		record.KindGameSealed, record.KindNumberDrawn, record.KindGameDrawn, record.KindGameSettled,
		record.KindPoolOpened, record.KindPoolMoved,
		record.KindGameWitnessed, record.KindResultCorrected, record.KindDrawVoided, record.KindGameVoided, record.KindPlayPaused, record.KindPlayResumed, record.KindClosureAnnounced, record.KindNoticeShown:
		return true
	}
	return isOfRoom(kind)
}

// translate returns the event of a record of a public kind.
func (t *translator) translate(id ID, r record.Record) (Event, error) {
	translated := t.body
	if isOfRoom(r.Kind()) {
		translated = t.roomBody
	}
	body, err := translated(id, r)
	if err != nil {
		return Event{}, fmt.Errorf("live: record %v, %v: %w", id, r.Kind(), err)
	}
	return newEvent(id, body)
}

func (t *translator) body(id ID, r record.Record) (Body, error) {
	switch b := r.Body.(type) {
	case *record.DayOpened:
		t.of(b.Series).zone = time.FixedZone("", int(b.OffsetSeconds))
		return DayOpened{Head: t.head(id, r.Time, b.Series, b.Day), OffsetSeconds: b.OffsetSeconds}, nil
	case *record.DayClosed:
		return DayClosed{Head: t.head(id, r.Time, b.Series, b.Day), Games: b.Games}, nil
	case *record.PlayPaused:
		return PlayPaused{t.notice(id, r.Time, b.Series), b.Reason}, nil
	case *record.PlayResumed:
		return PlayResumed{t.notice(id, r.Time, b.Series)}, nil
	case *record.NoticeShown:
		return NoticeShown{t.notice(id, r.Time, b.Series), b.Text}, nil
	case *record.ClosureAnnounced:
		return ClosureAnnounced{t.notice(id, r.Time, b.Series), b.At.Time().In(t.of(b.Series).zone)}, nil
	case *record.PoolOpened:
		return t.jackpots(id, r.Time, b.Series, b.Pool), nil
	case *record.PoolMoved:
		if b.ClosedSeries != 0 {
			t.of(b.ClosedSeries).setPools(b.Closed...)
		}
		return t.jackpots(id, r.Time, b.Series, b.Pools...), nil
	case *record.ResultCorrected:
		event := ResultCorrected{Head: t.head(id, r.Time, b.Game.Series, b.Game.Day), Game: b.Game.Number, Revision: b.Revision, Reason: b.Reason, Clause: b.Clause}
		for _, n := range b.Numbers {
			event.Numbers = append(event.Numbers, int(n))
		}
		return event, nil
	case *record.GameOpened:
		s := t.of(b.Game.Series)
		s.games = append(s.games, underWay{ref: b.Game, ordinal: b.Ordinal})
		return GameOpened{
			GameHead: GameHead{Head: t.head(id, r.Time, b.Game.Series, b.Game.Day), Game: b.Game.Number, Ordinal: b.Ordinal},
			Closes:   b.Closes.Time().In(s.zone),
			Rulebook: rulebook.Hash(b.Rulebook).String(), Schedule: b.Schedule,
		}, nil
	}
	return t.gameBody(id, r)
}

// gameBody returns the body of an event in the course of a game.
func (t *translator) gameBody(id ID, r record.Record) (Body, error) {
	ref, ok := gameOf(r.Body)
	if !ok {
		return nil, fmt.Errorf("the kind is not public")
	}
	if b, ok := r.Body.(*record.GameSettled); ok {
		t.of(ref.Series).setPools(b.Pools...)
		if b.Revision > 1 {
			return GameResettled{t.head(id, r.Time, ref.Series, ref.Day), ref.Number, b.Revision, *ResultOf(b), t.of(ref.Series).shown()}, nil
		}
	}
	s := t.of(ref.Series)
	i := slices.IndexFunc(s.games, func(g underWay) bool { return g.ref == ref })
	if i < 0 {
		return nil, fmt.Errorf("game %v of series %d is not under way", ref, ref.Series)
	}
	game := &s.games[i]
	head := GameHead{Head: t.head(id, r.Time, ref.Series, ref.Day), Game: ref.Number, Ordinal: game.ordinal}
	switch b := r.Body.(type) {
	case *record.GameClosed:
		s.contribute(b.Contributions)
		return GameClosed{head, Sold{Plays: b.Plays, StakesCents: b.StakesCents.Cents()}, s.shown()}, nil
	case *record.GameSealed:
		fingerprint, err := journal.FingerprintOf(b.Seal)
		return GameSealed{head, fingerprint, string(b.Seal)}, err
	case *record.NumberDrawn:
		if b.Draw != game.draw {
			game.draw, game.numbers = b.Draw, nil
		}
		game.numbers = append(game.numbers, int(b.Number))
		return NumberDrawn{head, b.Draw, len(game.numbers), int(b.Number)}, nil
	case *record.GameWitnessed:
		return GameWitnessed{head, b.By, string(b.Seal)}, nil
	case *record.DrawVoided:
		game.numbers = nil
		return DrawVoided{head, b.Draw, b.Reason}, nil
	case *record.GameVoided:
		s.setPools(b.Pools...)
		s.games = slices.Delete(s.games, i, i+1)
		return GameVoided{head, b.Reason, b.Deferred, s.shown()}, nil
	case *record.GameDrawn:
		return GameDrawn{head, slices.Clone(game.numbers)}, nil
	case *record.GameSettled:
		s.games = slices.Delete(s.games, i, i+1)
		return GameSettled{head, *ResultOf(b), s.shown()}, nil
	}
	return nil, fmt.Errorf("nothing translates %T", r.Body)
}

// jackpots takes over pools and returns the event that says so.
func (t *translator) jackpots(id ID, at record.Time, series uint8, pools ...record.Pool) Body {
	s := t.of(series)
	s.setPools(pools...)
	return JackpotsChanged{t.notice(id, at, series), s.shown()}
}

func (t *translator) notice(id ID, at record.Time, series uint8) Notice {
	return Notice{ID: id, Time: at.Time().In(t.of(series).zone), Series: series}
}

// setPools takes over pools as a record states them.
func (s *course) setPools(pools ...record.Pool) {
	for _, p := range pools {
		i, ok := slices.BinarySearchFunc(s.pools, p.Spots, func(p pool, spots uint8) int { return int(p.spots) - int(spots) })
		if !ok {
			s.pools = slices.Insert(s.pools, i, pool{spots: p.Spots})
		}
		s.pools[i].primary = p.Primary
	}
}

// contribute adds what a game has put into the pools.
func (s *course) contribute(list []record.Contribution) {
	for _, c := range list {
		for i := range s.pools {
			if s.pools[i].spots == c.Spots {
				s.pools[i].primary += c.Primary
			}
		}
	}
}

// shown returns the pools in whole cents.
func (s *course) shown() []Pool {
	var pools []Pool
	for _, p := range s.pools {
		pools = append(pools, Pool{Spots: int(p.spots), Cents: int64(p.primary / exactPerCent)})
	}
	return pools
}

// exactPerCent is how many parts of a cent an exact amount counts.
const exactPerCent = 10_000

// gameOf returns the game that a record of a game's course names.
func gameOf(body record.Body) (record.Game, bool) {
	switch b := body.(type) {
	case *record.GameClosed:
		return b.Game, true
	case *record.GameSealed:
		return b.Game, true
	case *record.NumberDrawn:
		return b.Game, true
	case *record.GameDrawn:
		return b.Game, true
	case *record.GameWitnessed:
		return b.Game, true
	case *record.DrawVoided:
		return b.Game, true
	case *record.GameVoided:
		return b.Game, true
	case *record.GameSettled:
		return b.Game, true
	}
	return record.Game{}, false
}

// of returns the course of a series, whose clock is UTC until its first day.
func (t *translator) of(series uint8) *course {
	s, ok := t.series[series]
	if !ok {
		s = &course{zone: time.UTC}
		t.series[series] = s
	}
	return s
}

func (t *translator) head(id ID, at record.Time, series uint8, d day.Day) Head {
	return Head{ID: id, Time: at.Time().In(t.of(series).zone), Series: series, Day: d.String()}
}
