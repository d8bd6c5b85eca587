package api

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// Approval is a request for another person's consent.
type Approval struct {
	Number  uint32    `json:"number"`
	Action  string    `json:"action"`
	Series  uint8     `json:"series,omitempty" doc:"Number of the series of games that it is about; absent for requests about none."`
	Content string    `json:"content" doc:"Hash of what would be done, 64 hexadecimal digits."`
	Roles   []string  `json:"roles" doc:"Of which the one who consents must have one."`
	By      uint32    `json:"by"`
	ByName  string    `json:"by_name,omitempty" doc:"Name of who asked; absent where the register has forgotten it."`
	Expires time.Time `json:"expires"`
	Decided bool      `json:"decided"`
	Granted bool      `json:"granted"`
	Decider uint32    `json:"decider,omitempty" doc:"Who decided; who asked, where the request was withdrawn."`
	// The names are the register's and in no record.
	DeciderName string   `json:"decider_name,omitempty"`
	Withdrawn   bool     `json:"withdrawn,omitempty" doc:"Who asked does not want it any more."`
	Used        bool     `json:"used"`
	Act         any      `json:"act,omitempty" doc:"What would be done, of which the content is the hash; absent where that is private. The text of a file is not here: get-approval-file has it, and text_sha256 is its hash."`
	Does        string   `json:"does,omitempty" doc:"The same in words."`
	Effects     []string `json:"effects,omitempty" doc:"What would come of it if it were done now: money that moves, prizes and papers that are swept, what becomes of plays. Absent once it is used or has run out."`
	Refused     string   `json:"refused,omitempty" doc:"Why it could not be done now, if it could not."`
	// About is what the numbers in the act stand for.
	About *ApprovalAbout `json:"about,omitempty" doc:"Of which game and which person it is, where it is of one."`
}

// ApprovalAbout is what a request is about, as people know it.
type ApprovalAbout struct {
	Game   *Game  `json:"game,omitempty" doc:"The game that it names by its place in the series, with what was sold for it."`
	Person string `json:"person,omitempty" doc:"Name of the person that it is about."`
}

// Approvals are the requests for consent that concern who asks: those of the own role and
// venue.
type Approvals struct {
	Approvals []Approval `json:"approvals" doc:"Newest first."`
	Page
}

// ApprovalFile is the text that a request would have the house take in.
type ApprovalFile struct {
	Text   string `json:"text" doc:"The whole file."`
	SHA256 string `json:"sha256" doc:"Hash of the text, 64 hexadecimal digits."`
}

// ApprovalRequest is the body with which somebody asks for consent.
type ApprovalRequest struct {
	Action string `json:"action" enum:"erase_person" doc:"Everything else that two persons must want has an operation of its own, which tries it."`
	Person uint32 `json:"person,omitempty" doc:"Who is to be erased."`
	Reason string `json:"reason,omitempty"`
}

// ApprovalDecision is the body with which another person decides.
type ApprovalDecision struct {
	Content string `json:"content" doc:"The hash that was shown."`
	Granted bool   `json:"granted" doc:"Who asked cannot consent; with false who asked withdraws the request, until it is used."`
}

// approvalRoutes registers what two persons must want.
func (s *server) approvalRoutes() {
	s.serve(route{
		name: "list-approvals", path: "/v1/approvals", says: "Requests for consent", tag: "people", who: reporting,
		query: paged("requests", usualApprovals, mostApprovals), out: Approvals{},
	}, s.listApprovals)
	s.serve(route{
		name: "get-approval-file", path: "/v1/approvals/{approval}/file",
		says: "The text of a file that two persons are to agree on",
		tag:  "people", who: offices, refuses: "approval_unknown", out: ApprovalFile{},
	}, s.getApprovalFile)
	s.serve(route{
		alone: "it asks",
		name:  "request-approval", method: http.MethodPost, path: "/v1/approvals",
		says: "Ask another person to consent", tag: "people", who: employed, refuses: "action_unknown action_unsaid last_of_role on_shift person_unknown reason_missing",
		in: ApprovalRequest{}, out: Approval{}, again: s.showRequest,
	}, s.requestApproval)
	s.serve(route{
		alone: "it consents, and not to one's own request",
		name:  "decide-approval", method: http.MethodPost, path: "/v1/approvals/{approval}/decision",
		says: "Consent or refuse, or withdraw one's own", tag: "people", who: reporting,
		refuses: "approval_other approval_over approval_own approval_unknown day_not_over venue_other", in: ApprovalDecision{},
		out: Approval{},
	}, s.decideApproval)
}

