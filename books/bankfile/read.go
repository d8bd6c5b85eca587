package bankfile

import (
	"bytes"
	"cmp"
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
	Bank                   string       // the reference of the bank for what it says
}

// Answers are what a file of a bank says.
type Answers struct {
	List   []Answer
	Others []string // ids of payments that are not of this house, or about which a person must decide
	// Rejected is the number of the file of direct debits that the bank rejects as a whole, and Reason why; 0 for none.
	Rejected uint32
	Reason   string
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
			ID       string      `xml:"GrpHdr>MsgId"`
			Group    statusGroup `xml:"OrgnlGrpInfAndSts"`
			Payments []struct {
				ID      string       `xml:"OrgnlPmtInfId"`
				Status  string       `xml:"PmtInfSts"`
				Reasons []string     `xml:"StsRsnInf>Rsn>Cd"`
				Items   []statusItem `xml:"TxInfAndSts"`
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
		File    string   `xml:"OrgnlMsgId"`
		Name    string   `xml:"OrgnlMsgNmId"`
		Status  string   `xml:"GrpSts"`
		Reasons []string `xml:"StsRsnInf>Rsn>Cd"`
	}
	statusItem struct {
		ID      string   `xml:"OrgnlEndToEndId"`
		Status  string   `xml:"TxSts"`
		Reasons []string `xml:"StsRsnInf>Rsn>Cd"`
		Amount  *amount  `xml:"OrgnlTxRef>Amt>InstdAmt"`
		Bank    string   `xml:"AcctSvcrRef"`
		Own     string   `xml:"StsId"`
	}
	bookingEntry struct {
		Amount *amount `xml:"Amt"`
		Side   string  `xml:"CdtDbtInd"`
		Status struct {
			Text string `xml:",chardata"`
			Code string `xml:"Cd"`
		} `xml:"Sts"`
		Reversal string        `xml:"RvslInd"`
		Bank     string        `xml:"AcctSvcrRef"`
		Number   string        `xml:"NtryRef"`
		Items    []bookingItem `xml:"NtryDtls>TxDtls"`
	}
	bookingItem struct {
		ID      string   `xml:"Refs>EndToEndId"`
		Bank    string   `xml:"Refs>AcctSvcrRef"`
		Amount  *amount  `xml:"Amt"`
		Earlier *amount  `xml:"AmtDtls>TxAmt>Amt"`
		Side    string   `xml:"CdtDbtInd"`
		Reasons []string `xml:"RtrInf>Rsn>Cd"`
	}
)

// A reader reads the answer of a bank.
type reader struct {
	Answers
	currency, house string
	orders          Orders
}

// Read reads the answer of a bank about direct debits in a currency, of a house whose newest file names it by a mark
// (record.BankMark). What is still under way at the bank is left out. It refuses a status of another file than that of
// the debits, and what was booked on another account than theirs.
func Read(data []byte, currency, house string, orders Orders) (*Answers, error) {
	doc, err := parse(data)
	if err != nil {
		return nil, err
	}
	a := &reader{currency: currency, house: house, orders: orders}
	switch {
	case strings.HasPrefix(doc.XMLName.Space, statusSpace) && doc.Status != nil:
		for _, p := range doc.Status.Payments {
			for i := range p.Items {
				if err := a.status(&p.Items[i], strings.TrimSpace(doc.Status.ID)); err != nil {
					return nil, err
				}
			}
			if strings.TrimSpace(p.Status) == "RJCT" && doc.Status.Group.Status != "RJCT" {
				// A file of the house has one part, and so a part is the file.
				doc.Status.Group.Status, doc.Status.Group.Reasons = "RJCT", p.Reasons
			}
		}
		if err := a.checkFile(&doc.Status.Group); err != nil {
			return nil, err
		}
		if len(a.List)+len(a.Others) == 0 && strings.TrimSpace(doc.Status.Group.Status) == "RJCT" {
			if err := a.reject(&doc.Status.Group); err != nil {
				return nil, err
			}
		}
	case strings.HasPrefix(doc.XMLName.Space, bookingSpace) && doc.Booking != nil:
		for _, n := range doc.Booking.Notes {
			first := len(a.List)
			for i := range n.Entries {
				if err := a.entry(&n.Entries[i]); err != nil {
					return nil, err
				}
			}
			if err := a.checkAccount(a.List[first:], n.Account); err != nil {
				return nil, err
			}
		}
	default:
		return nil, fmt.Errorf("the file is a %q of %q, and neither pain.002.001 nor camt.054.001", doc.XMLName.Local,
			doc.XMLName.Space)
	}
	if len(a.List) > MostAnswers || len(a.Others) > MostAnswers {
		return nil, fmt.Errorf("the file is about more than %d payments", MostAnswers)
	}
	return &a.Answers, nil
}

