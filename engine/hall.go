package engine

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"drawhouse/hall"
	"drawhouse/ledger"
	"drawhouse/money"
	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/rulebook"
)

// NotSound is the code of a command of a bingo room that lacks something which every
// record of its kind has.
const NotSound refusal.Code = "not_sound"

// keep makes a decision of a bingo room part of the journal, and returns it.
func keep[B record.Body](e *Engine, now record.Time, body B, postings []ledger.Posting, err error) (B, error) {
	if err != nil {
		return body, err
	}
	if err := e.sound(now, body); errors.Is(err, ErrUnsound) {
		return body, &refusal.Refusal{Code: NotSound, Sentence: err.Error()}
	}
	_, err = e.append(now, body, postings)
	return body, err
}

// follow appends a record that must come with the one before it: as in CloseGame,
// nothing of this may become durable without it.
func (e *Engine) follow(now record.Time, body record.Body, postings []ledger.Posting, err error) {
	if err == nil {
		_, err = e.append(now, body, postings)
	}
	if err != nil {
		panic(fmt.Sprintf("engine: %T after the record before it: %v", body, err))
	}
}

// OpenHall opens a bingo room. A rulebook that comes with it is adopted if it is not yet, and
// is not if the room is refused.
func (e *Engine) OpenHall(now record.Time, b record.HallOpened, with *rulebook.Book) (*record.HallOpened, error) {
	opened, postings, err := hall.Establish(e.state, b, with)
	if err == nil {
		err = e.sound(now, opened)
	}
	if err == nil && with != nil {
		err = e.AdoptRulebook(now, with)
	}
	return keep(e, now, opened, postings, err)
}

// AddTable brings the master table of a series of cards into a hall. The kit has read
// the file.
func (e *Engine) AddTable(now record.Time, kit *hall.Kit, id uint8, file []byte, by record.By) (*record.TableAdded, error) {
	added, err := hall.AddTable(e.state, kit, id, sha256.Sum256(file), by)
	if added, err = keep(e, now, added, nil, err); err == nil {
		e.objects = append(e.objects, Object{hall.TableName(id, added.Series), file})
	}
	return added, err
}

// SetMember takes a number of the loyalty programme in, or out.
func (e *Engine) SetMember(now record.Time, m record.MemberSet) (*record.MemberSet, error) {
	set, err := hall.SetMember(e.state, m)
	return keep(e, now, set, nil, err)
}

// SetSession announces a session.
func (e *Engine) SetSession(now record.Time, b record.SessionSet) (*record.SessionSet, error) {
	set, err := hall.SetSession(e.state, b)
	return keep(e, now, set, nil, err)
}

// EnterSession takes a player in.
func (e *Engine) EnterSession(now record.Time, p record.PlayerEntered) (*record.PlayerEntered, error) {
	entered, postings, err := hall.Enter(e.state, p)
	return keep(e, now, entered, postings, err)
}

// CloseIssue takes the first and the last serial of all cards issued.
func (e *Engine) CloseIssue(now record.Time, ref record.HallSession, ranges []record.IssuedRange, by record.By) (*record.IssueClosed, error) {
	closed, postings, err := hall.CloseIssue(e.state, ref, ranges, by)
	return keep(e, now, closed, postings, err)
}

// SealJackpot seals a game for the draw of its jackpot numbers.
func (e *Engine) SealJackpot(now record.Time, ref record.BingoGame) (*record.BingoSealed, error) {
	return e.sealBingo(now, ref, record.DrawJackpot)
}

// AnnounceBingo announces a game and seals it: numbers may be called.
func (e *Engine) AnnounceBingo(now record.Time, ref record.BingoGame, by record.By) (*record.BingoAnnounced, error) {
	announced, err := hall.Announce(e.state, ref, by)
	if announced, err = keep(e, now, announced, nil, err); err != nil {
		return nil, err
	}
	if _, err := e.sealBingo(now, ref, record.DrawCalls); err != nil {
		panic(fmt.Sprintf("engine: the seal of an announced game: %v", err)) // As in CloseGame.
	}
	return announced, nil
}

func (e *Engine) sealBingo(now record.Time, ref record.BingoGame, draw record.BingoDraw) (*record.BingoSealed, error) {
	if e.house == nil {
		return nil, ErrNoKey
	}
	sealed, seal, err := hall.Seal(e.state, ref, draw, e.checkpoint(), e.house)
	if sealed, err = keep(e, now, sealed, nil, err); err != nil {
		return nil, err
	}
	for volume, bitmap := range seal.Bitmaps {
		e.objects = append(e.objects, Object{BingoBitmapName(ref, draw, volume), bitmap.Bytes()})
	}
	return sealed, nil
}

