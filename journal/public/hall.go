package public

import (
	"strings"

	"drawhouse/core/money"
	"drawhouse/games/draw"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// The kinds of entries about bingo rooms. The single calls are not among them: the device signs all of them, in
// their order, when the game ends.
const (
	RoomOpened   Kind = "room-opened"
	SessionSet   Kind = "session-set"   // a session as it is planned from now on
	BingoSealed  Kind = "bingo-sealed"  // who plays, before the first number of a draw
	BingoDrawn   Kind = "bingo-drawn"   // the numbers of a draw, as the device signed them
	BingoSettled Kind = "bingo-settled" // prizes that were won; the final one ends the game
	BingoVoid    Kind = "bingo-void"    // the game has no result
	SessionEnded Kind = "session-closed"
)

// The draws of a game of bingo, as entries name them.
const (
	drawOfJackpot = "jackpot"
	drawOfCalls   = "calls"
)

var (
	session   = []line{one("hall", number), one("session", number)}
	bingo     = append(session[:len(session):len(session)], one("game", number))
	bingoDraw = append(bingo[:len(bingo):len(bingo)], one("draw", word), one("note", signed))
)

// hallKinds says which lines entries about bingo rooms have.
var hallKinds = map[Kind][]line{
	RoomOpened:  {one("hall", number), one("name", word), one("rulebook", hash)},
	SessionSet:  append(session[:len(session):len(session)], one("day", date), one("games", number), one("fee-cents", number)),
	BingoSealed: append(bingoDraw[:len(bingoDraw):len(bingoDraw)], journalNamed...),
	BingoDrawn:  bingoDraw,
	BingoSettled: append(bingo[:len(bingo):len(bingo)], one("final", yesNo), one("winners", number), one("prizes-cents", number),
		one("jackpot-cents", number)),
	BingoVoid:    append(bingo[:len(bingo):len(bingo)], one("clause", word), one("refund-cents", number)),
	SessionEnded: append(append(session[:len(session):len(session)], one("early", yesNo)), journalNamed...),
}

// ofHall returns the entry of a record about a bingo room.
func ofHall(body record.Body) *Entry {
	switch b := body.(type) {
	case *record.HallOpened:
		return of(RoomOpened).addUint("hall", uint64(b.Hall)).add("name", closed(b.Name)).addHash("rulebook", b.Rulebook)
	case *record.SessionSet:
		return setSession(b)
	case *record.SessionChanged:
		return setSession(&b.Set)
	case *record.BingoSealed:
		return ofBingo(BingoSealed, b.Game).add("draw", drawName(b.Draw)).addNote("note", b.Seal)
	case *record.BingoDrawn:
		return ofBingo(BingoDrawn, b.Game).add("draw", drawName(b.Draw)).addNote("note", b.Note)
	case *record.BingoSettled:
		var prizes, jackpot money.Amount
		for _, s := range b.Shares {
			prizes, jackpot = prizes+s.Cents, jackpot+s.JackpotCents
		}
		return ofBingo(BingoSettled, b.Game).add("final", yes(b.Final)).addUint("winners", uint64(len(b.Shares))).
			addCents("prizes-cents", prizes).addCents("jackpot-cents", jackpot)
	case *record.BingoVoided:
		return ofBingo(BingoVoid, b.Game).add("clause", closed(b.Clause)).addCents("refund-cents", b.RefundCents)
	case *record.SessionClosed:
		return ofSession(SessionEnded, b.Session).add("early", yes(b.Early))
	}
	return nil
}

func setSession(b *record.SessionSet) *Entry {
	return ofSession(SessionSet, record.HallSession{Hall: b.Hall, Session: b.Session}).add("day", b.Day.String()).
		addUint("games", uint64(len(b.Games))).addCents("fee-cents", b.FeeCents)
}

func ofSession(k Kind, s record.HallSession) *Entry {
	return of(k).addUint("hall", uint64(s.Hall)).addUint("session", uint64(s.Session))
}

func ofBingo(k Kind, g record.BingoGame) *Entry {
	return ofSession(k, g.In()).addUint("game", uint64(g.Game))
}

func drawName(d record.BingoDraw) string {
	if d == record.DrawJackpot {
		return drawOfJackpot
	}
	return drawOfCalls
}

// chainHall is what a chain keeps of a bingo room: what is sealed in the session that is played.
type chainHall struct {
	seen   bool   // the log has a draw of the room
	closed uint64 // the newest session that is over
	draws  map[bingoName]*chainBingo
}

// bingoName is a draw of a game of a room.
type bingoName struct {
	session, game uint64
	draw          string
}

// chainBingo is a draw of bingo that was sealed.
type chainBingo struct {
	seal        journal.Seal
	drawn, void bool
}

// bingoOf returns the draw that an entry is about.
func bingoOf(e *Entry) bingoName {
	draw := e.Text("draw")
	if draw == "" {
		draw = drawOfCalls
	}
	return bingoName{e.Uint("session"), e.Uint("game"), draw}
}

// takeHall reads an entry about a bingo room.
func (c *Chain) takeHall(e *Entry) *Finding {
	id := e.Uint("hall")
	h, ok := c.halls[id]
	if !ok {
		h = &chainHall{draws: map[bingoName]*chainBingo{}}
		c.halls[id] = h
	}
	name := bingoOf(e)
	d := h.draws[name]
	switch {
	case e.Kind == SessionEnded:
		return h.close(e)
	case (e.Kind == BingoSealed || e.Kind == BingoDrawn) && name.session <= h.closed:
		return found(OutOfOrder, "%s of game %d in session %d of room %d, and session %d is over", e.Kind, name.game,
			name.session, id, h.closed)
	case e.Kind == BingoSealed:
		return c.sealBingo(h, name, e)
	case e.Kind == BingoDrawn:
		first := !h.seen
		if h.seen = true; d == nil && first {
			return nil // The log began within the game.
		}
		return c.drawBingo(d, name, e)
	case e.Kind == BingoVoid:
		for _, draw := range []string{drawOfCalls, drawOfJackpot} {
			if d := h.draws[bingoName{name.session, name.game, draw}]; d != nil {
				d.void = true
			}
		}
	case e.Kind == BingoSettled && e.Text("final") == yes(true) && d != nil && !d.drawn:
		return found(OutOfOrder, "game %d in session %d of room %d is settled, and it has no result", name.game, name.session, id)
	}
	return nil
}

// sealBingo takes in the seal of a draw.
func (c *Chain) sealBingo(h *chainHall, name bingoName, e *Entry) *Finding {
	h.seen = true
	verifier, err := journal.ParseVerifier(c.house)
	if err != nil {
		return found(SealUnsigned, "%v", err)
	}
	seal, err := journal.OpenSeal(e.Note("note"), verifier)
	if err != nil {
		return found(SealUnsigned, "the seal of game %d in session %d: %v", name.game, name.session, err)
	}
	body := seal.Body()
	switch {
	case uint64(body.Game.Number) != name.session*gamesPerSession+name.game ||
		strings.HasSuffix(body.Game.Series, "-"+drawOfJackpot) != (name.draw == drawOfJackpot):
		return found(SealUnsigned, "the seal of the %s of game %d in session %d names %v", name.draw, name.game, name.session,
			body.Game)
	case body.Checkpoint != c.named:
		return found(JournalForked, "the seal of %v is over %s with %d records, and the entry names %d", body.Game,
			body.Checkpoint.Origin, body.Checkpoint.Size, c.named.Size)
	case h.draws[name] != nil:
		return found(SecondSeal, "%v has two seals", body.Game)
	}
	h.draws[name] = &chainBingo{seal: seal}
	return nil
}

// gamesPerSession is how far apart the numbers of two sessions' games are in seals: 1203 is game 3 of session 12.
const gamesPerSession = 100

// drawBingo takes in the numbers of a draw, which the device has signed under the seal.
func (c *Chain) drawBingo(d *chainBingo, name bingoName, e *Entry) *Finding {
	if d == nil {
		return found(OutOfOrder, "the %s of game %d in session %d have a result and no seal", name.draw, name.game, name.session)
	}
	verifier, err := journal.ParseVerifier(c.device)
	if err != nil {
		return found(ResultWrong, "%v", err)
	}
	body := d.seal.Body()
	result, _, err := draw.OpenResult(e.Note("note"), verifier)
	switch {
	case err != nil:
		return found(ResultWrong, "the result of %v: %v", body.Game, err)
	case result.Game != body.Game || result.Seal != body.Hash() || result.Revision != 1:
		return found(ResultWrong, "the result of %v is of another game, draw or seal", body.Game)
	case d.drawn:
		return found(SecondResult, "%v has two results", body.Game)
	}
	d.drawn = true
	return nil
}

// close forgets a session.
func (h *chainHall) close(e *Entry) *Finding {
	over := e.Uint("session")
	var undrawn *Finding
	for name, d := range h.draws {
		if name.session != over {
			continue
		}
		if !d.drawn && !d.void {
			undrawn = found(Undrawn, "session %d is over, and %v is sealed and has no result", over, d.seal.Body().Game)
		}
		delete(h.draws, name)
	}
	h.closed = max(h.closed, over)
	return undrawn
}
