package api

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"

	"drawhouse/core/contain"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/engine"
	"drawhouse/decide/game"
	"drawhouse/decide/hall"
	"drawhouse/decide/staff"
	"drawhouse/games/draw/cage"
	"drawhouse/games/keno"
	"drawhouse/house"
	"drawhouse/house/person"
	"drawhouse/journal/lane"
	"drawhouse/journal/store"
)

// The codes of the interface itself. Those of the ticket form, of the rules and
// of the house are in their packages.
const (
	// BodyTooLarge: the body is longer than the operation takes.
	BodyTooLarge refusal.Code = "body_too_large"
	// ParameterValue: a parameter of the path or the query has a value that it
	// cannot have.
	ParameterValue refusal.Code = "parameter_value"
	// NoSuchPath: there is nothing at the address.
	NoSuchPath refusal.Code = "no_such_path"
	// OriginOther: a page of another origin sent the request.
	OriginOther refusal.Code = "origin_other"
	// GameUnknown and RulebookUnknown: there is no such game or rulebook.
	GameUnknown     refusal.Code = "game_unknown"
	RulebookUnknown refusal.Code = "rulebook_unknown"
	// Busy: too much is under way; nothing happened, and the same request may be
	// sent again.
	Busy refusal.Code = "busy"
	// Stopped: the house does not sell or pay now; nothing happened.
	Stopped refusal.Code = "stopped"
	// NotReady: the house lacks something that it needs to sell.
	NotReady refusal.Code = "not_ready"
	// OutcomeUnknown: the request was decided and may or may not be stored. Sent
	// again under its number it is answered for good.
	OutcomeUnknown refusal.Code = "outcome_unknown"
	// ClientGone: the client closed its connection before it had an answer. What it asked
	// may have been done.
	ClientGone refusal.Code = "client_gone"
	// Internal: the house is at fault. The log has more under the id.
	Internal refusal.Code = "internal"
)

// Error is the form of every error.
type Error struct {
	Fault  Fault `json:"error"`
	status int
	after  string // seconds after which to try again; empty for no such advice
}

// Fault is what an error says.
type Fault struct {
	Code     refusal.Code `json:"code" doc:"Why, for programs. Codes are stable."`
	Sentence string       `json:"sentence" doc:"Why, for the person at the counter."`
	Field    string       `json:"field,omitempty" doc:"The field at fault, such as ticket.bets[0].stake_cents."`
	Clause   string       `json:"clause,omitempty" doc:"The clause of the rulebook that refuses."`
	Cents    int64        `json:"cents,omitempty" doc:"Of expect_other: the true amount."`
	ID       string       `json:"id,omitempty" doc:"Of an internal error: where the log has the rest."`
	Writer   string       `json:"writer,omitempty" doc:"Of a house that only follows: where the one is that takes commands."`
}

// Error returns the sentence with what it is about.
func (e *Error) Error() string {
	return (&refusal.Refusal{Code: e.Fault.Code, Clause: e.Fault.Clause, Path: e.Fault.Field,
		Sentence: e.Fault.Sentence}).Error()
}

