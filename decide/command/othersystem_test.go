package command_test

import (
	"crypto/ed25519"
	"fmt"
	"strings"
	"testing"

	"drawhouse/core/handover"
	"drawhouse/decide/command"
	"drawhouse/journal/record"
)

// TestLargestTicketsFile: the records of the request and of the tickets that are taken in have room for the largest
// file, and a request over HTTP has.
func TestLargestTicketsFile(t *testing.T) {
	t.Parallel()
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	public, _ := key.Public().(ed25519.PublicKey)
	var text strings.Builder
	text.WriteString("drawhouse open tickets 1\nsystem: Old Keno\nrulebook: tas-keno-2023\ncurrency: AUD\nas of: 2026-11-17\ncode,cents,kind,until\n")
	for i := range handover.MostTickets {
		fmt.Fprintf(&text, "TO%025d,%d,refund,\n", i, 100)
	}
	signed, err := handover.Sign([]byte(text.String()), key)
	if err != nil {
		t.Fatal(err)
	}
	act, codes, err := command.ReadTickets(command.TicketsFile{Text: command.FileText(signed),
		Key:       handover.FormatKey(public),
		Reference: strings.Repeat("x", 2_000)})
	if err != nil || len(codes) != handover.MostTickets || act.Cents != 100*handover.MostTickets {
		t.Fatalf("%d tickets for %d cents: %v", len(codes), act.Cents, err)
	}
	// A text as long as a file may be, with as many ends of lines, which a request writes with two characters each.
	act.Text = command.FileText(strings.Repeat("x", handover.MostBytes-handover.MostTickets-10) +
		strings.Repeat("\n", handover.MostTickets+10))
	says := command.Say(act)
	if most := record.MostSaid(record.ActionTickets); len(says) > most {
		t.Errorf("a request says %d bytes, and has room for %d", len(says), most)
	}
	for _, body := range []record.Body{
		&record.ApprovalRequested{Approval: 1, Action: record.ActionTickets, Content: record.Hash{1},
			Roles:   []record.Role{record.RoleInspector},
			Expires: 2, By: 3, Says: string(says)},
		&record.TicketsTakenIn{Series: 1, System: "Old Keno", Key: [32]byte(public), Text: []byte(act.Text),
			Tickets: handover.MostTickets, Cents: 1,
			Until: 1, Then: "treasurer", Clause: "14.3", Reference: act.Reference, By: 3},
	} {
		r := record.Record{Time: 1, Body: body}
		if _, err := record.Encode(r); err != nil {
			t.Error(err)
		}
		if err := r.CheckBounds(); err != nil {
			t.Error(err)
		}
	}
}
