package receipt

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"drawhouse/core/serial"
)

// claimDigits is how many digits a claim code has in its bar code. Twenty-five hold
// 80 bits, and bars take them in pairs.
const claimDigits = 26

// claimBars returns a claim code as its bar code has it.
func claimBars(code serial.ClaimCode) string {
	return fmt.Sprintf("%0*s", claimDigits, new(big.Int).SetBytes(code[:]).String())
}

// A Scanned is what a scanner read off a receipt: the serial in either form, or the
// claim code.
type Scanned struct {
	Serial string
	Claim  *serial.ClaimCode
}

// ParseScan reads what a scanner, or a person at a keyboard, took from a receipt:
// a serial of 16 digits or of 27 characters, the 26 digits of a claim code's bars or
// its 16 characters, or the address of the proof, which has the serial in it.
//
// Sixteen digits are a serial, good or misread. One claim code in a hundred million
// has no letter and would be taken for one when it is keyed in; its bars are not.
func ParseScan(text string) (Scanned, error) {
	text = strings.TrimSpace(text)
	if _, after, ok := strings.Cut(text, ticketPath); ok && strings.Contains(text, "://") {
		text, _, _ = strings.Cut(after, "#")
	}
	number, err := serial.Parse(text)
	if err == nil {
		return Scanned{Serial: number.String()}, nil
	}
	if errors.Is(err, serial.ErrCheck) {
		return Scanned{}, fmt.Errorf("receipt: %w", err)
	}
	if number, err := serial.ParseSuccessor(text); err == nil {
		return Scanned{Serial: number.String()}, nil
	}
	if len(text) == claimDigits && digits(text) == claimDigits {
		return parseClaimBars(text)
	}
	code, err := serial.ParseClaimCode(text)
	if err != nil {
		return Scanned{}, fmt.Errorf("receipt: %q is neither a serial nor a claim code", text)
	}
	return Scanned{Claim: &code}, nil
}

func parseClaimBars(text string) (Scanned, error) {
	number, _ := new(big.Int).SetString(text, 10)
	var code serial.ClaimCode
	if number.BitLen() > 8*len(code) {
		return Scanned{}, fmt.Errorf("receipt: %s is greater than any claim code", text)
	}
	number.FillBytes(code[:])
	return Scanned{Claim: &code}, nil
}
