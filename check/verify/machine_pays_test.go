package verify

import (
	"strings"
	"testing"

	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// TestMachinePaysPerTicket shows that what a self-service terminal pays on a ticket is added up over its
// payments, to $1,000 and not beyond; that tickets do not share it, and that a writer's terminal has no
// such bound (tas-keno-2023 13.7(c)).
func TestMachinePaysPerTicket(t *testing.T) {
	for name, x := range map[string]struct {
		channel rulebook.Channel // of the second payment
		second  money.Amount
		other   bool // the second payment is of another ticket
		want    string
	}{
		"below":          {rulebook.ChannelSST, 499_99, false, ""},
		"at":             {rulebook.ChannelSST, 500_00, false, ""},
		"above":          {rulebook.ChannelSST, 500_01, false, "$1,000.01 are paid at a sst"},
		"another ticket": {rulebook.ChannelSST, 500_01, true, ""},
		"a writer":       {rulebook.ChannelWriter, 500_01, false, ""},
	} {
		c, r := stakedBefore(t, "tas-keno-2023")
		c.tills = newTills()
		first := &terminal{channel: rulebook.ChannelSST, kind: rulebook.VenueCasino, visit: new(visit)}
		second := &terminal{channel: x.channel, kind: rulebook.VenueCasino, visit: new(visit)}
		if err := c.machinePays(first, r, 7, 500_00); err != nil {
			t.Fatal(err)
		}
		ticket := uint64(7)
		if x.other {
			ticket = 8
		}
		err := c.machinePays(second, r, ticket, x.second)
		if (err == nil) != (x.want == "") || err != nil && !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v, want %q", name, err, x.want)
		}
	}
}