// reject takes in that the bank has rejected a whole file and names none of its debits.
func (a *reader) reject(about *statusGroup) error {
	id := strings.TrimSpace(about.File)
	file, ok := a.parseFile(id)
	if !ok || a.orders(file) == nil {
		return fmt.Errorf("the bank has rejected the file %q, which is not of this house", id)
	}
	if name := strings.TrimSpace(about.Name); !strings.HasPrefix(name, debitName) {
		return fmt.Errorf("the bank has rejected a message %q, and files of direct debits begin with %s", name, debitName)
	}
	code, err := codeOf(about.Reasons)
	if err != nil {
		return fmt.Errorf("the file %s: %w", id, err)
	}
	if a.Rejected, a.Reason = file, code; code == "" {
		a.Reason = "RJCT"
	}
	return nil
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

// status takes in the status of one payment, in a message of the bank.
func (a *reader) status(item *statusItem, message string) error {
	bank := cmp.Or(strings.TrimSpace(item.Bank), strings.TrimSpace(item.Own), message)
	switch strings.TrimSpace(item.Status) {
	case "ACSC", "ACCC":
		return a.add(item.ID, true, item.Amount, nil, bank)
	case "RJCT":
		return a.add(item.ID, false, item.Amount, item.Reasons, bank)
	case "RCVD", "ACTC", "ACCP", "ACSP", "ACWC", "PDNG":
		return nil // It is under way.
	}
	return fmt.Errorf("payment %q has the status %q, which is not known", item.ID, item.Status)
}

// entry takes in what was booked.
func (a *reader) entry(e *bookingEntry) error {
	status := strings.TrimSpace(e.Status.Code)
	if status == "" {
		status = strings.TrimSpace(e.Status.Text)
	}
	if status != "BOOK" {
		return nil
	}
	reversal, err := e.isReversal()
	if err != nil {
		return err
	}
	own := false
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
		_, ours := a.parseID(strings.TrimSpace(item.ID))
		own = own || ours
		if ours && side == "CRDT" && (reversal || len(item.Reasons) > 0) {
			// Money that was called back comes again. A copy of the first payment could say the same.
			a.Others = append(a.Others, fmt.Sprintf("%s (the bank takes a return back: take the money in as a payment of the venue)",
				strconv.QuoteToASCII(strings.TrimSpace(item.ID))))
			continue
		}
		bank := cmp.Or(strings.TrimSpace(item.Bank), strings.TrimSpace(e.Bank), strings.TrimSpace(e.Number))
		if err := a.add(item.ID, side == "CRDT", booked, item.Reasons, bank); err != nil {
			return err
		}
	}
	if !own {
		return nil // It has no debit of the house.
	}
	return e.checkSum(a.currency)
}

