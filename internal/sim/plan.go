package sim

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// Plan is all that a simulation is made of. The same plan gives the same journal to
// the byte, and a plan that lacks an act is a plan too: that is how failures shrink.
type Plan struct {
	Seed  uint64
	Book  string    // id of the rulebook
	Start time.Time // when the house is founded
	Days  int
	// Survives says that the draw device is a process of its own, which lives on when
	// the house is killed.
	Survives bool
	// Balls says that people draw at a machine, where the rulebook has one.
	Balls bool
	// Late says that nobody claims what is left before the time for it has passed.
	Late bool
	Acts []Act // in the order of their times
}

// Act is one thing that somebody does or that goes wrong. Whatever is random about
// it comes from its own seed, so that it stays what it is when others are left out.
type Act struct {
	At   time.Duration // since the start
	Kind Kind
	Seed uint64
}

// Kind is a kind of act.
type Kind uint8

// The acts of customers, of the operator, and the faults.
const (
	Sell Kind = iota
	Pay
	Cancel
	Look    // ask what a ticket has won, and for the proof that it is sealed
	Crowd   // several requests in one batch
	Operate // something between games
	Void    // a draw or a game does not count
	Pause   // sale and draws stop for a while
	Report  // other jurisdictions tell of a game
	FailAppend
	TearAppend
	LoseAnswer // the batch is stored and the writer is not told
	LateAppend // the batch arrives after somebody else took over
	SlowSync
	Kill     // the process ends between two batches
	Failover // a second process takes over while the first still runs
	SetClock
	StopDevice
	StickSource // the random source repeats itself
	ForgeRow    // somebody changes a row of the store
	kinds
)

var kindNames = [kinds]string{
	"sell", "pay", "cancel", "look", "crowd", "operate", "void", "pause", "report",
	"append fails", "append is torn", "answer of the store is lost", "append comes late", "slow fsync",
	"process killed", "failover", "clock is set", "device stops", "source is stuck", "row is forged",
}

// String returns the kind's name.
func (k Kind) String() string { return kindNames[k] }

// weights is how often customers and the operator do what, relative to each other.
var weights = []struct {
	kind Kind
	n    int
}{{Sell, 60}, {Pay, 22}, {Cancel, 7}, {Look, 4}, {Crowd, 4}, {Operate, 6}, {Report, 3}}

// Size says how much happens in a plan.
type Size struct {
	Days   int
	Acts   int // of customers and the operator, a day
	Faults int // a day
}

// Books are the rulebooks that are simulated.
var Books = []string{"vic-keno-2015", "tas-keno-2023", "casino-keno-div2"}

// starts are the local dates on which simulations begin. Two of them are followed by
// a day on which clocks are set.
var starts = [][3]int{{2026, 4, 3}, {2026, 10, 2}, {2026, 7, 13}, {2026, 12, 29}, {2028, 2, 27}}

// New returns the plan of a seed.
func New(seed uint64, size Size) Plan {
	r := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	date := starts[r.IntN(len(starts))]
	p := Plan{
		Seed: seed, Book: Books[seed%uint64(len(Books))], Days: size.Days, Survives: r.IntN(2) == 0,
		Late:  r.IntN(6) == 0,
		Start: time.Date(date[0], time.Month(date[1]), date[2], 5, 30, 0, 0, zone),
	}
	// Every other house of the last rulebook has a ball machine.
	p.Balls = seed%uint64(len(Books)) == uint64(len(Books)-1) && seed/uint64(len(Books))%2 == 1
	span := time.Duration(size.Days) * 24 * time.Hour
	add := func(kind Kind) {
		p.Acts = append(p.Acts, Act{At: time.Duration(r.Int64N(int64(span))).Truncate(time.Second), Kind: kind,
			Seed: r.Uint64()})
	}
	for range size.Days * size.Acts {
		add(weighted(r))
	}
	for range size.Days * size.Faults {
		add(FailAppend + Kind(r.IntN(int(kinds-FailAppend))))
	}
	// Most houses never declare anything void, and many never pause.
	voids, pauses := r.IntN(3) == 0, r.IntN(2) == 0
	for range size.Days {
		if voids {
			add(Void)
		}
		if pauses {
			add(Pause)
		}
	}
	slices.SortStableFunc(p.Acts, func(a, b Act) int { return int(a.At - b.At) })
	return p
}

func weighted(r *rand.Rand) Kind {
	sum := 0
	for _, w := range weights {
		sum += w.n
	}
	at := r.IntN(sum)
	for _, w := range weights {
		if at -= w.n; at < 0 {
			return w.kind
		}
	}
	return Sell
}

// String lists the plan, as a failure prints it.
func (p Plan) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d: %s from %s, %d days, %d acts\n", p.Seed, p.Book, p.Start.Format("2006-01-02 15:04 MST"),
		p.Days, len(p.Acts))
	for _, a := range p.Acts {
		fmt.Fprintf(&b, "  %v after %v (%d)\n", a.Kind, a.At, a.Seed)
	}
	return b.String()
}
