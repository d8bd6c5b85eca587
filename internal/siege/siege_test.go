package siege

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"drawhouse/internal/outside"
)

func TestMain(m *testing.M) { outside.Main(m) }

const (
	lengthVariable = "DRAWHOUSE_SIEGE"      // how long, such as 10m; a soak if it is set
	seedVariable   = "DRAWHOUSE_SIEGE_SEED" // of the choices
	shortest       = 8 * time.Second
	besiegers      = 4
	// Terminals that are added for the siege: counter serves one customer after another, and
	// card is the first of the electronic cards of the room.
	spare, display, counter, card = 100, 101, 102, 103
	cards                         = 3
	// rare is how often a kind is accepted at least for which the recipe is sure enough.
	rare = 3
	// lateShare is the part of the interval by which draws may be later than a bare timer.
	lateShare = 4
)

// TestSiege besieges a demonstration house with a bingo room.
func TestSiege(t *testing.T) {
	length, soak := shortest, false
	if text := os.Getenv(lengthVariable); text != "" {
		var err error
		if length, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
		soak = true
	}
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv(seedVariable); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("seed %d", seed)
	w := newWorld(t, seed)
	timer := newBareTimer()
	w.besiege(length)
	w.report(timer, soak)
	w.endure()
}

func newWorld(t *testing.T, seed uint64) *world {
	t.Helper()
	h := outside.Demo(t, append([]string{"--bingo"}, outside.Quick...)...)
	w := &world{
		t: t, h: h, description: describe(t, h), random: rand.New(rand.NewPCG(seed, 1)),
		people:    map[string]*outside.Person{"administrator": h.Admin, "partner": h.Partner},
		terminals: map[int]*outside.Terminal{},
		taken:     map[string]bool{}, strangers: h.From("127.0.0.7"),
		tally: &tally{sent: map[string]int{}, accepted: map[string]int{}, moments: map[string]int{},
			refused: map[string]string{}},
	}
	// The administrator was made before the first count.
	w.tally.accepted["set-up"]++
	for id := 1; id <= 3; id++ {
		w.terminals[id] = h.DemoTerminal(id)
	}
	w.away = h.AddVenue("River Hotel")
	for _, id := range []int{spare, counter} {
		w.terminals[id] = h.AddTerminal(1, "writer")
	}
	for role, grant := range map[string]outside.M{
		"supervisor": {"role": "supervisor"}, "second": {"role": "supervisor"}, "operative": {"role": "operative"},
		"senior": {"role": "senior", "venue": 1}, "writer": {"role": "writer", "venue": 1},
		"dealer": {"role": "writer", "venue": 1}, "cashier": {"role": "writer", "venue": 1},
		"relief": {"role": "writer", "venue": 1},
	} {
		by := h.Admin
		if role == "second" || role == "senior" || role == "operative" {
			by = h.Partner // Those who consent are brought in by another hand.
		}
		w.people[role] = h.AddPersonBy(by, grant)
	}
	inspector := h.AddPersonBy(h.Partner)
	w.people["inspector"] = inspector
	w.look()
	if answer := w.agreed(w.ask("appoint-inspector", h.Admin, outside.M{"person": inspector.Number})); !answer.OK() {
		t.Fatalf("no inspector: %v", answer)
	}
	inspector.SignOn()
	w.rulebook = w.call("list-rules", w.as("supervisor"), nil, nil).Text("in_force")
	for id, name := range map[int]string{1: "writer", 2: "dealer", counter: "cashier"} {
		at := w.terminals[id]
		if answer := w.call("begin-shift", at, outside.M{"terminal": at.ID},
			outside.M{"person": w.people[name].Number, "password": outside.Password}); !answer.OK() {
			t.Fatalf("nobody is on shift at terminal %d: %v", id, answer)
		}
	}
	w.area()
	for _, series := range []string{"S1", "S2", "S3"} {
		file := filepath.Join(t.TempDir(), series)
		outside.Must(t, "cards", "--strips=6", "--series="+series, "--table="+file, "--out="+file+".json")
		table, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		w.tables = append(w.tables, table)
	}
	return w
}