func (s *server) viewApproval(r *http.Request, a state.Approval) Approval {
	view := Approval{
		Number: a.Approval, Action: a.Action, Content: hex.EncodeToString(a.Content[:]), By: a.By,
		Expires: s.time(a.Expires),
		Decided: a.Decided, Granted: a.Granted, Decider: a.Decider, Used: a.Used, Withdrawn: a.Decided &&
			a.Decider == a.By,
	}
	view.ByName, view.DeciderName, view.About = s.nameOf(r.Context(), a.By), s.nameOf(r.Context(),
		a.Decider), s.aboutOf(r, a)
	view.Series = s.house.SeriesAsked(a.ApprovalRequested)
	if act := actOf(a); act != nil {
		view.Act = withoutText(a.Action, act)
	}
	for _, role := range a.Roles {
		view.Roles = append(view.Roles, string(role))
	}
	return view
}

// withoutText returns what a request says, with the hash of a file's text in place of the text: that is long, and who
// lists requests seldom reads it.
func withoutText(action string, act json.RawMessage) any {
	var says map[string]any
	if !record.SaysFile(action) || json.Unmarshal(act, &says) != nil {
		return act
	}
	text, _ := says["text"].(string)
	delete(says, "text")
	says["text_sha256"] = fmt.Sprintf("%x", sha256.Sum256([]byte(text)))
	return says
}

// getApprovalFile returns the text of the file that a request is about.
func (s *server) getApprovalFile(w http.ResponseWriter, r *http.Request) error {
	id, err := number32(r, "approval")
	if err != nil {
		return err
	}
	people := s.house.People()
	found, ok := people.Approval(id)
	var says struct{ Text string }
	if !ok || !record.SaysFile(found.Action) || !staff.Concerns(people, callerOf(r).person, found.ApprovalRequested) ||
		json.Unmarshal(actOf(found), &says) != nil {
		return &refusal.Refusal{Code: staff.ApprovalUnknown, Path: "approval",
			Sentence: fmt.Sprintf("There is no request %d about a file.", id)}
	}
	s.writeJSON(w, r, http.StatusOK,
		ApprovalFile{Text: says.Text, SHA256: fmt.Sprintf("%x", sha256.Sum256([]byte(says.Text)))})
	return nil
}

// aboutOf says which game and which person a request names by their numbers.
func (s *server) aboutOf(r *http.Request, a state.Approval) *ApprovalAbout {
	var named struct{ Ordinal, Person uint32 }
	if act := actOf(a); act == nil || json.Unmarshal(act, &named) != nil {
		return nil
	}
	about := ApprovalAbout{Person: s.nameOf(r.Context(), named.Person)}
	if line, err := s.house.Line(s.house.SeriesAsked(a.ApprovalRequested)); err == nil {
		if g, ok := line.GameAt(named.Ordinal); ok {
			game := s.viewGame(g)
			about.Game = &game
		}
	}
	if about == (ApprovalAbout{}) {
		return nil
	}
	return &about
}

// sheetWords says what a request about a ticket at a counter would do, as far as the ticket
// is still one that was not handed over: the record has its hash alone.
func (s *server) sheetWords(r *http.Request, asked record.ApprovalRequested) string {
	place, sold, ok := s.house.AskedSheet(r.Context(), asked)
	number, err := s.house.Serial(place)
	if !ok || err != nil {
		return ""
	}
	ticket := fmt.Sprintf("ticket %v, sold at terminal %d for %v, which was not handed over", number,
		sold.Request.Terminal, sold.CostCents)
	if asked.Action == command.ActionVoid {
		return "Take back " + ticket + ", and give its stakes back."
	}
	return "Print another sheet of " + ticket + ", with another claim code."
}

// clockWords says in the time of the house what a request says in UTC: when trading ends.
func (s *server) clockWords(a state.Approval) string {
	var named struct {
		At time.Time `json:"at"`
	}
	if act := actOf(a); a.Action != command.ActionOf(command.AnnounceClosure{}) || act == nil ||
		json.Unmarshal(act, &named) != nil {
		return ""
	}
	return fmt.Sprintf(" By the clocks of the house (%v) that is %s.", s.zone,
		named.At.In(s.zone).Format("2 January 2006, 15:04:05"))
}