// statuses are those of refusals that are not 422: a request that is understood
// and against the rules.
var statuses = map[refusal.Code]int{
	keno.FormSyntax:     http.StatusBadRequest,
	keno.FormTooLong:    http.StatusRequestEntityTooLarge,
	keno.FieldUnknown:   http.StatusBadRequest,
	keno.FieldRepeated:  http.StatusBadRequest,
	keno.FieldMissing:   http.StatusBadRequest,
	keno.FieldValue:     http.StatusBadRequest,
	keno.FieldConflict:  http.StatusBadRequest,
	keno.VersionUnknown: http.StatusBadRequest,
	BodyTooLarge:        http.StatusRequestEntityTooLarge,
	ParameterValue:      http.StatusBadRequest,
	ParameterUnknown:    http.StatusBadRequest,
	MediaTypeOther:      http.StatusUnsupportedMediaType,
	MethodOther:         http.StatusMethodNotAllowed,
	KeyWrong:            http.StatusBadRequest,
	KeyUnused:           http.StatusBadRequest,
	engine.KeyTaken:     http.StatusConflict,
	OriginOther:         http.StatusForbidden,
	RequestHeld:         http.StatusConflict,

	NoPrinter:     http.StatusConflict,
	PrinterFailed: http.StatusConflict,
	PrinterUnsure: http.StatusConflict,

	NoSuchPath:             http.StatusNotFound,
	GameUnknown:            http.StatusNotFound,
	RulebookUnknown:        http.StatusNotFound,
	ReportUnknown:          http.StatusNotFound,
	ReportEmpty:            http.StatusNotFound,
	ReportNoFigure:         http.StatusNotFound,
	ReportNoSum:            http.StatusUnprocessableEntity,
	ReportVenue:            http.StatusForbidden,
	engine.TerminalUnknown: http.StatusNotFound,
	counter.SeriesUnknown:  http.StatusNotFound,
	counter.Unlicensed:     http.StatusForbidden,
	counter.VenueUnpaid:    http.StatusForbidden,
	DebitFileUnknown:       http.StatusNotFound,
	counter.TicketUnknown:  http.StatusNotFound,
	counter.OtherSystem:    http.StatusConflict,
	counter.ChequeUnknown:  http.StatusNotFound,
	counter.NotOfVenue:     http.StatusForbidden,
	counter.HolidaysSame:   http.StatusConflict,
	house.SerialUnreadable: http.StatusNotFound,
	house.TicketLost:       http.StatusGone,
	house.NotSealed:        http.StatusNotFound,
	house.NotInGame:        http.StatusNotFound,
	house.NotLogged:        http.StatusNotFound,

	hall.HallUnknown:    http.StatusNotFound,
	hall.TableUnknown:   http.StatusNotFound,
	hall.SessionUnknown: http.StatusNotFound,
	hall.ClaimUnknown:   http.StatusNotFound,
	hall.PlayerUnknown:  http.StatusNotFound,
	hall.DeviceUnknown:  http.StatusNotFound,
	hall.DisputeUnknown: http.StatusNotFound,
	hall.OfferUnknown:   http.StatusNotFound,
	VenueOther:          http.StatusForbidden,

	game.ScheduleUnknown:  http.StatusNotFound,
	game.NoJackpot:        http.StatusNotFound,
	game.PromotionUnknown: http.StatusNotFound,

	// The house has come to another state than the request supposes.
	command.RulebookAdopted:  http.StatusConflict,
	command.RulebookTaken:    http.StatusConflict,
	game.GameNotAhead:        http.StatusConflict,
	game.DayIsOpen:           http.StatusConflict,
	game.DayIsPast:           http.StatusConflict,
	game.DayNotOpen:          http.StatusConflict,
	game.GamesUnsettled:      http.StatusConflict,
	game.NoReportDue:         http.StatusConflict,
	game.ReportsWait:         http.StatusConflict,
	game.EarlierWaits:        http.StatusConflict,
	game.NothingToPay:        http.StatusConflict,
	game.IsPaused:            http.StatusConflict,
	game.NotPaused:           http.StatusConflict,
	command.ActMalformed:     http.StatusBadRequest,
	hall.HallExists:          http.StatusConflict,
	hall.TableExists:         http.StatusConflict,
	hall.SessionPhase:        http.StatusConflict,
	hall.EnteredBefore:       http.StatusConflict,
	hall.GameNotReady:        http.StatusConflict,
	hall.PlayHalted:          http.StatusConflict,
	hall.ClaimPending:        http.StatusConflict,
	hall.BingoCalled:         http.StatusConflict,
	hall.NoBingo:             http.StatusConflict,
	hall.TooFewNumbers:       http.StatusConflict,
	hall.PrizeWon:            http.StatusConflict,
	hall.ClaimDecided:        http.StatusConflict,
	hall.NothingDue:          http.StatusConflict,
	hall.DisputeTurn:         http.StatusConflict,
	hall.OfferPhase:          http.StatusConflict,
	hall.NotWitnessed:        http.StatusConflict,
	hall.RankTooLow:          http.StatusForbidden,
	engine.RequestSuperseded: http.StatusConflict,
	engine.RequestBodyOther:  http.StatusConflict,
	engine.RequestBurned:     http.StatusConflict,
	counter.NotOnSale:        http.StatusConflict,
	counter.GameClosed:       http.StatusConflict,
	counter.CostOther:        http.StatusConflict,
	counter.PriceOther:       http.StatusConflict,
	keno.GameNotOpen:         http.StatusConflict,
	counter.AlreadyPaid:      http.StatusConflict,
	counter.ByHandOnly:       http.StatusConflict,
	counter.NotByHand:        http.StatusConflict,
	counter.NotDrawn:         http.StatusConflict,
	counter.FactsMissing:     http.StatusConflict,
	counter.NotAgreed:        http.StatusConflict,
	counter.Disputed:         http.StatusConflict,
	counter.PrizeDisagrees:   http.StatusConflict,
	counter.Frozen:           http.StatusConflict,
	counter.NotFrozen:        http.StatusConflict,
	counter.Disqualified:     http.StatusConflict,
	counter.NotReinstated:    http.StatusConflict,
	counter.NotInvalid:       http.StatusConflict,
	counter.CardUnknown:      http.StatusNotFound,
	counter.CardExcluded:     http.StatusConflict,
	counter.ClaimCodeOther:   http.StatusForbidden,
	counter.UnderClaim:       http.StatusConflict,
	counter.NotSigned:        http.StatusConflict,
	counter.NotSatisfied:     http.StatusConflict,
	counter.ClaimNotAllowed:  http.StatusConflict,
	counter.ClaimStillOpen:   http.StatusConflict,
	counter.PartyNotAsked:    http.StatusForbidden,
	counter.SignedForOther:   http.StatusForbidden,
	counter.SamePerson:       http.StatusForbidden,
	counter.PayeeUnknown:     http.StatusNotFound,
	counter.PayeeOther:       http.StatusUnprocessableEntity,
	counter.AccountNone:      http.StatusUnprocessableEntity,
	counter.CardOpen:         http.StatusConflict,
	counter.PayeeNeeded:      http.StatusConflict,
	counter.CardUnheld:       http.StatusConflict,
	PayeeErased:              http.StatusGone,

	SignOnFirst:            http.StatusUnauthorized,
	WitnessUnknown:         http.StatusForbidden,
	NotStored:              http.StatusNotFound,
	house.NoHouseKey:       http.StatusConflict,
	SignOnWrong:            http.StatusUnauthorized,
	SessionOver:            http.StatusUnauthorized,
	HelloWrong:             http.StatusForbidden,
	HelloStale:             http.StatusForbidden,
	RequestForged:          http.StatusForbidden,
	RequestReplayed:        http.StatusConflict,
	RoleMissing:            http.StatusForbidden,
	NotFromTerminal:        http.StatusForbidden,
	TerminalOnly:           http.StatusForbidden,
	TerminalOther:          http.StatusForbidden,
	TwoCredentials:         http.StatusForbidden,
	CSRFMissing:            http.StatusForbidden,
	TokenWrong:             http.StatusForbidden,
	command.NoRegister:     http.StatusNotFound,
	cage.OutOfTurn:         http.StatusConflict,
	cage.NotARecorder:      http.StatusForbidden,
	game.ChainTooLate:      http.StatusConflict,
	game.ResultRepeated:    http.StatusConflict,
	game.DayNotNow:         http.StatusConflict,
	game.DayIsOver:         http.StatusConflict,
	staff.NotAllowed:       http.StatusForbidden,
	staff.KeyRevoked:       http.StatusForbidden,
	staff.PersonLocked:     http.StatusForbidden,
	staff.PersonNoRole:     http.StatusForbidden,
	staff.OneHand:          http.StatusForbidden,
	staff.ShiftStopped:     http.StatusForbidden,
	staff.NotInvited:       http.StatusForbidden,
	staff.ConsentLapsed:    http.StatusConflict,
	staff.ApprovalOwn:      http.StatusForbidden,
	staff.InspectorByTwo:   http.StatusForbidden,
	staff.InspectorOwn:     http.StatusForbidden,
	staff.PersonUnknown:    http.StatusNotFound,
	staff.VenueUnknown:     http.StatusNotFound,
	staff.AreaUnknown:      http.StatusNotFound,
	staff.ApprovalUnknown:  http.StatusNotFound,
	staff.NoSenior:         http.StatusConflict,
	staff.NotThrough:       http.StatusConflict,
	counter.OtherTerminal:  http.StatusForbidden,
	counter.SheetSealed:    http.StatusForbidden,
	counter.SheetUsed:      http.StatusConflict,
	counter.SheetReplaced:  http.StatusForbidden,
	staff.NoWriter:         http.StatusConflict,
	staff.NoDisplay:        http.StatusConflict,
	staff.NotTrading:       http.StatusConflict,
	staff.OnShift:          http.StatusConflict,
	staff.NotOnShift:       http.StatusConflict,
	staff.TerminalTaken:    http.StatusConflict,
	staff.GameRuns:         http.StatusConflict,
	staff.ApprovalOver:     http.StatusConflict,
	staff.ApprovalOther:    http.StatusConflict,
	staff.ApprovalNotGiven: http.StatusConflict,
	command.IssuedThere:    http.StatusConflict,
	counter.NotShutOut:     http.StatusConflict,

	TooManySales: http.StatusRequestEntityTooLarge,

	FollowsOnly:    http.StatusMisdirectedRequest,
	HostUnknown:    http.StatusMisdirectedRequest,
	TooManyStreams: http.StatusServiceUnavailable,
	Behind:         http.StatusServiceUnavailable,
	Busy:           http.StatusServiceUnavailable,
	NotReady:       http.StatusServiceUnavailable,
	RegisterDown:   http.StatusServiceUnavailable,
	Stopped:        http.StatusServiceUnavailable,
	OutcomeUnknown: http.StatusServiceUnavailable,
}