// area makes a part of the venue with a display, and with the electronic cards of its room.
func (w *world) area() {
	w.call("add-area", w.h.Admin, outside.M{"venue": 1}, outside.M{"number": 1, "name": "Front bar"})
	w.terminals[display] = w.h.AddDisplay(1, 1)
	for i := range cards {
		w.terminals[card+i] = w.h.AddDisplay(1, 1)
	}
}

// look learns which game is on sale and how far the others are.
func (w *world) look() {
	board := w.h.Ask(http.MethodGet, "/v1/board", nil)
	all, _ := board.Get("series").([]any)
	if len(all) == 0 {
		return
	}
	series, _ := all[0].(map[string]any)
	moment := "nothing on sale"
	w.mu.Lock()
	defer w.mu.Unlock()
	if open, ok := series["open"].(map[string]any); ok {
		ordinal, _ := open["ordinal"].(float64)
		w.game, moment = int(ordinal), "on sale"
		w.day = fmt.Sprint(open["day"])
	}
	if drawing, _ := series["drawing"].([]any); len(drawing) > 0 {
		game, _ := drawing[0].(map[string]any)
		numbers, _ := game["numbers"].([]any)
		moment = fmt.Sprintf("drawing, %2d numbers", len(numbers))
	}
	w.moment = moment
}

// onSale is the game that is on sale, or was at last.
func (w *world) onSale() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.game
}

func (w *world) today() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.day
}

// tomorrow returns the day after the Keno Day.
func (w *world) tomorrow() string {
	d, err := time.Parse(time.DateOnly, w.today())
	if err != nil {
		w.t.Fatal(err)
	}
	return d.AddDate(0, 0, 1).Format(time.DateOnly)
}

// besiege sends commands until the time is over or the house has ended.
func (w *world) besiege(length time.Duration) {
	ctx, stop := context.WithTimeout(w.t.Context(), length)
	defer stop()
	var all sync.WaitGroup
	goOn := func() bool { return ctx.Err() == nil && w.h.Alive() }
	begun := time.Now()
	all.Go(func() {
		for goOn() {
			w.look()
			w.mu.Lock()
			w.late = time.Since(begun) > length*3/4
			w.mu.Unlock()
			pause(ctx, 50*time.Millisecond)
		}
	})
	all.Go(func() {
		for goOn() {
			pause(ctx, time.Duration(200+w.below(3000))*time.Millisecond)
			pick(w, floods)(w, ctx)
		}
	})
	for range besiegers {
		all.Go(func() {
			for goOn() {
				w.strike()
				if w.chance(8) {
					pause(ctx, time.Duration(w.below(200))*time.Millisecond)
				}
			}
		})
	}
	all.Wait()
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

var recipes = func() map[string]func(*world) {
	all := map[string]func(*world){}
	for _, some := range []map[string]func(*world){tillRecipes, peopleRecipes, gameRecipes, stopRecipes, roomRecipes} {
		maps.Copy(all, some)
	}
	for recipe, steps := range within {
		for _, id := range steps {
			all[id] = all[recipe]
		}
	}
	return all
}()

// within are the kinds that are steps of the recipe of another.
var within = map[string][]string{
	"lodge-claim": {"get-claim", "note-claim", "sign-claim", "decide-claim", "pay-claim", "copy-claim",
		"erase-claimant"},
	"dispute-runner":    {"decide-runner"},
	"register-device":   {"choose-device", "inspect-device", "choose-beacon", "bring-round"},
	"register-card":     {"notify-card", "get-card", "set-card", "erase-holder"},
	"appoint-inspector": {"dismiss-inspector", "lock-inspector"},
	"disqualify-ticket": {"reinstate-ticket"},
	"freeze-payment":    {"release-payment"},
	"void-undelivered":  {"ask-void"},
	"sign-on":           {"invite-person", "accept-invitation"},
	"grant-role":        {"withdraw-role"},
	"begin-duty":        {"leave-duty", "end-duty", "send-home"},
	"add-area":          {"report-display", "place-terminal"},
	"add-terminal":      {"key-terminal", "revoke-terminal", "allow-enrolment", "enrol"},
	"keep-payee":        {"get-payee", "erase-payee"},
	"begin-shift":       {"end-shift"},
	"get-bingo-room": {"bar-player", "get-bingo-print", "close-issue", "void-bingo", "pay-bingo-refund", "seal-jackpot",
		"correct-call", "sign-closure", "check-claim", "pay-bingo", "list-bingo-claims", "get-held-card", "get-bingo-scorecard",
		"fail-device", "replace-device", "return-device", "change-session", "cancel-session", "undo-entry"},
	"raise-dispute": {"move-dispute", "pay-award"},
	"move-bank":     {"request-approval", "decide-approval", "use-approval"},
}

// strike sends something of a kind that is chosen among all, those that were accepted
// least before the others.
func (w *world) strike() {
	id := pick(w, w.ids)
	for range 3 {
		if other := pick(w, w.ids); cannot[other] == "" && w.accepted(other) < w.accepted(id) {
			id = other
		}
	}
	recipe := recipes[id]
	switch {
	case w.chance(6) && (!ownEnd[id] || w.isLate()):
		w.generic(w.operations[id], true)
	case recipe != nil:
		recipe(w)
	default:
		w.generic(w.operations[id], false)
	}
}

// ownEnd are the kinds by which people and terminals lose what they sign on with. Victims
// do that, until the siege is nearly over: wrong passwords keep the address out for long.
var ownEnd = map[string]bool{
	"sign-off": true, "change-password": true, "sign-on": true, "accept-invitation": true, "set-up": true, "enrol": true,
	"begin-shift":  true,
	"key-terminal": true, "revoke-terminal": true, "allow-enrolment": true,
}

func (w *world) isLate() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.late
}

