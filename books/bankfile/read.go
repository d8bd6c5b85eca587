package bankfile

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// MostBytes and MostAnswers bound a file of answers.
const (
	MostBytes   = 4 << 20
	MostAnswers = record.MostDebits
)

// Answer is what a bank says of one direct debit of the house.
type Answer struct {
	File, Venue, Statement uint32
	Paid                   bool
	Cents                  money.Amount // 0 where the bank names no amount
	Code                   string       // why it was returned
}

// Answers are what a file of a bank says.
type Answers struct {
	List   []Answer
	Others []string // ids of payments that are not of this house
}

// The beginnings of the namespaces of the files that are read.
const (
	statusSpace  = "urn:iso:std:iso:20022:tech:xsd:pain.002.001."
	bookingSpace = "urn:iso:std:iso:20022:tech:xsd:camt.054.001."
)

// The parts of a file that say something of a debit.
type (
	document struct {
		XMLName xml.Name
		Status  *struct {
			Group struct {
				Status string `xml:"GrpSts"`
			} `xml:"OrgnlGrpInfAndSts"`
			Payments []struct {
				Items []statusItem `xml:"TxInfAndSts"`
			} `xml:"OrgnlPmtInfAndSts"`
		} `xml:"CstmrPmtStsRpt"`
		Booking *struct {
			Notes []struct {
				Entries []bookingEntry `xml:"Ntry"`
			} `xml:"Ntfctn"`
		} `xml:"BkToCstmrDbtCdtNtfctn"`
	}
	amount struct {
		Currency string `xml:"Ccy,attr"`
		Value    string `xml:",chardata"`
	}
	statusItem struct {
		ID      string   `xml:"OrgnlEndToEndId"`
		Status  string   `xml:"TxSts"`
		Reasons []string `xml:"StsRsnInf>Rsn>Cd"`
		Amount  *amount  `xml:"OrgnlTxRef>Amt>InstdAmt"`
	}
	bookingEntry struct {
		Side   string `xml:"CdtDbtInd"`
		Status struct {
			Text string `xml:",chardata"`
			Code string `xml:"Cd"`
		} `xml:"Sts"`
		Reversal string        `xml:"RvslInd"`
		Items    []bookingItem `xml:"NtryDtls>TxDtls"`
	}
	bookingItem struct {
		ID      string   `xml:"Refs>EndToEndId"`
		Amount  *amount  `xml:"Amt"`
		Earlier *amount  `xml:"AmtDtls>TxAmt>Amt"`
		Side    string   `xml:"CdtDbtInd"`
		Reasons []string `xml:"RtrInf>Rsn>Cd"`
	}
)

// Read reads the answer of a bank about direct debits in a currency. What is still under way at the bank is left out.
func Read(data []byte, currency string) (*Answers, error) {
	doc, err := parse(data)
	if err != nil {
		return nil, err
	}
	answers := new(Answers)
	switch {
	case strings.HasPrefix(doc.XMLName.Space, statusSpace) && doc.Status != nil:
		for _, p := range doc.Status.Payments {
			for i := range p.Items {
				if err := answers.status(&p.Items[i], currency); err != nil {
					return nil, err
				}
			}
		}
		if len(answers.List)+len(answers.Others) == 0 && doc.Status.Group.Status == "RJCT" {
			return nil, errors.New("the bank has rejected the whole file and names no debit: have it name them, or send the file again")
		}
	case strings.HasPrefix(doc.XMLName.Space, bookingSpace) && doc.Booking != nil:
		for _, n := range doc.Booking.Notes {
			for i := range n.Entries {
				if err := answers.entry(&n.Entries[i], currency); err != nil {
					return nil, err
				}
			}
		}
	default:
		return nil, fmt.Errorf("the file is a %q of %q, and neither pain.002.001 nor camt.054.001", doc.XMLName.Local,
			doc.XMLName.Space)
	}
	if len(answers.List) > MostAnswers || len(answers.Others) > MostAnswers {
		return nil, fmt.Errorf("the file is about more than %d payments", MostAnswers)
	}
	return answers, nil
}

