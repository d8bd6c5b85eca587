package handover

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"drawhouse/core/day"
	"drawhouse/core/money"
)

// The bounds of one file. A system with more open tickets hands over several files.
const (
	MostTickets = 20_000
	MostBytes   = 900_000

	leastCode, mostCode = 8, 40
	mostName            = 60
)

// The fixed lines and the names of the fields.
const (
	formatLine = "drawhouse open tickets 1"
	columns    = "code,cents,kind,until"
	signature  = "signature: "
)

// heads are the fields of the head, in their order.
var heads = []string{"system", "rulebook", "currency", "as of"}

// Kind is what is owed on a ticket.
type Kind string

// The kinds.
const (
	Prize  Kind = "prize"  // the ticket has won
	Refund Kind = "refund" // its stake goes back
)

// Ticket is an open ticket.
type Ticket struct {
	Code  string // as Bare writes it
	Cents money.Amount
	Kind  Kind
	Until day.Day // the last day on which it is claimed; day.None where the file names none
}

// File is what a file says.
type File struct {
	System   string // its name
	Rulebook string // id of the rulebook that its tickets belong to
	Currency string
	AsOf     day.Day // at the end of which the tickets were open
	Tickets  []Ticket
}

// Total returns what is owed on all tickets.
func (f *File) Total() (money.Amount, error) {
	var sum money.Amount
	for i := range f.Tickets {
		var err error
		if sum, err = sum.Add(f.Tickets[i].Cents); err != nil {
			return 0, err
		}
	}
	return sum, nil
}

// Line returns the line of the file in which a ticket stands, by its place among the tickets.
func Line(ticket int) int { return len(heads) + 3 + ticket }

// Bare returns a code as files have it: without spaces and hyphens, and in upper case.
func Bare(code string) string {
	return strings.ToUpper(strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' {
			return -1
		}
		return r
	}, code))
}

// IsCode reports whether a text can be the code of a ticket in a file.
func IsCode(text string) bool {
	return len(text) >= leastCode && len(text) <= mostCode &&
		!strings.ContainsFunc(text, func(r rune) bool { return (r < '0' || r > '9') && (r < 'A' || r > 'Z') })
}

// Fault is one thing that is wrong with a file.
type Fault struct {
	Line    int    // 0 where the file as a whole is meant
	Field   string // empty where the line as a whole is meant
	Message string
}

func (f Fault) String() string {
	var b strings.Builder
	if f.Line > 0 {
		fmt.Fprintf(&b, "line %d, ", f.Line)
	}
	if f.Field != "" {
		fmt.Fprintf(&b, "%s: ", f.Field)
	}
	return b.String() + f.Message
}

// Faults are the first things that are wrong with a file.
type Faults []Fault

// mostFaults is how many faults are looked for.
const mostFaults = 10

// Error returns the faults with a semicolon between them.
func (f Faults) Error() string {
	list := make([]string, len(f))
	for i := range f {
		list[i] = f[i].String()
	}
	return strings.Join(list, "; ")
}

// Read reads a file and checks its signature. What is wrong with the file is returned as Faults.
func Read(text []byte, key ed25519.PublicKey) (*File, error) {
	said, mark, ok := cutSignature(text)
	switch {
	case len(key) != ed25519.PublicKeySize:
		return nil, errors.New("handover: a public key has 32 bytes")
	case len(text) > MostBytes:
		return nil, tooLong(len(text))
	case !ok:
		return nil, Faults{{Message: "the last line has no signature"}}
	case !ed25519.Verify(key, said, mark):
		return nil, Faults{{Line: bytes.Count(said, []byte("\n")) + 1, Field: "signature",
			Message: "is not that of the key over the lines before it"}}
	}
	return readSaid(said)
}

// Sign returns a file with its signature. The text has every line but that of the signature; a
// line of an earlier signature is replaced.
func Sign(text []byte, key ed25519.PrivateKey) ([]byte, error) {
	if len(key) != ed25519.PrivateKeySize {
		return nil, errors.New("handover: a private key has 64 bytes")
	}
	said := text
	if before, _, ok := cutSignature(text); ok {
		said = before
	}
	if _, err := readSaid(said); err != nil {
		return nil, err
	}
	signed := bytes.Clone(said)
	signed = append(signed, signature...)
	signed = append(signed, base64.StdEncoding.EncodeToString(ed25519.Sign(key, said))...)
	signed = append(signed, '\n')
	if len(signed) > MostBytes {
		return nil, tooLong(len(signed))
	}
	return signed, nil
}

// ParseKey reads a public key from its 44 characters of base64.
func ParseKey(text string) (ed25519.PublicKey, error) {
	key, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || len(key) != ed25519.PublicKeySize || strings.ContainsAny(text, "\r\n") {
		return nil, errors.New("handover: a public key is 32 bytes in base64")
	}
	return key, nil
}

// FormatKey writes a public key as ParseKey reads it.
func FormatKey(key ed25519.PublicKey) string { return base64.StdEncoding.EncodeToString(key) }