func (w *world) accepted(id string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.tally.accepted[id]
}

// report prints what was sent, and fails where the house does not go on or is at fault. In a
// soak every kind must have been accepted, and draws are no later than a timer allows.
func (w *world) report(timer *bareTimer, soak bool) {
	w.t.Helper()
	if trouble := w.h.Trouble(); trouble != "" {
		w.t.Errorf("THE HOUSE DOES NOT GO ON: %s", trouble)
	}
	sent, accepted, kinds := 0, 0, 0
	var never, seldom []string
	for _, id := range w.ids {
		sent += w.tally.sent[id]
		accepted += w.tally.accepted[id]
		if w.tally.accepted[id] > 0 {
			kinds++
		} else if cannot[id] == "" {
			never = append(never, id)
		}
		if n := w.tally.accepted[id]; n > 0 && n < rare {
			seldom = append(seldom, fmt.Sprintf("%s %d", id, n))
		}
	}
	w.t.Logf("%d commands of %d kinds, %d accepted of %d kinds, %d without an answer, at %d moments", sent,
		len(w.tally.sent), accepted, kinds, w.tally.unanswered, len(w.tally.moments))
	for _, moment := range slices.Sorted(maps.Keys(w.tally.moments)) {
		w.t.Logf("%6d commands while %s", w.tally.moments[moment], moment)
	}
	for _, fault := range w.tally.faults {
		w.t.Errorf("the house is at fault: %s", fault)
	}
	slices.Sort(never)
	if len(never) > 0 {
		w.t.Logf("sign-on was refused at last by %s", w.tally.refused["sign-on"])
	}
	for _, id := range never {
		w.t.Logf("never accepted: %s, at last %s", id, w.tally.refused[id])
	}
	if soak {
		w.t.Logf("accepted fewer than %d times: %s", rare, strings.Join(seldom, ", "))
		w.exceptions()
	}
	if soak && len(never) > 0 {
		w.t.Errorf("no command of %d kinds was ever accepted", len(never))
	}
	if w.h.Alive() {
		w.lateness(timer, soak)
	}
}

// exceptions prints what the kinds were refused for that cannot be accepted, and fails for
// those that were accepted all the same: the list is as short as it can be.
func (w *world) exceptions() {
	w.t.Helper()
	for _, id := range slices.Sorted(maps.Keys(cannot)) {
		if n := w.tally.accepted[id]; n > 0 {
			w.t.Errorf("%s was accepted %d times, and the list says that it cannot be: %s", id, n, cannot[id])
		}
		w.t.Logf("not accepted: %s (%s), at last %s", id, cannot[id], w.tally.refused[id])
	}
}

// endure kills the house, opens it again, and verifies its journal.
func (w *world) endure() {
	w.t.Helper()
	w.h.Kill()
	w.h.Restart()
	w.h.Stop()
	if out, err := w.h.Export(); err != nil {
		w.t.Errorf("%v\n%s", err, out)
	}
}

