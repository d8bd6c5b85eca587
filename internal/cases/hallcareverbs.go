package cases

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"drawhouse/core/ball"
	"drawhouse/decide/command"
	"drawhouse/decide/hall"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// This file has the verbs of what goes wrong, of electronic cards, of the end of a
// session and of disputes, and those that look at the screens.

// void declares the game in play void: void terminal|disruption|fraud [none-follows]
// [refund] [forfeit N] [claim N]... [by WHO].
func (r *hallRun) void(w *words) (string, error) {
	v := command.VoidBingo{InGame: r.Room.game(), Reason: "as it happened", NoneFollows: w.flag("none-follows"),
		Refund: w.flag("refund")}
	by := w.by(Supervisor)
	if w.flag("silently") {
		v.Reason = ""
	}
	if player, ok := w.after("forfeit"); ok {
		v.Forfeited = []uint32{uint32(w.int(player))}
	}
	for {
		claim, ok := w.after("claim")
		if !ok {
			break
		}
		v.Claims = append(v.Claims, uint16(w.int(claim)))
	}
	v.Cause = w.next()
	voided, err := Done[*record.BingoVoided](r.Room, v, by)
	if err != nil {
		return "", err
	}
	r.Game++
	return rollsOn(voided.Rolled), nil
}

func rollsOn(prizes []record.PatternPrize) string {
	var rolled []string
	for _, p := range prizes {
		rolled = append(rolled, fmt.Sprintf("%s %v", p.Pattern, p.Cents))
	}
	return "rolls on " + cmp.Or(strings.Join(rolled, ", "), "nothing")
}

// player names a player: player N.
func (r *hallRun) player(w *words) command.OfPlayer {
	return command.OfPlayer{InSession: r.Room.session(), Player: uint32(w.number("player", 0))}
}

// card names an electronic card.
func (r *hallRun) card(w *words) command.OfDevice {
	return command.OfDevice{InSession: r.Room.session(), Device: uint32(w.nextInt())}
}

// refund hands a player what goes back: refund player N.
func (r *hallRun) refund(w *words) (string, error) {
	paid, err := Done[*record.RefundPaid](r.Room, command.PayRefund{OfPlayer: r.player(w)}, Dealer)
	if err != nil {
		return "", err
	}
	return paid.Cents.String(), nil
}

// bar shuts a player out: bar player N [fee-void].
func (r *hallRun) bar(w *words) (string, error) {
	b, by := command.BarPlayer{OfPlayer: r.player(w), FeeVoid: w.flag("fee-void"), Reason: "a device"}, w.by(Supervisor)
	if w.flag("silently") {
		b.Reason = ""
	}
	return "out", r.Do(b, by)
}

// fail, replace and giveBack are about electronic cards: fail 7, replace 7 with 8,
// return 8 [missing].
func (r *hallRun) fail(w *words) (string, error) {
	return "play stops", r.Do(command.FailDevice{OfDevice: r.card(w)}, Dealer)
}

func (r *hallRun) replace(w *words) (string, error) {
	with := uint32(w.number("with", 0))
	replaced, err := Done[*record.DeviceReplaced](r.Room, command.ReplaceDevice{OfDevice: r.card(w), With: with},
		Dealer)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d marked", len(replaced.Marked)), nil
}

func (r *hallRun) giveBack(w *words) (string, error) {
	missing, by := w.flag("missing"), w.by(Dealer)
	return "back", r.Do(command.ReturnDevice{OfDevice: r.card(w), Missing: missing}, by)
}

// scorecard says how near the electronic card of a player is to a pattern: scorecard
// player N PATTERN [auto]. Without auto nothing is marked but what mark has. What was
// complete before the last number is missed.
func (r *hallRun) scorecard(w *words) (string, error) {
	card, err := r.newScorecard(w)
	if err != nil {
		return "", err
	}
	pattern := w.next()
	text := fmt.Sprintf("%d to go, %d marked", card.ToGo([]string{pattern})[0].ToGo, card.Marked.Len())
	if card.Missed(pattern) {
		text += ", missed"
	}
	return text, nil
}

// mark presses numbers on an electronic card: mark player N PATTERN numbers ..., or
// "last" for the last number called.
func (r *hallRun) mark(w *words) (string, error) {
	card, err := r.newScorecard(w)
	if err != nil {
		return "", err
	}
	pattern := w.next()
	if w.flag("last") {
		calls := r.Standing().Calls
		w.list = append(w.list, fmt.Sprint(calls[len(calls)-1]))
	}
	for _, n := range w.rest() {
		if err := card.Mark(n); err != nil {
			return "", err
		}
	}
	near := card.ToGo([]string{pattern})
	return fmt.Sprintf("%d to go, %d marked", near[0].ToGo, card.Marked.Len()), nil
}

