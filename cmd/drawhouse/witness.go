package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"time"

	"drawhouse/check/watch"
	"drawhouse/check/witness"
	"drawhouse/check/witness/wire"
	"drawhouse/cmd/drawhouse/console"
	"drawhouse/core/contain"
	"drawhouse/games/draw"
	"drawhouse/journal"
)

// witnessCmd groups what somebody outside the house does.
type witnessCmd struct {
	Serve   witnessServeCmd   `cmd:"" default:"withargs" help:"Cosign checkpoints of logs that only grew, and give out links."`
	Ask     witnessAskCmd     `cmd:"" help:"Have the newest checkpoint of a house cosigned by a witness."`
	Links   witnessLinksCmd   `cmd:"" help:"Make the links of a day, the commitment to them and the shares of three holders."`
	Share   witnessShareCmd   `cmd:"" help:"As a holder, give the share of one link that its custodian withholds."`
	Rebuild witnessRebuildCmd `cmd:"" help:"Rebuild the link of a game from two shares, where its custodian gives none."`
}

// witnessServeCmd runs a witness.
type witnessServeCmd struct {
	logFlags
	Listen string   `default:"127.0.0.1:8090" placeholder:"HOST:PORT" help:"Where to listen (${default})."`
	Key    string   `required:"" type:"path" placeholder:"FILE" help:"The witness's key; made with --name where there is none."`
	Name   string   `placeholder:"NAME" help:"Name of a new key, such as inspector.example."`
	Logs   []string `name:"log" required:"" sep:"none" placeholder:"VKEY" help:"Verifier key of a house, or of another log, as you know it from elsewhere. May be given several times."`
	State  string   `required:"" type:"path" placeholder:"FILE" help:"What was signed, in a file that grows. Without it the witness could sign the contrary."`
	Links  []string `name:"links" type:"existingfile" sep:"none" placeholder:"FILE" help:"Links of a day to hold, made by witness links. May be given several times."`
	ruleFlags
	Publish    time.Duration `default:"10m" help:"How long after it was given out a link is published at /published (${default})."`
	PerAddress uint          `name:"rate-address" default:"20" placeholder:"N" help:"Requests a second that an address may send; 0 for any number. This machine is not counted (${default})."`
	replayFlags
}

// Run implements the command.
func (c *witnessServeCmd) Run(screen console.Streams) error {
	return c.fatal(screen.Stderr, c.serve(screen))
}

func (c *witnessServeCmd) serve(screen console.Streams) error {
	ctx, stop := untilStopped()
	defer stop()
	config, key, err := c.config()
	if err != nil {
		return err
	}
	config.Log = c.logger(screen.Stderr)
	var following *replaying
	if c.Replay != "" {
		if following, err = c.open(ctx, c.State, c.Logs, key, config.Log); err != nil {
			return err
		}
		config.Agree = following.follower.Agree
		stop := following.follow(ctx)
		defer func() { _ = stop() }()
	}
	server, err := wire.NewServer(config)
	if err != nil {
		return misused("--state", err)
	}
	defer func() { _ = server.Close() }()
	var handler http.Handler = server
	if following != nil {
		if handler, err = following.handler(server); err != nil {
			return err
		}
	}
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return misused("--listen", err)
	}
	if _, err := fmt.Fprintf(screen.Stdout, "witness %s listens at http://%s\nkey %v\n", config.Cosigner.Name(),
		listener.Addr(), config.Cosigner); err != nil {
		return errors.Join(err, listener.Close())
	}
	return serveUntil(ctx, newServer(handler, config.Log), listener)
}

// serveUntil serves until the context ends, and then ends in good order.
func serveUntil(ctx context.Context, server *http.Server, listener net.Listener) error {
	served := make(chan error, 1)
	contain.Go("the server", func() error { return server.Serve(listener) }, func(err error) { served <- err })
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	ending, done := context.WithTimeout(context.Background(), stopping)
	defer done()
	return server.Shutdown(ending)
}

