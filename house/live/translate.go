package live

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"drawhouse/core/day"
	"drawhouse/journal"
	"drawhouse/journal/record"
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

// translate returns the event of a record of a public kind.
func (t *translator) translate(id ID, r record.Record) (Event, error) {
	translated, ok := translations.Of(r.Kind())
	if !ok {
		return Event{}, fmt.Errorf("live: record %v: nothing translates %v", id, r.Kind())
	}
	body, err := translated(t, id, r)
	if err != nil {
		return Event{}, fmt.Errorf("live: record %v, %v: %w", id, r.Kind(), err)
	}
	return newEvent(id, body)
}

// A translation makes the body of an event from a record.
type translation = func(*translator, ID, record.Record) (Body, error)

type translating = record.Entry[translation]

// translations are those of all public kinds (record.Kind.Public).
var translations = record.NewTable(slices.Concat(seriesTranslations, gameTranslations, roomTranslations)...)

// from translates the records whose body has one type.
func from[B record.Body](body func(*translator, ID, record.Record, B) (Body, error)) translating {
	return translating{Kind: record.KindFor[B](), Do: func(t *translator, id ID, r record.Record) (Body, error) {
		return body(t, id, r, r.Body.(B)) //nolint:errcheck // The table is asked by the kind of the record.
	}}
}

// noticeFrom translates records about a series.
func noticeFrom[B record.Body](body func(t *translator, n Notice, b B) Body) translating {
	return from(func(t *translator, id ID, r record.Record, b B) (Body, error) {
		series, _ := r.Series()
		return body(t, t.notice(id, r.Time, series), b), nil
	})
}

// seriesTranslations are about a series, its days and its jackpots.
var seriesTranslations = []translating{
	from(func(t *translator, id ID, r record.Record, b *record.DayOpened) (Body, error) {
		t.of(b.Series).zone = time.FixedZone("", int(b.OffsetSeconds))
		return DayOpened{Head: t.head(id, r.Time, b.Series, b.Day), OffsetSeconds: b.OffsetSeconds}, nil
	}),
	from(func(t *translator, id ID, r record.Record, b *record.DayClosed) (Body, error) {
		return DayClosed{Head: t.head(id, r.Time, b.Series, b.Day), Games: b.Games}, nil
	}),
	noticeFrom(func(_ *translator, n Notice, b *record.PlayPaused) Body { return PlayPaused{n, b.Reason} }),
	noticeFrom(func(_ *translator, n Notice, _ *record.PlayResumed) Body { return PlayResumed{n} }),
	noticeFrom(func(_ *translator, n Notice, b *record.NoticeShown) Body { return NoticeShown{n, b.Text} }),
	noticeFrom(func(t *translator, n Notice, b *record.ClosureAnnounced) Body {
		return ClosureAnnounced{n, b.At.Time().In(t.of(b.Series).zone)}
	}),
	noticeFrom(func(_ *translator, n Notice, b *record.SeriesLimited) Body {
		return SeriesLimited{n, b.LastDay.String()}
	}),
	noticeFrom(func(t *translator, n Notice, b *record.PoolsTakenIn) Body { return t.jackpots(n, b.Pools...) }),
	noticeFrom(func(t *translator, n Notice, b *record.PoolOpened) Body { return t.jackpots(n, b.Pool) }),
	noticeFrom(func(t *translator, n Notice, b *record.PoolMoved) Body {
		if b.ClosedSeries != 0 {
			t.of(b.ClosedSeries).setPools(b.Closed...)
		}
		return t.jackpots(n, b.Pools...)
	}),
}

// inGame translates records in the course of a game.
func inGame[B record.Body](body func(s *course, g *underWay, head GameHead, b B) (Body, error)) translating {
	return from(func(t *translator, id ID, r record.Record, b B) (Body, error) {
		ref, _ := r.Game()
		s := t.of(ref.Series)
		i := slices.IndexFunc(s.games, func(g underWay) bool { return g.ref == ref })
		if i < 0 {
			return nil, fmt.Errorf("game %v of series %d is not under way", ref, ref.Series)
		}
		head := t.head(id, r.Time, ref.Series, ref.Day)
		return body(s, &s.games[i], GameHead{Head: head, Game: ref.Number, Ordinal: s.games[i].ordinal}, b)
	})
}

