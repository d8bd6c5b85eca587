package main

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"

	"drawhouse/core/serial"
)

// claimCodeCmd makes a claim code as a terminal does, for trying the API by hand.
type claimCodeCmd struct {
	Terminal uint32 `required:"" help:"Number of the terminal that will sell the ticket."`
	Request  uint64 `required:"" help:"Number of the terminal's request."`
	Code     string `help:"A code of your own instead of a new one."`
}

// errFromOne refuses a number that no terminal and no request has.
var errFromOne = errors.New("numbers count from 1")

// Run implements the command.
func (c *claimCodeCmd) Run(out *bytes.Buffer) error {
	switch {
	case c.Terminal == 0:
		return misused("--terminal", errFromOne)
	case c.Request == 0:
		return misused("--request", errFromOne)
	}
	code, err := serial.NewClaimCode(rand.Reader)
	if err == nil && c.Code != "" {
		code, err = serial.ParseClaimCode(c.Code)
	}
	if err != nil {
		return misused("--code", err)
	}
	hash := code.Hash(c.Terminal, c.Request)
	fmt.Fprintf(out, "claim_code %s\nclaim_hash %s\n", code, hex.EncodeToString(hash[:]))
	return nil
}
