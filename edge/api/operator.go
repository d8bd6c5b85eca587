package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/handover"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/engine"
	"drawhouse/decide/state"
	"drawhouse/games/keno"
	"drawhouse/house"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// Operator is a house whose games somebody runs; *house.House is one. What it returns
// without an error is durable.
type Operator interface {
	// Operate does an act that another person has consented to.
	Operate(ctx context.Context, by, approval uint32) (command.Act, error)
	// Foresee says what requests would do if they were done now.
	Foresee(ctx context.Context, requests []state.Approval) ([]engine.Prospect, error)
	// Do does a command that is done in one step.
	Do(ctx context.Context, c command.Command, by record.By) (record.Body, error)
	DoIn(ctx context.Context, series uint8, c command.Command, by record.By) (record.Body, error)
}

// Operated is what was done.
type Operated struct {
	Action string `json:"action"`
	Act    any    `json:"act" doc:"What was done, as the request said it."`
}

// operatorRoutes registers what the operator asks for in other words than the act has, and how
// the games stand.
func (s *server) operatorRoutes() {
	askAs[command.AdoptRulebook](s, s.adoption)
	askAs[command.AdoptFile](s, s.adoptionOfFile)
	askAs[command.TakeInTickets](s, s.takingIn)
	askAs[command.TakeInAnswer](s, s.answering)
	askAs[command.OpenDay](s, s.opening)
	askAs[command.AnnounceClosure](s, func(_ *http.Request, c command.Closure) (command.Act, error) {
		return command.AnnounceClosure{At: c.At.UTC().Truncate(time.Millisecond).Format(time.RFC3339Nano)}, nil
	})

	s.serve(route{
		alone: "another has consented",
		name:  "use-approval", method: http.MethodPost, path: "/v1/approvals/{approval}/use",
		says: "Do what another person has consented to", tag: "operator", who: employed,
		refuses: `amount_wrong approval_not_given approval_over approval_unknown game_not_ready games_not_settled
			issued_at_terminal not_allowed parties_missing persons_missing result_not_repeated ` + refusedActs(),
		out: Operated{}, again: s.usedAgain,
	}, s.useApproval)
	s.serve(route{
		name: "list-acts", path: "/v1/acts", says: "What two persons must want, with the fields of each request",
		tag: "operator", who: anyRole, out: Acts{},
		internal: "These are the forms of the office; each act describes its own request.",
	}, s.listActs)
	s.serve(route{
		line: true, name: "get-course", path: "/v1/operator", says: "How the games stand", tag: "operator", who: offices,
		out: Course{},
	}, s.getCourse)
}

// Acts are the acts that two persons must want.
type Acts struct {
	Acts []ActForm `json:"acts"`
}

// ActForm is how an act is asked for.
type ActForm struct {
	Action    string          `json:"action"`
	Operation string          `json:"operation" doc:"Id of the operation that asks for it."`
	Path      string          `json:"path"`
	Says      string          `json:"says"`
	Elsewhere bool            `json:"elsewhere" doc:"A terminal does it, with the number of the request."`
	Fields    []command.Field `json:"fields"`
}

