package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"drawhouse/cmd/drawhouse/console"
	"drawhouse/core/serial"
	"drawhouse/receipt"
	"drawhouse/receipt/printer"
	"drawhouse/rulebook"
)

// receiptCmd prints the paper that belongs to an answer of the house.
type receiptCmd struct {
	File        string        `arg:"" help:"The house's answer to a sale, a payment or a cancellation, as JSON; - for the input."`
	Format      string        `enum:"text,pdf,escpos,svg" default:"text" help:"text, pdf, escpos (bytes for a thermal printer) or svg."`
	Width       int           `default:"80" placeholder:"MM" help:"Width of the roll in millimetres: 58 or 80 (${default})."`
	Printer     string        `placeholder:"tcp://HOST:9100" help:"Print on this thermal printer instead of writing."`
	Timeout     time.Duration `default:"15s" help:"How long the printer may take (${default})."`
	Out         string        `placeholder:"FILE" help:"Write into a file instead of the output."`
	Rulebook    string        `placeholder:"RULEBOOK" help:"Id of a built-in rulebook, a file, or one of an exported journal as DIR@HASH; that of the ticket if absent."`
	Heading     string        `placeholder:"NAME" help:"The operator's name, on top; the title of the rules if absent."`
	Venue       string        `placeholder:"NAME" help:"Name of the venue."`
	Terminal    uint32        `placeholder:"N" help:"Number of the terminal."`
	Writer      string        `placeholder:"NAME" help:"Name or number of the writer."`
	ClaimCode   string        `name:"claim-code" placeholder:"CODE" help:"The claim code that the terminal made. Without it the paper is paid by claim form only."`
	Site        string        `placeholder:"URL" help:"Address of the house's pages, for the QR code of the proof."`
	Help        string        `name:"help-line" placeholder:"TEXT" help:"Where players find help; no such line without it."`
	Duplicate   bool          `help:"The paper was printed before."`
	Promotional bool          `help:"Print the word Promotional."`
}

// errManyAims refuses two places for one paper.
var errManyAims = errors.New("a paper is printed, or written into a file, not both")

// Run implements the command.
func (c *receiptCmd) Run(con console.Streams, out *bytes.Buffer) error {
	paper, err := receipt.PaperOf(c.Width)
	if err != nil {
		return misused("--width", err)
	}
	if c.Printer != "" && c.Out != "" {
		return misused("--printer, --out", errManyAims)
	}
	slip, err := c.slip()
	if err != nil {
		return err
	}
	if err := sayReplaced(con, slip.Replaced()); err != nil {
		return err
	}
	if c.Printer != "" {
		return c.print(con, slip, paper)
	}
	if err := c.render(out, slip, paper); err != nil {
		return err
	}
	if c.Out == "" {
		return nil
	}
	defer out.Reset()
	if err := os.WriteFile(c.Out, out.Bytes(), 0o644); err != nil {
		return misused("--out", err)
	}
	return nil
}

// slip makes the paper that the answer asks for.
func (c *receiptCmd) slip() (*receipt.Slip, error) {
	data, err := c.read()
	if err != nil {
		return nil, misused("FILE", err)
	}
	answer, err := receipt.ParseAnswer(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.File, err)
	}
	counter := receipt.Counter{Heading: c.Heading, Venue: c.Venue, Terminal: c.Terminal, Writer: c.Writer}
	if c.Rulebook != "" {
		book, err := c.book("")
		if err != nil {
			return nil, err
		}
		counter.Money = book.Money()
	}
	switch {
	case answer.Payment != nil:
		answer.Payment.Counter = counter
		return receipt.Payment(*answer.Payment)
	case answer.Cancellation != nil:
		answer.Cancellation.Counter = counter
		return receipt.Cancellation(*answer.Cancellation)
	}
	answer.Sale.Counter = counter
	return c.ticket(answer.Sale)
}

// read reads the answer, which is small.
func (c *receiptCmd) read() ([]byte, error) {
	const most = 1 << 20
	if c.File != "-" {
		return os.ReadFile(c.File)
	}
	return io.ReadAll(io.LimitReader(os.Stdin, most))
}

// ticket adds to the facts what the house does not know or did not say.
func (c *receiptCmd) ticket(s *receipt.Sale) (*receipt.Slip, error) {
	book, err := c.book(s.Ticket.Rulebook)
	if err != nil {
		return nil, err
	}
	zone, err := time.LoadLocation(book.Zone())
	if err != nil {
		return nil, fmt.Errorf("the zone of %s: %w", book.ID(), err)
	}
	s.Book, s.Time = book, s.Time.In(zone)
	s.Duplicate, s.Promotional, s.Help, s.Proof.Site = c.Duplicate, c.Promotional, c.Help, c.Site
	if c.ClaimCode != "" {
		code, err := serial.ParseClaimCode(c.ClaimCode)
		if err != nil {
			return nil, misused("--claim-code", err)
		}
		s.Claim = &code
	}
	slip, err := receipt.Ticket(*s)
	if missing, ok := errors.AsType[*receipt.Missing](err); ok && (missing.Field == "terminal" || missing.Field == "writer") {
		return nil, misused("--"+missing.Field, fmt.Errorf("it is missing; %s wants it on the paper (rule %s)", book.ID(),
			missing.Clause))
	}
	return slip, err
}

func (c *receiptCmd) book(id string) (*rulebook.Book, error) {
	if c.Rulebook == "" {
		return findBook("FILE", id)
	}
	return findBook("--rulebook", c.Rulebook)
}

// render writes the paper as the line asks.
func (c *receiptCmd) render(out *bytes.Buffer, slip *receipt.Slip, paper receipt.Paper) error {
	var data []byte
	var text string
	var err error
	switch c.Format {
	case "pdf":
		return slip.PDF(out, paper, time.Now())
	case "escpos":
		data, err = slip.ESCPOS(paper)
	case "svg":
		text, err = slip.SVG(paper)
	default:
		text, err = slip.Text(paper)
	}
	out.Write(data)
	out.WriteString(text)
	return err
}

// print prints the paper and says how sure it is that it came out.
func (c *receiptCmd) print(con console.Streams, slip *receipt.Slip, paper receipt.Paper) error {
	address, err := printer.ParseAddress(c.Printer)
	if err != nil {
		return misused("--printer", err)
	}
	data, err := slip.ESCPOS(paper)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.Timeout)
	defer cancel()
	result, err := printer.Send(ctx, address, data)
	if failure, ok := errors.AsType[*printer.Failure](err); ok {
		return fmt.Errorf("printer %s: %w", failure.State, failure)
	}
	if err != nil {
		return err
	}
	text := "sent; this printer does not say whether it has printed"
	if result.Confirmed {
		text = "printed"
	}
	if result.LowPaper {
		text += "; the roll is near its end"
	}
	_, err = fmt.Fprintln(con.Stdout, text)
	return err
}
