package bankfile

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"time"

	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// The most characters that banks take in a name.
const mostName = 70

// Write returns the file of an order of direct debits, which was recorded at a time.
func Write(order *record.DebitsOrdered, at record.Time) []byte {
	var w writer
	var sum money.Amount
	for i := range order.Debits {
		sum += order.Debits[i].Cents
	}
	count, total, id := fmt.Sprint(len(order.Debits)), decimal(sum), record.DebitFileID(order.House, order.File)
	w.WriteString(xml.Header)
	w.WriteString(`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.008.001.02"><CstmrDrctDbtInitn>` + "\n")
	w.in("GrpHdr", func() {
		w.text("MsgId", id)
		w.text("CreDtTm", at.Time().UTC().Format(time.RFC3339))
		w.text("NbOfTxs", count)
		w.text("CtrlSum", total)
		w.in("InitgPty", func() { w.text("Nm", bankName(order.Name)) })
	})
	w.in("PmtInf", func() {
		w.text("PmtInfId", id)
		w.text("PmtMtd", "DD")
		w.text("NbOfTxs", count)
		w.text("CtrlSum", total)
		w.in("PmtTpInf", func() {
			if order.Scheme != "" {
				w.in("SvcLvl", func() { w.text("Cd", "SEPA") })
				w.in("LclInstrm", func() { w.text("Cd", order.Scheme) })
			}
			w.text("SeqTp", "RCUR")
		})
		w.text("ReqdColltnDt", order.Collect.String())
		w.in("Cdtr", func() { w.text("Nm", bankName(order.Name)) })
		w.account("CdtrAcct", order.Account)
		w.agent("CdtrAgt")
		w.text("ChrgBr", "SLEV")
		w.in("CdtrSchmeId", func() {
			w.in("Id", func() {
				w.in("PrvtId", func() {
					w.in("Othr", func() {
						w.text("Id", order.Creditor)
						if order.Scheme != "" {
							w.in("SchmeNm", func() { w.text("Prtry", "SEPA") })
						}
					})
				})
			})
		})
		for i := range order.Debits {
			w.debit(order, &order.Debits[i])
		}
	})
	w.WriteString("</CstmrDrctDbtInitn></Document>\n")
	return w.Bytes()
}

// writer writes elements.
type writer struct{ bytes.Buffer }

func (w *writer) debit(order *record.DebitsOrdered, d *record.Debit) {
	w.in("DrctDbtTxInf", func() {
		w.in("PmtId", func() { w.text("EndToEndId", record.EndToEnd(order.House, order.File, d.Venue, d.Statement)) })
		w.WriteString(`<InstdAmt Ccy="` + order.Currency + `">` + decimal(d.Cents) + `</InstdAmt>`)
		w.in("DrctDbtTx", func() {
			w.in("MndtRltdInf", func() {
				w.text("MndtId", d.Mandate)
				w.text("DtOfSgntr", d.Signed.String())
			})
		})
		w.agent("DbtrAgt")
		w.in("Dbtr", func() { w.text("Nm", bankName(d.Name)) })
		w.account("DbtrAcct", d.Account)
		w.in("RmtInf", func() { w.text("Ustrd", fmt.Sprintf("Statement %d", d.Statement)) })
	})
	w.WriteString("\n")
}

// account writes an account: an IBAN begins with letters.
func (w *writer) account(name, account string) {
	w.in(name, func() {
		w.in("Id", func() {
			if account != "" && account[0] >= 'A' {
				w.text("IBAN", account)
				return
			}
			w.in("Othr", func() { w.text("Id", account) })
		})
	})
}

// agent writes that the bank of an account follows from the account.
func (w *writer) agent(name string) {
	w.in(name, func() {
		w.in("FinInstnId", func() { w.in("Othr", func() { w.text("Id", "NOTPROVIDED") }) })
	})
}

func (w *writer) in(name string, inner func()) {
	w.WriteString("<" + name + ">")
	inner()
	w.WriteString("</" + name + ">")
}

func (w *writer) text(name, text string) {
	w.in(name, func() {
		_ = xml.EscapeText(w, []byte(text)) // A buffer takes everything.
	})
}

// decimal writes an amount with two decimals and nothing else.
func decimal(a money.Amount) string { return fmt.Sprintf("%d.%02d", a.Cents()/100, a.Cents()%100) }

// bankName writes a name with the characters that banks take, and no more than they take.
func bankName(name string) string {
	letters := []rune(strings.Map(func(r rune) rune {
		if r < 128 && (r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' ||
			strings.ContainsRune("/-?:().,'+ ", r)) {
			return r
		}
		return '.'
	}, name))
	return string(letters[:min(len(letters), mostName)])
}
