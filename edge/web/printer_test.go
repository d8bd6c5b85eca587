package web

import (
	"bytes"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/edge/api"
	"drawhouse/journal/record"
	"drawhouse/receipt/printer"
)

// slips is a printer that can be switched off: it takes connections and hangs up.
type slips struct {
	off     atomic.Bool
	hungUp  chan struct{} // a value for every try while it is off
	printed chan []byte
}

func startPrinter(t *testing.T) (*slips, printer.Address) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	s := &slips{hungUp: make(chan struct{}, 10), printed: make(chan []byte, 10)}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			if s.off.Load() {
				_ = conn.Close()
				s.hungUp <- struct{}{}
				continue
			}
			_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
			data, _ := io.ReadAll(conn)
			_ = conn.Close()
			s.printed <- data
		}
	}()
	address, err := printer.ParseAddress("tcp://" + l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return s, address
}

// TestPrinterFails sells with a printer that works and then does not. The ticket is
// sold all the same; the writer is told that it is in nobody's hand, and has a sheet
// with another claim code printed, which says that it is a duplicate.
func TestPrinterFails(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "vic-keno-2015")
	machine, address := startPrinter(t)
	s.shut()
	s.papers = api.Papers{Printers: map[uint32]printer.Address{1: address}}
	s.open()
	s.begins()
	size(t, ctx, 1280, 720)
	s.enrolled(ctx)
	sell := func(slip string) {
		t.Helper()
		line(t, ctx, slip)
		awaitPage(t, ctx, "a price", `() => !document.getElementById("sell").disabled`)
		keys(t, ctx, kb.F8)
	}
	sell("3 17 42 s1")
	shows(t, ctx, "said", "Printed.")
	if data := <-machine.printed; !bytes.Contains(data, []byte("Claim code")) {
		t.Error("the paper has no claim code")
	}
	keys(t, ctx, kb.F4)
	awaitPage(t, ctx, "the last paper", `() => document.querySelector("#roll svg") !== null`)
	if call[bool](t, ctx,
		`() => document.getElementById("roll").textContent.includes("Claim")  && /[0-9A-Z]{4}-[0-9A-Z]{4}/.test(document.getElementById("roll").textContent)`) {
		t.Error("the screen shows a claim code that the printer has printed")
	}
	keys(t, ctx, kb.Escape)

	machine.off.Store(true)
	sell("5 6 7 s2")
	shows(t, ctx, "paper-state", "Sold, and not in the customer's hand.")
	judge(t, ctx, "terminal-printer")
	machine.off.Store(false)
	clickNamed(t, ctx, "#paper-acts button", "Reprint with new claim code")
	data := <-machine.printed
	if !bytes.Contains(data, []byte("DUPLICATE")) {
		t.Error("the new sheet does not say that it is a duplicate")
	}
	shows(t, ctx, "owed", "$3.00")

	machine.off.Store(true)
	sell("8 9 s4")
	shows(t, ctx, "paper-state", "Sold, and not in the customer's hand.")
	awaitPage(t, ctx, "what to do",
		`() => document.getElementById("paper").open && document.getElementById("paper-acts").textContent.includes("Report")`)
	clickNamed(t, ctx, "#paper-acts button", "Report for cancelling")
	shows(t, ctx, "paper-state", "another person must agree")
	takeBack := func() {
		t.Helper()
		call[chromedp.Void](t, ctx,
			`() => { const field = document.getElementById("approval"); field.value = "1"; field.form.requestSubmit(); }`)
	}
	takeBack()
	shows(t, ctx, "paper-state", "There is no approval 1.")
	agree(t, s)
	takeBack()
	shows(t, ctx, "said", "Cancelled. $4.00 is on the customer's account.")
	shows(t, ctx, "owed", "$3.00")
	s.verified()
}

// agree has one person ask for the newest ticket to be taken back, and another consent.
func agree(t *testing.T, s *shop) {
	t.Helper()
	summary, _, err := s.house.Session(t.Context(), 1)
	s.must(err)
	content := staff.ContentOf(command.ActionVoid, []byte(summary.Lines[len(summary.Lines)-1].Place.String()))
	var senior, central uint32
	for _, one := range s.house.People().Persons() {
		if one.Has(record.RoleSenior, 1) {
			senior = one.ID
		}
		if one.HasAny(record.RoleSupervisor) {
			central = one.ID
		}
	}
	for _, c := range []staff.Command{staff.Request{By: senior, Action: command.ActionVoid, Content: content},
		staff.Consent{By: central, Approval: 1, Content: content, Granted: true}} {
		_, err := s.house.Do(t.Context(), command.Change{Command: c}, record.By{})
		s.must(err)
	}
}

// TestCustomerSeesTheSum: the customer's display shows what the writer's terminal does.
func TestCustomerSeesTheSum(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "vic-keno-2015")
	size(t, ctx, 1280, 720)
	s.enrolled(ctx)
	other, cancel := chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	s.must(chromedp.Do(other, chromedp.Navigate(s.url("/terminal/customer"))))
	shows(t, other, "label", "Welcome")
	judge(t, other, "customer-idle")
	line(t, ctx, "3 17 42 s5 g2")
	shows(t, other, "slip", "Classic 3 17 42, $5.00")
	shows(t, other, "slip-price", "$10.00: 1 way, 2 games from game 0")
	judge(t, other, "customer-slip")
	awaitPage(t, ctx, "a price", `() => !document.getElementById("sell").disabled`)
	keys(t, ctx, kb.F8)
	shows(t, other, "sum", "$10.00")
	awaitPage(t, other, "no slip", `() => document.getElementById("buying").hidden`)
	shows(t, other, "last", "Ticket $10.00")
	judge(t, other, "customer")
}
