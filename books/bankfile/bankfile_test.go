package bankfile_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"drawhouse/books/bankfile"
	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// mark is of the house whose files these are.
const mark = "0A1B2C3D"

func order() *record.DebitsOrdered {
	date := day.MustParse("2026-11-20")
	return &record.DebitsOrdered{File: 3, Collect: date, House: mark, Name: "Keno Pty Ltd", Account: "DE02120300000000202051",
		Creditor: "DE98ZZZ09999999999", Scheme: "B2B", Currency: "EUR", Debits: []record.Debit{
			{Venue: 7, Statement: 2, Cents: 529_70, Name: "Ñandú & Co <bar>", Mandate: "M-7", Account: "DE89370400440532013000",
				Signed: date - 90},
			{Venue: 9, Statement: 11, Cents: 5, Name: strings.Repeat("x", 80), Mandate: "M-9", Account: "12345678", Signed: date},
		}}
}

// TestWrite: the file has every debit once, its sums are those of the debits, and it is the same to the byte twice.
func TestWrite(t *testing.T) {
	data := bankfile.Write(order(), 1_794_700_800_000)
	if again := bankfile.Write(order(), 1_794_700_800_000); !bytes.Equal(data, again) {
		t.Error("two files of one order differ")
	}
	elements := map[string][]string{}
	d, name := xml.NewDecoder(bytes.NewReader(data)), ""
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			name = x.Name.Local
		case xml.CharData:
			if text := strings.TrimSpace(string(x)); text != "" {
				elements[name] = append(elements[name], text)
			}
		}
	}
	for name, want := range map[string]string{
		"EndToEndId": "[DH0A1B2C3D-3-7-2 DH0A1B2C3D-3-9-11]", "InstdAmt": "[529.70 0.05]", "CtrlSum": "[529.75 529.75]", "NbOfTxs": "[2 2]",
		"MndtId": "[M-7 M-9]", "DtOfSgntr": "[2026-08-22 2026-11-20]", "ReqdColltnDt": "[2026-11-20]",
		"IBAN": "[DE02120300000000202051 DE89370400440532013000]", "MsgId": "[DH0A1B2C3D-3]", "PmtInfId": "[DH0A1B2C3D-3]",
		"Nm": fmt.Sprintf("[Keno Pty Ltd Keno Pty Ltd .and. . Co .bar. %s]", strings.Repeat("x", 70)),
	} {
		if got := fmt.Sprint(elements[name]); got != want {
			t.Errorf("%s is %s, and %s is right", name, got, want)
		}
	}
}

const status = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03"><CstmrPmtStsRpt><GrpHdr><MsgId>BANK-77</MsgId></GrpHdr><OrgnlGrpInfAndSts><OrgnlMsgId>DH0A1B2C3D-3</OrgnlMsgId>
<OrgnlMsgNmId>pain.008.001.02</OrgnlMsgNmId>
</OrgnlGrpInfAndSts><OrgnlPmtInfAndSts>
<TxInfAndSts><OrgnlEndToEndId>DH0A1B2C3D-3-7-2</OrgnlEndToEndId><TxSts>RJCT</TxSts><StsRsnInf><Rsn><Cd>AM04</Cd></Rsn></StsRsnInf>
<AcctSvcrRef>B-1</AcctSvcrRef><OrgnlTxRef><Amt><InstdAmt Ccy="EUR">529.7</InstdAmt></Amt></OrgnlTxRef></TxInfAndSts>
<TxInfAndSts><OrgnlEndToEndId>DH0A1B2C3D-3-9-11</OrgnlEndToEndId><TxSts>ACSC</TxSts></TxInfAndSts>
<TxInfAndSts><OrgnlEndToEndId>DH0A1B2C3D-3-9-12</OrgnlEndToEndId><TxSts>PDNG</TxSts></TxInfAndSts>
<TxInfAndSts><OrgnlEndToEndId>RENT-5</OrgnlEndToEndId><TxSts>ACSC</TxSts></TxInfAndSts>
</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>
`

const booking = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"><BkToCstmrDbtCdtNtfctn><Ntfctn>
<Acct><Id><IBAN>DE02120300000000202051</IBAN></Id></Acct>
<Ntry><NtryRef>N-1</NtryRef><Amt Ccy="EUR">529.75</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><NtryDtls>
<TxDtls><Refs><AcctSvcrRef>T-1</AcctSvcrRef><EndToEndId>DH0A1B2C3D-3-7-2</EndToEndId></Refs><Amt Ccy="EUR">529.70</Amt></TxDtls>
<TxDtls><Refs><EndToEndId>DH0A1B2C3D-3-9-11</EndToEndId></Refs><AmtDtls><TxAmt><Amt Ccy="EUR">0.05</Amt></TxAmt></AmtDtls></TxDtls>
</NtryDtls></Ntry>
<Ntry><NtryRef>N-2</NtryRef><Amt Ccy="EUR">12.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><AcctSvcrRef>E-2</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>DH0A1B2C3D-2-7-1</EndToEndId></Refs>
<RtrInf><Rsn><Cd>MD06</Cd></Rsn></RtrInf></TxDtls></NtryDtls></Ntry>
<Ntry><CdtDbtInd>CRDT</CdtDbtInd><Sts>PDNG</Sts><NtryDtls><TxDtls><Refs><EndToEndId>DH0A1B2C3D-2-7-9</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>
</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>`

