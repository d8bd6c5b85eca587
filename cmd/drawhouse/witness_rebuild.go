package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"drawhouse/check/witness"
	"drawhouse/check/witness/wire"
	"drawhouse/games/draw"
	"drawhouse/journal"
	"drawhouse/journal/logbook"
)

// gateFlags are the release rule for holders of shares. It is the rule of custodians: a copy of the public log, kept
// in the file of --state, must show the only seal of the game, under a checkpoint that every custodian cosigned, the
// one that withholds its link included.
type gateFlags struct {
	Game      string   `required:"" placeholder:"DAY/NUMBER" help:"The game, such as 2026-11-15/417."`
	HouseKeys []string `name:"house-key" required:"" sep:"none" placeholder:"VKEY" help:"Verifier key of the house, or of its public log, as you know it from elsewhere. May be given several times."`
	ruleFlags
	State string `required:"" type:"path" placeholder:"FILE" help:"Your copy of the log, and for which games you have given a share, in a file that grows."`
	// quorum is the newest checkpoint that had the cosignatures of the policy.
	quorum []byte
}

// pass has the release rule decide, and returns the game and the commitment to a link.
func (c *gateFlags) pass(path string) (journal.Game, draw.Commitment, error) {
	fail := func(err error) (journal.Game, draw.Commitment, error) { return journal.Game{}, draw.Commitment{}, err }
	config, err := c.gate(c.HouseKeys, "")
	if err != nil {
		return fail(err)
	}
	committed, err := openCommitment(path, config.Custodians)
	if err != nil {
		return fail(misused("COMMITMENT", err))
	}
	game, err := c.game(committed.Chain.Series)
	if err != nil {
		return fail(misused("--game", err))
	}
	gate, err := witness.NewGate(config)
	if err != nil {
		return fail(misused("--custodian", err))
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
	err = c.ask(gate, game, func(entry witness.GateEntry) error {
		line, err := json.Marshal(entry)
		if err != nil {
			return err
		}
		return book.Append(line)
	})
	if err = errors.Join(err, book.Close()); err != nil {
		return fail(misused("--public-log", err))
	}
	c.quorum = gate.Quorum()
	if known, ok := gate.Commitment(game, committed.Chain.Custodian); !ok || known != committed {
		return fail(misused("COMMITMENT", errors.New("it is not the commitment that the public log has")))
	}
	return game, committed, nil
}

// ask brings the copy to the newest checkpoint of the log that is shown, and has the rule decide under it.
func (c *gateFlags) ask(gate *witness.Gate, game journal.Game, write func(witness.GateEntry) error) error {
	ctx, stop := untilStopped()
	defer stop()
	follower := wire.Follower{Gate: gate, Source: c.source(), Write: write, Now: time.Now}
	note, err := follower.Newest(ctx)
	if err != nil {
		return err
	}
	return gate.Pass(game, note, time.Now().Unix(), write)
}

// game returns the game of a series that the flag names.
func (c *gateFlags) game(series string) (journal.Game, error) {
	on, number, _ := strings.Cut(c.Game, "/")
	n, err := strconv.ParseUint(number, 10, 32)
	if err != nil {
		return journal.Game{}, fmt.Errorf("%q is not DAY/NUMBER", c.Game)
	}
	game := journal.Game{Series: series, Day: on, Number: uint32(n)}
	return game, game.Check()
}

// openCommitment reads the commitment of one of the custodians.
func openCommitment(path string, custodians []witness.Custodian) (draw.Commitment, error) {
	msg, err := os.ReadFile(path)
	if err != nil {
		return draw.Commitment{}, err
	}
	err = errors.New("no custodian has signed it")
	for _, custodian := range custodians {
		verifier, wrong := journal.ParseVerifier(custodian.LinksKey)
		if wrong != nil {
			return draw.Commitment{}, wrong
		}
		var found draw.Commitment
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
	Tell       string `placeholder:"URL" xor:"told" help:"Where the custodian answers. It is told of the quorum above the seal, and writes that down, before the share is given: without that the house could have the link and the custodian would not know."`
	Gone       bool   `xor:"told" help:"Give the share without telling the custodian, because it does not answer and its people agree."`
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
	if (c.Tell == "") != c.Gone {
		return misused("--tell", errors.New("say where the custodian answers, so that it is told before the share is given; with --gone, and not --tell, where it is gone and its people agree"))
	}
	game, commitment, err := c.pass(c.Commitment)
	if err != nil {
		return err
	}
	if err := c.tell(commitment.Chain.Custodian, game); err != nil {
		return misused("--tell", err)
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

// tell has the custodian of the link write down that there is a quorum above the seal of the game, and sign that.
func (c *witnessShareCmd) tell(custodian string, game journal.Game) error {
	if c.Gone {
		return nil
	}
	config, err := c.gate(c.HouseKeys, "")
	if err != nil {
		return err
	}
	for _, known := range config.Custodians {
		if known.Name() == custodian {
			ctx, stop := untilStopped()
			defer stop()
			return (&wire.Client{URL: strings.TrimSuffix(c.Tell, "/"), Witness: known.Verifier}).TellQuorum(ctx,
				witness.LinkRequest{Game: game, Checkpoint: c.quorum})
		}
	}
	return fmt.Errorf("%s is none of the custodians", custodian)
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
