package searcher

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"drawhouse/core/money"
	"drawhouse/decide/state"
	"drawhouse/internal/honest"
)

// offerRoom returns a line to try next in a bingo room: mostly what its play needs now.
func (w *World) offerRoom(r *rand.Rand) string {
	room := w.play.Room()
	session, ok := room.Hall().Session(room.Session)
	if !ok || session.Phase == state.SessionClosed && r.IntN(3) == 0 {
		return w.offerSession(r, "session")
	}
	if r.IntN(5) == 0 {
		return w.offerCare(r, session)
	}
	switch session.Phase {
	case state.SessionEntering:
		return w.offerEntry(r, session)
	case state.SessionPlaying:
		if int(room.Game) > len(session.Games) {
			return "close"
		}
		return w.offerGame(r, session, &session.Games[room.Game-1])
	}
	return w.offerCare(r, session)
}

func (w *World) offerSession(r *rand.Rand, verb string) string {
	line := fmt.Sprintf("%s fee %s games %d bingo %s", verb, pick(r, []string{"10.00", "0.01", "9.99", "20.00"}),
		1+r.IntN(3), pick(r, []string{"100.00", "0.01", "99.99"}))
	if r.IntN(2) == 0 {
		line += fmt.Sprintf(" jackpot %d", 1+r.IntN(20))
		if r.IntN(2) == 0 {
			line += " share 50"
		}
	}
	if r.IntN(3) == 0 {
		line += " minor one-line 7.00"
	}
	return line
}

func (w *World) offerEntry(r *rand.Rand, s *state.Session) string {
	n := len(s.Players)
	switch r.IntN(8) {
	case 0, 1, 2, 3:
		first := 101 + 2*w.entries
		line := fmt.Sprintf("enter M%d books %d-%d", 1+r.IntN(5), first, first+r.IntN(2))
		if r.IntN(4) == 0 { // on an electronic card
			line += fmt.Sprintf(" device %d", 7+r.IntN(3))
		}
		return line
	case 4:
		return fmt.Sprintf("undo player %d", 1+r.IntN(n+1))
	case 5:
		if r.IntN(2) == 0 {
			return "cancel"
		}
		return w.offerSession(r, "change")
	}
	if n == 0 {
		return "enter M1 books 101"
	}
	// All books from the first to the last, and those are struck that nobody has.
	low, high, has := uint32(1<<30), uint32(0), map[uint32]bool{}
	for i := range s.Players {
		p := &s.Players[i]
		for _, b := range p.Entered.Books {
			for book := b.First; book <= b.Last; book++ {
				has[book] = !p.FeeVoid && !p.Undone()
			}
			low, high = min(low, b.First), max(high, b.Last)
		}
	}
	for low < high && !has[low] {
		low++
	}
	for high > low && !has[high] {
		high--
	}
	line := fmt.Sprintf("issue %d-%d", low, high)
	for book := low; book <= high; book++ {
		if !has[book] {
			line += fmt.Sprintf(" struck %d", book)
		}
	}
	return line
}

// aBook picks a book that somebody holds.
func aBook(r *rand.Rand, s *state.Session) uint32 {
	all := firstBooks(s)
	if len(all) == 0 {
		return 101
	}
	return pick(r, all)
}

// firstBooks returns the first book of each player who has one.
func firstBooks(s *state.Session) (all []uint32) {
	for i := range s.Players {
		if held := s.Players[i].Entered.Books; len(held) > 0 {
			all = append(all, held[0].First)
		}
	}
	return all
}

func (w *World) offerGame(r *rand.Rand, s *state.Session, g *state.BingoGame) string {
	switch g.Phase {
	case state.BingoWaiting, state.BingoJackpot:
		if s.Set.Games[g.Number-1].JackpotNumbers > 0 {
			return "jackpot"
		}
		return "announce"
	case state.BingoReady:
		return "announce"
	}
	switch r.IntN(9) {
	case 0:
		return "call chance"
	case 1, 2:
		return fmt.Sprintf("complete %d/%d bingo", aBook(r, s), 1+r.IntN(2))
	case 3, 4:
		return fmt.Sprintf("claim %d/%d %s", aBook(r, s), 1+r.IntN(2),
			pick(r, []string{"bingo", "bingo", "bingo", "one-line"}))
	case 5:
		if all := firstBooks(s); len(all) > 1 {
			return fmt.Sprintf("together %d %d", all[0], all[1])
		}
	case 6:
		return "correct"
	}
	return "finish"
}

