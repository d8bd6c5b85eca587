package house

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"drawhouse/core/contain"
	"drawhouse/core/refusal"
	"drawhouse/decide/game"
	"drawhouse/games/beacon"
	"drawhouse/house/timetable"
)

const (
	// relayPatience bounds how long relays may take to answer, all together.
	relayPatience = 3 * time.Second
	// relayWaitMost is how long the house waits at most before it asks the relays again for a round that they do not have.
	relayWaitMost = time.Minute
	// maxRelayAnswer bounds the answer of a relay.
	maxRelayAnswer = 4096
)

// relayWait is when the relays are asked again for a round that they did not have.
type relayWait struct {
	round uint64
	until time.Time
	wait  time.Duration
}

// passed takes in that the relays did not have a round.
func (w *relayWait) passed(round uint64, now time.Time) {
	if w.round != round {
		*w = relayWait{round: round}
	}
	w.wait = min(max(2*w.wait, time.Second), relayWaitMost)
	w.until = now.Add(w.wait)
}

// askRound has the round of a sealed game recorded: one that somebody has brought, or one that a relay has. A game that
// waits for it is drawn later, and nothing else is drawn in its place.
func (l *Line) askRound(ctx context.Context, g *sealed) error {
	if len(g.Round.Signature) > 0 {
		return nil
	}
	waiting := func(why error) error {
		return fmt.Errorf("house: %w: round %d of the beacon for %v: %w", timetable.ErrNotYet, g.Awaited, g.Name, why)
	}
	now := l.config.Clock.Now()
	at := time.UnixMilli(g.Beacon.At(g.Awaited))
	again := &l.draws.relays
	switch {
	case now.Before(at):
		return waiting(errors.New("it is not due"))
	case again.round == g.Awaited && now.Before(again.until):
		return waiting(errors.New("no relay had it"))
	}
	signature, err := askRelays(ctx, l.config.Relays, g.Beacon, g.Awaited)
	if err == nil {
		err = l.takeRound(ctx, g.Awaited, signature)
	}
	l.tellOfRound(g, err)
	if err != nil {
		again.passed(g.Awaited, now)
		return waiting(err)
	}
	g.Round.Beacon, g.Round.Number, g.Round.Signature = g.Beacon.Name(), g.Awaited, signature
	return nil
}

// tellOfRound tells the log what became of asking for a round, if that is something new.
func (l *Line) tellOfRound(g *sealed, err error) {
	const whom = "round of the beacon"
	switch {
	case err == nil && l.waits.news(whom, ""):
		l.config.Log.Info("the round of the beacon is there", "game", g.Name.String(), "round", g.Awaited)
	case err != nil && l.waits.news(whom, g.Name.String()+": "+err.Error()):
		l.config.Log.Warn("the round of the beacon is not there", "game", g.Name.String(), "round", g.Awaited, "error", err)
	}
}

// askRelays asks all relays at once for a round and returns the first signature that is that of the round.
func askRelays(ctx context.Context, relays []string, chain beacon.Chain, round uint64) ([]byte, error) {
	if len(relays) == 0 {
		return nil, errors.New("no relay was given, see --beacon-relay, and nobody has brought it")
	}
	ctx, cancel := context.WithTimeout(ctx, relayPatience)
	defer cancel()
	type answer struct {
		signature []byte
		err       error
	}
	answers := make(chan answer, len(relays))
	for _, relay := range relays {
		var signature []byte
		contain.Go("asking a relay of the beacon", func() (err error) {
			signature, err = askRelay(ctx, relay, chain, round)
			return err
		}, func(err error) { answers <- answer{signature, err} })
	}
	var errs []error
	for range relays {
		a := <-answers
		if a.err == nil {
			return a.signature, nil
		}
		errs = append(errs, a.err)
	}
	return nil, errors.Join(errs...)
}

// askRelay asks a relay for a round.
func askRelay(ctx context.Context, relay string, chain beacon.Chain, round uint64) ([]byte, error) {
	url := fmt.Sprintf("%s/%s/public/%d", strings.TrimSuffix(relay, "/"), chain.Name(), round)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(io.LimitReader(response.Body, maxRelayAnswer))
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("house: %s answers %s", url, response.Status)
	}
	_, signature, err := beacon.ParseAnswer(data)
	if err != nil {
		return nil, fmt.Errorf("house: %s: %w", url, err)
	}
	if err := chain.CheckRound(round, signature); err != nil {
		return nil, fmt.Errorf("house: %s: %w", url, err)
	}
	return signature, nil
}

// BringRound takes the round of the beacon for a game of the series that waits for it. Anybody may bring it: it proves
// itself. A signature that is wrong is found before it reaches the lane, and only one for which a game waits is looked
// at.
func (l *Line) BringRound(ctx context.Context, round uint64, signature []byte) error {
	var chain beacon.Chain
	err := l.soon(ctx, func(m machine) error {
		series, _ := m.State().Series(l.id)
		for _, g := range series.Unsettled() {
			if g.Round == round && round > 0 && len(g.Signature) == 0 {
				chain = series.Beacon(g)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if chain.Exists() {
		if err := chain.CheckRound(round, signature); err != nil {
			return &refusal.Refusal{Code: game.RoundOther, Path: "signature", Sentence: fmt.Sprintf("It is not the round: %v.", err)}
		}
	}
	return l.takeRound(ctx, round, signature)
}

func (l *Line) takeRound(ctx context.Context, round uint64, signature []byte) error {
	return l.soon(ctx, func(m machine) error { return m.TakeRound(l.now(), l.id, round, signature) })
}

// endLate ends a game whose seal was not cosigned before its round could be known: it is void, and that was decided
// before. Cosignatures that were made in time have as long to arrive as witnesses have to answer.
func (l *Line) endLate(ctx context.Context, g *sealed) error {
	if g.Awaited == 0 {
		return nil
	}
	arrived := time.UnixMilli(g.Beacon.At(g.Awaited)).Add(l.config.Witnesses.Timeout)
	if l.config.Clock.Now().Before(arrived) {
		return nil
	}
	if note, err := l.quorate(ctx, g.ordinal); err != nil || note != nil {
		return err
	}
	if err := l.do(ctx, func(m machine) error { return m.VoidLate(l.now(), l.id, g.ordinal) }); err != nil {
		return err
	}
	l.config.Log.Error("a game is void: its seal was not cosigned before its round could be known", "game", g.Name.String(),
		"round", g.Awaited)
	return fmt.Errorf("house: %w: %v is void: its seal was not cosigned in time", timetable.ErrNotYet, g.Name)
}
