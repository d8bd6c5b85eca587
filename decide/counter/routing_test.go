package counter

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

func rulebookOf(t testing.TB, id string) *rulebook.Book {
	t.Helper()
	book, err := rules.Book(id)
	if err != nil {
		t.Fatal(err)
	}
	return book
}

// lots returns money by origin: names and amounts in turn.
func lots(pairs ...any) (all []state.Lot) {
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, state.Lot{ID: pairs[i].(string), Cents: money.Amount(pairs[i+1].(int))})
	}
	return all
}

func shareWords(shares []Share, err error) string {
	var refused *refusal.Refusal
	if errors.As(err, &refused) {
		return fmt.Sprintf("%s %s", refused.Code, refused.Clause)
	}
	var all []string
	for _, s := range shares {
		all = append(all, fmt.Sprintf("%s %v", s.Means, s.Cents))
	}
	return strings.Join(all, ", ")
}

// TestRoute has the worked examples and every edge of the means of paying.
func TestRoute(t *testing.T) {
	const (
		vic    = "vic-keno-2015"
		tas    = "tas-keno-2023"
		casino = "casino-keno-div2"
	)
	for _, c := range []struct {
		book   string
		dues   Dues
		choice []Share
		want   string
	}{
		{vic, Dues{Total: 9_999_99}, nil, "cash $9,999.99"},
		{vic, Dues{Total: 10_000_00}, nil, "cash $10,000.00"},
		{vic, Dues{Total: 10_000_01}, nil, "cash $10,000.00, cheque $0.01"},
		{vic, Dues{Total: 10_000_00, Limit: 5_000_00}, nil, "cash $5,000.00, cheque $5,000.00"},
		{vic, Dues{Total: 14_000_00, Limit: 5_000_00}, nil, "cash $5,000.00, cheque $9,000.00"},
		{vic, Dues{Total: 14_000_00, Limit: 5_000_00}, []Share{{Cash, 2_000_00}, {Transfer, 0}},
			"cash $2,000.00, transfer $12,000.00"},
		{vic, Dues{Total: 14_000_00, Limit: 5_000_00}, []Share{{Cash, 5_000_00}, {ChangeReceipt, 1}},
			"over_cash_limit 21(d)(i)"},
		{vic, Dues{Total: 14_000_00, Limit: 20_000_00}, nil, "cash $10,000.00, cheque $4,000.00"},
		{vic, Dues{Total: 100}, []Share{{SiteCheque, 0}}, "means_unknown 21(d)(i)"},
		{vic, Dues{Total: 100}, []Share{{PlayerCard, 0}}, "not_by_card 21(j)"},
		{vic, Dues{Total: 100, ByCard: 100}, []Share{{PlayerCard, 0}}, "player_card $1.00"},
		{vic, Dues{Total: 100, ByCard: 99}, []Share{{PlayerCard, 0}}, "not_by_card 21(j)"},
		{vic, Dues{Total: 20_000_00, ByCard: 20_000_00}, []Share{{PlayerCard, 10_000_00}},
			"player_card $10,000.00, cheque $10,000.00"},
		{vic, Dues{Total: 20_000_00, ByCard: 20_000_00}, []Share{{PlayerCard, 10_000_01}}, "over_cash_limit 21(d)(i)"},
		{vic, Dues{Total: 19_998_00, Lots: lots("cash", 19_998_00)}, nil, "cash $19,998.00"},
		{vic, Dues{Total: 15_000_00, Lots: lots("change_receipt", 15_000_00)}, nil, "cash $15,000.00"},
		{vic, Dues{Total: 25_000_00, Lots: lots("cash", 5_000_00, "prize", 20_000_00)}, nil,
			"cash $15,000.00, cheque $10,000.00"},
		{vic, Dues{Total: 25_000_00, Lots: lots("cash", 5_000_00, "prize", 20_000_00)}, []Share{{Cash, 15_000_01}},
			"over_cash_limit 21(d)(i)"},
		{vic, Dues{Total: 25_000_00, Lots: lots("cash", 5_000_00, "prize", 20_000_00)}, []Share{{Cheque, 20_000_01}},
			"not_so 11(a)(i)"},
		{vic, Dues{Total: 10_000_00, Bought: 2_000_00, Lots: lots("prize", 12_000_00)}, nil,
			"cash $8,000.00, cheque $2,000.00"},
		{vic, Dues{Total: 2_000_00, Bought: 10_000_00, Lots: lots("prize", 12_000_00)}, nil, "cheque $2,000.00"},
		{vic, Dues{Total: 1_999_99, Bought: 10_000_01, Lots: lots("prize", 12_000_00)}, nil, "over_cash_limit 21(d)(i)"},
		{vic, Dues{Total: 100}, []Share{{Cash, 101}}, "means_too_much "},

		{tas, Dues{Total: 300_00}, []Share{{SiteCheque, 0}}, "means_not_from 13.6"},
		{tas, Dues{Total: 300_01}, []Share{{SiteCheque, 0}}, "site_cheque $300.01"},
		{tas, Dues{Total: 2_998_00, Limit: 1_000_00}, nil, "cash $1,000.00, site_cheque $1,998.00"},
		{tas, Dues{Total: 2_998_99}, []Share{{CentralVoucher, 0}}, "means_not_from 13.7(b)"},
		{tas, Dues{Total: 2_998_99}, nil, "cash $2,998.99"},
		{tas, Dues{Total: 2_999_00}, nil, "cash $300.00, central_voucher $2,699.00"},
		{tas, Dues{Total: 2_999_00}, []Share{{Cash, 300_01}}, "over_cash_limit 13.7(b)"},
		{tas, Dues{Total: 2_999_00, Limit: 1_000_00}, []Share{{Cash, 1_000_00}}, "cash $1,000.00, central_voucher $1,999.00"},
		{tas, Dues{Total: 5_000_00, Limit: 1_000_00}, []Share{{Cash, 1_000_01}}, "over_cash_limit 13.7(a)"},
		{tas, Dues{Total: 5_000_00, Limit: 1_000_00}, []Share{{SiteCheque, 0}}, "means_other 13.7(b)"},
		{tas, Dues{Total: 5_000_00, Limit: 1_000_00}, []Share{{CentralVoucher, 0}}, "central_voucher $5,000.00"},
		{tas, Dues{Total: 2_000_00, Tickets: []money.Amount{1_000_00, 1_000_00}, Channel: rulebook.ChannelSST}, nil,
			"sst_receipt $2,000.00"},
		{tas, Dues{Total: 1_000_01, Tickets: []money.Amount{1_000_01}, Channel: rulebook.ChannelSST}, nil,
			"ticket_over_sst 13.7(c)"},
		{tas, Dues{Total: 100, Channel: rulebook.ChannelSST}, []Share{{Cash, 0}}, "means_unknown 1.58"},
		{tas, Dues{Total: 4_398_00, Exchanged: 4_398_00, Lots: lots("central_voucher", 4_398_00),
			Venue: rulebook.VenueCentral}, nil, "cheque $4,398.00"},
		{tas, Dues{Total: 4_398_01, Exchanged: 4_398_00, Lots: lots("central_voucher", 4_398_01),
			Venue: rulebook.VenueCentral}, nil, "not_exchanged 13.7(b)(i)"},
		{tas, Dues{Total: 4_398_00, Venue: rulebook.VenueCentral}, []Share{{Cheque, 0}}, "not_exchanged 13.7(b)(i)"},
		{tas, Dues{Total: 4_398_00, Exchanged: 4_398_00, Lots: lots("central_voucher", 4_398_00),
			Venue: rulebook.VenueCentral}, []Share{{Cash, 1}}, "means_unknown 13.1"},
		{tas, Dues{Total: 4_398_00, Exchanged: 4_398_00, Lots: lots("central_voucher", 4_398_00),
			Venue: rulebook.VenueCasino}, []Share{{Cheque, 0}}, "means_unknown 13.1"},
		{tas, Dues{Total: 4_398_00, Exchanged: 4_398_00, Lots: lots("central_voucher", 4_398_00),
			Venue: rulebook.VenueCasino}, nil, "cash $4,398.00"},

		{casino, Dues{Total: 250_000_00}, nil, "cash $250,000.00"},
		{casino, Dues{Total: 199_99, Majors: 0}, []Share{{Cheque, 0}}, "not_major 8.11"},
		{casino, Dues{Total: 250_00, Majors: 200_00}, []Share{{Cheque, 200_00}}, "cheque $200.00, cash $50.00"},
		{casino, Dues{Total: 250_00, Majors: 200_00}, []Share{{Cheque, 200_01}}, "not_major 8.11"},
		{casino, Dues{Total: 250_00, Claim: true}, []Share{{Cheque, 0}}, "cheque $250.00"},
	} {
		if c.dues.Channel == "" {
			c.dues.Channel = rulebook.ChannelWriter
		}
		if got := shareWords(Route(rulebookOf(t, c.book), c.dues, c.choice)); got != c.want {
			t.Errorf("%s %+v %v:\ngot  %s\nwant %s", c.book, c.dues, c.choice, got, c.want)
		}
	}
}

