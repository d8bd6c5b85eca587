package rules_test

import (
	"strings"

	"drawhouse/serial"
)

// ticketSerialCase says of which system a serial is that comes from a bar code or a
// keyboard, or why it is none:
//
//	serial TEXT -> old system, successor, or refused REASON
func ticketSerialCase(text string) string {
	form := "old system"
	_, err := serial.Parse(text)
	if strings.HasPrefix(text, "TO") {
		form = "successor"
		_, err = serial.ParseSuccessor(text)
	}
	if err == nil {
		return form
	}
	// The last part of the sentence is the reason, which is one of a few.
	return "refused " + err.Error()[strings.LastIndex(err.Error(), ": ")+2:]
}
