package sim

import (
	"slices"
	"strings"

	"drawhouse/core/money"
	"drawhouse/decide/game"
	"drawhouse/games/settle"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// foldGame takes in a record of the course of a game.
func (a *auditor) foldGame(r record.Record, objects map[string][]byte) error {
	switch b := r.Body.(type) {
	case *record.GameOpened:
		_, delayed := a.designated[b.Ordinal]
		delete(a.designated, b.Ordinal)
		g := &auditGame{delayed: delayed, ref: b.Game, book: a.books[b.Rulebook], draw: 1, runs: a.ahead}
		if g.runs == nil {
			g.runs = map[record.Place]bool{}
		}
		a.games, a.ahead = append(a.games, g), nil
	case *record.GameClosed:
		return a.gameClosed(b)
	case *record.GameSealed:
		return a.gameSealed(b, objects)
	case *record.NumberDrawn:
		return a.numberDrawn(b)
	case *record.GameDrawn:
		return a.gameDrawn(b)
	case *record.DrawVoided:
		g, _, err := a.under(b.Game, "a void draw")
		if err != nil {
			return err
		}
		g.draw, g.numbers, g.drawn = g.draw+1, nil, false
	case *record.PrizesCarried:
		a.carried = append(a.carried, b.List...)
	case *record.ResultCorrected:
		return a.resultCorrected(b)
	case *record.GameSettled:
		return a.gameSettled(b, objects)
	case *record.GameVoided:
		return a.gameVoided(b, objects)
	}
	return nil
}

// under returns a game that is sealed and not over.
func (a *auditor) under(ref record.Game, what string) (*auditGame, uint32, error) {
	g, ordinal := a.find(ref)
	if g == nil || !g.sealed || g.isOver() {
		return nil, 0, breach("P9", "%s of game %v, which is not under draw", what, ref)
	}
	return g, ordinal, nil
}

func (a *auditor) find(ref record.Game) (*auditGame, uint32) {
	for i := len(a.games) - 1; i >= 0; i-- {
		if a.games[i].ref == ref {
			return a.games[i], uint32(i + 1)
		}
	}
	return nil, 0
}

// plays returns the tickets that play in a game: sold for it and not cancelled, and
// if all that they play runs, only while something runs.
func (a *auditor) plays(ordinal uint32) map[record.Place]bool {
	set := map[record.Place]bool{}
	for place, t := range a.tickets {
		last := t.last
		if t.cancelled {
			last = min(last, t.kept)
		}
		if ordinal < t.first || ordinal > last {
			continue
		}
		if ordinal == t.first || a.games[ordinal-1].runs[place] || hasPlain(&t.play) {
			set[place] = true
		}
	}
	return set
}

// marked returns the tickets that the seal of a closed game must mark: those that
// play in it, and those of void games that are played along.
func (a *auditor) marked(ordinal uint32) map[record.Place]bool {
	set := a.plays(ordinal)
	for _, o := range a.games[ordinal-1].closed.Deferred {
		for place := range a.plays(o) {
			set[place] = true
		}
	}
	return set
}

// hasPlain reports whether a ticket plays something in each of its games.
func hasPlain(p *settle.Play) bool {
	return slices.ContainsFunc(p.Ways, func(w settle.Way) bool { return !w.Run })
}

func (a *auditor) gameClosed(b *record.GameClosed) error {
	g, ordinal := a.find(b.Game)
	if g == nil || g.closed != nil || int(ordinal) != len(a.games) {
		return breach("P4", "game %v closes, which is not on sale", b.Game)
	}
	if plays := a.plays(ordinal); uint64(len(plays)) != b.Plays {
		return breach("P3", "game %v closes with %d plays, and %d tickets are in it", b.Game, b.Plays, len(plays))
	}
	g.closed = b
	for _, o := range b.Deferred {
		a.games[o-1].playedWith = ordinal
	}
	return nil
}

// gameSealed holds the seal, with the bitmaps that proofs are made of, against what
// was sold: neither more nor less.
func (a *auditor) gameSealed(b *record.GameSealed, objects map[string][]byte) error {
	g, ordinal := a.find(b.Game)
	if g == nil || g.closed == nil || g.sealed {
		return breach("P3", "game %v is sealed, which is not closed or was sealed before", b.Game)
	}
	text, err := bodyOf(b.Seal)
	if err != nil {
		return breach("P3", "the seal of game %v: %v", b.Game, err)
	}
	if text.Checkpoint.Size != a.size || text.Checkpoint.Root != a.tree.root() {
		return breach("P3", "the seal of game %v is not of the journal that ends with its close", b.Game)
	}
	plays := a.marked(ordinal)
	marked := 0
	for _, span := range text.Open {
		bitmap, err := journal.ParseBitmap(span.First, span.Length,
			objects[game.BitmapName(b.Game.Series, ordinal, span.Volume)])
		if err != nil || bitmap.Root() != span.Root {
			return breach("P3", "the bitmap of game %v is not the sealed one (%v)", b.Game, err)
		}
		for seq := span.First; seq < span.First+span.Length; seq++ {
			has := bitmap.Has(seq)
			if has {
				marked++
			}
			if place := (record.Place{Volume: span.Volume, Seq: seq}); has && !plays[place] {
				return breach("P3", "%v is sealed into game %v and is no ticket of it", place, b.Game)
			}
		}
	}
	if marked != len(plays) {
		return breach("P3", "game %v is sealed with %d tickets, and %d are in it", b.Game, marked, len(plays))
	}
	g.sealed = true
	return nil
}

// bodyOf returns what a seal says. Who signed it is for verify to say.
func bodyOf(note []byte) (journal.SealBody, error) {
	text, _, _ := strings.Cut(string(note), "\n\n")
	return journal.ParseSeal(text + "\n")
}

func (a *auditor) numberDrawn(b *record.NumberDrawn) error {
	g, _, err := a.under(b.Game, "a number")
	if err != nil {
		return err
	}
	place := len(g.numbers) + 1
	if b.Draw != g.draw || !slices.Contains(a.log[drawKey{a.nameOf(b.Game), uint32(b.Draw), place}], int(b.Number)) {
		return breach("P9", "number %d of draw %d of game %v is %d, which the device did not draw there", place, b.Draw,
			b.Game, b.Number)
	}
	g.numbers = append(g.numbers, int(b.Number))
	return nil
}

// nameOf returns the name by which seals and devices call a game.
func (a *auditor) nameOf(ref record.Game) journal.Game {
	return journal.Game{Series: a.name, Day: ref.Day.String(), Number: uint32(ref.Number)}
}

func (a *auditor) gameDrawn(b *record.GameDrawn) error {
	g, _, err := a.under(b.Game, "the result")
	if err != nil {
		return err
	}
	if g.drawn || b.Draw != g.draw || len(g.numbers) != rhythm.Numbers {
		return breach("P9", "game %v is drawn with %d numbers of draw %d", b.Game, len(g.numbers), b.Draw)
	}
	g.drawn = true
	return nil
}

func (a *auditor) gameSettled(b *record.GameSettled, objects map[string][]byte) error {
	g, ordinal := a.find(b.Game)
	if g == nil || !g.drawn || g.void != nil || b.Draw != g.draw {
		return breach("P9", "game %v is settled, which has no result of draw %d", b.Game, b.Draw)
	}
	before := uint8(0)
	if g.settled != nil {
		before = g.settled.Revision
	}
	if b.Revision != before+1 {
		return breach("P9", "revision %d of game %v comes after revision %d", b.Revision, b.Game, before)
	}
	file, err := winnersFile(objects[game.WinnersName(b.Game.Series, ordinal, b.Revision)], b.WinnersHash)
	if err != nil {
		return err
	}
	prizes := file.Prizes()
	corrects := a.correcting == ordinal
	if a.correcting = 0; corrects {
		if err := a.corrected(ordinal, file); err != nil {
			return err
		}
	} else if g.settled != nil {
		prizes += g.settled.PrizesCents
	}
	if prizes != b.PrizesCents {
		return breach("P6", "the winners of game %v have %v, and the settlement says %v", b.Game, prizes, b.PrizesCents)
	}
	g.settled = b
	g.winners = append(g.winners, file)
	return a.carry(ordinal, b.Revision, b.CarriedCents, b.CarriedWays)
}

func (a *auditor) gameVoided(b *record.GameVoided, objects map[string][]byte) error {
	g, ordinal, err := a.under(b.Game, "the end")
	if err != nil {
		return err
	}
	file, err := winnersFile(objects[game.WinnersName(b.Game.Series, ordinal, 1)], b.WinnersHash)
	if err != nil {
		return err
	}
	if file.Prizes() != b.PrizesCents {
		return breach("P6", "the winners of void game %v have %v, and its record says %v", b.Game, file.Prizes(),
			b.PrizesCents)
	}
	g.void, g.numbers, g.drawn = b, nil, false
	g.winners = append(g.winners, file)
	return a.carry(ordinal, 1, b.CarriedCents, b.CarriedWays)
}

// winnersFile reads a winners file that a record must pin.
func winnersFile(data []byte, pinned record.Hash) (*settle.WinnersFile, error) {
	if data == nil || settle.HashWinners(data) != pinned {
		return nil, breach("P8", "the winners file is missing or is not the one that the record pins")
	}
	return settle.DecodeWinners(data)
}

// carry moves the prizes that run on to the next game.
func (a *auditor) carry(ordinal uint32, revision uint8, cents money.Amount, ways uint64) error {
	if revision > 1 {
		return nil
	}
	list := a.carried
	a.carried = nil
	var sum money.Amount
	for _, c := range list {
		sum += c.Cents
	}
	if sum != cents || uint64(len(list)) != ways {
		return breach("P6", "game %d carries %d prizes of %v, its records %d of %v", ordinal, ways, cents, len(list),
			sum)
	}
	if len(list) == 0 {
		return nil
	}
	next := a.next(ordinal)
	for _, c := range list {
		next[c.Ticket] = true
	}
	return nil
}

// next returns the runs of the game after one. If it has not opened they wait.
func (a *auditor) next(ordinal uint32) map[record.Place]bool {
	if int(ordinal) < len(a.games) {
		return a.games[ordinal].runs
	}
	if a.ahead == nil {
		a.ahead = map[record.Place]bool{}
	}
	return a.ahead
}
