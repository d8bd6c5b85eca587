package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"drawhouse/check/proof"
	"drawhouse/check/witness"
	"drawhouse/cmd/drawhouse/console"
	"drawhouse/journal"
)

// verifyTicketCmd says what the proof of a ticket shows.
type verifyTicketCmd struct {
	File        string   `arg:"" type:"existingfile" help:"The proof, as the house gives it at /v1/tickets/SERIAL/proof?game=DAY/NUMBER."`
	HouseKey    string   `name:"house-key" required:"" placeholder:"VKEY" help:"The house's verifier key as you know it from elsewhere."`
	Receipt     string   `type:"existingfile" placeholder:"FILE" help:"The receipt: the answer to the sale."`
	Seal        string   `type:"existingfile" placeholder:"FILE" help:"The seal of the game as you kept it, a signed note."`
	Fingerprint string   `placeholder:"9f3c-22e1-..." help:"Fingerprint of the seal as you saw it before the draw, all 32 digits."`
	Checkpoint  string   `type:"existingfile" placeholder:"FILE" help:"The checkpoint of the seal with cosignatures."`
	Witnesses   []string `name:"witness-key" sep:"none" placeholder:"VKEY" help:"Key of a witness as you know it from elsewhere. May be given several times."`
	LogKey      string   `name:"log-key" placeholder:"VKEY" help:"Key of the public log as you know it from elsewhere: the seal must be in the log."`
	LogProof    string   `name:"log-proof" type:"existingfile" placeholder:"FILE" help:"Proof that the seal is in the public log, from /v1/games/DAY/GAME/seal.tlog-proof; that in the ticket's proof, unless it is given."`
	Quorum      int      `placeholder:"N" help:"How many of the witnesses must have cosigned the public log; more than half of them, unless it is given."`
	Policy      string   `type:"existingfile" placeholder:"FILE" help:"Whose cosignatures the public log must have, in the form of C2SP tlog-policy, in the place of --witness-key and --quorum. Its log is asked for, unless --log-key is given."`
	Draw        string   `type:"existingfile" placeholder:"FILE" help:"The device's statement of the numbers, a signed note."`
	DeviceKey   string   `name:"device-key" placeholder:"VKEY" help:"The draw device's verifier key as you know it from elsewhere."`
	ClaimCode   string   `name:"claim-code" placeholder:"CODE" help:"The claim code on the paper."`
	JSON        bool     `name:"json" help:"Write the report as JSON."`
}

// errTicketDoesNotHold is the status of a proof of which something is wrong.
var errTicketDoesNotHold = errors.New("the proof does not hold")

// Run implements the command.
func (c *verifyTicketCmd) Run(out *bytes.Buffer) error {
	if err := c.checkKeys(); err != nil {
		return err
	}
	data, err := os.ReadFile(c.File)
	if err != nil {
		return misused("FILE", err)
	}
	e := proof.Evidence{HouseKey: c.HouseKey, Fingerprint: c.Fingerprint, WitnessKeys: c.Witnesses,
		DeviceKey: c.DeviceKey, ClaimCode: c.ClaimCode, LogKey: c.LogKey, Quorum: c.Quorum}
	if c.Policy != "" {
		if e.Policy, err = readPolicy(c.Policy); err != nil {
			return err
		}
		if c.Quorum != 0 || c.LogKey == "" && len(e.Policy.Logs) != 1 {
			return misused("--policy", errors.New("it has its own quorum, and names one log unless --log-key does"))
		}
	}
	for _, f := range []struct {
		flag, path string
		into       *[]byte
	}{{"--receipt", c.Receipt, &e.Receipt}, {"--seal", c.Seal, &e.Seal}, {"--checkpoint", c.Checkpoint,
		&e.Checkpoint}, {"--log-proof", c.LogProof, &e.LogProof}, {"--draw", c.Draw, &e.Draw}} {
		if f.path == "" {
			continue
		}
		if *f.into, err = os.ReadFile(f.path); err != nil {
			return misused(f.flag, err)
		}
	}
	report := proof.Check(data, e)
	if err := renderProof(out, c.JSON, report); err != nil {
		return err
	}
	if !report.OK() {
		return errTicketDoesNotHold
	}
	return nil
}

// checkKeys reads the keys first: one that was copied wrongly is no sign against
// the house.
func (c *verifyTicketCmd) checkKeys() error {
	for _, key := range []struct{ flag, text string }{{"--house-key", c.HouseKey}, {"--device-key", c.DeviceKey},
		{"--log-key", c.LogKey}} {
		if _, err := journal.ParseVerifier(key.text); key.text != "" && err != nil {
			return misused(key.flag, fmt.Errorf("this is not a whole verifier key, NAME+ID+KEY: %w", err))
		}
	}
	for _, key := range c.Witnesses {
		if _, err := witness.ParseVerifier(key); err != nil {
			return misused("--witness-key", err)
		}
	}
	if c.Draw != "" && c.DeviceKey == "" {
		return misused("--draw", errors.New("whose signature it is shows only with --device-key"))
	}
	if (c.LogProof != "" || c.Quorum != 0) && c.LogKey == "" && c.Policy == "" {
		return misused("--log-key", errors.New("whose log it is shows only with the log's key"))
	}
	if c.Quorum < 0 || c.Quorum > len(c.Witnesses) {
		return misused("--quorum", fmt.Errorf("%d of %d witnesses", c.Quorum, len(c.Witnesses)))
	}
	if c.Checkpoint != "" && len(c.Witnesses) == 0 {
		return misused("--checkpoint", errors.New("who cosigned it shows only with --witness-key"))
	}
	return nil
}

// renderProof writes what a proof shows, for people or for programs.
func renderProof(out *bytes.Buffer, asJSON bool, report *proof.Report) error {
	if asJSON {
		return console.WriteJSON(out, report)
	}
	return report.WriteText(out)
}
