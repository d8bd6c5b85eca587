package searcher

import (
	"fmt"

	"drawhouse/core/money"
	"drawhouse/internal/honest"
	"drawhouse/journal/record"
)

// rooms is what the teller knows of a bingo room.
type rooms struct {
	holders map[claimOf]uint32 // the player of a claim that was found good
	shares  map[claimOf]record.ClaimShare
	signed  map[uint32]record.Time  // when a sign of closure was put up
	awards  map[uint32]money.Amount // what disputes awarded
	settled map[uint32]money.Amount // and what they were paid
	changes map[uint32]int          // how often a session was set anew
	now     record.Time
}

type claimOf struct {
	game  record.BingoGame
	claim uint16
}

func newRooms() rooms {
	return rooms{
		holders: map[claimOf]uint32{}, shares: map[claimOf]record.ClaimShare{}, signed: map[uint32]record.Time{},
		awards: map[uint32]money.Amount{}, settled: map[uint32]money.Amount{}, changes: map[uint32]int{},
	}
}

// bookOf names what a player paid for, round the session, and gameOf the game.
func bookOf(session, player uint32) string {
	return fmt.Sprintf("player %d of session %d", player, session)
}
func gameOf(g record.BingoGame) int { return int(g.Session)*100 + int(g.Game) }

var media = map[record.Medium]honest.Form{
	record.MediumCash: honest.Cash, record.MediumCheque: honest.Cheque, record.MediumTransfer: honest.Transfer,
	record.MediumCasinoDollars: honest.CasinoDollars, record.MediumSlotDollars: honest.SlotDollars,
}

func mediaOf(parts []record.MediumPart) (all []honest.Part) {
	for _, p := range parts {
		all = append(all, honest.Part{Form: media[p.Medium], Amount: p.Cents})
	}
	return all
}

// round names a session. One that is set anew before anybody plays in it is another one.
func (t *teller) round(session uint32) string {
	return fmt.Sprintf("session %d, plan %d", session, t.hall.changes[session])
}

// forfeited tells that a part of the fee of players is kept.
func (t *teller) forfeited(session uint32, players []uint32, cents money.Amount) {
	for _, p := range players {
		t.do(honest.Act{Kind: honest.Forfeit, Ticket: bookOf(session, p), Partial: true, Amount: cents})
	}
}

// room tells what happens in a bingo room.
func (t *teller) room(body record.Body) {
	cash := func(n money.Amount) []honest.Part { return []honest.Part{{Form: honest.Cash, Amount: n}} }
	switch b := body.(type) {
	case *record.HallOpened:
		for _, l := range b.Levels {
			if l.SeedCents > 0 {
				t.do(honest.Act{Kind: honest.Seed, Amount: l.SeedCents})
			}
		}
	case *record.PlayerEntered:
		t.do(honest.Act{Kind: honest.Fee, Ticket: bookOf(b.Session, b.Player), Round: t.round(b.Session),
			Amount: b.FeeCents, In: cash(b.FeeCents)})
	case *record.BingoAnnounced:
		for _, p := range b.Prizes {
			t.do(honest.Act{Kind: honest.Announce, Game: gameOf(b.Game), Amount: p.Cents})
		}
	case *record.ClaimChecked:
		if b.Accepted {
			t.hall.holders[claimOf{b.Game, b.Claim}] = b.Player
		}
	case *record.BingoSettled:
		t.shared(b)
	case *record.BingoPaid:
		t.prizePaid(b)
	case *record.BingoVoided:
		t.do(honest.Act{Kind: honest.Void, Game: gameOf(b.Game)})
		t.forfeited(b.Game.Session, b.Forfeited, b.RefundCents)
	case *record.FeesRefunded:
		t.do(honest.Act{Kind: honest.Abandon, Round: t.round(b.Session.Session)})
	case *record.RefundPaid:
		t.do(honest.Act{Kind: honest.Refund, Ticket: bookOf(b.Session.Session, b.Player), Partial: true,
			Out: cash(b.Cents)})
	case *record.PlayerBarred:
		if b.FeeVoid {
			t.do(honest.Act{Kind: honest.VoidFee, Ticket: bookOf(b.Session.Session, b.Player)})
		}
	case *record.SessionClosing:
		t.hall.signed[b.Session.Session] = t.hall.now
	case *record.SessionClosed:
		if b.Early {
			minutes := t.hall.now.Time().Sub(t.hall.signed[b.Session.Session].Time()).Minutes()
			t.do(honest.Act{Kind: honest.CloseEarly, Round: t.round(b.Session.Session), Notice: int(minutes)})
		}
	default:
		t.mended(body)
	}
}

