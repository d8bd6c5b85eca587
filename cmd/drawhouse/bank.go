package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"drawhouse/books/bankfile"
	"drawhouse/core/money"
	"drawhouse/decide/command"
	"drawhouse/edge/api"
)

// bankCmd carries files between a running house and the bank of its operator.
type bankCmd struct {
	Account  bankAccountCmd  `cmd:"" help:"Say how a venue stands: its last statement, line by line, and what is not paid."`
	Order    bankOrderCmd    `cmd:"" help:"Ask for a file of direct debits for all statements that are not paid."`
	Answer   bankAnswerCmd   `cmd:"" help:"Ask for a file of the bank to be taken in: pain.002.001 or camt.054.001."`
	Withdraw bankWithdrawCmd `cmd:"" help:"Ask for a file of direct debits to be taken back, as far as the bank has not answered."`
	Finish   bankFinishCmd   `cmd:"" help:"Do what another person has consented to."`
	Files    bankFilesCmd    `cmd:"" help:"List the files of direct debits."`
	File     bankFileCmd     `cmd:"" help:"Write a file of direct debits for the bank, pain.008.001.02."`
}

// Help implements kong.HelpProvider.
func (*bankCmd) Help() string {
	return `Two persons of the central site agree on every file. One asks, the other consents, and the first
has it done:

  drawhouse bank order --as=2 --collect=2026-11-17
  drawhouse do --as=3 decide-approval approval=7 content=HASH granted=true
  drawhouse bank finish --as=2 7
  drawhouse bank file --as=2 --out=debits.xml
  drawhouse bank answer --as=2 answer.xml`
}

// bankOrderCmd asks for a file of direct debits.
type bankOrderCmd struct {
	signOnFlags
	Collect string `required:"" placeholder:"DATE" help:"The date on which the bank collects, such as 2026-11-17."`
}

// Run implements the command.
func (c *bankOrderCmd) Run(out *bytes.Buffer) error {
	return c.wants(out, "/v1/operator/debits", command.OrderDebits{Collect: c.Collect})
}

// bankAnswerCmd asks for the answer of the bank to be taken in.
type bankAnswerCmd struct {
	signOnFlags
	File string `arg:"" help:"The file of the bank, or - for the input."`
}

// Run implements the command. The house reads the file.
func (c *bankAnswerCmd) Run(out *bytes.Buffer) error {
	text, err := readBankFile(c.File)
	if err != nil {
		return misused("FILE", err)
	}
	return c.wants(out, "/v1/operator/debit-answers", command.BankAnswer{Text: command.FileText(text)})
}

// bankWithdrawCmd asks for a file of direct debits to be taken back.
type bankWithdrawCmd struct {
	signOnFlags
	File   uint32 `arg:"" help:"Number of the file."`
	Reason string `required:"" help:"Why it is taken back."`
}

// Run implements the command.
func (c *bankWithdrawCmd) Run(out *bytes.Buffer) error {
	return c.wants(out, "/v1/operator/debit-withdrawals", command.WithdrawDebits{File: c.File, Reason: c.Reason})
}

// readBankFile reads a file of the bank, if it is not longer than files of banks are.
func readBankFile(name string) (string, error) {
	file := os.Stdin
	if name != "-" {
		var err error
		if file, err = os.Open(name); err != nil {
			return "", err
		}
		defer func() { _ = file.Close() }()
	}
	text, err := io.ReadAll(io.LimitReader(file, bankfile.MostBytes+1))
	if err == nil && len(text) > bankfile.MostBytes {
		err = fmt.Errorf("%s has more than %d bytes", filepath.Base(name), bankfile.MostBytes)
	}
	return string(text), err
}