// config reads the keys and chains.
func (c *witnessServeCmd) config() (wire.ServerConfig, keyFile, error) {
	var logs []journal.Verifier
	for _, text := range c.Logs {
		v, err := journal.ParseVerifier(text)
		if err != nil {
			return wire.ServerConfig{}, keyFile{}, misused("--log", err)
		}
		logs = append(logs, v)
	}
	key, err := openKeyFile(c.Key, c.Name, c.State)
	if err != nil {
		return wire.ServerConfig{}, keyFile{}, misused("--key", err)
	}
	cosigner, err := witness.NewCosigner(key.signer, key.verifier)
	if err != nil {
		return wire.ServerConfig{}, keyFile{}, misused("--key", err)
	}
	config := wire.ServerConfig{Cosigner: cosigner, Watch: witness.NewWatch(logs...), State: c.State, Now: time.Now,
		Publish: c.Publish, PerAddress: c.PerAddress}
	if len(c.Links) == 0 {
		return config, key, nil
	}
	for _, other := range logs[1:] {
		if other.Name() != logs[0].Name() {
			return wire.ServerConfig{}, keyFile{}, misused("--links",
				fmt.Errorf("a custodian serves one house, and not %s and %s", logs[0].Name(), other.Name()))
		}
	}
	if _, err := os.Stat(c.State); errors.Is(err, fs.ErrNotExist) {
		return wire.ServerConfig{}, keyFile{}, misused("--state",
			fmt.Errorf("%s is not there, and a custodian without its book may have given links out; the start without --links that made the key began the book. If it is lost, go on under a new name and key", c.State))
	} else if err != nil {
		return wire.ServerConfig{}, keyFile{}, misused("--state", err)
	}
	if c.PublicLog == "" {
		return wire.ServerConfig{}, keyFile{}, misused("--public-log",
			errors.New("a custodian gives out links by the public log of its house, and reads it there"))
	}
	policy, err := c.policy()
	if err != nil {
		return wire.ServerConfig{}, keyFile{}, err
	}
	if config.Custody, err = witness.NewCustody(cosigner.Name(), c.Logs, policy); err != nil {
		return wire.ServerConfig{}, keyFile{}, misused("--custodian", err)
	}
	config.Source = watch.Open(c.PublicLog)
	for _, path := range c.Links {
		commitment, err := hold(config.Custody, path, key.verifier)
		if err != nil {
			return wire.ServerConfig{}, keyFile{}, misused("--links", err)
		}
		config.Commitments = append(config.Commitments, commitment)
	}
	return config, key, nil
}

// ruleFlags are where custodians and holders read the public log, and the policy under which links leave.
type ruleFlags struct {
	PublicLog  string   `placeholder:"URL" help:"Where the public log of the house is read, such as https://keno.example/v1/log, or the folder of a mirror."`
	Custodians []string `name:"custodian" sep:"none" placeholder:"VKEY" help:"Key of cosignatures of a custodian, as you know it from elsewhere. Give all of them, also your own, and that of one whose link is missing."`
	Others     []string `name:"witness" sep:"none" placeholder:"VKEY" help:"Key of a witness outside the house that holds no links; more than half of these must cosign, too. May be given several times."`
	Quorum     int      `placeholder:"N" help:"How many custodians and witnesses must cosign: all custodians and more than half of the others, unless more is given."`
}

// policy returns the policy, which no house decides.
func (c *ruleFlags) policy() (p witness.Policy, err error) {
	for _, keys := range []struct {
		flag string
		list []string
	}{{"--custodian", c.Custodians}, {"--witness", c.Others}} {
		for _, text := range keys.list {
			v, err := witness.ParseVerifier(text)
			if err != nil {
				return p, misused(keys.flag, err)
			}
			p.Witnesses = append(p.Witnesses, v)
		}
	}
	for _, v := range p.Witnesses[:len(c.Custodians)] {
		p.All = append(p.All, v.Name())
	}
	if p.Quorum = c.Quorum; c.Quorum == 0 {
		p.Quorum = p.Least()
	}
	return p, nil
}

// hold takes the links of a file into custody and returns the commitment that stands
// beside it. Links that are not those committed to could not be drawn with, and would be
// noticed only after the seal.
func hold(custody *witness.Custody, path, vkey string) ([]byte, error) {
	if err := checkSecret(path); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	links, err := draw.ParseLinks(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	msg, err := os.ReadFile(path + commitmentSuffix)
	if err != nil {
		return nil, err
	}
	verifier, err := journal.ParseVerifier(vkey)
	if err != nil {
		return nil, err
	}
	commitment, err := draw.OpenCommitment(msg, verifier)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path+commitmentSuffix, err)
	}
	if commitment.Chain != links.Name() || commitment.Tip != links.Root() {
		return nil, fmt.Errorf("%s does not have the links that %s commits to", path, path+commitmentSuffix)
	}
	return msg, custody.Hold(links)
}