// WitnessBingo records who has cosigned the seal of the draw under way.
func (e *Engine) WitnessBingo(now record.Time, ref record.BingoGame, seal []byte, by []string) (*record.BingoWitnessed, error) {
	witnessed, err := hall.Witness(e.state, ref, seal, by)
	return keep(e, now, witnessed, nil, err)
}

// CallBingo records the next number of the draw under way in a game. What was won on
// the number before it is shared first: nobody else can call on that one any more.
func (e *Engine) CallBingo(now record.Time, ref record.BingoGame, number int, bytes []byte) (*record.NumberCalled, error) {
	called, err := hall.Number(e.state, ref, number, bytes)
	if err != nil {
		return nil, err
	}
	if called.Draw == record.DrawCalls {
		settled, postings, err := hall.Settle(e.state, ref, false)
		if err != nil {
			return nil, err
		}
		if settled != nil {
			e.follow(now, settled, postings, nil)
		}
	}
	e.follow(now, called, nil, nil)
	return called, nil
}

// FinishBingo records the device's signed statement of the draw under way. That of
// the calls ends the game, and what is left of its prizes is settled.
func (e *Engine) FinishBingo(now record.Time, ref record.BingoGame, note []byte) (*record.BingoSettled, error) {
	signed, err := hall.Sign(e.state, ref, note)
	if signed, err = keep(e, now, signed, nil, err); err != nil || signed.Draw == record.DrawJackpot {
		return nil, err
	}
	settled, postings, err := hall.Settle(e.state, ref, true)
	e.follow(now, settled, postings, err)
	return settled, nil
}

// CorrectCall corrects a number that was announced wrongly.
func (e *Engine) CorrectCall(now record.Time, c record.CallCorrected) (*record.CallCorrected, error) {
	corrected, err := hall.Correct(e.state, c)
	return keep(e, now, corrected, nil, err)
}

// OpenClaim takes down a call.
func (e *Engine) OpenClaim(now record.Time, c hall.Call) (*record.ClaimOpened, error) {
	opened, err := hall.Open(e.state, c)
	return keep(e, now, opened, nil, err)
}

// CheckClaim checks a call against the master table.
func (e *Engine) CheckClaim(now record.Time, kit *hall.Kit, i hall.Inspection) (*record.ClaimChecked, error) {
	checked, err := hall.Check(e.state, kit, i)
	return keep(e, now, checked, nil, err)
}

// PayBingo pays what a claim won.
func (e *Engine) PayBingo(now record.Time, p hall.Payment) (*record.BingoPaid, error) {
	paid, postings, err := hall.Pay(e.state, p)
	return keep(e, now, paid, postings, err)
}

// VoidBingo ends a game without a result. Where the terminal failed and no game follows, or
// where games are left that are not played, all fees of the session go back. Claims that were
// settled before fall in the same step, so that nobody is paid in between.
func (e *Engine) VoidBingo(now record.Time, v hall.Void) (*record.BingoVoided, error) {
	all, err := hall.Declare(e.state, v)
	if err != nil {
		return nil, err
	}
	bodies := []record.Body{all.Voided}
	if all.Fallen != nil {
		bodies = append(bodies, all.Fallen)
	}
	if len(all.Late) > 0 {
		bodies = append(bodies, &record.OutcomeInvalidated{Game: v.Game, Reason: v.Reason, Clause: all.Voided.Clause, Claims: all.Late, By: v.By})
	}
	if err := e.sound(now, bodies...); errors.Is(err, ErrUnsound) {
		return nil, &refusal.Refusal{Code: NotSound, Sentence: err.Error()}
	}
	if all.Fallen != nil {
		e.follow(now, all.Fallen, nil, nil)
	}
	if all.Settled != nil {
		e.follow(now, all.Settled, all.Shares, nil)
	}
	voided := all.Voided
	e.follow(now, voided, all.Postings, nil)
	if hall.BreaksOff(e.state, voided) {
		e.refundFees(now, record.HallSession{Hall: v.Game.Hall, Session: v.Game.Session})
	}
	if len(all.Late) > 0 {
		invalidated, postings, err := hall.Invalidate(e.state, hall.Fraud{Game: v.Game, Claims: all.Late, Reason: v.Reason, By: v.By})
		e.follow(now, invalidated, postings, err)
	}
	return voided, nil
}

func (e *Engine) refundFees(now record.Time, ref record.HallSession) {
	refunded, postings, err := hall.RefundFees(e.state, ref)
	if refunded != nil || err != nil {
		e.follow(now, refunded, postings, err)
	}
}

// PayRefund hands a player what goes back.
func (e *Engine) PayRefund(now record.Time, ref record.HallSession, player uint32, by record.By) (*record.RefundPaid, error) {
	paid, postings, err := hall.PayRefund(e.state, ref, player, by)
	return keep(e, now, paid, postings, err)
}

