package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"drawhouse/cmd/drawhouse/console"
	"drawhouse/draw"
	"drawhouse/journal"
	"drawhouse/witness"
	"drawhouse/witness/wire"
)

// witnessCmd groups what somebody outside the house does.
type witnessCmd struct {
	Serve   witnessServeCmd   `cmd:"" default:"withargs" help:"Cosign checkpoints of logs that only grew, and give out links of chains."`
	Ask     witnessAskCmd     `cmd:"" help:"Have the newest checkpoint of a house cosigned by a witness."`
	Chain   witnessChainCmd   `cmd:"" help:"Make the hash chain of a day, its commitment and the shares of its seed."`
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
	Chains []string `name:"chain" type:"existingfile" sep:"none" placeholder:"FILE" help:"A chain to hold, made by witness chain. May be given several times."`
	replayFlags
}

// Run implements the command.
func (c *witnessServeCmd) Run(screen console.Streams) error {
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
	if _, err := fmt.Fprintf(screen.Stdout, "witness %s listens at http://%s\nkey %v\n", config.Cosigner.Name(), listener.Addr(), config.Cosigner); err != nil {
		return errors.Join(err, listener.Close())
	}
	return serveUntil(ctx, newServer(handler, config.Log), listener)
}

// serveUntil serves until the context ends, and then ends in good order.
func serveUntil(ctx context.Context, server *http.Server, listener net.Listener) error {
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
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
	config := wire.ServerConfig{Cosigner: cosigner, Watch: witness.NewWatch(logs...), State: c.State, Now: time.Now}
	if len(c.Chains) == 0 {
		return config, key, nil
	}
	if config.Custody, err = witness.NewCustody(logs[0], cosigner.Verifier); err != nil {
		return wire.ServerConfig{}, keyFile{}, err
	}
	for _, other := range logs[1:] {
		if other.Name() != logs[0].Name() {
			return wire.ServerConfig{}, keyFile{}, misused("--chain", fmt.Errorf("a custodian of chains serves one house, and not %s and %s", logs[0].Name(), other.Name()))
		}
		config.Custody.Also(other)
	}
	for _, path := range c.Chains {
		commitment, err := hold(config.Custody, path, key.verifier)
		if err != nil {
			return wire.ServerConfig{}, keyFile{}, misused("--chain", err)
		}
		config.Commitments = append(config.Commitments, commitment)
	}
	return config, key, nil
}

// hold takes the chain of a file into custody and returns the commitment that
// stands beside it. A chain that is not the one committed to could not be drawn
// with, and would be noticed only after the seal.
func hold(custody *witness.Custody, path, vkey string) ([]byte, error) {
	if err := checkSecret(path); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	chain, err := witness.ParseSeed(string(text))
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
	if commitment.Chain != chain.Name() || commitment.Tip != chain.Tip() {
		return nil, fmt.Errorf("%s is not the chain that %s commits to", path, path+commitmentSuffix)
	}
	return msg, custody.Hold(chain)
}
