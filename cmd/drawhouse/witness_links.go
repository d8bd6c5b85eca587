package main

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"strconv"

	"drawhouse/cmd/drawhouse/console"
	"drawhouse/games/draw"
	"drawhouse/journal"
)

// What stands beside the file of links.
const (
	commitmentSuffix = ".commitment"
	sharesSuffix     = ".shares"
)

// witnessLinksCmd makes the links of a custodian for a day.
type witnessLinksCmd struct {
	Out    string `arg:"" type:"path" help:"File of the links, which must not exist; commitment and shares are written beside it."`
	Key    string `name:"links-key" required:"" type:"existingfile" placeholder:"FILE" help:"The custodian's key of commitments, which drawhouse witness makes as --links-key."`
	Series string `required:"" help:"Series of games, such as vic-keno."`
	Day    string `required:"" placeholder:"YYYY-MM-DD" help:"The Keno Day."`
	First  uint32 `default:"0" help:"Number of the first game (${default})."`
	Games  uint32 `default:"1000" help:"How many games (${default})."`
}

// Run implements the command.
func (c *witnessLinksCmd) Run(out *bytes.Buffer) error {
	key, err := openOwnKey(c.Key, "", "")
	if err != nil {
		return misused("--links-key", err)
	}
	name := draw.ChainName{Custodian: key.Signer.Name(), Series: c.Series, Day: c.Day, First: c.First, Games: c.Games}
	if err := name.Check(); err != nil {
		return console.Usage(err)
	}
	links, err := draw.NewLinks(rand.Reader, name)
	if err != nil {
		return err
	}
	commitment, shares, err := links.Commit(rand.Reader)
	if err != nil {
		return err
	}
	msg, err := journal.SignNote(commitment.Marshal(), key.Signer)
	if err != nil {
		return err
	}
	// The secret comes first: a commitment to links that nobody has would be kept by
	// nobody.
	if err := writeNewFile(c.Out, []byte(links.Marshal()), 0o600); err != nil {
		return misused("OUT", err)
	}
	for _, held := range shares {
		if err := writeNewFile(c.Out+sharesSuffix+strconv.Itoa(held.Holder()), []byte(held.Marshal()),
			0o600); err != nil {
			return misused("OUT", err)
		}
	}
	if err := writeNewFile(c.Out+commitmentSuffix, msg, 0o644); err != nil {
		return misused("OUT", err)
	}
	fmt.Fprintf(out, "the %v are in %s\n", commitment, c.Out)
	fmt.Fprintf(out, "publish %s before the day\n", c.Out+commitmentSuffix)
	fmt.Fprintf(out, "give %s1, 2 and 3 to three holders outside the operator, and keep none\n", c.Out+sharesSuffix)
	return nil
}