// TestRouteIsWhole splits amounts of any size with any choice: whatever is not refused
// comes to the amount, has each means once, and is itself a choice that is allowed.
func TestRouteIsWhole(t *testing.T) {
	means := []string{Cash, ChangeReceipt, SSTReceipt, CentralVoucher, SiteCheque, Cheque, Transfer, PlayerCard}
	amounts := []money.Amount{1, 299_99, 300_00, 300_01, 2_998_99, 2_999_00, 2_999_01, 9_999_99, 10_000_00, 10_000_01,
		14_000_00}
	rapid.Check(t, func(rt *rapid.T) {
		book := rulebookOf(t, rapid.SampledFrom([]string{"vic-keno-2015", "tas-keno-2023", "casino-keno-div2"}).Draw(rt,
			"book"))
		d := Dues{
			Total: rapid.OneOf(rapid.SampledFrom(amounts),
				rapid.Map(rapid.Int64Range(1, 2_000_000), func(n int64) money.Amount { return money.Amount(n) })).Draw(rt, "total"),
			Limit:   rapid.SampledFrom([]money.Amount{0, 300_00, 1_000_00, 5_000_00, 20_000_00}).Draw(rt, "limit"),
			Channel: rapid.SampledFrom([]rulebook.Channel{rulebook.ChannelWriter, rulebook.ChannelSST}).Draw(rt, "channel"),
		}
		d.Tickets, d.ByCard = []money.Amount{d.Total}, rapid.SampledFrom([]money.Amount{0, d.Total}).Draw(rt, "by card")
		var choice []Share
		for range rapid.IntRange(0, 3).Draw(rt, "parts") {
			choice = append(choice, Share{rapid.SampledFrom(means).Draw(rt, "means"),
				money.Amount(rapid.Int64Range(0, int64(d.Total)).Draw(rt, "cents"))})
		}
		shares, err := Route(book, d, choice)
		if err != nil {
			var refused *refusal.Refusal
			if !errors.As(err, &refused) {
				rt.Fatalf("%v", err)
			}
			return
		}
		var sum, cash money.Amount
		seen := map[string]bool{}
		for _, s := range shares {
			if s.Cents <= 0 || seen[s.Means] {
				rt.Fatalf("%v", shares)
			}
			seen[s.Means], sum = true, sum+s.Cents
			if s.Means == Cash || s.Means == ChangeReceipt {
				cash += s.Cents
			}
		}
		if sum != d.Total {
			rt.Fatalf("%v of %v", sum, d.Total)
		}
		if book.ID() != "casino-keno-div2" && d.Limit > 0 && cash > d.Limit {
			rt.Fatalf("%v above the venue's limit of %v", cash, d.Limit)
		}
		if book.ID() == "vic-keno-2015" && cash > 10_000_00 {
			rt.Fatalf("%v above $10,000", cash)
		}
		if book.ID() == "tas-keno-2023" && d.Channel == rulebook.ChannelWriter &&
			(d.Total >= 2_999_00 && seen[SiteCheque] || d.Total < 2_999_00 && seen[CentralVoucher]) {
			rt.Fatalf("%v of %v", shares, d.Total)
		}
		again, err := Route(book, d, shares)
		if err != nil || shareWords(again, nil) != shareWords(shares, nil) {
			rt.Fatalf("%v is split again into %v, %v", shares, again, err)
		}
	})
}