func (r *hallRun) newScorecard(w *words) (*hall.Scorecard, error) {
	player := uint32(w.number("player", 0))
	return hall.NewScorecard(r.Engine.State(), r.Kit, r.Playing(), player, ball.Empty(r.Of()), w.flag("auto"))
}

// sign puts up a sign of closure: sign in 20m. A second passes before it is up.
func (r *hallRun) sign(w *words) (string, error) {
	text, _ := w.after("in")
	d, err := time.ParseDuration(text)
	if err != nil {
		return "", err
	}
	return "up", r.Do(command.SignClosure{InSession: r.Room.session(), At: r.now.Add(time.Second + d)},
		w.by(Supervisor))
}

func (r *hallRun) close(w *words) (string, error) {
	closed, err := Done[*record.SessionClosed](r.Room, command.CloseSession{InSession: r.Room.session()},
		w.by(Supervisor))
	if err != nil {
		return "", err
	}
	if closed.Early {
		return "closed early", nil
	}
	return "closed", nil
}

// The verbs of disputes: dispute [game N] [promotion N] [member M], decide N [award A], review N,
// reviewed N [award A], advise N.
func (r *hallRun) dispute(w *words) (string, error) {
	member, ok := w.after("member")
	if !ok {
		member = "M1"
	}
	raised, err := Done[*record.DisputeRaised](r.Room, command.RaiseDispute{
		InRoom: room, Session: r.Session, Game: uint8(w.number("game", 0)), Promotion: uint32(w.number("promotion", 0)),
		Member: member, Subject: "a call",
	}, Dealer)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("dispute %d", raised.Dispute), nil
}

func (r *hallRun) decide(w *words) (string, error) {
	return r.step(w, "decided", Supervisor, "decided")
}
func (r *hallRun) review(w *words) (string, error) {
	return r.step(w, "review", Dealer, "asked for")
}
func (r *hallRun) reviewed(w *words) (string, error) {
	return r.step(w, "reviewed", Casino, "reviewed")
}
func (r *hallRun) advise(w *words) (string, error) {
	return r.step(w, "advised", Supervisor, "told")
}

func (r *hallRun) step(w *words, step string, by record.By, says string) (string, error) {
	m := command.MoveDispute{OfDispute: command.OfDispute{InRoom: room}, Step: step, Text: "it stands"}
	by = w.by(by)
	if w.flag("silently") {
		m.Text = ""
	}
	if text, ok := w.after("award"); ok {
		cents := w.cents(text).Cents()
		m.AwardCents = &cents
	}
	m.Dispute = uint32(w.nextInt())
	return says, r.Do(m, by)
}

func (r *hallRun) incident(w *words) (string, error) {
	err := r.Do(command.NoteIncident{InSession: r.Room.session(), Text: strings.Join(w.list, " ")}, Supervisor)
	w.list = nil
	return "noted", err
}

// display says what is on the screens: display games|fee|colour|prizes|jackpot|
// jackpot-pays|jackpot-games|jackpot-numbers|date|time|calls|wrong.
func (r *hallRun) display(w *words) (string, error) {
	d, err := hall.Show(r.Engine.State(), r.Ref())
	if err != nil {
		return "", err
	}
	switch what := w.next(); what {
	case "games":
		return fmt.Sprint(d.Games), nil
	case "fee":
		return d.Fee.String(), nil
	case "colour":
		return d.Colour, nil
	case "prizes":
		var parts []string
		for _, p := range d.Prizes {
			parts = append(parts, fmt.Sprintf("%s %v", p.Name, p.Cents))
		}
		return strings.Join(parts, ", "), nil
	case "jackpot":
		var parts []string
		for _, l := range d.Jackpot {
			parts = append(parts, fmt.Sprintf("%s %v", l.Name, l.Cents))
		}
		return strings.Join(parts, ", "), nil
	case "jackpot-pays":
		var parts []string
		for _, l := range d.Jackpot {
			within := "whenever"
			if l.Within > 0 {
				within = fmt.Sprintf("within %d", l.Within)
			}
			parts = append(parts, fmt.Sprintf("%s %v %s", l.Name, l.Pays, within))
		}
		return strings.Join(parts, ", "), nil
	case "jackpot-games":
		return listed(d.JackpotGames), nil
	case "jackpot-numbers":
		return strings.TrimSpace(fmt.Sprintf("%d to draw: %s", d.JackpotToDraw, listed(d.JackpotNumbers))), nil
	case "date":
		return d.Day.String(), nil
	case "time":
		return d.Begins.Time().In(zone).Format("15:04"), nil
	case "calls":
		return cmp.Or(listed(d.Calls), "none"), nil
	case "jackpot-wrong":
		return cmp.Or(listed(d.JackpotWrong), "none"), nil
	case "wrong":
		return cmp.Or(listed(d.Wrong), "none"), nil
	default:
		return "", fmt.Errorf("nothing shows %q", what)
	}
}