// fault returns the form of an error, and notes it for anybody who counts refusals.
func (s *server) fault(ctx context.Context, err error) *Error {
	e := s.form(ctx, err)
	exchangeOf(ctx).Code = e.Fault.Code
	return e
}

// form returns the form of an error, and logs unexpected errors.
func (s *server) form(ctx context.Context, err error) *Error {
	var (
		known   *Error
		refused *refusal.Refusal
		guessed *tooMany
		often   *tooOften
	)
	switch {
	case errors.As(err, &often):
		return often.answer()
	case errors.As(err, &guessed):
		return guessed.answer()
	case errors.As(err, &known):
		return known
	case errors.As(err, &refused):
		if refused.Code == counter.PrizeDisagrees {
			s.log.ErrorContext(ctx, "a prize disagrees with its calculation", "sentence", refused.Sentence)
		}
		e := refusedWith(refused)
		e.Fault.Sentence = s.house.First().Book().Money().In(e.Fault.Sentence)
		return e
	case errors.Is(err, person.ErrUnavailable) && ctx.Err() == nil:
		return s.registerDown(ctx, err)
	case errors.Is(err, engine.ErrUnsound):
		return refusedWith(&refusal.Refusal{Code: engine.NotSound,
			Sentence: "No record can say this. Nothing happened."})
	case errors.Is(err, house.ErrFollows):
		return s.elsewhere()
	case errors.Is(err, lane.ErrBusy):
		return refusedWith(&refusal.Refusal{Code: Busy,
			Sentence: "The system is busy. Nothing was done. Try again in a moment."})
	case errors.Is(err, lane.ErrUnknown):
		return refusedWith(&refusal.Refusal{Code: OutcomeUnknown, Sentence: outcomeSentence})
	case errors.Is(err, house.ErrRests):
		return refusedWith(&refusal.Refusal{Code: Stopped, Sentence: restsSentence})
	case errors.Is(err, lane.ErrPanicked) && !errors.Is(err, lane.ErrStopped):
		exchangeOf(ctx).asked.panicked()
		e := s.internal(ctx, err)
		e.Fault.Sentence = "The house failed at this request by a defect of its program. Nothing of the request happened. Do not send it again; report the id."
		return e
	case errors.Is(err, store.ErrAway) && ctx.Err() == nil:
		s.log.WarnContext(ctx, "the database of the journal cannot be reached", "error", err)
		if exchangeOf(ctx).asked.changes() {
			return refusedWith(&refusal.Refusal{Code: OutcomeUnknown, Sentence: outcomeSentence})
		}
		return refusedWith(&refusal.Refusal{Code: Stopped, Sentence: awaySentence})
	case errors.Is(err, lane.ErrStopped), ctx.Err() != nil && s.stopped():
		return refusedWith(&refusal.Refusal{Code: Stopped, Sentence: "The house has stopped. Nothing happened."})
	}
	if ctx.Err() != nil {
		// Nobody reads this, and the house is well: it is no fault of the house in the
		// log and the metrics.
		return &Error{status: clientGone,
			Fault: Fault{Code: ClientGone, Sentence: "The client went away before the answer."}}
	}
	return s.internal(ctx, err)
}

