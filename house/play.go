package house

import (
	"context"
	"errors"
	"fmt"
	"time"

	"drawhouse/core/contain"
	"drawhouse/core/refusal"
	"drawhouse/decide/game"
	"drawhouse/games/draw"
	"drawhouse/games/draw/cage"
	"drawhouse/house/timetable"
	"drawhouse/journal/lane"
)

const (
	// retryLeast and retryMost bound the time between two tries of a step that fails. The
	// time doubles with each try.
	retryLeast = time.Second
	retryMost  = 30 * time.Second

	// heldLeast and heldMost bound the time for which a step is not tried that has panicked
	// on the lane again after the journal was opened anew. The time doubles with each panic:
	// while the journal is opened anew nothing is sold.
	heldLeast = time.Minute
	heldMost  = time.Hour

	// alarmAfter is how long a series may wait for a device, a witness or a custodian
	// before that is an alarm. Each of them is started anew in less.
	alarmAfter = time.Minute

	// deviceEvery is the time between two questions to the device whether it is there, and
	// devicePatience how long the answer may take.
	deviceEvery    = 5 * time.Second
	devicePatience = 3 * time.Second
)

// lookForSeries is how often PlayAll looks for a series that has begun.
const lookForSeries = time.Second

// PlayAll plays every series of the house, each as PlayOn does, and those that begin meanwhile. The first
// series has the given rhythm, and others the same with their own time between two games. PlayAll returns
// when the context ends, the house is closed or a series cannot go on.
func (h *House) PlayAll(ctx context.Context, rhythm timetable.Config) error {
	if err := rhythm.Check(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	h.Go(ctx, PartDevice, "asking the device", h.watchDevice)
	h.Go(ctx, PartKeys, "proving keys", h.watchKeys)
	tick := time.NewTicker(lookForSeries)
	defer tick.Stop()
	running, ended := map[uint8]<-chan struct{}{}, make(chan error)
	for {
		for _, l := range h.Lines() {
			if running[l.id] != nil {
				continue
			}
			running[l.id] = h.Go(ctx, SeriesPart(l.id), "running the games", func(ctx context.Context) {
				err := l.PlayOn(ctx, l.rhythm(rhythm))
				select {
				case ended <- err:
				case <-ctx.Done():
				}
			})
		}
		select {
		case <-tick.C:
			continue
		case err := <-ended:
			cancel()
			wait(running)
			return err
		case <-ctx.Done():
			wait(running)
			return context.Cause(ctx)
		}
	}
}

// wait waits until all series have stopped.
func wait(running map[uint8]<-chan struct{}) {
	for _, done := range running {
		<-done
	}
}

// rhythm returns the rhythm of the series in a house of some rhythm. A show that would be longer than half of the time
// between two games is shorter here.
func (l *Line) rhythm(of timetable.Config) timetable.Config {
	now := l.seen()
	_, of.Numbers = now.sale.book.Numbers()
	if now.course.Interval == 0 {
		return of
	}
	of.Interval = now.course.Interval
	if show := of.Lead + time.Duration(of.Numbers)*of.Ball; 2*show > of.Interval {
		of.Lead = time.Duration(float64(of.Lead) * float64(of.Interval) / float64(2*show))
		of.Ball = time.Duration(float64(of.Ball) * float64(of.Interval) / float64(2*show))
	}
	return of
}

// PlayOn runs the games as Play does, but a step that fails or panics does not end it: the
// step raises an alarm of its series and is tried again, and everything else of the house
// goes on. PlayOn returns when the context ends or the house is closed.
func (l *Line) PlayOn(ctx context.Context, rhythm timetable.Config) error {
	if err := rhythm.Check(); err != nil {
		return err
	}
	defer l.leavePlaying()
	for {
		plan, err := l.playOnce(ctx, rhythm)
		switch {
		case ctx.Err() != nil:
			if panickedItself(err) {
				l.took(plan, err) // The lane has stopped by that, and the games with it.
			}
			return context.Cause(ctx)
		case err != nil && plan.Step == timetable.Wait, l.isClosed(err):
			return err
		}
		if wait := l.took(plan, err); wait > 0 {
			if err := l.config.Clock.WaitUntil(ctx, l.config.Clock.Now().Add(wait)); err != nil {
				return err
			}
		}
	}
}

// isClosed reports whether an error is that the house was closed in good order. A lane that
// has stopped by itself begins again.
func (h *House) isClosed(err error) bool {
	return errors.Is(err, lane.ErrStopped) && h.lane.Err() == nil
}

// playOnce makes the step that is due.
func (l *Line) playOnce(ctx context.Context, rhythm timetable.Config) (plan timetable.Plan, err error) {
	plan.Step = timetable.Look
	defer func() {
		if r := recover(); r != nil {
			err = l.caught(contain.Recovered("the timetable", r))
		}
	}()
	defer func() {
		if err == nil && changesNumbers[plan.Step] {
			l.watchNumbers(ctx, rhythm)
		}
	}()
	if l.stands.until.IsZero() {
		return timetable.Once(ctx, rhythm, player{l}, l.config.Clock)
	}
	if plan, err = timetable.Due(ctx, rhythm, player{l}, l.config.Clock); err != nil {
		return plan, err
	}
	if stepOf(plan) == l.stands.step && l.config.Clock.Now().Before(l.stands.until) {
		return plan, errHeld
	}
	l.stands.until = time.Time{} // It is time, or persons have changed what is due.
	return timetable.Once(ctx, rhythm, player{l}, l.config.Clock)
}

// changesNumbers are the steps after which a Keno Day has other numbers of games left.
var changesNumbers = map[timetable.Step]bool{timetable.OpenDay: true, timetable.OpenGame: true,
	timetable.TurnGame: true, timetable.CloseGame: true, timetable.CloseDay: true}

// numbering is the key of the alarm that the numbers of games do not last for the day.
const numbering = "numbering"

// watchNumbers raises an alarm when the numbers of games end before the Keno Day does: then nothing is played until
// the next one.
func (l *Line) watchNumbers(ctx context.Context, rhythm timetable.Config) {
	view, err := l.View(ctx)
	if err != nil {
		return // The next step says why.
	}
	if !rhythm.RunsOut(view, l.config.Clock.Now()) {
		l.Clear(SeriesPart(l.id), numbering)
		return
	}
	last := l.seen().sale.book.Games().Numbering.Last
	sentence := fmt.Sprintf("Keno Day %v of series %d nears game %d, the last number that a day has. After it nothing is played until the next Keno Day.",
		view.Day, l.id, last)
	if view.Numbers == 0 {
		sentence = fmt.Sprintf("Keno Day %v of series %d has given its last number, %d. No further game opens until the next Keno Day.",
			view.Day, l.id, last)
	}
	l.Raise(SeriesPart(l.id), numbering, sentence,
		"Tell players and venues. From the next start on, let games close less often (serve --interval), so that a day needs fewer numbers.")
}

// HeldFor returns how long something is not tried that has panicked on the lane so often.
func HeldFor(panics int) time.Duration {
	return min(heldLeast<<min(max(panics-1, 0), 10), heldMost)
}

// errHeld is why a step that has panicked twice on the lane is not tried now.
var errHeld = errors.New("the step is not tried now")

func stepOf(p timetable.Plan) string { return fmt.Sprintf("%v %d", p.Step, p.Ordinal) }

// leavePlaying ends the alarm when the games are played no more, but that of a step which
// panics: the house opens its journal anew after that, and plays on.
func (l *Line) leavePlaying() {
	if l.stands.panics == 0 {
		l.stands = standstill{}
		l.Clear(SeriesPart(l.id), playing)
	}
}

// standstill is a step of a series that does not pass. It outlives the reopening of the
// journal, and belongs to the one PlayOn that runs.
type standstill struct {
	step  string // which one; empty while the series goes on
	since time.Time
	wait  time.Duration // before the next try
	// panics counts how often the step has panicked on the lane, each of which had the
	// journal opened anew, and until is when the step is tried again after that.
	panics int
	until  time.Time
}

// took takes in what became of a step and returns how long to wait before the next. A step
// that passes, a wait for the next close and a pause all end the alarm: the series stands
// still no longer, or because persons want it to.
func (l *Line) took(plan timetable.Plan, err error) time.Duration {
	s := &l.stands
	if err == nil {
		if s.step != "" {
			*s = standstill{}
			l.Clear(SeriesPart(l.id), playing)
		}
		return 0
	}
	now := l.config.Clock.Now()
	if errors.Is(err, errHeld) {
		return retryLeast
	}
	if passes(err) && s.panics > 0 {
		return retryLeast // The journal is opened anew.
	}
	if step := stepOf(plan); s.step != step {
		*s = standstill{step: step, since: now}
	}
	if panickedItself(err) {
		if s.panics++; s.panics > 1 {
			s.until = now.Add(HeldFor(s.panics - 1))
		}
	}
	if passes(err) {
		// The house stands still for everybody, or many ask at once: no fault of the series.
		if errors.Is(err, lane.ErrBusy) && now.Sub(s.since) >= alarmAfter {
			l.raisePlaying(plan, err)
		}
		return retryLeast
	}
	if errors.Is(err, timetable.ErrNotYet) {
		if now.Sub(s.since) >= alarmAfter && !errors.Is(err, draw.ErrNotEntered) {
			l.raisePlaying(plan, err)
		}
		return retryLeast
	}
	l.raisePlaying(plan, err)
	s.wait = min(max(2*s.wait, retryLeast), retryMost)
	return s.wait
}

// panickedItself reports whether a command panicked, and not one that stood beside it.
func panickedItself(err error) bool {
	return errors.Is(err, lane.ErrPanicked) && !errors.Is(err, lane.ErrStopped)
}

// passes reports whether an error is one of the lane that passes without anybody looking at
// the series: the lane is full, or has stopped and begins again behind what is durable. A
// step of which nobody knows whether it was stored is looked for there.
func passes(err error) bool {
	return errors.Is(err, lane.ErrBusy) || errors.Is(err, lane.ErrStopped) || errors.Is(err, lane.ErrUnknown)
}

// playing is the key of the alarm that a series stands still.
const playing = "playing"

// raisePlaying raises the alarm that a step of the series does not pass.
func (l *Line) raisePlaying(plan timetable.Plan, err error) {
	what := fmt.Sprintf("Series %d stands still at the step %q", l.id, plan.Step)
	if plan.Ordinal != 0 {
		what = fmt.Sprintf("%s of game id %d", what, plan.Ordinal)
	}
	sentence, remedy := fmt.Sprintf("%s: %s", what,
		reason(err)), "The step is tried again by itself. Do what the reason asks for. Sales go on."
	switch {
	case errors.Is(err, timetable.ErrClock):
		sentence = what + ": the clock of the machine is behind the newest record."
		remedy = "Set the clock right. The games go on when it has passed the time of the newest record."
	case panickedItself(err), errors.Is(err, contain.ErrPanicked):
		remedy = "The program has a defect: keep the log, which has the stack. The step is tried again. If it goes on failing, pause the series and void the game by two persons (RUNBOOK, A series stands still)."
	case refusedWith(err, cage.NotRectified):
		remedy = "Two persons say that the computer is put right: the act rectified at the ball machine (command attend-cage). Sales go on, and the game is drawn then."
	case refusedWith(err, game.ResultRepeated):
		remedy = "Look at the device and at its log. If it works as it should, two persons confirm the result in the office, under Ask for something. If not, two persons declare the draw void: the draw of a ball machine on the page of the ball machine, any other in the office."
	case errors.Is(err, timetable.ErrNotYet):
		remedy = "Start the device, the witness or the custodian that the reason names, or restore the connection to it. Sales go on, and the game is drawn then."
	}
	l.Raise(SeriesPart(l.id), playing, sentence, remedy)
}

// refusedWith reports whether a step is refused with a code.
func refusedWith(err error, code refusal.Code) bool {
	var refused *refusal.Refusal
	return errors.As(err, &refused) && refused.Code == code
}

// answers is the key of the alarm that the device does not.
const answers = "answers"

// watchDevice asks the device now and then whether it is there, so that a device that is
// away is known before a game waits for it.
func (h *House) watchDevice(ctx context.Context) {
	tick := time.NewTicker(deviceEvery)
	defer tick.Stop()
	for {
		h.askDevice(ctx)
		select {
		case <-tick.C:
		case <-ctx.Done():
			h.Clear(PartDevice, answers)
			return
		}
	}
}

func (h *House) askDevice(ctx context.Context) {
	asking, cancel := context.WithTimeout(ctx, devicePatience)
	defer cancel()
	err := h.safely("asking the device", func() error { return h.DeviceErr(asking) })
	switch {
	case ctx.Err() != nil:
	case err != nil:
		h.Raise(PartDevice, answers, "The draw device does not answer: "+reason(err),
			"Start the device, or look at its log. Sales go on, and games wait for the device.")
	default:
		h.Clear(PartDevice, answers)
	}
}
