package sim

import (
	"context"
	"math/rand/v2"
	"slices"

	"drawhouse/core/money"
	"drawhouse/decide/command"
	"drawhouse/decide/state"
	"drawhouse/games/draw/cage"
	"drawhouse/games/settle"
	"drawhouse/house"
	"drawhouse/journal/record"
)

// tend has two people draw the game that waits at the ball machine, if one does.
func (w *world) tend() error {
	if !w.plan.Balls {
		return nil
	}
	at, err := w.house.First().Cage(context.Background())
	if err != nil {
		return w.refused("look at the cage", err)
	}
	if at.Waits.Ordinal == 0 || at.Waits.Numbers.Len() > 0 {
		return nil
	}
	crew := w.house.People().Persons()
	crew = slices.DeleteFunc(crew, func(p state.Person) bool {
		return !p.HasAny(record.RoleSupervisor, record.RoleOperative, record.RoleSenior, record.RoleWriter)
	})
	if err := w.drawBalls(at, [2]uint32{crew[0].ID, crew[1].ID}); err != nil {
		return w.refused("draw balls", err)
	}
	w.figures["ball draws"]++
	return nil
}

// drawBalls goes on with a draw where it was left.
func (w *world) drawBalls(at house.Cage, people [2]uint32) error {
	ctx, name := context.Background(), w.audit.nameOf(at.Waits.Ref)
	game, revision := at.State.Game()
	drawn, phase := at.State.Drawn().Len(), at.State.Phase()
	if game != name || revision != uint32(at.Waits.Draw) || phase == cage.Void || phase == cage.Idle {
		if _, err := w.house.First().AttendCage(ctx,
			record.CageAttended{Act: record.CageCounted, Balls: cage.Balls, By: people[0]}); err != nil {
			return err
		}
		if _, err := w.house.First().StartCage(ctx, people, people[0]); err != nil {
			return err
		}
		drawn, phase = 0, cage.Drawing
	}
	numbers := w.entered(at.Waits.Ref, at.Waits.Draw)
	for place := drawn + 1; phase == cage.Drawing && place <= cage.Numbers; place++ {
		key := drawKey{name, uint32(at.Waits.Draw), place}
		w.audit.log[key] = append(w.audit.log[key], numbers[place-1])
		for _, who := range people {
			// One of the two may have keyed it before the house was killed.
			if _, err := w.house.First().KeyBall(ctx, place, numbers[place-1], who); err != nil && codeOf(err) == "" {
				return err
			}
		}
	}
	if phase == cage.Accepted {
		return nil
	}
	_, err := w.house.First().AttendCage(ctx, record.CageAttended{Act: record.CageAccepted, By: people[0]})
	return err
}

// entered returns what people enter for a draw: the numbers that customers know.
func (w *world) entered(ref record.Game, draw uint8) []int {
	return numbersOf(w.plan.Seed, w.audit.nameOf(ref), uint32(draw))[:cage.Numbers]
}

// correct has two persons correct the result of a game, to some other balls, or back to what
// was entered, since they can err as well.
func (w *world) correct(r *rand.Rand) error {
	var settled []uint32
	for i, g := range w.audit.games {
		if g.settled != nil {
			settled = append(settled, uint32(i+1))
		}
	}
	if len(settled) == 0 {
		return nil
	}
	ordinal := settled[r.IntN(len(settled))]
	g := w.audit.games[ordinal-1]
	numbers := numbersOf(w.plan.Seed, w.audit.nameOf(g.ref), uint32(g.draw))
	for i := range r.IntN(6) {
		numbers[r.IntN(cage.Numbers)] = numbers[cage.Numbers+i]
	}
	return w.approved("correct result", command.CorrectResult{
		Ordinal: ordinal, Revision: g.settled.Revision + 1, Numbers: numbers[:cage.Numbers], Reason: "seen on the tape",
		Clause: "11.1",
	})
}

// resultCorrected takes in other numbers for a game that is settled.
func (a *auditor) resultCorrected(b *record.ResultCorrected) error {
	g, ordinal := a.find(b.Game)
	if g == nil || g.settled == nil || b.Revision != g.settled.Revision+1 {
		return breach("P9", "game %v is corrected, which is not settled so far", b.Game)
	}
	numbers := make([]int, len(b.Numbers))
	for i, n := range b.Numbers {
		numbers[i] = int(n)
	}
	if slices.Equal(numbers, g.numbers) {
		return breach("P9", "game %v is corrected to the numbers that it has", b.Game)
	}
	g.numbers, g.corrected, g.winners = numbers, b, nil
	a.correcting = ordinal
	return nil
}

// corrected holds the settlement of a corrected result against what was paid: nobody
// gives anything back, and all of it is in the record.
func (a *auditor) corrected(ordinal uint32, file *settle.WinnersFile) error {
	var lost money.Amount
	for place, t := range a.tickets {
		won, _ := file.Lookup(place)
		lost += max(t.paid[ordinal]-won, 0)
	}
	if g := a.games[ordinal-1]; g.corrected.OverpaidCents != lost {
		return breach("P5", "%v was paid for game %v and not won, and its correction says %v", lost, g.ref,
			g.corrected.OverpaidCents)
	}
	return nil
}
