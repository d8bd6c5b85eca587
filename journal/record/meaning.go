package record

import "reflect"

// Meaning returns what the field of a type of this package holds, in a sentence: what the comment of the field says,
// or what fields of its name hold everywhere. It is empty for a field of which neither says anything.
func Meaning(of reflect.Type, field string) string {
	if said, ok := fieldComments[of.Name()+"."+field]; ok {
		return said
	}
	return meanings[field]
}

// meanings are what fields of a name hold, where their own comment does not say it.
var meanings = map[string]string{
	"Approval": "Number of the approval by a second person; in texts the reference of the decision.",
	"By":       "Number of the person who did it; none where the house did it by itself.",
	"Bytes":    "Random bytes that the number was made from.",
	"Card":     "Number of the player card.",
	"Claim":    "Number of the claim.",
	"Clause":   "Clause of the rulebook.",
	"Day":      "Keno Day.",
	"Dispute":  "Number of the dispute.",
	"Draw":     "Number of the draw in the game.",
	"Hall":     "Number of the bingo room.",
	"Member":   "Number of the member in the loyalty programme.",
	"Note":     "Signed note of the draw device with all numbers of the draw.",
	"Number":   "The number.",
	"Operator": "Number of the operator.",
	"Ordinal":  "Number of the game in its series, from 1.",
	"Person":   "Number of the person.",
	"Player":   "Number of the player in the session.",
	"Reason":   "Why it was done.",
	"Role":     "Role of the person.",
	"Rulebook": "Hash of the rulebook.",
	"Schedule": "Schedule of prizes.",
	"Seal":     "The seal, as a signed note.",
	"Series":   "Number of the series of games.",
	"Session":  "Number of the session in its room.",
	"Spots":    "Number of spots.",
	"Tenders":  "How it was paid.",
	"Terminal": "Number of the terminal.",
	"Ticket":   "The ticket.",
	"Venue":    "Number of the venue.",
	"With":     "Number of the second person.",
}

// Word is one of the few values that a field of a type can hold.
type Word struct {
	Number int    // as a record has it; 0 where the record has the text
	Text   string // as tables and pages show it
	About  string // what it means, in a sentence; empty where the text says it
}

// Words returns the values that fields of a type can hold, in their order; none for a type that has any number or text.
func Words(of reflect.Type) []Word {
	if of.PkgPath() != reflect.TypeFor[Record]().PkgPath() {
		return nil
	}
	return typeWords[of.Name()]
}
