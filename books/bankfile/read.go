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
	// debitName begins the name of the messages about which a payment status of direct debits is.
	debitName = "pain.008."
)

// Orders returns the order of a file of direct debits, or nil where the house has no such file.
type Orders func(file uint32) *record.DebitsOrdered

// The parts of a file that say something of a debit.
type (
	document struct {
		XMLName xml.Name
		Status  *struct {
			Group    statusGroup `xml:"OrgnlGrpInfAndSts"`
			Payments []struct {
				Items []statusItem `xml:"TxInfAndSts"`
			} `xml:"OrgnlPmtInfAndSts"`
		} `xml:"CstmrPmtStsRpt"`
		Booking *struct {
			Notes []struct {
				Account account        `xml:"Acct>Id"`
				Entries []bookingEntry `xml:"Ntry"`
			} `xml:"Ntfctn"`
		} `xml:"BkToCstmrDbtCdtNtfctn"`
	}
	amount struct {
		Currency string `xml:"Ccy,attr"`
		Value    string `xml:",chardata"`
	}
	account struct {
		IBAN  string `xml:"IBAN"`
		Other string `xml:"Othr>Id"`
	}
	statusGroup struct {
		File   string `xml:"OrgnlMsgId"`
		Name   string `xml:"OrgnlMsgNmId"`
		Status string `xml:"GrpSts"`
	}
	statusItem struct {
		ID      string   `xml:"OrgnlEndToEndId"`
		Status  string   `xml:"TxSts"`
		Reasons []string `xml:"StsRsnInf>Rsn>Cd"`
		Amount  *amount  `xml:"OrgnlTxRef>Amt>InstdAmt"`
	}
	bookingEntry struct {
		Amount *amount `xml:"Amt"`
		Side   string  `xml:"CdtDbtInd"`
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
// It refuses a status of another file than that of the debits, and what was booked on another account than theirs.
func Read(data []byte, currency string, orders Orders) (*Answers, error) {
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
		if err := answers.checkFile(&doc.Status.Group); err != nil {
			return nil, err
		}
		if len(answers.List)+len(answers.Others) == 0 && doc.Status.Group.Status == "RJCT" {
			return nil, errors.New("the bank has rejected the whole file and names no debit: have it name them, or send the file again")
		}
	case strings.HasPrefix(doc.XMLName.Space, bookingSpace) && doc.Booking != nil:
		for _, n := range doc.Booking.Notes {
			first := len(answers.List)
			for i := range n.Entries {
				if err := answers.entry(&n.Entries[i], currency); err != nil {
					return nil, err
				}
			}
			if err := checkAccount(answers.List[first:], n.Account, orders); err != nil {
				return nil, err
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
	own := len(a.List)
	for i := range e.Items {
		item := &e.Items[i]
		side := e.sideOf(item)
		if side != "CRDT" && side != "DBIT" {
			return fmt.Errorf("payment %q is booked on the side %q", item.ID, side)
		}
		booked := item.booked()
		if booked == nil && len(e.Items) == 1 {
			booked = e.Amount
		}
		paid := side == "CRDT" && len(item.Reasons) == 0 && strings.TrimSpace(e.Reversal) != "true"
		if err := a.add(item.ID, paid, booked, item.Reasons, currency); err != nil {
			return err
		}
	}
	if len(a.List) == own {
		return nil // It has no debit of the house.
	}
	return e.checkSum(currency)
}

// sideOf returns the side on which a payment is booked: its own, or that of the entry.
func (e *bookingEntry) sideOf(item *bookingItem) string {
	if item.Side != "" {
		return item.Side
	}
	return e.Side
}

// booked returns the amount that a payment itself has, or nil.
func (item *bookingItem) booked() *amount {
	if item.Amount != nil {
		return item.Amount
	}
	return item.Earlier
}

// checkSum checks that an entry is of the sum of its payments. What is booked on the other side than the entry counts
// against the sum. A payment alone in its entry may leave its amount to the entry.
func (e *bookingEntry) checkSum(currency string) error {
	if e.Amount == nil {
		return errors.New("an entry has no amount")
	}
	whole, err := e.Amount.in(currency)
	if err != nil {
		return fmt.Errorf("an entry: %w", err)
	}
	var sum money.Amount
	for i := range e.Items {
		item := &e.Items[i]
		cents, booked := whole, item.booked()
		if booked == nil && len(e.Items) > 1 {
			return fmt.Errorf("payment %q has no amount, and its entry is about %d payments", item.ID, len(e.Items))
		}
		if booked != nil {
			if cents, err = booked.in(currency); err != nil {
				return fmt.Errorf("payment %q: %w", item.ID, err)
			}
		}
		if e.sideOf(item) != e.Side {
			cents = -cents
		}
		if sum, err = sum.Add(cents); err != nil {
			return fmt.Errorf("the payments of an entry: %w", err)
		}
	}
	if sum != whole {
		return fmt.Errorf("an entry is of %v, and its payments come to %v", whole, sum)
	}
	return nil
}

// checkFile checks that a status of debits of the house is about the file of direct debits that has them.
func (a *Answers) checkFile(about *statusGroup) error {
	for _, answer := range a.List {
		id := record.EndToEnd(answer.File, answer.Venue, answer.Statement)
		if file := strings.TrimSpace(about.File); file != fileID(answer.File) {
			return fmt.Errorf("the status is about the file %q, and payment %s is of the file %s", file, id, fileID(answer.File))
		}
		if name := strings.TrimSpace(about.Name); !strings.HasPrefix(name, debitName) {
			return fmt.Errorf("the status is about a message %q, and payment %s is of one that begins with %s", name, id, debitName)
		}
	}
	return nil
}

// checkAccount checks that answers are about the account to which their debits are paid. What is of no order of the
// house is refused where answers are taken in.
func checkAccount(answers []Answer, on account, orders Orders) error {
	number := strings.TrimSpace(on.IBAN)
	if number == "" {
		number = strings.TrimSpace(on.Other)
	}
	for _, answer := range answers {
		if order := orders(answer.File); order != nil && order.Account != number {
			return fmt.Errorf("payment %s is booked on the account %q, and is paid to %s",
				record.EndToEnd(answer.File, answer.Venue, answer.Statement), number, order.Account)
		}
	}
	return nil
}

// in returns an amount in whole cents of a currency.
func (a *amount) in(currency string) (money.Amount, error) {
	if a.Currency != currency {
		return 0, fmt.Errorf("its amount is in %q, and the house collects in %s", a.Currency, currency)
	}
	return ParseAmount(strings.TrimSpace(a.Value))
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
		var err error
		if answer.Cents, err = booked.in(currency); err != nil {
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
