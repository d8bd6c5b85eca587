package proof

import (
	"fmt"
	"io"
	"strings"
)

// openQuestions says what is not proved.
func (c *checker) openQuestions() {
	ask := func(sentence string) { c.report.NotProved = append(c.report.NotProved, sentence) }
	if !c.report.OK() {
		ask("Anything: a proof of which one part does not hold proves nothing.")
		return
	}
	e := c.evidence
	if e.Receipt == nil && e.ClaimCode == "" {
		ask("That this is the ticket in your hand: bring the receipt, whose hash must be that of the record.")
	}
	if e.Seal == nil && e.Fingerprint == "" {
		ask("That the seal was public before the first number: compare its fingerprint with the one you saw before the draw.")
	}
	if !e.knowsLog() {
		ask("That the seal is in the public log, where everybody finds the same: bring the log's key.")
	} else if !e.asksWitnesses() {
		ask("That everybody finds the same in the public log: bring the keys of its witnesses.")
	}
	if e.Checkpoint == nil && !(e.knowsLog() && e.asksWitnesses()) {
		ask("That the house shows everybody the same journal: bring a checkpoint that witnesses cosigned, and their keys.")
	}
	if e.Draw == nil {
		ask("Which numbers were drawn: bring the device's signed statement and its key.")
	} else {
		ask("That the source of the numbers was honest: a signature shows who drew under which seal, and not how.")
	}
	ask("What the ticket has won, and whether it was paid.")
	ask("That the keys are whose they say: know them from somebody you trust, and not from the one who gave you the proof.")
}

// WriteText writes the report for people.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	if !r.OK() {
		fmt.Fprintf(&b, "DOES NOT HOLD\n  %s\n  (%s)\n", r.Failure, r.Detail)
	} else {
		b.WriteString("PROVED\n")
	}
	for _, sentence := range r.Proved {
		fmt.Fprintf(&b, "  %s\n", sentence)
	}
	b.WriteString("NOT PROVED\n")
	for _, sentence := range r.NotProved {
		fmt.Fprintf(&b, "  %s\n", sentence)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
