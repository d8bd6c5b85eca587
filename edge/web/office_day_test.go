package web

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"drawhouse/core/serial"
	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/edge/terminal"
	"drawhouse/games/keno"
	"drawhouse/house"
	"drawhouse/house/person"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// village is who works where on a day that tests look back on.
type village struct {
	*shop
	chance  *rand.Rand
	numbers map[uint32]uint64 // the last request of each terminal
	won     []string          // serials of tickets that have won and are not paid

	mu       sync.Mutex // guards what follows while many are brought in
	names    map[string]record.Hash
	counters []uint32 // terminals with a writer
}

var (
	houses = []string{"Royal Oak", "Railway Hotel", "Harbour Club", "Commercial Hotel", "Bowling Club", "Star and Anchor",
		"Grand Terminus", "Lakeside Club", "Victoria Tavern", "Exchange Hotel"}
	first = []string{"Ada", "Bao", "Carla", "Dinh", "Edith", "Farid", "Grace", "Hugo", "Ines", "Jonas", "Keiko", "Liam",
		"Mira", "Noor", "Otto", "Priya", "Quinn", "Rosa", "Sam", "Tess"}
	last = []string{"Ansett", "Brady", "Costa", "Doyle", "Evans", "Fraser", "Georgiou", "Hassan", "Ikin", "Jansen",
		"Kaur", "Lam", "Moretti", "Nguyen", "Okafor", "Papas", "Quirk", "Reid", "Singh", "Tran"}
)

// settle brings venues with terminals and people into a house.
func (s *shop) settle(venues, terminals, people int) *village {
	s.t.Helper()
	v := &village{shop: s, chance: rand.New(rand.NewPCG(7, 7)), numbers: map[uint32]uint64{},
		names: map[string]record.Hash{}}
	for i := range venues {
		name := houses[i%len(houses)]
		if i >= len(houses) {
			name = fmt.Sprintf("%s %d", name, i/len(houses)+1)
		}
		kind := "hotel"
		if strings.Contains(name, "Club") {
			kind = "club"
		}
		_, err := s.house.Do(s.t.Context(), command.Change{Command: staff.AddVenue{Kind: kind, Name: name}}, record.By{})
		s.must(err)
		_, err = s.house.Do(s.t.Context(), command.Change{Command: staff.AddArea{Venue: uint32(i) + 2, Area: 1, Name: "Bar"}},
			record.By{})
		s.must(err)
		senior := v.works(i, state.Grant{Role: record.RoleSenior, Venue: uint32(i) + 2})
		_, err = s.house.Do(s.t.Context(), command.Change{Command: staff.Begin{Person: senior,
			Grant: state.Grant{Role: record.RoleSenior, Venue: uint32(i) + 2}}}, record.By{})
		s.must(err)
	}
	v.many(terminals, func(i int) error {
		channel := rulebook.ChannelWriter
		if i%3 == 2 {
			channel = rulebook.ChannelSST
		}
		made, err := s.house.Do(s.t.Context(),
			command.Change{Command: staff.AddTerminal{Venue: uint32(i%venues) + 2, Channel: channel, Area: 1,
				Key: terminal.DemoPublic(uint32(i) + 4)}}, record.By{})
		if added, ok := made.(*record.TerminalAdded); ok && channel == rulebook.ChannelWriter {
			v.mu.Lock()
			defer v.mu.Unlock()
			v.counters = append(v.counters, added.Terminal)
		}
		return err
	})
	for i := range min(people, len(first)*len(last)) {
		v.known(i)
	}
	v.many(people, func(i int) error {
		grant := state.Grant{Role: record.RoleWriter, Venue: uint32(i%venues) + 2}
		if i == 5 {
			grant = state.Grant{Role: record.RoleSupervisor}
		}
		_, err := s.house.Do(s.t.Context(), command.Change{Command: staff.AddPerson{Details: v.known(i),
			Grants: []state.Grant{grant}}}, record.By{})
		return err
	})
	return v
}