// gameTranslations are about games.
var gameTranslations = []translating{
	from(func(t *translator, id ID, r record.Record, b *record.GameOpened) (Body, error) {
		s := t.of(b.Game.Series)
		s.games = append(s.games, underWay{ref: b.Game, ordinal: b.Ordinal})
		return GameOpened{
			GameHead: GameHead{Head: t.head(id, r.Time, b.Game.Series, b.Game.Day), Game: b.Game.Number,
				Ordinal: b.Ordinal},
			Closes:   b.Closes.Time().In(s.zone),
			Rulebook: rulebook.Hash(b.Rulebook).String(), Schedule: b.Schedule,
		}, nil
	}),
	inGame(func(s *course, _ *underWay, head GameHead, b *record.GameClosed) (Body, error) {
		s.contribute(b.Contributions)
		return GameClosed{head, Sold{Plays: b.Plays, StakesCents: b.StakesCents.Cents()}, s.shown()}, nil
	}),
	inGame(func(_ *course, _ *underWay, head GameHead, b *record.GameSealed) (Body, error) {
		fingerprint, err := journal.FingerprintOf(b.Seal)
		return GameSealed{head, fingerprint, string(b.Seal)}, err
	}),
	inGame(func(_ *course, g *underWay, head GameHead, b *record.NumberDrawn) (Body, error) {
		if b.Draw != g.draw {
			g.draw, g.numbers = b.Draw, nil
		}
		g.numbers = append(g.numbers, int(b.Number))
		return NumberDrawn{head, b.Draw, len(g.numbers), int(b.Number)}, nil
	}),
	inGame(func(_ *course, _ *underWay, head GameHead, b *record.GameWitnessed) (Body, error) {
		return GameWitnessed{head, b.By, string(b.Seal)}, nil
	}),
	inGame(func(_ *course, g *underWay, head GameHead, b *record.DrawVoided) (Body, error) {
		g.numbers = nil
		return DrawVoided{head, b.Draw, b.Reason}, nil
	}),
	inGame(func(s *course, g *underWay, head GameHead, b *record.GameVoided) (Body, error) {
		s.setPools(b.Pools...)
		s.end(g.ref)
		return GameVoided{head, b.Reason, b.Deferred, s.shown()}, nil
	}),
	inGame(func(_ *course, g *underWay, head GameHead, _ *record.GameDrawn) (Body, error) {
		return GameDrawn{head, slices.Clone(g.numbers)}, nil
	}),
	from(func(t *translator, id ID, r record.Record, b *record.GameSettled) (Body, error) {
		s := t.of(b.Game.Series)
		s.setPools(b.Pools...)
		if b.Revision > 1 {
			head := t.head(id, r.Time, b.Game.Series, b.Game.Day)
			return GameResettled{head, b.Game.Number, b.Revision, *ResultOf(b), s.shown()}, nil
		}
		return settled(t, id, r)
	}),
	from(func(t *translator, id ID, r record.Record, b *record.ResultCorrected) (Body, error) {
		head := t.head(id, r.Time, b.Game.Series, b.Game.Day)
		event := ResultCorrected{Head: head, Game: b.Game.Number, Revision: b.Revision, Reason: b.Reason,
			Clause: b.Clause}
		for _, n := range b.Numbers {
			event.Numbers = append(event.Numbers, int(n))
		}
		return event, nil
	}),
}

// settled translates the first settlement of a game.
var settled = inGame(func(s *course, g *underWay, head GameHead, b *record.GameSettled) (Body, error) {
	s.end(g.ref)
	return GameSettled{head, *ResultOf(b), s.shown()}, nil
}).Do

// end forgets a game that is not under way any more.
func (s *course) end(ref record.Game) {
	s.games = slices.DeleteFunc(s.games, func(g underWay) bool { return g.ref == ref })
}

// jackpots takes over pools and returns the event that says so.
func (t *translator) jackpots(n Notice, pools ...record.Pool) Body {
	s := t.of(n.Series)
	s.setPools(pools...)
	return JackpotsChanged{n, s.shown()}
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
