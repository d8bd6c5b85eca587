package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"drawhouse/edge/api"
	"drawhouse/house"
	"drawhouse/receipt"
	"drawhouse/receipt/printer"
	"drawhouse/rulebook"
)

// paperFlags say how counters print.
type paperFlags struct {
	Printer []string `setting:"" sep:"none" placeholder:"N=tcp://HOST[:PORT]" help:"Printer of terminal N. May be given several times; a terminal without one shows its papers on the screen."`
	Roll    int      `setting:"" default:"80" placeholder:"MM" help:"Width of the rolls, 58 or 80 (${default})."`
	Site    string   `setting:"" placeholder:"URL" help:"Where players reach the pages of the house, for the code on receipts."`
	Heading string   `setting:"" placeholder:"TEXT" help:"What stands on top of every paper; the name of the house if it is not given."`
	Care    string   `setting:"" placeholder:"TEXT" help:"Where players find help, such as a telephone number: on every page that they use, and on receipts. No such line without it."`
}

// papers reads the flags.
func (f paperFlags) papers() (api.Papers, error) {
	p := api.Papers{Site: f.Site, Heading: f.Heading, Printers: map[uint32]printer.Address{}}
	var err error
	if p.Roll, err = receipt.PaperOf(f.Roll); err != nil {
		return p, misused("--roll", err)
	}
	for _, text := range f.Printer {
		number, address, _ := strings.Cut(text, "=")
		terminal, err := strconv.ParseUint(number, 10, 32)
		if err != nil || terminal == 0 {
			return p, misused("--printer", fmt.Errorf("%q does not begin with the number of a terminal and =", text))
		}
		if _, again := p.Printers[uint32(terminal)]; again {
			return p, misused("--printer", fmt.Errorf("terminal %d has two printers", terminal))
		}
		at, err := printer.ParseAddress(address)
		if err != nil {
			return p, misused("--printer", errors.Join(fmt.Errorf("the printer of terminal %d", terminal), err))
		}
		p.Printers[uint32(terminal)] = at
	}
	return p, nil
}

// demoCounterLife is how long the code of a demonstration is good: as long as somebody
// may look at it.
const demoCounterLife = 24 * time.Hour

// demoCounter says how a browser becomes a writer's terminal of a demonstration. It is
// the last one of several: the first keeps the key that everybody knows.
func demoCounter(h *house.House, server *api.Server, url string) string {
	var writers []uint32
	for _, post := range h.People().Posts() {
		if post.Channel == rulebook.ChannelWriter && !post.Revoked {
			writers = append(writers, post.Terminal)
		}
	}
	if len(writers) < 2 {
		return ""
	}
	return fmt.Sprintf("its writer's terminal, in this browser: %s/terminal#%s\n", url,
		server.AllowEnrolment(writers[len(writers)-1], demoCounterLife))
}