// offerCare pays, refunds, voids, bars, closes and disputes.
func (w *World) offerCare(r *rand.Rand, s *state.Session) string {
	player := 1 + r.IntN(len(s.Players)+1)
	switch r.IntN(13) {
	case 0, 1, 2:
		return w.offerPrize(r, s)
	case 11:
		card := 7 + r.IntN(3)
		return pick(r, []string{fmt.Sprintf("return %d", card), fmt.Sprintf("return %d missing by supervisor", card),
			fmt.Sprintf("fail %d", card), fmt.Sprintf("replace %d with %d", card, 7+r.IntN(3))})
	case 3:
		return fmt.Sprintf("refund player %d", player)
	case 4:
		line := fmt.Sprintf("bar player %d", player)
		if r.IntN(2) == 0 {
			line += " fee-void"
		}
		return line
	case 5, 6:
		line := "void " + pick(r, []string{"terminal", "disruption", "fraud"})
		for _, word := range []string{" none-follows", " refund", fmt.Sprintf(" forfeit %d", player), " claim 1"} {
			if r.IntN(3) == 0 {
				line += word
			}
		}
		return line + pick(r, []string{"", " by casino"})
	case 7:
		if s.ClosesAt == 0 {
			return fmt.Sprintf("sign in %dm", 19+r.IntN(3))
		}
		return pick(r, []string{"clock 19m", "clock 21m", "close"})
	case 8:
		return "close"
	case 9:
		line := fmt.Sprintf("invalidate game %d claim %d", 1+r.IntN(len(s.Games)), 1+r.IntN(2))
		if r.IntN(2) == 0 {
			line += " refund"
		}
		return line
	case 10:
		if len(w.play.Room().Hall().Disputes) == 0 {
			return fmt.Sprintf("dispute game %d", 1+r.IntN(len(s.Games)))
		}
		return pick(r, []string{"decide 1 award 50.00", "decide 1", "review 1", "reviewed 1 award 70.00",
			"award 1 cash 50.00", "award 1 cash 20.00"})
	}
	return fmt.Sprintf("refund player %d", player)
}

// offerPrize pays a claim of some game, in one of the media or two.
func (w *World) offerPrize(r *rand.Rand, s *state.Session) string {
	for i := range s.Games {
		g := &s.Games[i]
		for k := range g.Claims {
			if c := &g.Claims[k]; c.Unpaid() > 0 || r.IntN(8) == 0 {
				return payLine(c, g.Number, pick(r,
					[]string{"cash", "cash", "slot_dollars", "casino_dollars", "cheque"}), pick(r,
					[]string{"cash", "cheque", "slot_dollars"}), money.Amount(pick(r, []int{0, 0, 0, 0, 1, -1})))
			}
		}
	}
	return fmt.Sprintf("refund player %d", 1+r.IntN(len(s.Players)+1))
}

func payLine(c *state.Claim, game uint8, medium, jackpot string, more money.Amount) string {
	line := []string{fmt.Sprintf("pay %d game %d", c.Opened.Claim, game)}
	due := c.Due()
	if n := due.Cents + more; n > 0 {
		line = append(line, medium, write(n))
	}
	if n := due.JackpotCents; n > 0 {
		line = append(line, "jackpot", jackpot, write(n))
	}
	return strings.Join(line, " ")
}

// windUpRoom ends the session in play, pays all prizes and hands back what goes back.
func (w *World) windUpRoom() {
	room := w.play.Room()
	// A session does not close while an electronic card is out. One that has failed is replaced.
	for range 2 {
		for card := 7; card <= 9; card++ {
			_, _ = w.Do(fmt.Sprintf("return %d", card))
			for other := 7; other <= 9; other++ {
				_, _ = w.Do(fmt.Sprintf("replace %d with %d", card, other))
			}
		}
	}
	for range 6 {
		session, ok := room.Hall().Session(room.Session)
		if !ok || session.Phase == state.SessionClosed {
			break
		}
		if session.Phase == state.SessionEntering {
			w.any("", "cancel", "void terminal refund none-follows", "sign in 20m")
			_, _ = w.Do("clock 21m")
			_, _ = w.Do("close")
			break
		}
		if int(room.Game) <= len(session.Games) {
			w.any("", "void terminal", "void terminal none-follows refund", "void disruption by casino", "finish")
			continue
		}
		w.any("", "close")
	}
	if session, ok := room.Hall().Session(room.Session); ok && session.Phase != state.SessionClosed &&
		len(session.Players) > 0 {
		_, _ = w.Do("sign in 20m")
		_, _ = w.Do("clock 21m")
		if taken, err := w.Do("close"); !taken {
			w.tell.found = append(w.tell.found,
				Finding{honest.StuckSession, "",
					fmt.Sprintf("session %d of the room does not end: %v", room.Session, err)})
		}
	}
	current := room.Session
	for _, session := range room.Hall().Sessions {
		room.Session = session.Set.Session
		for i := range session.Games {
			g := &session.Games[i]
			for k := range g.Claims {
				if c := &g.Claims[k]; c.Unpaid() > 0 {
					_, _ = w.Do(payLine(c, g.Number, "cash", "cash", 0))
				}
			}
		}
		for i := range session.Players {
			if session.Players[i].DueCents > 0 {
				_, _ = w.Do(fmt.Sprintf("refund player %d", i+1))
			}
		}
	}
	room.Session = current
	w.strand(nil)
}