// TestReceiptAt asks what a terminal without cash pays by, and up to how much.
func TestReceiptAt(t *testing.T) {
	for _, c := range []struct {
		book    string
		channel rulebook.Channel
		limit   money.Amount
		want    string
	}{
		{"vic-keno-2015", rulebook.ChannelSST, 0, "change_receipt $10,000.00 true"},
		{"vic-keno-2015", rulebook.ChannelSST, 5_000_00, "change_receipt $5,000.00 true"},
		{"vic-keno-2015", rulebook.ChannelWriter, 0, "change_receipt $10,000.00 true"},
		{"vic-keno-2015", rulebook.ChannelSST, 10_000_01, "change_receipt $10,000.00 true"},
		{"tas-keno-2023", rulebook.ChannelSST, 300_00, "sst_receipt $1,000.00 true"},
		{"casino-keno-div2", rulebook.ChannelWriter, 0, " $0.00 false"},
	} {
		means, most, ok := ReceiptAt(rulebookOf(t, c.book), rulebook.VenueHotel, c.channel, c.limit)
		if got := fmt.Sprintf("%s %v %v", means, most, ok); got != c.want {
			t.Errorf("%s at %s with a limit of %v: %s, want %s", c.book, c.channel, c.limit, got, c.want)
		}
	}
}