// BarPlayer takes the cards of a player out of play.
func (e *Engine) BarPlayer(now record.Time, b record.PlayerBarred) (*record.PlayerBarred, error) {
	barred, postings, err := hall.Bar(e.state, b)
	return keep(e, now, barred, postings, err)
}

// FailDevice stops play because of an electronic card.
func (e *Engine) FailDevice(now record.Time, f record.DeviceFailed) (*record.DeviceFailed, error) {
	failed, err := hall.Fail(e.state, f)
	return keep(e, now, failed, nil, err)
}

// ReplaceDevice puts another electronic card in the place of one.
func (e *Engine) ReplaceDevice(now record.Time, failed record.DeviceFailed, device uint32) (*record.DeviceReplaced, error) {
	replaced, err := hall.Replace(e.state, failed, device)
	return keep(e, now, replaced, nil, err)
}

// ReturnDevice takes an electronic card back.
func (e *Engine) ReturnDevice(now record.Time, d record.DeviceReturned) (*record.DeviceReturned, error) {
	returned, err := hall.Return(e.state, d)
	return keep(e, now, returned, nil, err)
}

// SignClosure puts up the sign with the time at which a session will close.
func (e *Engine) SignClosure(now record.Time, c record.SessionClosing) (*record.SessionClosing, error) {
	signed, err := hall.PutSign(e.state, c, max(now, e.state.Now()))
	return keep(e, now, signed, nil, err)
}

// CloseSession ends a session. One that closes early gives its fees back.
func (e *Engine) CloseSession(now record.Time, ref record.HallSession, by record.By) (*record.SessionClosed, error) {
	closed, err := hall.Close(e.state, ref, max(now, e.state.Now()), by)
	if err != nil {
		return nil, err
	}
	if closed.Early {
		e.refundFees(now, ref)
	}
	e.follow(now, closed, nil, nil)
	return closed, nil
}

// RaiseDispute takes a dispute down.
func (e *Engine) RaiseDispute(now record.Time, d record.DisputeRaised) (*record.DisputeRaised, error) {
	raised, err := hall.Raise(e.state, d)
	return keep(e, now, raised, nil, err)
}

// MoveDispute takes a dispute one step on. A decision may award something; nil leaves what
// was awarded as it is.
func (e *Engine) MoveDispute(now record.Time, m record.DisputeMoved, award *money.Amount) (*record.DisputeMoved, error) {
	moved, err := hall.Move(e.state, m)
	if err != nil || award == nil {
		return keep(e, now, moved, nil, err)
	}
	awarded, postings, err := hall.AwardDispute(e.state, moved, *award)
	if err == nil {
		err = e.sound(now, awarded)
	}
	if moved, err = keep(e, now, moved, nil, err); err == nil {
		e.follow(now, awarded, postings, nil)
	}
	return moved, err
}

// PayAward pays what a dispute awarded.
func (e *Engine) PayAward(now record.Time, p hall.AwardPayment) (*record.DisputePaid, error) {
	paid, postings, err := hall.PayAward(e.state, p)
	return keep(e, now, paid, postings, err)
}

// InvalidateBingo takes from claims of a game that is over what they won by fraud.
func (e *Engine) InvalidateBingo(now record.Time, f hall.Fraud) (*record.OutcomeInvalidated, error) {
	invalidated, postings, err := hall.Invalidate(e.state, f)
	return keep(e, now, invalidated, postings, err)
}

// ChangeSession sets a session anew that nobody has entered.
func (e *Engine) ChangeSession(now record.Time, b record.SessionSet) (*record.SessionChanged, error) {
	changed, err := hall.ChangeSession(e.state, b)
	return keep(e, now, changed, nil, err)
}

// CancelSession ends a session that nobody has entered.
func (e *Engine) CancelSession(now record.Time, c record.SessionCancelled) (*record.SessionCancelled, error) {
	cancelled, err := hall.CancelSession(e.state, c)
	return keep(e, now, cancelled, nil, err)
}

// UndoEntry takes a player's entry back.
func (e *Engine) UndoEntry(now record.Time, u record.EntryUndone) (*record.EntryUndone, error) {
	undone, postings, err := hall.Undo(e.state, u)
	return keep(e, now, undone, postings, err)
}

// NoteIncident keeps what a supervisor saw or ordered.
func (e *Engine) NoteIncident(now record.Time, n record.IncidentNoted) (*record.IncidentNoted, error) {
	noted, err := hall.Note(e.state, n)
	return keep(e, now, noted, nil, err)
}

// BingoBitmapName returns the name of the object that holds the bitmap of a game's
// players in a volume.
func BingoBitmapName(ref record.BingoGame, draw record.BingoDraw, volume uint16) string {
	return fmt.Sprintf("players/%d/%d/%d/%d/%d", ref.Hall, ref.Session, ref.Game, draw, volume)
}
