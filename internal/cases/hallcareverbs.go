package cases

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"drawhouse/ball"
	"drawhouse/hall"
	"drawhouse/journal"
	"drawhouse/money"
	"drawhouse/record"
)

// This file has the verbs of what goes wrong, of electronic cards, of the end of a
// session and of disputes, and those that look at the screens.

// void declares the game in play void: void terminal|disruption|fraud [none-follows]
// [refund] [forfeit N] [claim N]... [by WHO].
func (r *hallRun) void(w *words) (string, error) {
	v := hall.Void{Game: r.Playing(), Reason: "as it happened", NoneFollows: w.flag("none-follows"), Refund: w.flag("refund"), By: w.by(Supervisor)}
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
	v.Cause = hall.Cause(w.next())
	voided, err := r.Engine.VoidBingo(r.tick(), v)
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

// refund hands a player what goes back: refund player N.
func (r *hallRun) refund(w *words) (string, error) {
	paid, err := r.Engine.PayRefund(r.tick(), r.Ref(), uint32(w.number("player", 0)), Dealer)
	if err != nil {
		return "", err
	}
	return paid.Cents.String(), nil
}

// bar shuts a player out: bar player N [fee-void].
func (r *hallRun) bar(w *words) (string, error) {
	b := record.PlayerBarred{Session: r.Ref(), Player: uint32(w.number("player", 0)), FeeVoid: w.flag("fee-void"), Reason: "a device", By: w.by(Supervisor)}
	if w.flag("silently") {
		b.Reason = ""
	}
	_, err := r.Engine.BarPlayer(r.tick(), b)
	return "out", err
}

// fail, replace and giveBack are about electronic cards: fail 7, replace 7 with 8,
// return 8 [missing].
func (r *hallRun) fail(w *words) (string, error) {
	_, err := r.Engine.FailDevice(r.tick(), record.DeviceFailed{Session: r.Ref(), Device: uint32(w.nextInt()), By: Dealer})
	return "play stops", err
}

func (r *hallRun) replace(w *words) (string, error) {
	device := uint32(w.number("with", 0))
	replaced, err := r.Engine.ReplaceDevice(r.tick(), record.DeviceFailed{Session: r.Ref(), Device: uint32(w.nextInt()), By: Dealer}, device)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d marked", len(replaced.Marked)), nil
}

func (r *hallRun) giveBack(w *words) (string, error) {
	d := record.DeviceReturned{Session: r.Ref(), Missing: w.flag("missing"), By: w.by(Dealer)}
	d.Device = uint32(w.nextInt())
	_, err := r.Engine.ReturnDevice(r.tick(), d)
	return "back", err
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
	return hall.NewScorecard(r.Engine.State(), r.Kit, r.Playing(), player, ball.Empty(ball.Bingo), w.flag("auto"))
}

// sign puts up a sign of closure: sign in 20m. A second passes before it is up.
func (r *hallRun) sign(w *words) (string, error) {
	text, _ := w.after("in")
	d, err := time.ParseDuration(text)
	if err != nil {
		return "", err
	}
	at := record.Of(r.now.Add(time.Second + d))
	_, err = r.Engine.SignClosure(r.tick(), record.SessionClosing{Session: r.Ref(), At: at, By: w.by(Supervisor)})
	return "up", err
}

func (r *hallRun) close(w *words) (string, error) {
	closed, err := r.Engine.CloseSession(r.tick(), r.Ref(), w.by(Supervisor))
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
	raised, err := r.Engine.RaiseDispute(r.tick(), record.DisputeRaised{
		Hall: hallID, Session: r.Session, Game: uint8(w.number("game", 0)), Offer: uint32(w.number("promotion", 0)), Member: member, Subject: "a call", By: Dealer,
	})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("dispute %d", raised.Dispute), nil
}

func (r *hallRun) decide(w *words) (string, error) {
	return r.step(w, record.StepDecided, Supervisor, "decided")
}
func (r *hallRun) review(w *words) (string, error) {
	return r.step(w, record.StepReview, Dealer, "asked for")
}
func (r *hallRun) reviewed(w *words) (string, error) {
	return r.step(w, record.StepReviewed, Casino, "reviewed")
}
func (r *hallRun) advise(w *words) (string, error) {
	return r.step(w, record.StepAdvised, Supervisor, "told")
}

func (r *hallRun) step(w *words, step record.DisputeStep, by record.By, done string) (string, error) {
	m := record.DisputeMoved{Hall: hallID, Step: step, Text: "it stands", By: w.by(by)}
	if w.flag("silently") {
		m.Text = ""
	}
	var award *money.Amount
	if text, ok := w.after("award"); ok {
		cents := w.cents(text)
		award = &cents
	}
	m.Dispute = uint32(w.nextInt())
	_, err := r.Engine.MoveDispute(r.tick(), m, award)
	return done, err
}

func (r *hallRun) incident(w *words) (string, error) {
	_, err := r.Engine.NoteIncident(r.tick(), record.IncidentNoted{Session: r.Ref(), Text: strings.Join(w.list, " "), By: Supervisor})
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
	_, err = r.Engine.FinishBingo(r.tick(), r.Playing(), note)
	return "attested", err
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
	p := hall.AwardPayment{Hall: hallID, By: w.by(Dealer)}
	p.Dispute = uint32(w.nextInt())
	p.Parts = w.parts()
	_, err := r.Engine.PayAward(r.tick(), p)
	return "paid", err
}

// invalidate takes from claims of a game that is over what they won: invalidate game N
// claim N... [refund] [forfeit N] [by WHO].
func (r *hallRun) invalidate(w *words) (string, error) {
	f := hall.Fraud{Game: r.Playing(), Reason: "as it was found", Refund: w.flag("refund"), By: w.by(Casino)}
	f.Game.Game = uint8(w.number("game", int(r.Game)))
	if w.flag("silently") {
		f.Reason = ""
	}
	if session, ok := w.after("session"); ok {
		f.Game.Session = uint32(w.int(session))
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
	invalidated, err := r.Engine.InvalidateBingo(r.tick(), f)
	if err != nil {
		return "", err
	}
	return rollsOn(invalidated.Rolled), nil
}

// undo takes an entry back: undo player N [by WHO].
func (r *hallRun) undo(w *words) (string, error) {
	u := record.EntryUndone{Session: r.Ref(), Player: uint32(w.number("player", 0)), Reason: "sold by mistake", By: w.by(Supervisor)}
	if w.flag("silently") {
		u.Reason = ""
	}
	_, err := r.Engine.UndoEntry(r.tick(), u)
	return "undone", err
}

// cancel ends a session that nobody has entered.
func (r *hallRun) cancel(w *words) (string, error) {
	c := record.SessionCancelled{Session: r.Ref(), Reason: "set by mistake", By: w.by(Dealer)}
	if w.flag("silently") {
		c.Reason = ""
	}
	_, err := r.Engine.CancelSession(r.tick(), c)
	return "cancelled", err
}