func (s *server) listActs(w http.ResponseWriter, r *http.Request) error {
	view := Acts{Acts: []ActForm{}}
	for _, row := range command.Rows() {
		if row.Two != "" {
			view.Acts = append(view.Acts, ActForm{row.Two, row.Name, row.Path, row.Says, row.Elsewhere(), row.Form()})
		}
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}

func (s *server) adoption(_ *http.Request, body command.RulebookID) (command.Act, error) {
	book, err := rules.Book(body.ID)
	if err != nil {
		return nil, &refusal.Refusal{Code: RulebookUnknown, Path: "id", Sentence: "The program has no such rulebook."}
	}
	return command.AdoptRulebook{ID: book.ID(), Hash: book.Hash().String(), Reference: body.Reference}, nil
}

// adoptionOfFile reads a file of the operator, beside the lane. Whether the machine knows its time zone is
// asked here: what decides knows no time zones.
func (s *server) adoptionOfFile(r *http.Request, body command.RulebookFile) (command.Act, error) {
	now, err := s.house.First().Course(r.Context())
	if err != nil {
		return nil, err
	}
	act, book, err := command.ReadFile(body, finder(now.Books))
	if err != nil {
		return nil, err
	}
	if _, err := time.LoadLocation(book.Zone()); err != nil {
		return nil, &refusal.Refusal{Code: command.RulebookFaulty, Path: "text",
			Sentence: fmt.Sprintf("The file has 1 fault. zone: there is no time zone %q.", book.Zone())}
	}
	return act, nil
}

// takingIn reads a file of open tickets of another system, beside the lane. Whether the house could have given a code
// is asked here: what decides has no keys.
func (s *server) takingIn(_ *http.Request, body command.TicketsFile) (command.Act, error) {
	act, codes, err := command.ReadTickets(body)
	if err != nil {
		return nil, err
	}
	for i, code := range codes {
		own, err := s.house.MayBeOwn(code)
		if err != nil {
			return nil, err
		}
		if own {
			return nil, &refusal.Refusal{Code: counter.TicketsFaulty, Path: "text",
				Sentence: fmt.Sprintf("Line %d, code: this house could give the code itself.", handover.Line(i))}
		}
	}
	return act, nil
}

// opening says what local clocks add to UTC at noon of the day: on a day on which they
// are set, that is what they show for most of its games.
func (s *server) opening(_ *http.Request, body command.DayName) (command.Act, error) {
	d, err := day.Parse(body.Day)
	if err != nil {
		return nil, &refusal.Refusal{Code: keno.FieldValue, Path: "day",
			Sentence: "The value must be a date such as 2026-11-15."}
	}
	const noon = 12
	year, month, dom := d.Date()
	_, offset := time.Date(year, time.Month(month), dom, noon, 0, 0, 0, s.zone).Zone()
	return command.OpenDay{Day: d.String(), OffsetSeconds: int32(offset)}, nil
}

// useApproval takes its time: which act it is stands in the request that was asked for,
// and the correction of a result reads the whole journal.
func (s *server) useApproval(w http.ResponseWriter, r *http.Request) error {
	number, err := number32(r, "approval")
	if err != nil {
		return err
	}
	if err := unhurried(w); err != nil {
		return err
	}
	act, err := s.house.Operate(r.Context(), callerOf(r).person.ID, number)
	if err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, Operated{Action: command.ActionOf(act), Act: act})
	return nil
}

// usedAgain answers the use of a request that was used: what was done is what was asked for.
func (s *server) usedAgain(w http.ResponseWriter, r *http.Request, _ record.Body) error {
	number, err := number32(r, "approval")
	if err != nil {
		return err
	}
	asked, _ := s.house.People().Approval(number)
	act, err := command.ReadAct(asked.Action, []byte(asked.Says))
	if err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, Operated{Action: asked.Action, Act: act})
	return nil
}

// Course is how the games stand.
type Course struct {
	Day        string            `json:"day,omitempty" doc:"The Keno Day that is open, or was last."`
	DayOpen    bool              `json:"day_open"`
	Paused     bool              `json:"paused"`
	LastDay    string            `json:"last_day,omitempty" doc:"The Keno Day with which the series ends, if it does."`
	ClosesAt   time.Time         `json:"closes_at,omitzero" doc:"When trading ends early, if that was announced."`
	OnSale     uint32            `json:"on_sale,omitempty" doc:"Ordinal of the game on sale."`
	Newest     uint32            `json:"newest" doc:"Ordinal of the newest game; what is ahead has a greater one."`
	Unsettled  []uint32          `json:"unsettled" doc:"Ordinals of games that are closed and not over."`
	Waiting    []uint32          `json:"waiting" doc:"Ordinals of games whose pooled jackpots wait for reports."`
	Changes    []ChangeAhead     `json:"changes" doc:"Terms that are announced."`
	Pools      []CoursePool      `json:"pools"`
	BonusCents int64             `json:"bonus_pool_cents" doc:"What the bonus prize pool can offer."`
	Promotions []CoursePromotion `json:"promotions" doc:"Those that are not over."`
	Rulebooks  []Rulebook        `json:"rulebooks" doc:"Those that were adopted."`
	Devices    []DrawDevice      `json:"devices" doc:"The register of drawing devices."`
}

