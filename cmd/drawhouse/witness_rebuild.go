package main

import (
	"bytes"
	"fmt"
	"os"

	"drawhouse/draw"
	"drawhouse/journal"
	"drawhouse/witness"
)

// witnessRebuildCmd rebuilds one link of a chain from the shares of two holders.
type witnessRebuildCmd struct {
	Commitment string   `arg:"" type:"existingfile" help:"The custodian's commitment."`
	Key        string   `name:"custodian-key" required:"" placeholder:"VKEY" help:"The custodian's verifier key for notes, as the journal names it."`
	Shares     []string `name:"share" type:"existingfile" sep:"none" required:"" placeholder:"FILE" help:"A share. Two are needed, of two holders."`
	Game       string   `required:"" placeholder:"GAME" help:"The game that waits, such as 'vic-keno 2026-11-15 417'."`
	Revision   uint32   `default:"1" help:"Which draw of the game, from 1 (${default})."`
	Seal       string   `type:"existingfile" required:"" placeholder:"FILE" help:"The seal of the game, as the house shows it: before the seal nobody may know a link."`
	HouseKey   string   `name:"house-key" required:"" placeholder:"VKEY" help:"Verifier key of the house, by which the seal is known."`
}

// Run implements the command: it writes the link and nothing else of the chain.
func (c *witnessRebuildCmd) Run(out *bytes.Buffer) error {
	commitment, err := c.commitment()
	if err != nil {
		return err
	}
	game, err := parseGame(c.Game)
	if err != nil {
		return misused("--game", err)
	}
	if err := c.checkSealed(game); err != nil {
		return misused("--seal", err)
	}
	if len(c.Shares) != 2 {
		return misused("--share", fmt.Errorf("two shares rebuild a chain, and %d are given", len(c.Shares)))
	}
	var shares [2]draw.Share
	for i, path := range c.Shares {
		text, err := os.ReadFile(path)
		if err != nil {
			return misused("--share", err)
		}
		if shares[i], err = draw.ParseShare(string(text)); err != nil {
			return misused("--share", fmt.Errorf("%s: %w", path, err))
		}
	}
	chain, err := commitment.Rebuild(shares[0], shares[1])
	if err != nil {
		return misused("--share", err)
	}
	link, err := chain.Link(game, c.Revision)
	if err != nil {
		return misused("--game", err)
	}
	out.WriteString(witness.MarshalLink(link))
	return nil
}

func (c *witnessRebuildCmd) commitment() (draw.Commitment, error) {
	verifier, err := journal.ParseVerifier(c.Key)
	if _, cosigns := witness.ParseVerifier(c.Key); err != nil && cosigns == nil {
		err = fmt.Errorf("%s is the key for cosignatures, which a witness prints at its start; wanted is its key for notes, as custodians of a witnessed game's draw name it", c.Key)
	}
	if err != nil {
		return draw.Commitment{}, misused("--custodian-key", err)
	}
	msg, err := os.ReadFile(c.Commitment)
	if err != nil {
		return draw.Commitment{}, misused("COMMITMENT", err)
	}
	commitment, err := draw.OpenCommitment(msg, verifier)
	if err != nil {
		return draw.Commitment{}, misused("COMMITMENT", err)
	}
	return commitment, nil
}

// checkSealed demands the seal of the game: whoever knows a link before could add
// tickets until the result suits.
func (c *witnessRebuildCmd) checkSealed(game journal.Game) error {
	house, err := journal.ParseVerifier(c.HouseKey)
	if err != nil {
		return fmt.Errorf("the key of the house is no key for notes: %w", err)
	}
	msg, err := os.ReadFile(c.Seal)
	if err != nil {
		return err
	}
	seal, err := journal.OpenSeal(msg, house)
	if err != nil {
		return err
	}
	if seal.Body().Game != game {
		return fmt.Errorf("it is of %v", seal.Body().Game)
	}
	return nil
}
