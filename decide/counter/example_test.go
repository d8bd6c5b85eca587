package counter_test

import (
	"fmt"
	"strings"

	"drawhouse/core/money"
	"drawhouse/decide/counter"
	"drawhouse/rulebook/rules"
)

// showRoute routes what is due at a venue with a limit, as the person wants it.
func showRoute(rulebook string, due, limit money.Amount, choice ...counter.Share) {
	book, err := rules.Book(rulebook)
	if err != nil {
		fmt.Println(err)
		return
	}
	shares, err := counter.Route(book, counter.Dues{Total: due, Limit: limit}, choice)
	if err != nil {
		fmt.Printf("%v: %v\n", due, err)
		return
	}
	var parts []string
	for _, s := range shares {
		parts = append(parts, fmt.Sprintf("%s %v", strings.ReplaceAll(s.Means, "_", " "), s.Cents))
	}
	fmt.Printf("%v: %s\n", due, strings.Join(parts, ", "))
}

// In Tasmania a venue pays in cash up to its limit, here $1,000, and the rest by site
// cheque; from $2,999 on what is not taken in cash is a central site voucher, and nobody
// is made to take more than $300 of it in cash.
func ExampleRoute_tasmania() {
	const limit = 1_000_00
	showRoute("tas-keno-2023", 2_998_00, limit)
	showRoute("tas-keno-2023", 2_999_00, limit)
	showRoute("tas-keno-2023", 2_999_00, limit, counter.Share{Means: counter.Cash, Cents: 1_000_00})
	showRoute("tas-keno-2023", 5_000_00, limit)
	showRoute("tas-keno-2023", 5_000_00, limit, counter.Share{Means: counter.CentralVoucher})
	showRoute("tas-keno-2023", 5_000_00, limit, counter.Share{Means: counter.SiteCheque})
	// Output:
	// $2,998.00: cash $1,000.00, site cheque $1,998.00
	// $2,999.00: cash $300.00, central voucher $2,699.00
	// $2,999.00: cash $1,000.00, central voucher $1,999.00
	// $5,000.00: cash $300.00, central voucher $4,700.00
	// $5,000.00: central voucher $5,000.00
	// $5,000.00: pay: From $2,999.00 on, what is not taken in cash is paid by central_voucher. (rule 13.7(b))
}

// In Victoria the first $10,000 of a session go out in cash or by change receipt, within
// the venue's limit, here $5,000, and the rest by cheque or transfer.
func ExampleRoute_victoria() {
	const limit = 5_000_00
	showRoute("vic-keno-2015", 10_000_00, 0)
	showRoute("vic-keno-2015", 10_000_00, limit)
	showRoute("vic-keno-2015", 14_000_00, limit)
	showRoute("vic-keno-2015", 14_000_00, limit, counter.Share{Means: counter.ChangeReceipt, Cents: 1_000_00},
		counter.Share{Means: counter.Transfer})
	showRoute("vic-keno-2015", 14_000_00, limit, counter.Share{Means: counter.Cash, Cents: 5_000_01})
	// Output:
	// $10,000.00: cash $10,000.00
	// $10,000.00: cash $5,000.00, cheque $5,000.00
	// $14,000.00: cash $5,000.00, cheque $9,000.00
	// $14,000.00: change receipt $1,000.00, transfer $13,000.00
	// $14,000.00: pay: $5,000.01 is due, and at most $5,000.00 may be paid in cash or by receipt. What is over that goes by another means of the rulebook, at the end of a session. (rule 21(d)(i))
}
