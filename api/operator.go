package api

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/books"
	"drawhouse/day"
	"drawhouse/engine"
	"drawhouse/house"
	"drawhouse/keno"
	"drawhouse/refusal"
	"drawhouse/rulebook"
	"drawhouse/rules"
	"drawhouse/state"
)

// Operator is a house whose games somebody runs; *house.House is one. What it returns
// without an error is durable.
type Operator interface {
	// Ask asks another person to consent to an act and returns the number of the
	// request; Operate does the act then.
	Ask(ctx context.Context, by uint32, act engine.Act) (uint32, error)
	Operate(ctx context.Context, by, approval uint32) (engine.Act, error)
	// Foresee says what requests would do if they were done now.
	Foresee(ctx context.Context, requests []state.Approval) ([]engine.Prospect, error)
	Pause(ctx context.Context, reason string, by uint32) error
	Resume(ctx context.Context, by uint32) error
	ShowNotice(ctx context.Context, text string, by uint32) error
	Course(ctx context.Context) (house.Course, error)
	// Sales returns what is being sold, and the others the books of some days.
	Sales(ctx context.Context, venue uint32) (house.Sales, error)
	DayBooks(ctx context.Context, most int) ([]*books.Book, error)
	BooksBetween(ctx context.Context, from, to day.Day) ([]*books.Book, error)
}

// RulebookID is the body with which a rulebook is to be adopted.
type RulebookID struct {
	ID string `json:"id" doc:"Id of a rulebook that the program has."`
}

// DayName is the body with which a Keno Day is to be opened or closed.
type DayName struct {
	Day string `json:"day" doc:"A date."`
}

// Closure is the body with which the early end of trading is asked for.
type Closure struct {
	At time.Time `json:"at" doc:"When trading ends. The rulebook says how long before players must be told."`
}

// PlayerNotice is the body with which players are told something.
type PlayerNotice struct {
	Text string `json:"text" doc:"One line; empty takes the notice down."`
}

// Operated is what was done.
type Operated struct {
	Action string `json:"action"`
	Act    any    `json:"act" doc:"What was done, as the request said it."`
}

// operatorRoutes registers what the operator does. A route of an act asks for it: the
// answer is a request that another person decides, and then use-approval does it. What
// stops play, or lets it go on, one person does at once.
func (s *server) operatorRoutes() {
	ask[engine.ChangeTerms](s, "change-terms", "/v1/operator/terms", "Ask for another rulebook or schedule from a game on")
	ask[engine.DesignateGame](s, "designate-game", "/v1/operator/designations", "Ask for a game of delayed start")
	ask[engine.VoidDraw](s, "void-draw", "/v1/operator/draws/void", "Ask for the numbers of a draw not to count: the game is drawn again")
	ask[engine.ConfirmResult](s, "confirm-result", "/v1/operator/draws/repeats", "Ask for a result to stand although it equals a recent one")
	ask[engine.VoidGame](s, "void-game", "/v1/operator/games/void", "Ask for a game without a result: its plays go to the next, or stakes go back")
	ask[engine.CorrectResult](s, "correct-result", "/v1/operator/results/corrections", "Ask for a game to be settled anew by the numbers that were drawn")
	ask[engine.NameParticipants](s, "name-participants", "/v1/operator/participants", "Ask for others to share the jackpots from a game on")
	ask[engine.ReportJackpot](s, "report-jackpot", "/v1/operator/reports", "Ask for a report of another jurisdiction to be taken in")
	ask[engine.ShareJackpots](s, "share-jackpots", "/v1/operator/shares", "Ask for the pooled jackpots of a game to be shared")
	ask[engine.MovePool](s, "move-pool", "/v1/operator/pools/moves", "Ask for jackpot money to be moved")
	ask[engine.GiveAside](s, "give-aside", "/v1/operator/pools/gifts", "Ask for money that was set aside to be shared among winners")
	ask[engine.MigratePools](s, "migrate-pools", "/v1/operator/pools/migrations", "Ask for the jackpots of a series that ends to be taken in")
	ask[engine.MigrateBonus](s, "migrate-bonus", "/v1/operator/promotions/migrations", "Ask for the bonus prize pool of a series that ends to be taken in")
	ask[engine.BeginPromotion](s, "begin-promotion", "/v1/operator/promotions", "Ask for a prize beyond the schedules")
	ask[engine.ChangePromotion](s, "change-promotion", "/v1/operator/promotions/changes", "Ask for a promotion to pause, go on or end")
	ask[engine.GivePaper](s, "give-paper", "/v1/operator/papers", "Ask for a terminal to issue a paper at the operator's expense")
	ask[engine.AppointInspector](s, "appoint-inspector", "/v1/operator/inspectors", "Ask for somebody to be made an inspector")
	ask[engine.DismissInspector](s, "dismiss-inspector", "/v1/operator/inspectors/dismissals", "Ask for the role to be taken from an inspector")
	ask[engine.LockInspector](s, "lock-inspector", "/v1/operator/inspectors/locks", "Ask for an inspector to be locked, or let back in")
	askAs(s, "adopt-rulebook", "/v1/operator/rulebooks", "Ask for a rulebook of the program to be adopted", s.adoption)
	askAs(s, "open-day", "/v1/operator/days", "Ask for a Keno Day to be opened by hand", s.opening)
	askAs(s, "close-day", "/v1/operator/days/close", "Ask for the Keno Day to be closed by hand", func(d DayName) (engine.Act, error) { return engine.CloseDay{Day: d.Day}, nil })
	askAs(s, "announce-closure", "/v1/operator/closure", "Ask for players to be told that trading ends early", func(c Closure) (engine.Act, error) {
		return engine.AnnounceClosure{At: c.At.UTC().Truncate(time.Millisecond).Format(time.RFC3339Nano)}, nil
	})

	one := []*huma.Param{{Name: "approval", In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeInteger}}}
	s.handle(s.operation("use-approval", http.MethodPost, "/v1/approvals/{approval}/use", "Do what another person has consented to", "operator", one, nil, Operated{}), s.useApproval)
	s.handle(s.operation("pause", http.MethodPost, "/v1/operator/pause", "Stop sale and draws", "operator", nil, Reason{}, Done{}), withBody(s.pause))
	s.handle(s.operation("resume", http.MethodPost, "/v1/operator/resume", "Let sale and draws go on", "operator", nil, nil, Done{}), s.resume)
	s.handle(s.operation("show-notice", http.MethodPut, "/v1/operator/notice", "Tell players something on every screen, or take it down", "operator", nil, PlayerNotice{}, Done{}), withBody(s.showNotice))
	s.handle(s.operation("get-course", http.MethodGet, "/v1/operator", "How the games stand", "operator", nil, nil, Course{}), s.getCourse)
}