// lateness compares how late draws ended with how late a bare timer was in the same run.
func (w *world) lateness(timer *bareTimer, soak bool) {
	w.t.Helper()
	closes := map[int]time.Time{}
	games, _ := w.h.Ask(http.MethodGet, "/v1/games?limit=200", nil).Get("games").([]any)
	for _, one := range games {
		game, _ := one.(map[string]any)
		ordinal, _ := game["ordinal"].(float64)
		closes[int(ordinal)], _ = time.Parse(time.RFC3339, fmt.Sprint(game["closes"]))
	}
	var late []time.Duration
	results, _ := w.h.Ask(http.MethodGet, "/v1/results/"+w.today(), nil).Get("results").([]any)
	for _, one := range results {
		result, _ := one.(map[string]any)
		ordinal, _ := result["ordinal"].(float64)
		settled, err := time.Parse(time.RFC3339, fmt.Sprint(result["settled_at"]))
		if at, ok := closes[int(ordinal)]; ok && err == nil && !at.IsZero() {
			late = append(late, settled.Sub(at)-showTakes)
		}
	}
	bare := timer.stop()
	if len(late) == 0 || len(bare) == 0 {
		w.t.Logf("no draw to compare with a timer: %d draws, %d turns of the timer", len(late), len(bare))
		return
	}
	draws, allowed := median(late), median(bare)+interval/lateShare
	w.t.Logf("half of %d draws ended at most %v late, half of %d turns of a bare timer %v; allowed are %v", len(late),
		draws, len(bare), median(bare), allowed)
	if soak && draws > allowed {
		w.t.Errorf("draws are late by %v, and a bare timer in the same run allows %v", draws, allowed)
	}
}

func median(all []time.Duration) time.Duration {
	slices.SortFunc(all, cmp.Compare[time.Duration])
	return all[len(all)/2]
}

// The rhythm of outside.Quick: from close to close, and from close to the last number.
const (
	interval  = 3 * time.Second
	lead      = 200 * time.Millisecond
	ball      = 60 * time.Millisecond
	showTakes = lead + 19*ball
)

// bareTimer waits as a draw waits, and does nothing else.
type bareTimer struct {
	end  chan struct{}
	late chan []time.Duration
}

func newBareTimer() *bareTimer {
	b := &bareTimer{end: make(chan struct{}), late: make(chan []time.Duration, 1)}
	go b.run()
	return b
}

func (b *bareTimer) run() {
	var late []time.Duration
	for at := time.Now(); ; at = at.Add(interval) {
		for i := range 20 {
			select {
			case <-b.end:
				b.late <- late
				return
			case <-time.After(time.Until(at.Add(lead + time.Duration(i)*ball))):
			}
		}
		late = append(late, time.Since(at.Add(showTakes)))
	}
}

func (b *bareTimer) stop() []time.Duration {
	close(b.end)
	return <-b.late
}

// cannot are the kinds of which no command can be accepted here, and why.
var cannot = map[string]string{
	"start-cage": noCage, "key-ball": noCage, "attend-cage": noCage, "pay-by-hand": noCage, "bring-in-payment": noCage,
	"bring-commitment": noCustodian, "bring-link": noCustodian,
	"migrate-pools": oneSeries, "migrate-bonus": oneSeries,
	"start-promotion": nextDay, "enter-promotion": nextDay, "draw-promotion": nextDay, "tell-winner": nextDay,
	"claim-promotion": nextDay,
	"open-day":        dayRuns,
	"forfeit":         "the rulebook of the house knows no forfeit",
	"hand-cheque":     "the rulebook of the house sets no time for cheques",
	"move-pool":       noMoves, "give-aside": noMoves,
	"make-remittance": "nothing comes to be owed to the State within a day",
	"order-debits":    noWeek, "take-in-answer": noWeek, "get-debit-file": noWeek,
}

const (
	noCage      = "the house draws by a generator and has no ball machine"
	noCustodian = "the house has no custodians"
	oneSeries   = "the house has one series of games"
	nextDay     = "a promotion starts a day after it is announced"
	dayRuns     = "no other day opens on the date of the day that is open"
	noWeek      = "no week of a venue ends, and so there is no statement"
	noMoves     = "the rulebook of the house lets no jackpot money move"
)