// foresee adds to requests what they would do: of each what it says in words, and of those
// that wait what would come of them now.
func (s *server) foresee(w http.ResponseWriter, r *http.Request, requests []state.Approval, views []Approval) error {
	var waiting []state.Approval
	var at []int
	for i, a := range requests {
		if a.Used || a.Decided && !a.Granted || !s.now().Before(views[i].Expires) {
			continue
		}
		waiting, at = append(waiting, a), append(at, i)
	}
	if len(waiting) == 0 {
		return nil
	}
	// After a start of the house the journal is read once for a correction.
	if slices.ContainsFunc(waiting,
		func(a state.Approval) bool { return a.Action == command.ActionOf(command.CorrectResult{}) }) {
		if err := unhurried(w); err != nil {
			return err
		}
	}
	// Files of rulebooks are read here first, beside the lane.
	rules := make([][]string, len(waiting))
	for i, a := range waiting {
		lines, err := s.ruleEffects(r.Context(), a)
		if err != nil {
			return err
		}
		rules[i] = lines
	}
	prospects, err := s.house.Foresee(r.Context(), waiting)
	if err != nil {
		return err
	}
	for i, p := range prospects {
		view := &views[at[i]]
		if p.Does == "" {
			p.Does = s.sheetWords(r, waiting[i].ApprovalRequested)
		}
		view.Does, view.Effects = p.Does+s.clockWords(waiting[i]), slices.Concat(p.Effects, rules[i])
		if p.Refused != nil {
			view.Refused = p.Refused.Sentence
		}
	}
	return nil
}

// How many requests a page has unless the question says otherwise, and at most.
const usualApprovals, mostApprovals = 100, 200

func (s *server) listApprovals(w http.ResponseWriter, r *http.Request) error {
	after, limit, err := pageAsked(r, usualApprovals, mostApprovals)
	if err != nil {
		return err
	}
	view := Approvals{Approvals: []Approval{}}
	var found []state.Approval
	p := s.house.People()
	for _, a := range slices.Backward(p.Approvals()) {
		if (after == 0 || a.Approval < after) && staff.Concerns(p, callerOf(r).person, a.ApprovalRequested) {
			if found = append(found, a); len(found) > limit {
				break
			}
		}
	}
	found, view.Page = cut(found, limit)
	for _, a := range found {
		view.Approvals = append(view.Approvals, s.viewApproval(r, a))
	}
	if err := s.foresee(w, r, found, view.Approvals); err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}

func (s *server) requestApproval(w http.ResponseWriter, r *http.Request) error {
	var in ApprovalRequest
	err := s.read(w, r, field{name: "action", required: true, read: text(&in.Action)},
		field{name: "person", read: whole(&in.Person, 1)},
		field{name: "reason", read: text(&in.Reason)})
	if err != nil {
		return err
	}
	if _, known := staff.Actions()[in.Action]; known && in.Action != staff.ActionErase {
		return &refusal.Refusal{Code: staff.ActionUnsaid, Path: "action",
			Sentence: "This is asked for by its own operation, with what would be done."}
	}
	erase := staff.Erase{Person: in.Person, Reason: in.Reason}
	requested, err := s.house.Do(r.Context(),
		command.Change{Command: staff.Request{By: callerOf(r).person.ID, Action: in.Action, Content: erase.Content(),
			Erases: erase}}, record.By{})
	if err != nil {
		return err
	}
	return s.showApproval(w, r, staff.RequestNumber(requested))
}

func (s *server) decideApproval(w http.ResponseWriter, r *http.Request) error {
	id, err := number32(r, "approval")
	if err != nil {
		return err
	}
	c := staff.Consent{By: callerOf(r).person.ID, Approval: id}
	if err := s.read(w, r, field{name: "content", required: true, read: hash(&c.Content)},
		field{name: "granted", required: true, read: flag(&c.Granted)}); err != nil {
		return err
	}
	if _, err := s.house.Do(r.Context(), command.Change{Command: c}, record.By{}); err != nil {
		return err
	}
	return s.showApproval(w, r, id)
}

func (s *server) showApproval(w http.ResponseWriter, r *http.Request, id uint32) error {
	found, ok := s.house.People().Approval(id)
	if !ok {
		return &refusal.Refusal{Code: staff.ApprovalUnknown, Path: "approval",
			Sentence: fmt.Sprintf("There is no request %d.", id)}
	}
	view := []Approval{s.viewApproval(r, found)}
	if err := s.foresee(w, r, []state.Approval{found}, view); err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, view[0])
	return nil
}
