package rulebook

import (
	"slices"
	"strings"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/money"
)

func draftOf(kind Kind) *Draft {
	from, _ := day.Of(2026, 1, 1)
	return &Draft{Kind: kind, ID: "lake-" + string(kind), Title: "Lake: \"Keno\" #1", Currency: "EUR",
		Zone: "Europe/Lisbon", From: from, Age: 21,
		Price: 50, Most: 100_00, Games: 10, Months: 6,
		Prizes: map[int]map[int]money.Amount{2: {2: 6_50}, 4: {3: 2_00, 4: 50_00}}}
}

// TestDraft: a draft is sound without a warning, and says what it was asked for.
func TestDraft(t *testing.T) {
	for _, kind := range []Kind{KindKeno, KindBingo} {
		draft := draftOf(kind)
		book, err := Load("draft.yaml", []byte(draft.Text()))
		if err != nil {
			t.Errorf("%s: %v", kind, err)
			continue
		}
		if len(book.Warnings()) > 0 || len(book.Examples()) > 0 || book.Title() != draft.Title || book.ID() != draft.ID ||
			book.Zone() != draft.Zone ||
			book.Currency() != "EUR" || book.From() != draft.From {
			t.Errorf("%s: %v %v %s", kind, book.Warnings(), book.Examples(), book.Title())
		}
	}
	book := mustLoad(t, draftOf(KindKeno).Text())
	s, _ := book.Schedule("first")
	table, ok := s.Catch("classic")
	if !ok || table.Per() != 50 || table.Prize(2, 2) != 6_50 || table.Prize(4, 3) != 2_00 ||
		!slices.Equal(table.Spots().Numbers(), []int{2, 4}) {
		t.Errorf("the prizes are %v", table)
	}
	if book.Eligibility().MinimumAge != 21 || book.Games().Multi.Max != 10 || *book.Limits()[1].Max != 100_00 ||
		book.Payout().Period.Months != 6 {
		t.Error("the book says something else")
	}
	room, ok := mustLoad(t, draftOf(KindBingo).Text()).Bingo()
	if !ok || room.Cites("5.3") != "6" || room.Cites("8.3") != "" {
		t.Errorf("a room cites %q and %q", room.Cites("5.3"), room.Cites("8.3"))
	}
	for spots, row := range DraftPrizes(200) {
		if len(row) == 0 || row[spots] < 6_00 {
			t.Errorf("%d spots win %v", spots, row)
		}
	}
}

// TestAbsentSections: what a book leaves out has the meaning that fill gives it, and is not in the file.
func TestAbsentSections(t *testing.T) {
	book := mustLoad(t, draftOf(KindKeno).Text())
	step, _, clause := book.Rounding()
	if step != 1 || clause != "" {
		t.Errorf("rounding to %v by %q", step, clause)
	}
	kinds := book.EntryKinds()
	if !slices.Equal(kinds.Channels, []Channel{ChannelWriter, ChannelSST}) ||
		!slices.Equal(kinds.Methods, []Method{MethodForm, MethodVerbal, MethodScreen}) {
		t.Errorf("entries are %v", kinds)
	}
	if u := book.Unclaimed(); len(u) != 1 || u[0].Then != "lapsed" || u[0].After.Months != 6 {
		t.Errorf("prizes that nobody fetches: %v", u)
	}
	if s := book.SerialForm(); s.Form != "digits16" {
		t.Errorf("numbers of tickets: %v", s)
	}
	if !slices.Contains(book.Receipt().Fields, "serial") || book.Staffing().Game != "supervisor" {
		t.Errorf("%v %v", book.Receipt(), book.Staffing())
	}
	if d := book.Draw(); !slices.Equal(d.Devices, []string{"rng", "witnessed"}) ||
		!slices.Equal(d.Unfinished, []string{"refund"}) {
		t.Errorf("draws: %v", d)
	}
	file := book.File()
	if len(file.Keno.Receipt.Fields)+len(file.Keno.Serials)+len(file.Keno.Unclaimed) > 0 {
		t.Error("the file has what it leaves out")
	}
	for section, say := range map[string]string{"rounding: {clause: x, step: 0, mode: floor}": "is nothing",
		"receipt: {clause: x, fields: [numbers]}":                       "does not have the serial",
		"draw: {clause: x, devices: [], unfinished: [refund]}":          "names no device",
		"entry_kinds: {clause: x, channels: [writer], methods: [form]}": "is not among the kinds"} {
		if _, err := Load("draft.yaml", []byte(draftOf(KindKeno).Text()+"  "+section+"\n")); err == nil ||
			!strings.Contains(err.Error(), say) {
			t.Errorf("%s: %v", section, err)
		}
	}
}
