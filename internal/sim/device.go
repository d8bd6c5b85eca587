package sim

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"slices"

	"drawhouse/core/ball"
	"drawhouse/games/draw"
	"drawhouse/house"
	"drawhouse/journal"
)

// errDevice is a device that does not answer.
var errDevice = errors.New("sim: the device does not answer")

// numbersOf returns all numbers in the order in which a draw will have them, of which
// it takes the first. They are fixed by the seed, so that customers can be lucky far
// more often than they would be.
func numbersOf(seed uint64, game journal.Game, revision uint32) []int {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%d %v %d", seed, game, revision) // A hash takes everything.
	r := rand.New(rand.NewPCG(h.Sum64(), 7))
	numbers := r.Perm(80)
	if r.IntN(10) == 0 {
		// A whole row first, in any order.
		row := r.IntN(8)
		first := r.Perm(10)
		for i := range first {
			first[i] += row * 10
		}
		numbers = append(first, slices.DeleteFunc(numbers, func(n int) bool { return slices.Contains(first, n) })...)
	}
	for i := range numbers {
		numbers[i]++
	}
	return numbers
}

// drawKey names a number of a draw.
type drawKey struct {
	game     journal.Game
	revision uint32
	place    int
}

// drawLog is what devices have drawn. It is more than one number for a place if a
// device was lost before its number was recorded.
type drawLog map[drawKey][]int

// rig is the real draw device with a random source that is not random: it gives the
// bytes of which the fixed numbers are made.
type rig struct {
	seed   uint64
	device *draw.Device
	source *riggedSource

	broken bool // does not answer
	log    drawLog
}

func newRig(seed uint64, start int, keys house.Keys, log drawLog) (*rig, error) {
	verifier, err := journal.ParseVerifier(keys.HouseVerifier)
	if err != nil {
		return nil, err
	}
	r := &rig{seed: seed, log: log, source: newRiggedSource(seed, start)}
	source, err := draw.NewSource(r.source)
	if err != nil {
		return nil, err
	}
	r.device, err = draw.NewDevice(draw.Config{Signer: keys.Device, House: verifier, Source: source})
	return r, err
}

// Start implements house.Device.
func (r *rig) Start(plan draw.Plan, seal journal.Seal, drawn ball.Sequence,
	recent []ball.Sequence) (house.Drawing, error) {
	if r.broken {
		return nil, errDevice
	}
	d, err := r.device.Start(plan, seal, drawn, recent)
	if err != nil {
		return nil, err
	}
	return &rigged{draw: d, rig: r, plan: plan, drawn: drawn}, nil
}

// rigged is one draw of a rig, as the house has it: the device may have drawn further
// before the house was killed, and gives those numbers again.
type rigged struct {
	draw  *draw.Draw
	rig   *rig
	plan  draw.Plan
	drawn ball.Sequence
}

// Drawn implements house.Drawing.
func (d *rigged) Drawn() ball.Sequence { return d.drawn }

// Sign implements house.Drawing.
func (d *rigged) Sign() ([]byte, error) {
	if d.rig.broken {
		return nil, errDevice
	}
	return d.draw.Sign()
}

// Next implements house.Drawing.
func (d *rigged) Next(place int) (draw.Pick, error) {
	if d.rig.broken {
		return draw.Pick{}, errDevice
	}
	d.rig.source.next(numbersOf(d.rig.seed, d.plan.Game, d.plan.Revision), d.draw.Drawn())
	pick, err := d.draw.Next(place)
	if pick.Number == 0 {
		return pick, err
	}
	key := drawKey{d.plan.Game, d.plan.Revision, place}
	d.rig.log[key] = append(d.rig.log[key], pick.Number)
	longer, wrong := extend(d.drawn, pick.Number)
	if wrong != nil {
		return draw.Pick{}, wrong
	}
	d.drawn = longer
	return pick, err
}

func extend(drawn ball.Sequence, number int) (ball.Sequence, error) {
	if drawn.IsValid() {
		return drawn.Append(number)
	}
	return ball.NewSequence(ball.Keno, number)
}

// riggedSource gives random bytes, but for those that it is told to make numbers of.
type riggedSource struct {
	random *rand.ChaCha8
	stuck  bool
	ahead  []byte
}

func newRiggedSource(seed uint64, start int) *riggedSource {
	var key [32]byte
	binary.BigEndian.PutUint64(key[:], seed)
	binary.BigEndian.PutUint64(key[8:], uint64(start))
	return &riggedSource{random: rand.NewChaCha8(key)}
}

var _ io.Reader = (*riggedSource)(nil)

// next makes the next byte give the first of some numbers that was not drawn yet.
// There is as a rule more than one byte that does, and one of them is taken at random.
func (s *riggedSource) next(numbers []int, drawn ball.Sequence) {
	has := func(n int) bool { return drawn.IsValid() && drawn.Set().Has(n) }
	wanted := numbers[slices.IndexFunc(numbers, func(n int) bool { return !has(n) })]
	index, m := uint64(0), uint64(0)
	for n := 1; n <= 80; n++ {
		if n == wanted {
			index = m
		}
		if !has(n) {
			m++
		}
	}
	s.ahead = []byte{byte(index + m*(s.random.Uint64()%(256/m)))}
}

// Read implements io.Reader.
func (s *riggedSource) Read(p []byte) (int, error) {
	for i := range p {
		switch {
		case s.stuck:
			p[i] = 7
		case len(s.ahead) > 0:
			p[i], s.ahead = s.ahead[0], s.ahead[1:]
		default:
			p[i] = byte(s.random.Uint64())
		}
	}
	return len(p), nil
}