func tooLong(n int) Faults {
	return Faults{{Message: fmt.Sprintf("the file has %d bytes; at most %d are read", n, MostBytes)}}
}

// cutSignature parts a file from the signature in its last line.
func cutSignature(text []byte) (said, mark []byte, ok bool) {
	body, ends := bytes.CutSuffix(text, []byte("\n"))
	at := bytes.LastIndexByte(body, '\n') + 1
	coded, marked := bytes.CutPrefix(body[at:], []byte(signature))
	if !ends || !marked {
		return nil, nil, false
	}
	mark, err := base64.StdEncoding.Strict().DecodeString(string(coded))
	return text[:at], mark, err == nil && len(mark) == ed25519.SignatureSize && !bytes.ContainsRune(coded, '\r')
}

// reader collects what is wrong.
type reader struct {
	file   File
	faults Faults
	lines  map[string]int // by code
	sum    money.Amount
}

func (r *reader) fault(line int, field, message string, args ...any) {
	if len(r.faults) < mostFaults {
		r.faults = append(r.faults, Fault{line, field, fmt.Sprintf(message, args...)})
	}
}

// readSaid reads the lines before the signature.
func readSaid(said []byte) (*File, error) {
	if len(said) > MostBytes {
		return nil, tooLong(len(said))
	}
	body, ends := strings.CutSuffix(string(said), "\n")
	if !ends {
		return nil, Faults{{Message: "the last line has no end"}}
	}
	lines := strings.Split(body, "\n")
	r := &reader{lines: make(map[string]int, len(lines))}
	switch first := Line(0); {
	case len(lines) < first:
		return nil, Faults{{Message: fmt.Sprintf(
			"there are %d lines; the first ticket stands in line %d", len(lines), first)}}
	case len(lines)-first+1 > MostTickets:
		return nil, Faults{{Message: fmt.Sprintf(
			"there are %d tickets; a file has at most %d", len(lines)-first+1, MostTickets)}}
	}
	r.head(lines)
	for i, line := range lines[Line(0)-1:] {
		r.ticket(Line(i), line)
	}
	if len(r.faults) > 0 {
		return nil, r.faults
	}
	return &r.file, nil
}

// head reads the lines before the tickets.
func (r *reader) head(lines []string) {
	if lines[0] != formatLine {
		r.fault(1, "", "must be %q", formatLine)
	}
	values := make([]string, len(heads))
	for i, name := range heads {
		value, ok := strings.CutPrefix(lines[i+1], name+": ")
		if !ok {
			r.fault(i+2, name, "the line must begin with %q", name+": ")
		} else if !isName(value) {
			r.fault(i+2, name, "must have 1 to %d letters, digits, spaces, dots, hyphens or underscores", mostName)
		}
		values[i] = value
	}
	r.file.System, r.file.Rulebook, r.file.Currency = values[0], values[1], values[2]
	asOf, err := day.Parse(values[3])
	if err != nil {
		r.fault(len(heads)+1, heads[3], "must be a date such as 2026-11-17")
	}
	r.file.AsOf = asOf
	if at := Line(0) - 1; lines[at-1] != columns {
		r.fault(at, "", "must be %q", columns)
	}
}

// isName reports whether a text can be the value of a field of the head.
func isName(text string) bool {
	if text == "" || len(text) > mostName || strings.TrimSpace(text) != text {
		return false
	}
	return !strings.ContainsFunc(text, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && !strings.ContainsRune(" .-_", r)
	})
}

// ticket reads a row.
func (r *reader) ticket(line int, text string) {
	fields := strings.Split(text, ",")
	if len(fields) != 4 {
		r.fault(line, "", "has %d fields; a ticket has %s", len(fields), columns)
		return
	}
	t := Ticket{Code: fields[0], Kind: Kind(fields[2])}
	if !IsCode(t.Code) {
		r.fault(line, "code", "must be %d to %d digits and upper-case letters", leastCode, mostCode)
	} else if before, twice := r.lines[t.Code]; twice {
		r.fault(line, "code", "stands in line %d too", before)
	}
	r.lines[t.Code] = line
	cents, err := strconv.ParseInt(fields[1], 10, 64)
	t.Cents = money.Amount(cents)
	if err != nil || cents <= 0 || t.Cents > money.MaxAmount || strconv.FormatInt(cents, 10) != fields[1] {
		r.fault(line, "cents", "must be a whole number of cents from 1 to %d", money.MaxAmount.Cents())
	} else if r.sum += t.Cents; r.sum > money.MaxAmount {
		r.fault(line, "cents", "the tickets up to here come to more than %v", money.MaxAmount)
		r.sum = 0
	}
	if t.Kind != Prize && t.Kind != Refund {
		r.fault(line, "kind", "must be %s or %s", Prize, Refund)
	}
	if fields[3] != "" {
		if t.Until, err = day.Parse(fields[3]); err != nil {
			r.fault(line, "until", "must be a date such as 2027-05-01, or empty")
		} else if t.Until < r.file.AsOf {
			r.fault(line, "until", "lies before the day as of which the file holds")
		}
	}
	r.file.Tickets = append(r.file.Tickets, t)
}