// clientGone is the status that proxies use for a client that closed its connection.
const clientGone = 499

// stopped reports whether the house has stopped.
func (s *server) stopped() bool {
	select {
	case <-s.house.Done():
		return true
	default:
		return false
	}
}

// restsSentence answers who asks a house at rest for something that the house would have to
// write down.
const restsSentence = "The central system cannot write its journal now. Nothing was done. Try again in a moment."

// awaySentence answers a question that the house would have to read its journal for.
const awaySentence = "The central system cannot read its journal now. Nothing was done. Try again in a moment."

// outcomeSentence answers a request that may or may not have been stored.
const outcomeSentence = "It is not known whether the request was stored. Send it again under the same number."

func refusedWith(r *refusal.Refusal) *Error {
	status, ok := statuses[r.Code]
	if !ok {
		status = http.StatusUnprocessableEntity
	}
	return &Error{status: status, Fault: Fault{Code: r.Code, Sentence: r.Sentence, Field: r.Path, Clause: r.Clause,
		Cents: r.Cents}}
}

// internal tells the log what happened and the client where to find it.
func (s *server) internal(ctx context.Context, err error) *Error {
	id := idOf(exchangeOf(ctx))
	s.logUnder(ctx, id, "internal error", "error", err)
	return &Error{
		status: http.StatusInternalServerError,
		Fault: Fault{Code: Internal, Sentence: "Internal error. The request may have taken effect. Report the id.",
			ID: id},
	}
}