// look holds up a card at the dealer terminal: look 101/1 PATTERN [card N].
func (r *hallRun) look(w *words) (string, error) {
	card := w.number("card", int(r.Game))
	series, book, box := r.boxOf(w)
	serial := r.Serial(series, book)
	serial.Game = card
	looked, err := hall.Look(r.Engine.State(), r.Kit, r.Playing(), serial.String())
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("card of game %d, ", looked.Card)
	if !looked.InPlay {
		text = "not in play, " + text
	}
	pattern := w.next()
	for _, s := range looked.Boxes[box-1].Standing {
		switch {
		case s.Pattern != pattern:
		case s.Complete:
			return fmt.Sprintf("%scomplete with call %d", text, s.Place), nil
		default:
			return fmt.Sprintf("%s%d to go", text, s.ToGo), nil
		}
	}
	return text + "no such prize", nil
}

// attest ends the draw with the note of a device that the house does not know, or of
// the house's own: attest stranger|own.
func (r *hallRun) attest(w *words) (string, error) {
	drawing, err := r.startDraw()
	if err != nil {
		return "", err
	}
	note, err := drawing.Sign()
	if err != nil {
		return "", err
	}
	if w.next() == "stranger" {
		text, _, _ := strings.Cut(string(note), "\n\n")
		key, _, err := journal.GenerateKey(strings.NewReader(strings.Repeat("stranger", 8)), "case.example/device")
		if err != nil {
			return "", err
		}
		signer, err := journal.ParseSigner(key)
		if err != nil {
			return "", err
		}
		if note, err = journal.SignNote(text+"\n", signer); err != nil {
			return "", err
		}
	}
	return "attested", r.Do(command.FinishBingo{InGame: r.Room.game(), Note: note}, record.By{})
}

// listed returns numbers as a case lists them.
func listed(numbers []uint8) string {
	parts := make([]string, len(numbers))
	for i, n := range numbers {
		parts[i] = strconv.Itoa(int(n))
	}
	return strings.Join(parts, " ")
}

// award pays what a dispute awarded: award N cash 60.00 [by WHO].
func (r *hallRun) award(w *words) (string, error) {
	p, by := command.PayAward{OfDispute: command.OfDispute{InRoom: room}}, w.by(Dealer)
	p.Dispute = uint32(w.nextInt())
	p.Parts = w.parts()
	return "paid", r.Do(p, by)
}

// invalidate takes from claims of a game that is over what they won: invalidate game N
// claim N... [refund] [forfeit N] [by WHO].
func (r *hallRun) invalidate(w *words) (string, error) {
	f, by := command.InvalidateBingo{InGame: r.Room.game(), Reason: "as it was found",
		Refund: w.flag("refund")}, w.by(Casino)
	f.Game = uint8(w.number("game", int(r.Game)))
	if w.flag("silently") {
		f.Reason = ""
	}
	if session, ok := w.after("session"); ok {
		f.Session = uint32(w.int(session))
	}
	if player, ok := w.after("forfeit"); ok {
		f.Forfeited = []uint32{uint32(w.int(player))}
	}
	for {
		claim, ok := w.after("claim")
		if !ok {
			break
		}
		f.Claims = append(f.Claims, uint16(w.int(claim)))
	}
	invalidated, err := Done[*record.OutcomeInvalidated](r.Room, f, by)
	if err != nil {
		return "", err
	}
	return rollsOn(invalidated.Rolled), nil
}

// undo takes an entry back: undo player N [by WHO].
func (r *hallRun) undo(w *words) (string, error) {
	u, by := command.UndoEntry{OfPlayer: r.player(w), Reason: "sold by mistake"}, w.by(Supervisor)
	if w.flag("silently") {
		u.Reason = ""
	}
	return "undone", r.Do(u, by)
}

// cancel ends a session that nobody has entered.
func (r *hallRun) cancel(w *words) (string, error) {
	c, by := command.CancelSession{InSession: r.Room.session(), Reason: "set by mistake"}, w.by(Dealer)
	if w.flag("silently") {
		c.Reason = ""
	}
	return "cancelled", r.Do(c, by)
}
