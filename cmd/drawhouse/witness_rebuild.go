package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"drawhouse/check/witness"
	"drawhouse/games/draw"
	"drawhouse/journal"
	"drawhouse/journal/logbook"
)

// gateFlags are the release rule for holders of shares. It is the rule of custodians: the
// evidence must show the only seal of the game in a journal that every custodian cosigned,
// the one that withholds its link included.
type gateFlags struct {
	Evidence   string   `required:"" type:"existingfile" placeholder:"FILE" help:"Evidence for the game, as the house gives it at /v1/games/DAY/NUMBER/evidence."`
	HouseKeys  []string `name:"house-key" required:"" sep:"none" placeholder:"VKEY" help:"Verifier key of the house, as you know it from elsewhere. May be given several times."`
	Custodians []string `name:"custodian" required:"" sep:"none" placeholder:"VKEY" help:"Key of cosignatures of a custodian, as you know it from elsewhere. Give all of them, also of the one whose link is missing."`
	State      string   `required:"" type:"path" placeholder:"FILE" help:"For which games and seals you have given a share, in a file that grows."`
}

// pass has the release rule decide, and returns the game and the commitment to a link.
func (c *gateFlags) pass(commitment string) (journal.Game, draw.Commitment, error) {
	fail := func(err error) (journal.Game, draw.Commitment, error) { return journal.Game{}, draw.Commitment{}, err }
	data, err := os.ReadFile(c.Evidence)
	if err != nil {
		return fail(misused("--evidence", err))
	}
	evidence, err := witness.ParseEvidence(data)
	if err != nil {
		return fail(misused("--evidence", err))
	}
	gate, custodians, err := c.gate()
	if err != nil {
		return fail(err)
	}
	book, err := logbook.Open(c.State, func(line []byte) error {
		var entry witness.GateEntry
		if err := json.Unmarshal(line, &entry); err != nil {
			return err
		}
		return gate.Restore(entry)
	})
	if err != nil {
		return fail(misused("--state", err))
	}
	err = gate.Pass(evidence, time.Now().Unix(), func(entry witness.GateEntry) error {
		line, err := json.Marshal(entry)
		if err != nil {
			return err
		}
		return book.Append(line)
	})
	if err = errors.Join(err, book.Close()); err != nil {
		return fail(misused("--evidence", err))
	}
	committed, err := openCommitment(commitment, custodians)
	if err != nil {
		return fail(misused("COMMITMENT", err))
	}
	if !gate.Binds(committed) {
		return fail(misused("COMMITMENT", errors.New("it is not the commitment that the journal has")))
	}
	return evidence.Game, committed, nil
}

func (c *gateFlags) gate() (*witness.Gate, []*witness.Verifier, error) {
	var house []journal.Verifier
	for _, text := range c.HouseKeys {
		v, err := journal.ParseVerifier(text)
		if err != nil {
			return nil, nil, misused("--house-key", err)
		}
		house = append(house, v)
	}
	custodians, err := custodiansOf(c.Custodians)
	if err != nil {
		return nil, nil, err
	}
	gate, err := witness.NewGate(witness.GateConfig{Prover: &witness.Cosigned{House: house, Custodians: custodians},
		House: house, Custodians: custodians})
	if err != nil {
		return nil, nil, misused("--custodian", err)
	}
	return gate, custodians, nil
}

// openCommitment reads the commitment of one of the custodians.
func openCommitment(path string, custodians []*witness.Verifier) (draw.Commitment, error) {
	msg, err := os.ReadFile(path)
	if err != nil {
		return draw.Commitment{}, err
	}
	err = errors.New("no custodian has signed it")
	for _, v := range custodians {
		var verifier journal.Verifier
		var found draw.Commitment
		key, wrong := v.OfNotes()
		if wrong == nil {
			verifier, wrong = journal.ParseVerifier(key)
		}
		if wrong != nil {
			return draw.Commitment{}, wrong
		}
		if found, err = draw.OpenCommitment(msg, verifier); err == nil {
			return found, nil
		}
	}
	return draw.Commitment{}, err
}

// witnessShareCmd gives the share of one link, as a holder.
type witnessShareCmd struct {
	Shares     string `arg:"" type:"existingfile" help:"The shares that you hold."`
	Commitment string `arg:"" type:"existingfile" help:"The custodian's commitment."`
	gateFlags
}

// Run implements the command: it writes the share of the game and no other.
func (c *witnessShareCmd) Run(out *bytes.Buffer) error {
	text, err := os.ReadFile(c.Shares)
	if err != nil {
		return misused("SHARES", err)
	}
	shares, err := draw.ParseShares(string(text))
	if err != nil {
		return misused("SHARES", err)
	}
	game, commitment, err := c.pass(c.Commitment)
	if err != nil {
		return err
	}
	if !shares.Fit(commitment) {
		return misused("SHARES", errors.New("they are not those that the custodian has committed to"))
	}
	share, err := shares.Share(game)
	if err != nil {
		return misused("SHARES", err)
	}
	out.WriteString(share.Marshal())
	return nil
}

// witnessRebuildCmd rebuilds one link from the shares of two holders.
type witnessRebuildCmd struct {
	Commitment string   `arg:"" type:"existingfile" help:"The custodian's commitment."`
	Shares     []string `name:"share" type:"existingfile" sep:"none" required:"" placeholder:"FILE" help:"A share, as witness share writes it. Two are needed, of two holders."`
	gateFlags
}

// Run implements the command: it writes the link.
func (c *witnessRebuildCmd) Run(out *bytes.Buffer) error {
	if len(c.Shares) != 2 {
		return misused("--share", fmt.Errorf("two shares rebuild a link, and %d are given", len(c.Shares)))
	}
	var shares [2]draw.LinkShare
	for i, path := range c.Shares {
		text, err := os.ReadFile(path)
		if err != nil {
			return misused("--share", err)
		}
		if shares[i], err = draw.ParseLinkShare(string(text)); err != nil {
			return misused("--share", fmt.Errorf("%s: %w", path, err))
		}
	}
	game, commitment, err := c.pass(c.Commitment)
	if err != nil {
		return err
	}
	link, err := commitment.RebuildLink(game, shares[0], shares[1])
	if err != nil {
		return misused("--share", err)
	}
	out.WriteString(link.Marshal())
	return nil
}