// mended tells what puts a session right.
func (t *teller) mended(body record.Body) {
	switch b := body.(type) {
	case *record.SessionChanged:
		t.hall.changes[b.Set.Session]++
	case *record.EntryUndone:
		fee := t.feeOf(b.Session.Session, b.Player)
		t.do(honest.Act{Kind: honest.Refund, Ticket: bookOf(b.Session.Session, b.Player), Partial: true,
			Out: []honest.Part{{Form: honest.Cash, Amount: fee}}})
	case *record.OutcomeInvalidated:
		for _, c := range b.Claims {
			t.fell(claimOf{b.Game, c})
		}
		t.gained(b)
		t.forfeited(b.Game.Session, b.Forfeited, b.RefundCents)
		for _, n := range b.Restored {
			if n > 0 {
				t.do(honest.Act{Kind: honest.Seed, Amount: n})
			}
		}
	case *record.DisputeAwarded:
		t.hall.awards[b.Dispute] = b.Cents // altogether
	case *record.DisputePaid:
		sum := money.Amount(0)
		for _, p := range b.Parts {
			sum += p.Cents
		}
		t.hall.settled[b.Dispute] += sum
		if more := t.hall.settled[b.Dispute] - t.hall.awards[b.Dispute]; more > 0 {
			t.found = append(t.found, Finding{honest.PaidTwice, "7.7",
				fmt.Sprintf("dispute %d was paid %v more than it was awarded", b.Dispute, more)})
		}
	}
}

// fell tells that a claim has lost what it won.
func (t *teller) fell(c claimOf) {
	a := honest.Act{Kind: honest.Forfeit, Ticket: bookOf(c.game.Session, t.hall.holders[c]), Game: gameOf(c.game)}
	if share := t.hall.shares[c]; t.hall.holders[c] != 0 {
		if a.Amount = share.Cents; a.Amount > 0 {
			t.do(a)
		}
		if a.Amount, a.Jackpot = share.JackpotCents, true; a.Amount > 0 {
			t.do(a)
		}
	}
}

func (t *teller) feeOf(session, player uint32) money.Amount {
	s, ok := t.play.Room().Hall().Session(session)
	if !ok || int(player) > len(s.Players) {
		return 0
	}
	return s.Players[player-1].Entered.FeeCents
}

// shared tells what claims have won.
func (t *teller) shared(b *record.BingoSettled) {
	for _, s := range b.Shares {
		c := claimOf{b.Game, s.Claim}
		t.hall.shares[c] = s
		book := bookOf(b.Game.Session, t.hall.holders[c])
		if s.Cents > 0 {
			t.do(honest.Act{Kind: honest.Win, Ticket: book, Game: gameOf(b.Game), Amount: s.Cents})
		}
		if s.JackpotCents > 0 {
			t.do(honest.Act{Kind: honest.Win, Ticket: book, Game: gameOf(b.Game), Amount: s.JackpotCents,
				Jackpot: true})
		}
	}
}

// gained tells that who else won divides what fell.
func (t *teller) gained(b *record.OutcomeInvalidated) {
	for _, m := range b.More {
		c := claimOf{b.Game, m.Claim}
		s := t.hall.shares[c]
		s.Cents, s.JackpotCents = s.Cents+m.Cents, s.JackpotCents+m.JackpotCents
		t.hall.shares[c] = s
		a := honest.Act{Kind: honest.Win, Ticket: bookOf(b.Game.Session, t.hall.holders[c]), Game: gameOf(b.Game)}
		if a.Amount = m.Cents; a.Amount > 0 {
			t.do(a)
		}
		if a.Amount, a.Jackpot = m.JackpotCents, true; a.Amount > 0 {
			t.do(a)
		}
	}
}

func (t *teller) prizePaid(b *record.BingoPaid) {
	c := claimOf{b.Game, b.Claim}
	a := honest.Act{Kind: honest.Pay, Ticket: bookOf(b.Game.Session, t.hall.holders[c]), Game: gameOf(b.Game)}
	if t.hall.holders[c] != 0 {
		a.Shown = honest.Supervisor // A supervisor has found the claim good.
	}
	if len(b.Prize) > 0 {
		a.Out = mediaOf(b.Prize)
		t.do(a)
	}
	if len(b.Jackpot) > 0 {
		a.Out, a.Jackpot = mediaOf(b.Jackpot), true
		t.do(a)
	}
}
