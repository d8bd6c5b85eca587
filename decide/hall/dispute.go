package hall

import (
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// Raise takes a dispute down. It names a member of the loyalty programme at most.
//
//rule:nsw-bingo-2019 9.10 10.11
func Raise(s *state.State, d record.DisputeRaised) (*record.DisputeRaised, error) {
	r, err := roomOf(s, d.Hall)
	if err != nil {
		return nil, err
	}
	if d.Subject == "" {
		return nil, refuse(ReasonMissing, "9.10", "subject", "A dispute is about something.")
	}
	session, ok := r.Session(d.Session)
	if d.Session != 0 && (!ok || int(d.Game) > len(session.Games)) {
		return nil, refuse(SessionUnknown, "9.10", "session",
			"There is no session %d, or it has no game %d.", d.Session, d.Game)
	}
	if _, ok := r.Offer(d.Offer); d.Offer != 0 && !ok {
		return nil, refuse(OfferUnknown, "10.11", "promotion", "There is no promotion %d.", d.Offer)
	}
	d.Dispute = uint32(len(r.Disputes) + 1)
	return &d, nil
}

// Move takes a dispute one step on: a supervisor decides it, a review is asked for, a
// casino supervisor who did not decide it reviews it, and the person who is not
// satisfied is told of the right to complain to an inspector.
//
//rule:nsw-bingo-2019 9.10 9.11 10.11
func Move(s *state.State, m record.DisputeMoved) (*record.DisputeMoved, error) {
	r, err := roomOf(s, m.Hall)
	if err != nil {
		return nil, err
	}
	if m.Dispute == 0 || int(m.Dispute) > len(r.Disputes) {
		return nil, refuse(DisputeUnknown, "9.10", "dispute", "There is no dispute %d.", m.Dispute)
	}
	d := &r.Disputes[m.Dispute-1]
	last := d.Step()
	turn := func(clause, sentence string) error {
		return &refusal.Refusal{Code: DisputeTurn, Clause: clause, Path: "step", Sentence: sentence}
	}
	switch {
	case m.Step == record.StepDecided && last != 0:
		return nil, turn("9.10", "The dispute was decided.")
	case m.Step == record.StepReview && !d.MayReview():
		return nil, turn("9.10", "A review is asked for after the first decision, and once.")
	case m.Step == record.StepReviewed && last != record.StepReview:
		return nil, turn("9.10", "Nobody has asked for a review.")
	case m.Step == record.StepAdvised && last != record.StepDecided && last != record.StepReviewed:
		return nil, turn("9.11", "The right to complain to an inspector is told with the decision.")
	}
	if err := checkDecider(d, &m); err != nil {
		return nil, err
	}
	return &m, nil
}

// checkDecider checks who decides, and that something is decided.
//
//rule:nsw-bingo-2019 9.10
func checkDecider(d *state.Dispute, m *record.DisputeMoved) error {
	need := map[record.DisputeStep]record.Rank{record.StepDecided: record.RankSupervisor,
		record.StepReviewed: record.RankCasino}[m.Step]
	if need == 0 {
		m.Text = ""
		return nil
	}
	if err := needRank(m.By, need, "9.10"); err != nil {
		return err
	}
	if m.Text == "" {
		return refuse(ReasonMissing, "9.10", "text", "A decision says what it is.")
	}
	if m.Step == record.StepReviewed && d.Steps[0].By.Person == m.By.Person {
		return refuse(DisputeTurn, "9.10", "by", "Person %d decided the dispute and cannot review it.", m.By.Person)
	}
	return nil
}

// Note keeps what a supervisor saw or ordered.
func Note(s *state.State, n record.IncidentNoted) (*record.IncidentNoted, error) {
	_, session, err := sessionOf(s, n.Session)
	if err != nil {
		return nil, err
	}
	if err := needRank(n.By, record.RankSupervisor, ""); err != nil {
		return nil, err
	}
	if _, ok := session.Player(n.Player); n.Player != 0 && !ok {
		return nil, refuse(PlayerUnknown, "", "player", "Session %d has no player %d.", n.Session.Session, n.Player)
	}
	if n.Text == "" {
		return nil, refuse(ReasonMissing, "", "text", "An incident needs a text.")
	}
	return &n, nil
}
