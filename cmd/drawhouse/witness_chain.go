package main

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"strconv"

	"drawhouse/cmd/drawhouse/console"
	"drawhouse/draw"
	"drawhouse/journal"
	"drawhouse/witness"
)

// What stands beside the file of a chain.
const (
	commitmentSuffix = ".commitment"
	shareSuffix      = ".share"
)

// witnessChainCmd makes the chain of a custodian for a day.
type witnessChainCmd struct {
	Out    string `arg:"" type:"path" help:"File of the chain, which must not exist; commitment and shares are written beside it."`
	Key    string `required:"" type:"existingfile" placeholder:"FILE" help:"The custodian's key."`
	Series string `required:"" help:"Series of games, such as vic-keno."`
	Day    string `required:"" placeholder:"YYYY-MM-DD" help:"The Keno Day."`
	First  uint32 `default:"0" help:"Number of the first game (${default})."`
	Games  uint32 `default:"1000" help:"How many games (${default})."`
}

// Run implements the command.
func (c *witnessChainCmd) Run(out *bytes.Buffer) error {
	key, err := openKeyFile(c.Key, "", "")
	if err != nil {
		return misused("--key", err)
	}
	name := draw.ChainName{Custodian: key.signer.Name(), Series: c.Series, Day: c.Day, First: c.First, Games: c.Games}
	if err := name.Check(); err != nil {
		return console.Usage(err)
	}
	seed, err := draw.NewSeed(rand.Reader)
	if err != nil {
		return err
	}
	commitment, shares, err := draw.Commit(rand.Reader, name, seed)
	if err != nil {
		return err
	}
	msg, err := journal.SignNote(commitment.Marshal(), key.signer)
	if err != nil {
		return err
	}
	// The secret comes first: a commitment to a chain that nobody has would be kept
	// by nobody.
	if err := writeNewFile(c.Out, []byte(witness.MarshalSeed(name, seed)), 0o600); err != nil {
		return misused("OUT", err)
	}
	for _, share := range shares {
		if err := writeNewFile(c.Out+shareSuffix+strconv.Itoa(share.Holder), []byte(share.Marshal()), 0o600); err != nil {
			return misused("OUT", err)
		}
	}
	if err := writeNewFile(c.Out+commitmentSuffix, msg, 0o644); err != nil {
		return misused("OUT", err)
	}
	fmt.Fprintf(out, "the %v is in %s\n", name, c.Out)
	fmt.Fprintf(out, "publish %s before the day\n", c.Out+commitmentSuffix)
	fmt.Fprintf(out, "give %s1, 2 and 3 to three holders outside the operator, and keep none\n", c.Out+shareSuffix)
	return nil
}
