package line

import (
	"strings"

	"drawhouse/core/serial"
	"drawhouse/rulebook"
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

// gameNumberCase says of which system a game number is, as it is printed:
//
//	number TEXT -> this system, successor, or none
func gameNumberCase(book *rulebook.Book, text string) string {
	numbering := book.Games().Numbering
	switch {
	case numbering.Names(text):
		return "this system"
	case numbering.OfSuccessor(text):
		return "successor"
	}
	return "none"
}
