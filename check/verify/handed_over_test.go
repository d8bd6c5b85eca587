package verify

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"slices"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/handover"
)

// FuzzHandedOver: the second reader of files of other systems reads what the first one reads, and refuses
// what the first one refuses. Only a signed file is read at all.
func FuzzHandedOver(f *testing.F) {
	const head = "drawhouse open tickets 1\nsystem: Old Keno\nrulebook: tas-keno-2023\ncurrency: AUD\nas of: 2026-11-17\ncode,cents,kind,until\n"
	for _, rows := range []string{
		"4711000000000017,12300,prize,2027-05-01\n4711000000000025,500,refund,\n", "4711000000000017,0,prize,\n",
		"47110017,1,prize,2026-11-16\n",
		"47110017,1,gift,\n", "4711,1,prize,\n", "47110017,01,prize,\n", "47110017,100000000000,prize,\n47110018,1,prize,\n",
		"",
		"47110017,1,prize,2026-11-31\n", "47110017,99999999999999999999,prize,\n", "47110017,1,prize,\n\n",
	} {
		f.Add(head + rows)
	}
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{1}, ed25519.SeedSize))
		public, _ := key.Public().(ed25519.PublicKey)
		data := fmt.Appendf(nil, "%ssignature: %s\n", text,
			base64.StdEncoding.EncodeToString(ed25519.Sign(key, []byte(text))))
		prizes := day.MustParse("2033-11-17")
		first, err := handover.Read(data, public)
		second, also := readHanded(data, [32]byte(public), prizes)
		if also == nil && len(second.codes) > len(slices.Compact(slices.Sorted(slices.Values(second.codes)))) {
			return // That a ticket stands in a file twice is found with the tickets of other files.
		}
		if (err == nil) != (also == nil) {
			t.Fatalf("%q is read with %v and %v", data, err, also)
		}
		if err != nil {
			return
		}
		want := &handed{system: first.System, rulebook: first.Rulebook, currency: first.Currency, asOf: first.AsOf}
		for _, ticket := range first.Tickets {
			until := ticket.Until
			if until == day.None && ticket.Kind == handover.Prize {
				until = prizes
			}
			want.codes = append(want.codes, ticket.Code)
			want.tickets = append(want.tickets, outTicket{cents: ticket.Cents, until: until})
			want.sum += ticket.Cents
		}
		if fmt.Sprint(second) != fmt.Sprint(want) {
			t.Fatalf("%q is read as %+v and %+v", data, first, second)
		}
		// A byte that is altered is not signed for.
		for _, at := range []int{0, len(data) / 2} {
			other := bytes.Clone(data)
			other[at] ^= 1
			if _, err := readHanded(other, [32]byte(public), prizes); err == nil {
				t.Fatalf("byte %d is altered, and the file is read", at)
			}
		}
	})
}
