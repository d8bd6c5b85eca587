package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"time"

	"drawhouse/cmd/drawhouse/demo"
	"drawhouse/decide/command"
	"drawhouse/decide/hall"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/games/bingo"
	"drawhouse/house"
	"drawhouse/house/person"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// The bingo room of a demonstration.
const (
	demoHall        = 1
	demoHallBook    = "nsw-bingo-2019"
	demoCards       = "A1"
	demoBooks       = 60
	demoBingoGames  = 6
	demoMembers     = 40
	demoBooksMax    = 4
	demoEntryCents  = 10_00
	demoBingoCents  = 100_00
	demoMinorCents  = 20_00
	demoJackpotSeed = 1_000_00
	// demoJackpotNumbers are drawn for the jackpot, where the rules let so many be drawn.
	demoJackpotNumbers = 3
	// demoPassword is that of the room's people. Everybody knows it, as everybody knows
	// the keys of a demonstration, which answers its own machine alone.
	demoPassword = "bingo demonstration"
)

// demoRoomOf is the room of a demonstration.
var demoRoomOf = command.InRoom{Hall: demoHall}

// openDemoRoom opens a bingo room with cards, members and the session of the evening, and
// brings in who works there, unless the house has a room.
func openDemoRoom(ctx context.Context, h *house.House, register *person.Register) error {
	there := false
	err := h.ReadHall(ctx, demoHall, func(s *state.View, _ *hall.Kit) error { _, there = s.Hall(demoHall); return nil })
	if err != nil || there {
		return err
	}
	for _, role := range []record.Role{record.RoleWriter, record.RoleSenior} {
		if err := addDemoPerson(ctx, h, register, role); err != nil {
			return err
		}
	}
	_, senior := demoRoomPeople(h)
	by := record.By{Person: senior, Rank: record.RankSupervisor}
	book := h.First().Book() // of a house that plays bingo alone
	named := book.Hash().String()
	if book.Keno() {
		var err error
		if book, err = rules.Book(demoHallBook); err != nil {
			return err
		}
		named = demoHallBook
	}
	bingoRules, _ := book.Bingo()
	level := command.Level{Name: "jackpot", Share: 10000}
	if bingoRules.Jackpot().NumbersMax > 0 {
		level.SeedCents = demoJackpotSeed
	}
	if _, err := h.Do(ctx, command.OpenHall{InRoom: demoRoomOf, Name: "bingo", Venue: 1, Rulebook: named,
		Levels: []command.Level{level}}, by); err != nil {
		return err
	}
	if err := addDemoCards(ctx, h, by, book); err != nil {
		return err
	}
	return setDemoSession(ctx, h, by, book)
}

// addDemoPerson brings somebody in who can sign on in the room.
func addDemoPerson(ctx context.Context, h *house.House, register *person.Register, role record.Role) error {
	id := h.People().NextPerson()
	details := demo.Details(id, role)
	secret, err := person.NewSecret(demoPassword, person.DefaultCost, rand.Reader)
	if err != nil {
		return err
	}
	if err := register.Put(ctx, details); err != nil {
		return err
	}
	if err := register.PutSecret(ctx, secret); err != nil {
		return err
	}
	_, err = h.Do(ctx, command.Change{Command: staff.AddPerson{Details: details.Hash(), Secret: secret.Hash(),
		Grants: []state.Grant{{Role: role, Venue: 1}}}}, record.By{})
	return err
}

// demoRoomPeople returns who works in the room: those of the demonstration who have a
// password.
func demoRoomPeople(h *house.House) (dealer, senior uint32) {
	for _, one := range h.People().Persons() {
		if len(one.Grants) == 0 || one.Secret == (record.Hash{}) ||
			one.Details != demo.Hash(one.ID, one.Grants[0].Role) {
			continue
		}
		switch one.Grants[0].Role {
		case record.RoleWriter:
			dealer = one.ID
		case record.RoleSenior:
			senior = one.ID
		}
	}
	return dealer, senior
}

func addDemoCards(ctx context.Context, h *house.House, by record.By, book *rulebook.Book) error {
	form, err := bingo.NewForm(book)
	if err != nil {
		return err
	}
	colours, err := bingo.Palette(demoBingoGames)
	if err != nil {
		return err
	}
	entropy, err := openSource()
	if err != nil {
		return err
	}
	table, err := form.MakeTable(bingo.Series{ID: demoCards, Up: form.StripBoxes(), FirstBook: 1, Colours: colours},
		demoBooks, entropy)
	if err != nil {
		return err
	}
	file, err := table.MarshalBinary()
	if err != nil {
		return err
	}
	_, err = h.AddTable(ctx, demoHall, file, by)
	return err
}

// setDemoSession takes members in, 100 and following, and announces the session of the
// evening: six games with a minor one, the last of which plays for the jackpot if the rules have one.
func setDemoSession(ctx context.Context, h *house.House, by record.By, book *rulebook.Book) error {
	local, err := time.LoadLocation(book.Zone())
	if err != nil {
		return err
	}
	now := time.Now().In(local)
	plan := command.SessionPlan{Day: now.Format(time.DateOnly), Begins: now, FeeCents: demoEntryCents,
		BooksMax: demoBooksMax, Series: []string{demoCards}}
	minor := slices.DeleteFunc(book.Patterns(), func(p rulebook.PatternFile) bool { return p.ID == record.PatternBingo })
	bingoRules, _ := book.Bingo()
	for i := range demoBingoGames {
		game := command.BingoPlan{Prizes: []command.PatternPrize{{Pattern: record.PatternBingo,
			Cents: demoBingoCents * int64(i+1)}}}
		if len(minor) > 0 {
			game.Prizes = append(game.Prizes, command.PatternPrize{Pattern: minor[i%len(minor)].ID, Cents: demoMinorCents})
		}
		plan.Games = append(plan.Games, game)
	}
	plan.Games[demoBingoGames-1].JackpotNumbers = uint8(min(bingoRules.Jackpot().NumbersMax, demoJackpotNumbers))
	for i := range demoMembers {
		if _, err := h.Do(ctx, command.SetMember{InRoom: demoRoomOf, Member: fmt.Sprint(100 + i)}, by); err != nil {
			return err
		}
	}
	_, err = h.Do(ctx, command.SetSession{InRoom: demoRoomOf, SessionPlan: plan}, by)
	return err
}

// demoRoom says where the room of a demonstration is, and who can sign on there.
func demoRoom(h *house.House, url string) string {
	dealer, senior := demoRoomPeople(h)
	if dealer == 0 {
		return ""
	}
	return fmt.Sprintf("its bingo room: %s/hall/%d; in the browser that is the terminal %s/desk and %s/caller, where dealer %d and supervisor %d sign on with %q\n",
		url, demoHall, url, url, dealer, senior, demoPassword)
}