// parse reads one document without a document type and with nothing behind it.
func parse(data []byte) (*document, error) {
	if len(data) > MostBytes {
		return nil, fmt.Errorf("the file has %d bytes, and a file of a bank at most %d", len(data), MostBytes)
	}
	if bytes.Contains(data, []byte("<!DOCTYPE")) || bytes.Contains(data, []byte("<!ENTITY")) {
		return nil, errors.New("the file has a document type, and files of banks have none")
	}
	d := xml.NewDecoder(bytes.NewReader(data))
	d.CharsetReader = func(charset string, _ io.Reader) (io.Reader, error) {
		return nil, fmt.Errorf("the file is in %s, and is read in UTF-8 alone", charset)
	}
	doc := new(document)
	if err := d.Decode(doc); err != nil {
		return nil, fmt.Errorf("the file is no XML: %w", err)
	}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return doc, nil
		}
		if text, ok := token.(xml.CharData); err != nil || !ok || len(bytes.TrimSpace(text)) > 0 {
			return nil, errors.New("there is more behind the end of the document")
		}
	}
}

// status takes in the status of one payment.
func (a *Answers) status(item *statusItem, currency string) error {
	switch item.Status {
	case "ACSC", "ACCC":
		return a.add(item.ID, true, item.Amount, nil, currency)
	case "RJCT":
		return a.add(item.ID, false, item.Amount, item.Reasons, currency)
	case "RCVD", "ACTC", "ACCP", "ACSP", "ACWC", "PDNG":
		return nil // It is under way.
	}
	return fmt.Errorf("payment %q has the status %q, which is not known", item.ID, item.Status)
}

// entry takes in what was booked.
func (a *Answers) entry(e *bookingEntry, currency string) error {
	status := strings.TrimSpace(e.Status.Code)
	if status == "" {
		status = strings.TrimSpace(e.Status.Text)
	}
	if status != "BOOK" {
		return nil
	}
	for i := range e.Items {
		item := &e.Items[i]
		side := item.Side
		if side == "" {
			side = e.Side
		}
		if side != "CRDT" && side != "DBIT" {
			return fmt.Errorf("payment %q is booked on the side %q", item.ID, side)
		}
		booked := item.Amount
		if booked == nil {
			booked = item.Earlier
		}
		paid := side == "CRDT" && len(item.Reasons) == 0 && strings.TrimSpace(e.Reversal) != "true"
		if err := a.add(item.ID, paid, booked, item.Reasons, currency); err != nil {
			return err
		}
	}
	return nil
}

// add adds an answer, if it is about a debit of the house.
func (a *Answers) add(id string, paid bool, booked *amount, reasons []string, currency string) error {
	id = strings.TrimSpace(id)
	answer, ok := parseID(id)
	if !ok {
		a.Others = append(a.Others, strconv.QuoteToASCII(id))
		return nil
	}
	answer.Paid = paid
	if !paid && len(reasons) > 0 {
		answer.Code = strings.TrimSpace(reasons[0])
		if len(answer.Code) > 4 {
			return fmt.Errorf("payment %s is returned for %q, which is no code of a reason", id, answer.Code)
		}
	}
	if booked != nil {
		if booked.Currency != currency {
			return fmt.Errorf("payment %s is in %q, and the house collects in %s", id, booked.Currency, currency)
		}
		var err error
		if answer.Cents, err = ParseAmount(strings.TrimSpace(booked.Value)); err != nil {
			return fmt.Errorf("payment %s: %w", id, err)
		}
	}
	a.List = append(a.List, answer)
	return nil
}

// parseID reads the id of a debit of the house in its one form.
func parseID(id string) (a Answer, ok bool) {
	rest, ok := strings.CutPrefix(id, "DH-")
	parts := strings.Split(rest, "-")
	if !ok || len(parts) != 3 {
		return a, false
	}
	for i, to := range []*uint32{&a.File, &a.Venue, &a.Statement} {
		n, err := strconv.ParseUint(parts[i], 10, 31)
		if err != nil || n == 0 {
			return a, false
		}
		*to = uint32(n)
	}
	return a, record.EndToEnd(a.File, a.Venue, a.Statement) == id
}

// ParseAmount reads a decimal amount above zero as whole cents. Digits beyond cents must be zero.
func ParseAmount(text string) (money.Amount, error) {
	whole, part, _ := strings.Cut(text, ".")
	cents := (part + "00")[:2]
	if strings.Trim(text, "0123456789.") != "" || whole == "" || len(whole) > 13 || len(part) > 5 ||
		strings.Contains(part, ".") || strings.Trim(part[min(2, len(part)):], "0") != "" {
		return 0, fmt.Errorf("%q is no amount in whole cents", text)
	}
	n, err := strconv.ParseInt(whole+cents, 10, 64)
	if err != nil || n == 0 || money.CheckWithin(money.Amount(n), money.MaxAmount) != nil {
		return 0, fmt.Errorf("%q is no amount that a debit can have", text)
	}
	return money.Amount(n), nil
}