// orders has the orders of the files 2 and 3.
func orders(file uint32) *record.DebitsOrdered {
	if file != 2 && file != 3 {
		return nil
	}
	o := order()
	o.File = file
	return o
}

// TestRead reads both kinds of answers.
func TestRead(t *testing.T) {
	for _, c := range []struct{ data, want, others string }{
		{status, "[{3 7 2 false $529.70 AM04 B-1} {3 9 11 true $0.00  BANK-77}]", `["RENT-5"]`},
		{booking, "[{3 7 2 true $529.70  T-1} {3 9 11 true $0.05  N-1} {2 7 1 false $12.00 MD06 E-2}]", "[]"},
	} {
		got, err := bankfile.Read([]byte(c.data), "EUR", mark, orders)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(got.List) != c.want || fmt.Sprint(got.Others) != c.others {
			t.Errorf("the answers are %v and %v", got.List, got.Others)
		}
	}
}

// rejected is a status by which the bank rejects a whole file and names none of its debits.
const rejected = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03"><CstmrPmtStsRpt><OrgnlGrpInfAndSts>
<OrgnlMsgId>DH0A1B2C3D-3</OrgnlMsgId><OrgnlMsgNmId>pain.008.001.02</OrgnlMsgNmId><GrpSts>RJCT</GrpSts>
<StsRsnInf><Rsn><Cd>AM05</Cd></Rsn></StsRsnInf></OrgnlGrpInfAndSts></CstmrPmtStsRpt></Document>`

// TestRejected: a file that the bank rejects as a whole is one whose debits are named by nobody, also where the status
// stands at its one part. A status of each debit says more, and counts.
func TestRejected(t *testing.T) {
	part := strings.NewReplacer("<GrpSts>RJCT</GrpSts>", "", "<StsRsnInf><Rsn><Cd>AM05</Cd></Rsn></StsRsnInf>", "",
		"</OrgnlGrpInfAndSts>", "</OrgnlGrpInfAndSts><OrgnlPmtInfAndSts><PmtInfSts>RJCT</PmtInfSts></OrgnlPmtInfAndSts>")
	for _, c := range []struct {
		data, reason string
		file         uint32
		answers      int
	}{
		{rejected, "AM05", 3, 0}, {part.Replace(rejected), "RJCT", 3, 0},
		{strings.Replace(rejected, "RJCT", "ACTC", 1), "", 0, 0}, {strings.Replace(rejected, "RJCT", "PART", 1), "", 0, 0},
		{strings.Replace(status, "</OrgnlGrpInfAndSts>", "<GrpSts>RJCT</GrpSts></OrgnlGrpInfAndSts>", 1), "", 0, 2},
	} {
		got, err := bankfile.Read([]byte(c.data), "EUR", mark, orders)
		if err != nil {
			t.Fatal(err)
		}
		if got.Rejected != c.file || got.Reason != c.reason || len(got.List) != c.answers {
			t.Errorf("file %d is rejected for %q, with %d answers, and %+v is right", got.Rejected, got.Reason, len(got.List), c)
		}
	}
}

// TestReversal: what was called back and is booked again is left to a person. A debit with the mark is a return, as one
// without it is.
func TestReversal(t *testing.T) {
	for _, c := range []struct{ indicator, side, list, others string }{
		{"", "DBIT", "{2 7 1 false $12.00 MD06 E-2}", "[]"}, {"<RvslInd>false</RvslInd>", "DBIT", "{2 7 1 false $12.00 MD06 E-2}", "[]"},
		{"<RvslInd>true</RvslInd>", "DBIT", "{2 7 1 false $12.00 MD06 E-2}", "[]"}, {"<RvslInd>1</RvslInd>", "DBIT", "{2 7 1 false $12.00 MD06 E-2}", "[]"},
		{"<RvslInd>true</RvslInd>", "CRDT", "", "takes a return back"}, {"<RvslInd>1</RvslInd>", "CRDT", "", "takes a return back"},
		{"<RvslInd>0</RvslInd>", "CRDT", "", "takes a return back"}, // It has the reason of a return.
	} {
		data := strings.Replace(booking, "<CdtDbtInd>DBIT</CdtDbtInd>", "<CdtDbtInd>"+c.side+"</CdtDbtInd>"+c.indicator, 1)
		got, err := bankfile.Read([]byte(data), "EUR", mark, orders)
		if err != nil {
			t.Fatal(err)
		}
		if list := fmt.Sprint(got.List[2:]); list != "["+c.list+"]" || !strings.Contains(fmt.Sprint(got.Others), c.others) {
			t.Errorf("%s of %s is read as %s, and beside it %s", c.indicator, c.side, list, got.Others)
		}
	}
}

// TestOtherHouse: ids of another house, and those without the mark of a house, are not of this one. A file that was
// ordered before files had marks is answered by ids without it.
func TestOtherHouse(t *testing.T) {
	for _, other := range []string{"DH-", "DH0A1B2C3E-", "DH0A1B2C3D-0", "dh0A1B2C3D-"} {
		got, err := bankfile.Read([]byte(strings.ReplaceAll(status, "DH0A1B2C3D-", other)), "EUR", mark, orders)
		if err != nil || len(got.List) != 0 || len(got.Others) != 3 {
			t.Errorf("%s: %+v, %v", other, got, err)
		}
	}
	earlier := func(uint32) *record.DebitsOrdered { o := order(); o.House = ""; return o }
	got, err := bankfile.Read([]byte(strings.ReplaceAll(status, "DH0A1B2C3D-", "DH-")), "EUR", mark, earlier)
	if err != nil || len(got.List) != 2 {
		t.Errorf("an earlier file: %+v, %v", got, err)
	}
	if a, b := record.BankMark("keno.example+0b+AAA"), record.BankMark("keno.example+0b+AAB"); a == b || len(a) != 8 {
		t.Errorf("two houses have the marks %s and %s", a, b)
	}
}

// TestReadRefuses: what is no answer of a bank, or cannot be understood for sure, is refused with what is wrong.
func TestReadRefuses(t *testing.T) {
	changeIn := func(file, old, with string) string {
		changed := strings.Replace(file, old, with, 1)
		if changed == file {
			t.Fatalf("the file has no %q", old)
		}
		return changed
	}
	change := func(old, with string) string { return changeIn(status, old, with) }
	rebook := func(old, with string) string { return changeIn(booking, old, with) }
	for _, c := range []struct{ data, want string }{
		{"", "no XML"}, {"<a/>", "neither"}, {change("pain.002.001.03", "pain.001.001.03"), "neither"},
		{change(`encoding="UTF-8"`, `encoding="ISO-8859-1"`), "UTF-8"}, {status + "<a/>", "behind the end"},
		{change("<Document", "<!DOCTYPE a><Document"), "document type"}, {change("RJCT", "GONE"), `"GONE"`},
		{change(`Ccy="EUR"`, `Ccy="AUD"`), "AUD"}, {change("529.7", "529.705"), "whole cents"},
		{change("529.7", "-1"), "whole cents"}, {change("529.7", "0"), "no amount"}, {change("AM04", "AM045"), "no code"},
		{change("</CstmrPmtStsRpt>", ""), "no XML"}, {strings.Repeat(" ", bankfile.MostBytes+1), "at most"},
		{changeIn(rejected, "DH0A1B2C3D-3", "DH-3"), `rejected the file "DH-3"`}, {changeIn(rejected, "C3D-3", "C3D-4"), "not of this house"},
		{changeIn(rejected, "pain.008.001.02", "pain.001.001.03"), "begin with pain.008."}, {changeIn(rejected, "AM05", "AM055"), "no code"},
		{changeIn(rejected, "<OrgnlMsgId>DH0A1B2C3D-3</OrgnlMsgId>", ""), `rejected the file ""`},
		{rebook("<Sts>BOOK</Sts>", "<Sts>BOOK</Sts><RvslInd>yes</RvslInd>"), `indicator "yes"`},
		{change("<AcctSvcrRef>B-1<", "<AcctSvcrRef>"+strings.Repeat("x", 36)+"<"), "more than 35 characters"},
		{change("<AcctSvcrRef>B-1<", "<AcctSvcrRef>B\n1<"), "has the character"},
		{change("<OrgnlMsgId>DH0A1B2C3D-3", "<OrgnlMsgId>DH0A1B2C3D-2"), "of the file DH0A1B2C3D-3"}, {change("<OrgnlMsgId>DH0A1B2C3D-3</OrgnlMsgId>", ""), `the file ""`},
		{change("pain.008.001.02", "pain.001.001.03"), "begins with pain.008."},
		{change("<OrgnlMsgNmId>pain.008.001.02</OrgnlMsgNmId>", ""), `a message ""`},
		{rebook("DE02120300000000202051", "DE89370400440532013000"), "is booked on the account"},
		{rebook("<IBAN>DE02120300000000202051</IBAN>", "<Othr><Id>12345678</Id></Othr>"), `the account "12345678"`},
		{rebook("<Acct><Id><IBAN>DE02120300000000202051</IBAN></Id></Acct>", ""), `the account ""`},
		{rebook(`<Amt Ccy="EUR">529.75</Amt>`, `<Amt Ccy="EUR">1.00</Amt>`), "is of $1.00, and its payments come to $529.75"},
		{rebook(`<Amt Ccy="EUR">529.75</Amt>`, ""), "has no amount"}, {rebook(`<Amt Ccy="EUR">12.00</Amt>`, ""), "has no amount"},
		{rebook(`<Amt Ccy="EUR">529.75</Amt>`, `<Amt Ccy="AUD">529.75</Amt>`), "AUD"},
		{rebook(`<Amt Ccy="EUR">529.70</Amt>`, ""), "its entry is about 2 payments"},
		{rebook(`</EndToEndId></Refs><Amt Ccy="EUR">529.70`, `</EndToEndId></Refs><CdtDbtInd>DBIT</CdtDbtInd><Amt Ccy="EUR">529.70`), "come to"},
	} {
		if _, err := bankfile.Read([]byte(c.data), "EUR", mark, orders); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.80q: %v, and %q is wrong with it", c.data, err, c.want)
		}
	}
}

// FuzzRead: no file of a bank stops the house. What is read is about debits that the house can have written.
func FuzzRead(f *testing.F) {
	for _, data := range []string{status, booking, "", "<a>", string(bankfile.Write(order(), 0))} {
		f.Add([]byte(data))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		answers, err := bankfile.Read(data, "EUR", mark, orders)
		if err != nil {
			return
		}
		for _, a := range answers.List {
			if a.File == 0 || a.Venue == 0 || a.Statement == 0 || a.Cents < 0 ||
				a.Cents > money.MaxAmount || a.Paid && a.Code != "" {
				t.Fatalf("%+v", a)
			}
		}
	})
}

// FuzzParseAmount: what is read is what was written, to the cent.
func FuzzParseAmount(f *testing.F) {
	for _, text := range []string{"1", "0.01", "529.70", "529.7", "1.000", "1.001", "-1", "1..", ".5", "99999999999999", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		cents, err := bankfile.ParseAmount(text)
		if err != nil {
			return
		}
		again := fmt.Sprintf("%d.%02d", cents/100, cents%100)
		whole, part, _ := strings.Cut(text, ".")
		wroteWhole, wrotePart, _ := strings.Cut(again, ".")
		if strings.TrimLeft(whole, "0") != strings.TrimLeft(wroteWhole, "0") || (part + "00")[:2] != wrotePart {
			t.Fatalf("%q is read as %v", text, cents)
		}
	})
}
