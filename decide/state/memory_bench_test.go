package state

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"drawhouse/core/ball"
	"drawhouse/core/money"
	"drawhouse/games/settle"
	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

// The house that BenchmarkMemory measures: about a week of a large one.
const (
	memoryGames   = 3_000
	memoryPlays   = 1_000_000
	gamesADay     = 300
	ticketsAGame  = 5_000
	playsPaidLate = 50 // one of so many is paid on another day than the others of its game
)

// BenchmarkMemory prints what a state takes that has settled many games and paid many plays.
func BenchmarkMemory(b *testing.B) {
	book, err := rules.Book("vic-keno-2015")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		before, fresh := heap(), int64(0)
		s := New()
		s.books[record.Hash(book.Hash())] = book
		series := &Series{ID: 1, Book: book, Open: settle.NewOpen(0), Schedule: "1"}
		s.series[1] = series
		dice := rand.New(rand.NewPCG(1, 2))
		for ordinal := range uint32(memoryGames) {
			appendGame(series, settledGame(b, dice, ordinal+1))
			if ordinal+1 == FreshGames {
				fresh = heap() - before
			}
		}
		endDay(s)
		games := heap() - before
		for ordinal := range uint32(memoryGames) {
			payGame(b, s, dice, ordinal+1)
			if (ordinal+1)%gamesADay == 0 {
				endDay(s)
			}
		}
		paid := heap() - before - games
		b.ReportMetric(float64(games)/memoryGames, "B/game")
		b.ReportMetric(float64(games-fresh)/(memoryGames-FreshGames), "B/oldgame")
		b.ReportMetric(float64(paid)/memoryPlays, "B/play")
		b.ReportMetric(float64(games+paid)/1e6, "MB")
		runtime.KeepAlive(s)
	}
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// settledGame returns a game as most are: with two jackpots, nobody else and no irregularity.
func settledGame(tb testing.TB, dice *rand.Rand, ordinal uint32) Game {
	tb.Helper()
	numbers := dice.Perm(80)[:20]
	for i := range numbers {
		numbers[i]++
	}
	drawn, err := ball.NewSequence(ball.Keno, numbers...)
	if err != nil {
		tb.Fatal(err)
	}
	ref := record.Game{Series: 1, Day: 20_000 + 1, Number: uint16(ordinal % gamesADay)}
	place := record.Place{Volume: 1, Seq: uint64(ordinal) * ticketsAGame}
	at := record.Time(ordinal) * 180_000
	var winners record.Hash
	for i := range winners {
		winners[i] = byte(dice.Uint32())
	}
	var pools []record.Pool
	var shares []record.Contribution
	var rates []record.PoolRate
	for _, spots := range []uint8{7, 8, 9, 10} {
		pools = append(pools, record.Pool{Spots: spots, Primary: record.Exact(dice.Int64N(1e12)),
			Secondary: record.Exact(dice.Int64N(1e10))})
		rates = append(rates, record.PoolRate{Spots: spots, Primary: 300, Secondary: 100, Seed: 100})
		shares = append(shares, record.Contribution{
			Spots: spots, StakesCents: money.Amount(dice.IntN(1e6)), Primary: record.Exact(dice.Int64N(1e8)),
			Secondary: record.Exact(dice.Int64N(1e8)),
		})
	}
	return Game{
		Ref: ref, Ordinal: ordinal, Phase: PhaseSettled, Draw: 1, Numbers: drawn, Device: record.DeviceGenerator,
		Closes: at, ClosedAt: at + 5, SealedAt: at + 10, SettledAt: at + 90_000, SealPlace: place, SettledPlace: place,
		Closed: record.GameClosed{
			Game: ref, Plays: ticketsAGame, Ways: 2 * ticketsAGame, StakesCents: 300 * ticketsAGame, Contributions: shares,
		},
		Settled: record.GameSettled{
			Game: ref, Revision: 1, Draw: 1, Plays: ticketsAGame, Ways: 2 * ticketsAGame, StakesCents: 300 * ticketsAGame,
			Winners: 800, WinningWays: 900, PrizesCents: 400_000, WinnersHash: winners, Pools: pools,
		},
		Rulebook: record.Hash{1}, Schedule: "1", Rates: rates, Winners: []record.Hash{winners},
	}
}

func payGame(tb testing.TB, s *State, dice *rand.Rand, ordinal uint32) {
	tb.Helper()
	prizes := []money.Amount{100, 200, 300, 400, 500, 1_000, 1_200, 2_000, 5_000, 150, 11_050, 25_000}
	seq := uint64(ordinal) * ticketsAGame
	for range memoryPlays / memoryGames {
		seq += 1 + dice.Uint64N(2*ticketsAGame*memoryGames/memoryPlays)
		part := record.PaidPart{Ordinal: ordinal, Cents: prizes[dice.IntN(len(prizes))]}
		if dice.IntN(playsPaidLate) == 0 {
			part.Ordinal = 1 + uint32(dice.IntN(int(ordinal)))
		}
		if err := s.payPart(s.series[1], record.Place{Volume: 1, Seq: seq}, part, 0, ""); err != nil {
			tb.Fatal(err)
		}
	}
}

func appendGame(s *Series, g Game) { s.games.fresh = append(s.games.fresh, g) }

func endDay(s *State) { s.pack(s.series[1]) }
