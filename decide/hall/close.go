package hall

import (
	"time"

	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// PutSign puts up the sign with the time at which a session will close.
//
//rule:nsw-bingo-2019 9.8
func PutSign(s *state.State, c record.SessionClosing, now record.Time) (*record.SessionClosing, error) {
	r, session, err := sessionOf(s, c.Session)
	if err != nil {
		return nil, err
	}
	if err := needRank(c.By, record.RankSupervisor, "9.8"); err != nil {
		return nil, err
	}
	if session.Phase == state.SessionClosed {
		return nil, refuse(SessionPhase, "9.8", "session", "Session %d is closed.", c.Session.Session)
	}
	minutes := r.rules.Session().ClosureMinutes
	if c.At < now+record.Time((time.Duration(minutes)*time.Minute).Milliseconds()) {
		return nil, refuse(SignTooLate, "9.8", "at",
			"The sign is up for at least %d minutes before the closure.", minutes)
	}
	return &c, nil
}

// Close ends a session: when all its games are over, or early at the time on the
// sign, between two games. Prizes of games that are not played then roll into the
// next session. All electronic cards have come back.
//
//rule:nsw-bingo-2019 3.2.2 9.8
func Close(s *state.State, ref record.HallSession, now record.Time, by record.By) (*record.SessionClosed, error) {
	r, session, err := sessionOf(s, ref)
	if err != nil {
		return nil, err
	}
	if session.Phase == state.SessionClosed {
		return nil, refuse(SessionPhase, "", "session", "Session %d is closed.", ref.Session)
	}
	if session.Phase == state.SessionEntering && session.Paying() == 0 {
		return nil, refuse(SessionPhase, "4.1", "session", "Nobody has entered session %d: cancel it.", ref.Session)
	}
	closed := &record.SessionClosed{Session: ref, By: by}
	if game, left := session.Current(); left {
		if err := r.checkEarly(session, game, now, by); err != nil {
			return nil, err
		}
		closed.Early = true
		if closed.Rolled, err = planned(session, int(game.Number)-1, nil); err != nil {
			return nil, err
		}
	}
	if err := checkReturned(session); err != nil {
		return nil, err
	}
	return closed, nil
}

// checkReturned refuses to end a session while one of its electronic cards is out: nobody could
// take it back afterwards.
//
//rule:nsw-bingo-2019 3.2.2
func checkReturned(session *state.Session) error {
	for _, d := range session.Devices {
		if !d.Back {
			return refuse(DeviceOut, "3.2.2", "session",
				"Electronic card %d was not returned, and nobody said that it is missing.", d.ID)
		}
	}
	return nil
}

// checkEarly reports why a session cannot be closed before its end.
//
//rule:nsw-bingo-2019 9.8
func (r room) checkEarly(session *state.Session, game *state.BingoGame, now record.Time, by record.By) error {
	if err := needRank(by, record.RankSupervisor, "9.8"); err != nil {
		return err
	}
	if session.ClosesAt == 0 || now < session.ClosesAt {
		return refuse(NotSigned, "9.8", "session",
			"A session closes at the time on a sign that was up for at least %d minutes.",
			r.rules.Session().ClosureMinutes)
	}
	if game.Phase != state.BingoWaiting {
		return refuse(GameNotReady, "9.8", "session", "Game %d is played to its end first.", game.Number)
	}
	return nil
}