// wants asks for an act of two persons, and says what it would do and how another person consents.
func (f signOnFlags) wants(out *bytes.Buffer, path string, body any) error {
	var asked api.Approval
	err := f.with(func(ctx context.Context, s *signedOn) error {
		return s.ask(ctx, http.MethodPost, path, body, &asked)
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "request %d: %s\n", asked.Number, asked.Does)
	for _, effect := range asked.Effects {
		fmt.Fprintf(out, "  %s\n", effect)
	}
	fmt.Fprintf(out, `another person consents: drawhouse do --as=N decide-approval approval=%d content=%s granted=true
you have it done then: drawhouse bank finish --as=%d %d
`, asked.Number, asked.Content, f.As, asked.Number)
	return nil
}

// bankFinishCmd does what two persons have agreed on.
type bankFinishCmd struct {
	signOnFlags
	Request uint32 `arg:"" help:"Number of the request."`
}

// Run implements the command.
func (c *bankFinishCmd) Run(out *bytes.Buffer) error {
	var done api.Operated
	err := c.with(func(ctx context.Context, s *signedOn) error {
		return s.ask(ctx, http.MethodPost, fmt.Sprintf("/v1/approvals/%d/use", c.Request), nil, &done)
	})
	if err == nil {
		fmt.Fprintf(out, "request %d is done: %s\n", c.Request, done.Action)
	}
	return err
}

// bankFilesCmd lists the files of direct debits.
type bankFilesCmd struct{ signOnFlags }

// Run implements the command.
func (c *bankFilesCmd) Run(out *bytes.Buffer) error {
	return c.with(func(ctx context.Context, s *signedOn) error {
		files, err := s.debitFiles(ctx)
		if err != nil {
			return err
		}
		rows := bytes.NewBufferString("file\tordered\tcollected on\tdebits\tsum\tid at the bank\n")
		for _, f := range files {
			fmt.Fprintf(rows, "%d\t%s\t%s\t%d\t%v\t%s\n", f.File, f.Ordered.UTC().Format("2006-01-02 15:04"), f.Collect, f.Debits,
				money.Amount(f.Cents), f.ID)
		}
		return writeColumns(out, rows)
	})
}

// debitFiles returns the files of direct debits, the newest first.
func (s *signedOn) debitFiles(ctx context.Context) ([]api.DebitFile, error) {
	var all api.DebitFiles
	err := s.ask(ctx, http.MethodGet, "/v1/operator/debits", nil, &all)
	return all.Files, err
}

// bankFileCmd writes a file of direct debits.
type bankFileCmd struct {
	signOnFlags
	File uint32 `arg:"" optional:"" help:"Number of the file; the newest if absent."`
	Out  string `type:"path" placeholder:"FILE" help:"Write the file there and not to the output; it must not exist."`
}

// Run implements the command.
func (c *bankFileCmd) Run(out *bytes.Buffer) error {
	var data []byte
	err := c.with(func(ctx context.Context, s *signedOn) (err error) {
		if c.File == 0 {
			files, err := s.debitFiles(ctx)
			if err != nil {
				return err
			}
			if len(files) == 0 {
				return errors.New("no file of direct debits was ordered")
			}
			c.File = files[0].File
		}
		data, err = s.send(ctx, http.MethodGet, fmt.Sprintf("/v1/operator/debits/%d", c.File), nil)
		return err
	})
	switch {
	case err != nil:
		return err
	case c.Out == "":
		out.Write(data)
		return nil
	}
	if err := writeNewFile(c.Out, data, 0o600); err != nil {
		return misused("--out", err)
	}
	fmt.Fprintf(out, "file %d of direct debits is in %s\n", c.File, c.Out)
	return nil
}

// bankAccountCmd says how a venue stands.
type bankAccountCmd struct {
	signOnFlags
	Venue uint32 `arg:"" help:"Number of the venue."`
}

// Run implements the command.
func (c *bankAccountCmd) Run(out *bytes.Buffer) error {
	var account api.VenueAccount
	err := c.with(func(ctx context.Context, s *signedOn) error {
		return s.ask(ctx, http.MethodGet, fmt.Sprintf("/v1/venues/%d/account", c.Venue), nil, &account)
	})
	switch {
	case err != nil:
		return err
	case account.Agreement == nil:
		fmt.Fprintf(out, "venue %d has no agreement\n", c.Venue)
		return nil
	}
	rows := new(bytes.Buffer)
	if l := account.Statement; l != nil {
		fmt.Fprintf(out, "statement %d of venue %d, from %s to %s, due on %s\n", l.Number, c.Venue, l.From, l.To, l.Due)
		for _, line := range []struct {
			name  string
			cents int64
		}{
			{"tickets sold", l.SoldCents}, {"tickets given back", -l.BackCents}, {"papers sold", l.PapersCents},
			{"prizes paid", l.PrizesCents}, {"stakes paid back", l.RefundsCents}, {"fees of bingo", l.FeesCents},
			{"fees paid back", -l.FeesBackCents}, {"opening balance", l.OpeningCents},
			{"received", -l.ReceivedCents}, {"takings", l.TakingsCents}, {"commission", -l.CommissionCents},
			{"tax on the commission", -l.TaxCents}, {"made up to the least payment", l.FloorCents}, {"closing balance", l.ClosingCents},
		} {
			fmt.Fprintf(rows, "  %s\t%v\n", line.name, money.Amount(line.cents))
		}
	}
	fmt.Fprintf(rows, "  owes now\t%v\n", money.Amount(account.OwesCents))
	if err := writeColumns(out, rows); err != nil {
		return err
	}
	for _, u := range account.Unpaid {
		words := ""
		if u.File != 0 {
			words = fmt.Sprintf(", collected by file %d", u.File)
		}
		if u.Missed {
			words += ", missed"
		}
		fmt.Fprintf(out, "not paid: %v of statement %d, due on %s%s\n", money.Amount(u.LeftCents), u.Statement, u.Due, words)
	}
	for _, d := range account.AtBank {
		if d.OverCents > 0 {
			fmt.Fprintf(out, "file %d collects %v for statement %d, and %v of it are not owed any more: withdraw the file at the bank and here\n",
				d.File, money.Amount(d.Cents), d.Statement, money.Amount(d.OverCents))
		}
	}
	for _, p := range account.Payments {
		words := map[string]string{"cash": "cash of the safe", "received": "from the venue", "paid": "to the venue"}[p.Way]
		if p.Reversed {
			words += ", taken back"
		}
		fmt.Fprintf(out, "payment %q: %v %s, record %s\n", p.Reference, money.Amount(p.Cents), words, p.Record)
	}
	return nil
}