// ChangeAhead is a change of terms that was announced.
type ChangeAhead struct {
	From     uint32 `json:"from" doc:"Ordinal of the first game."`
	Rulebook string `json:"rulebook" doc:"Hash of the rulebook."`
	Schedule string `json:"schedule"`
}

// aheadOf returns the terms that are announced.
func aheadOf(now house.Course) []ChangeAhead {
	all := []ChangeAhead{}
	for _, c := range now.Changes {
		all = append(all, ChangeAhead{From: c.From, Rulebook: rulebook.Hash(c.Rulebook).String(), Schedule: c.Schedule})
	}
	return all
}

// CoursePool is a jackpot.
type CoursePool struct {
	Spots          uint8 `json:"spots"`
	PrimaryCents   int64 `json:"primary_cents"`
	SecondaryCents int64 `json:"secondary_cents"`
	OwedCents      int64 `json:"owed_cents" doc:"Lent by the operator and not paid back."`
	AsideCents     int64 `json:"aside_cents"`
}

// CoursePromotion is a promotion.
type CoursePromotion struct {
	Number    uint32 `json:"number"`
	Name      string `json:"name"`
	LeftCents int64  `json:"left_cents"`
	Paused    bool   `json:"paused"`
	Rests     string `json:"rests,omitempty" doc:"The clause by which games that open now do not play for it: the move to a successor system goes on."`
}

func (s *server) getCourse(w http.ResponseWriter, r *http.Request) error {
	line, now, err := courseOf(r)
	if err != nil {
		return err
	}
	view := Course{
		DayOpen: now.DayOpen, Paused: now.Paused, OnSale: now.OnSale, Newest: now.Newest, Unsettled: []uint32{},
		Waiting: []uint32{},
		Changes: aheadOf(now), Pools: []CoursePool{}, Promotions: []CoursePromotion{},
		BonusCents: now.BonusPool.Cents(), Rulebooks: []Rulebook{}, Devices: s.viewDevices(now),
	}
	if now.Day.IsValid() {
		view.Day = now.Day.String()
	}
	if now.LastDay != day.None {
		view.LastDay = now.LastDay.String()
	}
	if now.ClosesAt != 0 {
		view.ClosesAt = s.time(now.ClosesAt)
	}
	view.Unsettled = append(view.Unsettled, now.Unsettled...)
	view.Waiting = append(view.Waiting, now.Waiting...)
	for _, p := range now.Pools {
		view.Pools = append(view.Pools, CoursePool{
			Spots: p.Spots, PrimaryCents: p.Primary.Cents().Cents(), SecondaryCents: p.Secondary.Cents().Cents(),
			OwedCents: p.Owed.Cents().Cents(), AsideCents: p.Aside.Cents().Cents(),
		})
	}
	for _, p := range now.Promotions {
		shown := CoursePromotion{Number: p.Number, Name: p.Name, LeftCents: p.Remaining().Cents(), Paused: p.Paused}
		if policy, ok := line.Book().Promotions(); ok && p.Resting() {
			shown.Rests = policy.TransitionPausesClause
		}
		view.Promotions = append(view.Promotions, shown)
	}
	for _, b := range now.Books {
		view.Rulebooks = append(view.Rulebooks, s.viewAdopted(b))
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}

// actOf shows what a request says, if it says something.
func actOf(a state.Approval) json.RawMessage {
	if a.Says == "" || !json.Valid([]byte(a.Says)) {
		return nil // What is decided at a ball machine is said in words.
	}
	return json.RawMessage(a.Says)
}