// isReversal reports whether what is booked takes an earlier entry of the other side back. A truth of XML is a word or
// a digit.
func (e *bookingEntry) isReversal() (bool, error) {
	switch strings.TrimSpace(e.Reversal) {
	case "", "false", "0":
		return false, nil
	case "true", "1":
		return true, nil
	}
	return false, fmt.Errorf("an entry has the reversal indicator %q, and true or false is one", e.Reversal)
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
func (a *reader) checkFile(about *statusGroup) error {
	for _, answer := range a.List {
		id, of := a.idOf(answer), a.fileOf(answer.File)
		if file := strings.TrimSpace(about.File); file != of {
			return fmt.Errorf("the status is about the file %q, and payment %s is of the file %s", file, id, of)
		}
		if name := strings.TrimSpace(about.Name); !strings.HasPrefix(name, debitName) {
			return fmt.Errorf("the status is about a message %q, and payment %s is of one that begins with %s", name, id, debitName)
		}
	}
	return nil
}

// markOf returns what stands for the house in the ids of a file: a file that was ordered earlier may have none.
func (a *reader) markOf(file uint32) string {
	if order := a.orders(file); order != nil {
		return order.House
	}
	return a.house
}

func (a *reader) fileOf(file uint32) string { return record.DebitFileID(a.markOf(file), file) }

func (a *reader) idOf(x Answer) string {
	return record.EndToEnd(a.markOf(x.File), x.File, x.Venue, x.Statement)
}

// checkAccount checks that answers are about the account to which their debits are paid. What is of no order of the
// house is refused where answers are taken in.
func (a *reader) checkAccount(answers []Answer, on account) error {
	number := strings.TrimSpace(on.IBAN)
	if number == "" {
		number = strings.TrimSpace(on.Other)
	}
	for _, answer := range answers {
		if order := a.orders(answer.File); order != nil && order.Account != number {
			return fmt.Errorf("payment %s is booked on the account %q, and is paid to %s", a.idOf(answer), number, order.Account)
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
func (a *reader) add(id string, paid bool, booked *amount, reasons []string, bank string) error {
	id = strings.TrimSpace(id)
	answer, ok := a.parseID(id)
	if !ok {
		a.Others = append(a.Others, strconv.QuoteToASCII(id))
		return nil
	}
	answer.Paid = paid
	var err error
	if !paid {
		if answer.Code, err = codeOf(reasons); err != nil {
			return fmt.Errorf("payment %s: %w", id, err)
		}
	}
	if answer.Bank, err = bankText(bank); err != nil {
		return fmt.Errorf("payment %s: %w", id, err)
	}
	if booked != nil {
		if answer.Cents, err = booked.in(a.currency); err != nil {
			return fmt.Errorf("payment %s: %w", id, err)
		}
	}
	a.List = append(a.List, answer)
	return nil
}

// codeOf returns the first code of the reasons of a return.
func codeOf(reasons []string) (string, error) {
	if len(reasons) == 0 {
		return "", nil
	}
	code := strings.TrimSpace(reasons[0])
	if len(code) > 4 {
		return "", fmt.Errorf("it is returned for %q, which is no code of a reason", code)
	}
	return code, nil
}

// mostReference is how many characters a reference of a bank has at most.
const mostReference = 35

// bankText returns a reference of the bank, which is printed in reports.
func bankText(text string) (string, error) {
	for _, r := range text {
		if r < ' ' || r > '~' {
			return "", fmt.Errorf("the reference %q of the bank has the character %q", text, r)
		}
	}
	if len(text) > mostReference {
		return "", fmt.Errorf("the reference %q of the bank has more than %d characters", text, mostReference)
	}
	return text, nil
}

// parseID reads the id of a debit of the house in its one form.
func (a *reader) parseID(id string) (answer Answer, ok bool) {
	rest := id
	for _, to := range []*uint32{&answer.Statement, &answer.Venue} {
		at := strings.LastIndexByte(rest, '-')
		if at < 0 {
			return answer, false
		}
		if *to, ok = parseNumber(rest[at+1:]); !ok {
			return answer, false
		}
		rest = rest[:at]
	}
	answer.File, ok = a.parseFile(rest)
	return answer, ok && a.idOf(answer) == id
}

// parseFile reads the id of a file of the house in its one form.
func (a *reader) parseFile(id string) (file uint32, ok bool) {
	file, ok = parseNumber(id[strings.LastIndexByte(id, '-')+1:])
	return file, ok && a.fileOf(file) == id
}

func parseNumber(text string) (uint32, bool) {
	n, err := strconv.ParseUint(text, 10, 31)
	return uint32(n), err == nil && n != 0
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
