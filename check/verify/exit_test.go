package verify

import (
	"testing"

	"drawhouse/journal/record"
)

// TestStopsBeforeTheLevel holds acts on which a stop stands against a journal of each level:
// a finding before record.LevelGuarded, and a fault from it on.
func TestStopsBeforeTheLevel(t *testing.T) {
	ticket, bought, cheque := record.Place{Volume: 1, Seq: 4}, record.Place{Volume: 1, Seq: 5},
		record.Place{Volume: 1, Seq: 6}
	for name, c := range map[string]struct {
		body   record.Body
		honest func(*checker)
	}{
		"a cheque of a frozen ticket": {&record.ChequeHanded{Cheque: cheque, By: 1},
			func(c *checker) { c.tills.stopped = nil }},
		"cancelled under a claim": {&record.TicketCancelled{Ticket: ticket}, func(c *checker) {
			c.tills.stopped, c.tills.forms.under = nil, nil
		}},
		"claimed and not stopped": {&record.TicketCancelled{Ticket: bought},
			func(c *checker) { c.tills.forms.under = nil }},
		"a freeze that leaves a ticket out": {&record.PaymentFrozen{Places: []record.Place{ticket}},
			func(c *checker) { c.tills.links = nil }},
	} {
		for _, level := range []uint8{record.LevelFirst, record.LevelGuarded} {
			open := func() *checker {
				return &checker{
					level: level, report: &Report{}, log: theLog{volumes: []*volume{{number: 1}}}, seq: 9,
					tills: tills{
						stopped: map[uint64]stops{flat(ticket): {frozen: true}},
						links:   map[uint64][]uint64{flat(ticket): {flat(bought)}},
						forms:   forms{under: map[uint64]int{flat(ticket): 1, flat(bought): 1}},
						cheques: cheques{due: map[uint64]promise{flat(cheque): {tickets: []record.Place{ticket}}}},
					},
				}
			}
			ask := func(k *checker) (fault bool, findings uint64) {
				err := k.checkReached(c.body)
				if err == nil {
					err = k.guard(k.checkExit(c.body))
				}
				return err != nil, k.report.FindingCount
			}
			fault, findings := ask(open())
			if fault != (level >= record.LevelGuarded) || !fault && findings != 1 {
				t.Errorf("%s, level %d: a fault is %v, with %d findings", name, level, fault, findings)
			}
			k := open()
			c.honest(k)
			if fault, findings := ask(k); fault || findings != 0 {
				t.Errorf("%s without the stop, level %d: a fault is %v, with %d findings", name, level, fault, findings)
			}
		}
	}
}
