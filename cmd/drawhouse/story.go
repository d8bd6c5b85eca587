package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"

	"drawhouse/check/proof"
)

// storyCmd asks a running house for everything about a ticket.
type storyCmd struct {
	signOnFlags
	Serial string `arg:"" help:"The ticket's serial, in either form."`
	Out    string `type:"path" placeholder:"FILE" help:"Write the file there and not to the output; it must not exist."`
}

// Run implements the command. The bytes are kept as they came: they are signed.
func (c *storyCmd) Run(out *bytes.Buffer) error {
	var file json.RawMessage
	err := c.with(func(ctx context.Context, s *signedOn) error {
		return s.ask(ctx, http.MethodGet, "/v1/tickets/"+url.PathEscape(c.Serial)+"/story", nil, &file)
	})
	if err != nil {
		return err
	}
	if c.Out == "" {
		out.Write(append(file, '\n'))
		return nil
	}
	if err := writeNewFile(c.Out, append(file, '\n'), 0o600); err != nil {
		return misused("--out", err)
	}
	fmt.Fprintf(out, "the story of ticket %s is in %s; drawhouse verify story checks and tells it\n", c.Serial, c.Out)
	return nil
}

// verifyStoryCmd checks a story without the house.
type verifyStoryCmd struct {
	File string `arg:"" type:"existingfile" help:"The story, as drawhouse story wrote it."`
	// HouseKeys are several where a key was lost, and its successor is known by itself.
	HouseKeys []string `name:"house-key" required:"" sep:"none" placeholder:"VKEY" help:"The house's verifier key as you know it from elsewhere. May be given several times."`
	HTML      string   `name:"html" type:"path" placeholder:"FILE" help:"Write it as a page, too; the file must not exist."`
	JSON      bool     `name:"json" help:"Write the report as JSON."`
}

// Run implements the command.
func (c *verifyStoryCmd) Run(out *bytes.Buffer) error {
	for _, key := range c.HouseKeys {
		if err := checkKey("--house-key", key); err != nil {
			return err
		}
	}
	file, err := os.ReadFile(c.File)
	if err != nil {
		return misused("FILE", err)
	}
	story, report := proof.CheckStory(file, c.HouseKeys...)
	if c.HTML != "" && report.OK() {
		var page bytes.Buffer
		if err := proof.WritePage(&page, story, report); err != nil {
			return err
		}
		if err := writeNewFile(c.HTML, page.Bytes(), 0o600); err != nil {
			return misused("--html", err)
		}
	}
	if err := renderProof(out, c.JSON, report); err != nil {
		return err
	}
	if !report.OK() {
		return errTicketDoesNotHold
	}
	return nil
}