// writeError answers with an error.
func (s *server) writeError(w http.ResponseWriter, r *http.Request, err error) {
	e := s.fault(r.Context(), err)
	if e.status == http.StatusServiceUnavailable {
		e.after = "1"
	}
	if e.after != "" {
		w.Header().Set("Retry-After", e.after)
	}
	s.writeJSON(w, r, e.status, e)
}

// writeJSON answers with a value.
func (s *server) writeJSON(w http.ResponseWriter, r *http.Request, status int, v any) {
	data, err := encode(v)
	if err != nil {
		e := s.internal(r.Context(), err)
		status = e.status
		data, _ = json.Marshal(e) // A few texts always encode.
	}
	writeBytes(w, status, data)
}

// writeBytes answers with JSON.
func writeBytes(w http.ResponseWriter, status int, data []byte) {
	h := w.Header()
	h["Content-Type"] = jsonType
	if status >= http.StatusBadRequest {
		h["Cache-Control"] = noStore
	}
	w.WriteHeader(status)
	_, _ = w.Write(data) // An error means that the client is gone.
}

// jsonMedia is the type of most bodies.
const jsonMedia = "application/json"

// The values of those headers. They are shared by all answers, and nobody changes them.
var (
	jsonType = []string{jsonMedia}
	noStore  = []string{"no-store"}
)

// recovering answers for a handler that panics.
func (s *server) recovering(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			switch p := recover(); p {
			case nil:
			case http.ErrAbortHandler:
				panic(p)
			default:
				s.panicked(w, r, p)
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// panicked raises the alarm of a handler that panicked, one for each operation, and answers.
// The log has the stack; what somebody has sent to have it panic is not in the alarm.
func (s *server) panicked(w http.ResponseWriter, r *http.Request, value any) {
	x := exchangeOf(r.Context())
	s.house.Panicked(house.PartInterface, contain.Recovered("the request "+operationOf(r), value))
	id := idOf(x)
	s.logUnder(r.Context(), id, "a handler panicked", "operation", operationOf(r))
	if x.Status != 0 {
		panic(http.ErrAbortHandler) // A part of the answer is sent: the client must not take it for the whole.
	}
	s.writeError(w, r, &Error{status: http.StatusInternalServerError, Fault: Fault{
		Code:     Internal,
		Sentence: "The house failed at this request by a defect of its program. It is not known whether anything happened. Report the id.", ID: id,
	}})
}

// idOf returns the id under which the log has a request.
func idOf(x *Exchange) string {
	if x.ID == "" {
		return rand.Text()[:12]
	}
	return x.ID
}

// logUnder logs an error under the id that its answer has. The log adds that of an observed request itself.
func (s *server) logUnder(ctx context.Context, id, text string, args ...any) {
	if exchangeOf(ctx).ID == "" {
		args = append(args, requestIDKey, id)
	}
	s.log.ErrorContext(ctx, text, args...)
}

// discard is the log of a server that was given none.
var discard = slog.New(slog.DiscardHandler)