// works brings somebody in.
func (v *village) works(i int, grant state.Grant) uint32 {
	v.t.Helper()
	made, err := v.house.Do(v.t.Context(), command.Change{Command: staff.AddPerson{Details: v.known(i),
		Grants: []state.Grant{grant}}}, record.By{})
	v.must(err)
	return staff.NumberOf(made)
}

// known returns the details of one of four hundred names, which the register has.
func (v *village) known(i int) record.Hash {
	v.t.Helper()
	name := first[i%len(first)] + " " + last[(i/len(first)+i)%len(last)]
	v.mu.Lock()
	defer v.mu.Unlock()
	if hash, ok := v.names[name]; ok {
		return hash
	}
	details, err := person.NewDetails(name, strings.ToLower(strings.ReplaceAll(name, " ", "."))+"@example.com", v.random)
	v.must(err)
	v.must(v.register.Put(v.t.Context(), details))
	v.names[name] = details.Hash()
	return details.Hash()
}

// many does something for many, some at a time: what waits is committed together.
func (v *village) many(n int, do func(i int) error) {
	v.t.Helper()
	var wait sync.WaitGroup
	next, failed := make(chan int), make(chan error, n)
	for range 16 {
		wait.Go(func() {
			for i := range next {
				if err := do(i); err != nil {
					failed <- err
				}
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wait.Wait()
	close(failed)
	for err := range failed {
		v.t.Fatal(err)
	}
}

// sells sells tickets at random counters and returns their serials.
func (v *village) sells(tickets int) (serials []string) {
	v.t.Helper()
	sales := make([]house.Sale, tickets)
	for i := range sales {
		at := v.counters[v.chance.IntN(len(v.counters))]
		v.numbers[at]++
		spots := v.chance.Perm(80)[:1+v.chance.IntN(10)]
		for j := range spots {
			spots[j]++
		}
		ticket, err := keno.ParseRequest(fmt.Appendf(nil,
			`{"v":1,"rulebook":"vic-keno-2015","first":"open","bets":[{"bet":"classic","spots":%s,"stake_cents":%d}]}`,
			strings.ReplaceAll(fmt.Sprint(sorted(spots)), " ", ","), 100*(1+v.chance.IntN(20))))
		v.must(err)
		request := record.Request{Terminal: at, Number: v.numbers[at]}
		request.Body[0] = byte(i)
		sales[i] = house.Sale{Request: request, Order: house.Order{Terminal: at, Method: rulebook.MethodForm, Ticket: ticket},
			Claim: serial.ClaimHash{1, byte(i)}}
	}
	for _, r := range v.house.SellAll(v.t.Context(), sales) {
		v.must(r.Err)
		number, err := v.house.Serial(r.Place)
		v.must(err)
		serials = append(serials, number.String())
	}
	return serials
}

func sorted(list []int) []int {
	for i := range list {
		for j := i; j > 0 && list[j] < list[j-1]; j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
	return list
}

// trades plays games with sales in every minute of them, until the clock of the house is
// that of the world.
func (v *village) trades(games int) {
	v.t.Helper()
	step := v.behind.Load() / int64(games*3)
	for range games {
		var sold []string
		for range 3 {
			sold = append(sold, v.sells(4+v.chance.IntN(20))...)
			v.behind.Add(-step)
		}
		game := v.turn()
		v.draw(game, 20)
		v.finish(game)
		for _, number := range sold {
			place, err := v.house.Find(number)
			v.must(err)
			ticket, err := v.house.Ticket(v.t.Context(), place)
			v.must(err)
			if len(ticket.Games) > 0 && ticket.Games[0].Prize > 0 {
				v.won = append(v.won, number)
			}
		}
	}
}

// views takes pictures of views of the office, each on a page that was loaded anew, and judges them.
func (s *shop) views(as uint32, name string, views ...string) {
	s.t.Helper()
	ctx := browser(s.t)
	said, asked := complaints(s.t, ctx), requests(s.t, ctx)
	size(s.t, ctx, 1280, 720)
	for _, view := range views {
		s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/office"))))
		awaitPage(s.t, ctx, "the page", `() => document.documentElement.dataset.state === "ready"`)
		if call[bool](s.t, ctx, `() => document.getElementById("desk").hidden`) {
			signsOn(s.t, ctx, as)
		}
		turnTo(s.t, ctx, view)
		s.prepare(ctx, view)
		judge(s.t, ctx, name+"-"+strings.NewReplacer("/", "-", "_", "-").Replace(view))
	}
	quiet(s.t, s, said(), asked())
}

// prepare does on a view what shows it best.
func (s *shop) prepare(ctx context.Context, view string) {
	s.t.Helper()
	switch {
	case view == "rules":
		call[chromedp.Void](s.t, ctx, `() => document.getElementById("compare").requestSubmit()`)
		shows(s.t, ctx, "differences", "From vic-keno-2015 to")
		call[chromedp.Void](s.t, ctx, `() => document.getElementById("compare").scrollIntoView()`)
	case strings.HasPrefix(view, "reports"):
		call[chromedp.Void](s.t, ctx, `() => document.getElementById("report-choice").requestSubmit()`)
		awaitPage(s.t, ctx, "the report",
			`() => document.querySelector("#report table, #report-choice .fault:not(:empty)") !== null`)
	}
}

// TestOfficeOnADay looks at every view after some hours of trade.
func TestOfficeOnADay(t *testing.T) {
	t.Parallel()
	browser(t)
	s := openShopAgo(t, "vic-keno-2015", 100*time.Minute)
	v := s.settle(10, 24, 30)
	v.trades(20)
	asks := s.hire(record.RoleSupervisor)
	administrator := s.hire(record.RoleAdministrator)
	s.askFor(asks)
	s.lodges(v.won)
	s.must(command.Outcome(s.house.Do(t.Context(), command.Pause{Reason: "A storm has taken the power"},
		record.By{Person: asks})))
	s.must(command.Outcome(s.house.Do(t.Context(), command.Resume{}, record.By{Person: asks})))
	s.views(administrator, "office-day", "today", "games", "sales", "ask/void_game", "claims", "claim/1", "reports",
		"jackpots", "rules", "notices", "venues", "venue/2", "terminals", "people", "person/9")
}

// TestOfficeEmpty looks at every view of a house in which nothing has happened.
func TestOfficeEmpty(t *testing.T) {
	t.Parallel()
	browser(t)
	s := openShop(t, "vic-keno-2015")
	s.views(s.hire(record.RoleAdministrator), "office-empty", "today", "sales", "claims", "jackpots", "venue/1")
}

// TestOfficeFull has five hundred terminals and two thousand people. A page shows fifty;
// what is typed finds the one.
func TestOfficeFull(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "vic-keno-2015")
	s.settle(120, 500, 2000)
	administrator := s.hire(record.RoleAdministrator)
	size(t, ctx, 1280, 720)
	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/office"))))
	awaitPage(t, ctx, "the page", `() => document.documentElement.dataset.state === "ready"`)
	signsOn(t, ctx, administrator)
	turnTo(t, ctx, "people")
	shows(t, ctx, "view", "Page 1 of 43, 50 of 2,123 lines")
	press := func(text string) {
		t.Helper()
		clickNamed(t, ctx, ".pager button", text)
	}
	press("On")
	shows(t, ctx, "view", "Page 2 of 43")
	find := func(words, want string) {
		t.Helper()
		call[chromedp.Void](t, ctx,
			`(words) => { const i = document.querySelector("input[type=search]"); i.value = words; i.dispatchEvent(new Event("input")); }`, words)
		shows(t, ctx, "view", want)
	}
	find("grace senior", "Senior, ")
	find("a supervisor of nothing", "Nothing has all of these words.")
	find(fmt.Sprintf("A administrator %d", administrator), "1 of 2,123 lines")
	find("", "Page 1 of 43")
	click(t, ctx, `th .heading`)
	click(t, ctx, `th .heading`)
	awaitPage(t, ctx, "the last first", `(id) => document.querySelector("tbody th").textContent === id`,
		fmt.Sprint(administrator))
	turnTo(t, ctx, "terminals")
	shows(t, ctx, "view", "Page 1 of 11, 50 of 503 lines")
	s.views(administrator, "office-full", "people", "terminals", "venues")
}