// ask registers the request for an act whose body is the act itself.
func ask[A engine.Act](s *server, id, path, summary string) {
	askAs(s, id, path, summary, func(act A) (engine.Act, error) { return act, nil })
}

// askAs registers the request for an act that a body comes to.
func askAs[B any](s *server, id, path, summary string, actOf func(B) (engine.Act, error)) {
	var empty B
	s.handle(s.operation(id, http.MethodPost, path, summary, "operator", nil, empty, Approval{}), withBody(func(w http.ResponseWriter, r *http.Request, body B) error {
		act, err := actOf(body)
		if err != nil {
			return err
		}
		if _, looksBack := act.(engine.CorrectResult); looksBack {
			if err := unhurried(w); err != nil {
				return err
			}
		}
		return s.askFor(w, r, act)
	}))
}

// askFor asks another person to consent to an act, and shows the request.
func (s *server) askFor(w http.ResponseWriter, r *http.Request, act engine.Act) error {
	number, err := s.house.Ask(r.Context(), callerOf(r).person.ID, act)
	if err != nil {
		return err
	}
	return s.showApproval(w, r, number)
}

func (s *server) adoption(body RulebookID) (engine.Act, error) {
	book, err := rules.Book(body.ID)
	if err != nil {
		return nil, &refusal.Refusal{Code: RulebookUnknown, Path: "id", Sentence: "The program has no such rulebook."}
	}
	return engine.AdoptRulebook{ID: book.ID(), Hash: book.Hash().String()}, nil
}

// opening says what local clocks add to UTC at noon of the day: on a day on which they
// are set, that is what they show for most of its games.
func (s *server) opening(body DayName) (engine.Act, error) {
	d, err := day.Parse(body.Day)
	if err != nil {
		return nil, &refusal.Refusal{Code: keno.FieldValue, Path: "day", Sentence: "The value must be a date such as 2026-11-15."}
	}
	const noon = 12
	year, month, dom := d.Date()
	_, offset := time.Date(year, time.Month(month), dom, noon, 0, 0, 0, s.zone).Zone()
	return engine.OpenDay{Day: d.String(), OffsetSeconds: int32(offset)}, nil
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
	s.writeJSON(w, r, http.StatusOK, Operated{Action: act.Action(), Act: act})
	return nil
}

func (s *server) pause(w http.ResponseWriter, r *http.Request, body Reason) error {
	return s.did(w, r, s.house.Pause(r.Context(), body.Reason, callerOf(r).person.ID))
}

func (s *server) resume(w http.ResponseWriter, r *http.Request) error {
	return s.did(w, r, s.house.Resume(r.Context(), callerOf(r).person.ID))
}

func (s *server) showNotice(w http.ResponseWriter, r *http.Request, body PlayerNotice) error {
	return s.did(w, r, s.house.ShowNotice(r.Context(), body.Text, callerOf(r).person.ID))
}

// did answers that one record came of it.
func (s *server) did(w http.ResponseWriter, r *http.Request, err error) error {
	if err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, Done{Records: 1})
	return nil
}

// Course is how the games stand.
type Course struct {
	Day        string            `json:"day,omitempty" doc:"The Keno Day that is open, or was last."`
	DayOpen    bool              `json:"day_open"`
	Paused     bool              `json:"paused"`
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
}

func (s *server) getCourse(w http.ResponseWriter, r *http.Request) error {
	now, err := s.house.Course(r.Context())
	if err != nil {
		return err
	}
	view := Course{
		DayOpen: now.DayOpen, Paused: now.Paused, OnSale: now.OnSale, Newest: now.Newest, Unsettled: []uint32{}, Waiting: []uint32{},
		Changes: aheadOf(now), Pools: []CoursePool{}, Promotions: []CoursePromotion{}, BonusCents: now.BonusPool.Cents(), Rulebooks: []Rulebook{},
	}
	if now.Day.IsValid() {
		view.Day = now.Day.String()
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
		view.Promotions = append(view.Promotions, CoursePromotion{Number: p.Number, Name: p.Name, LeftCents: p.Remaining().Cents(), Paused: p.Paused})
	}
	for _, b := range now.Books {
		view.Rulebooks = append(view.Rulebooks, viewRulebook(b))
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
