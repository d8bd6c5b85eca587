package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"strings"
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
	Logs   []string `name:"log" required:"" sep:"none" placeholder:"VKEY[,ORIGIN]" help:"Verifier key of a house, or of another log, as you know it from elsewhere; with its origin if that is not the name of the key. May be given several times."`
	State  string   `required:"" type:"path" placeholder:"FILE" help:"What was signed, in a file that grows. Without it the witness could sign the contrary."`
	Links  []string `name:"links" type:"existingfile" sep:"none" placeholder:"FILE" help:"Links of a day to hold, made by witness links. May be given several times."`
	ruleFlags
	Followers  []string      `name:"follower" sep:"none" placeholder:"URL" help:"Where another custodian of the house answers, which keeps a copy of the public log. This one asks it after each start, before it signs or gives out anything. May be given several times."`
	LetGo      []string      `sep:"none" placeholder:"ORIGIN" help:"Follow the log of this origin, such as keno.example/log2, although it leaves games of the log before without a result. The links of these games are published. Give it at one start, once the inspector agrees."`
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
		if following, err = c.open(ctx, c.State, c.houses(), key, config.Log); err != nil {
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
	for _, origin := range c.LetGo {
		if err := server.LetGo(origin); err != nil {
			return misused("--let-go", err)
		}
	}
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
	watch, logs, err := c.watch()
	if err != nil {
		return wire.ServerConfig{}, keyFile{}, misused("--log", err)
	}
	key, err := openKeyFile(c.Key, c.Name, c.State)
	if err != nil {
		return wire.ServerConfig{}, keyFile{}, misused("--key", err)
	}
	if err := c.checkOwn(key.verifier); err != nil {
		return wire.ServerConfig{}, keyFile{}, misused("--log", err)
	}
	cosigner, err := witness.NewCosigner(key.signer, key.verifier)
	if err != nil {
		return wire.ServerConfig{}, keyFile{}, misused("--key", err)
	}
	config := wire.ServerConfig{Cosigner: cosigner, Watch: watch, State: c.State, Now: time.Now,
		Publish: c.Publish, PerAddress: c.PerAddress}
	if len(c.Links) == 0 {
		return config, key, nil
	}
	if len(logs) == 0 {
		return wire.ServerConfig{}, keyFile{}, misused("--log", errors.New("a custodian needs the key of its house"))
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
	gate, err := c.gate(c.houses(), cosigner.Name())
	if err != nil {
		return wire.ServerConfig{}, keyFile{}, err
	}
	if config.Custody, err = witness.NewCustody(gate); err != nil {
		return wire.ServerConfig{}, keyFile{}, misused("--custodian", err)
	}
	config.Source = c.source()
	config.Followers = c.others()
	for _, path := range c.Links {
		commitment, err := hold(config.Custody, path, key.verifier)
		if err != nil {
			return wire.ServerConfig{}, keyFile{}, misused("--links", err)
		}
		config.Commitments = append(config.Commitments, commitment)
	}
	return config, key, nil
}

// others returns who else keeps a copy of the public log.
func (c *witnessServeCmd) others() (list []wire.LogFollower) {
	for _, url := range c.Followers {
		list = append(list, wire.LogFollower{Name: url,
			Log: func(hash string) wire.LogSource { return watch.Open(strings.TrimSuffix(url, "/") + "/" + hash) }})
	}
	return list
}

// splitLog splits what is said of a log into its key and its origin, which is "" for that of the key's name.
func splitLog(text string) (vkey, origin string) {
	at := strings.LastIndex(text, "+") + 1
	if parts := strings.SplitN(text, "+", 3); len(parts) == 3 {
		at = len(text) - len(parts[2])
	}
	key, origin, _ := strings.Cut(text[at:], ",") // A name may have a comma, and base64 has none.
	return text[:at] + key, origin
}

// houses returns the keys that are trusted for a house, its volumes and its public log.
func (c *witnessServeCmd) houses() (keys []string) {
	for _, text := range c.Logs {
		if vkey, origin := splitLog(text); origin == "" {
			keys = append(keys, vkey)
		}
	}
	return keys
}

// checkOwn refuses to watch a log that the witness's own key signs.
func (c *witnessServeCmd) checkOwn(own string) error {
	for _, text := range c.Logs {
		if vkey, _ := splitLog(text); witness.SameKey(vkey, own) {
			return fmt.Errorf("%s is the key of this witness: one key signs logs or cosignatures, and not both", vkey)
		}
	}
	return nil
}

// watch returns what the witness watches, and the keys of houses.
func (c *witnessServeCmd) watch() (*witness.Watch, []journal.Verifier, error) {
	var houses []journal.Verifier
	foreign := map[string]journal.Verifier{}
	for _, text := range c.Logs {
		vkey, origin := splitLog(text)
		v, err := journal.ParseVerifier(vkey)
		switch {
		case err != nil:
			return nil, nil, err
		case origin == "":
			houses = append(houses, v)
		case foreign[origin] != nil:
			return nil, nil, fmt.Errorf("two keys for %s", origin)
		default:
			foreign[origin] = v
		}
	}
	watch := witness.NewWatch(houses...)
	for origin, v := range foreign {
		if err := watch.Trust(origin, v); err != nil {
			return nil, nil, err
		}
	}
	return watch, houses, nil
}

// ruleFlags are where custodians and holders read the public log, and the policy under which links leave.
type ruleFlags struct {
	PublicLog  string   `placeholder:"URL" help:"Where the public log of the house is read, such as https://keno.example/v1/log, or the folder of a mirror. Custodians and holders need it."`
	Custodians []string `name:"custodian" sep:"none" placeholder:"VKEY" help:"Key of cosignatures of a custodian, as you know it from elsewhere. Give all of them, also your own, and that of one whose link is missing."`
	Policy     string   `type:"existingfile" placeholder:"FILE" help:"Which other witnesses must cosign before a link leaves, in the form of C2SP tlog-policy; without it all custodians and nobody else."`
}

// source returns where the public log is read.
func (c *ruleFlags) source() wire.LogSource { return watch.Open(c.PublicLog) }

// gate returns the rule, which no house decides.
func (c *ruleFlags) gate(house []string, own string) (gate witness.GateConfig, err error) {
	gate = witness.GateConfig{House: house, Own: own}
	if c.PublicLog == "" {
		return gate, misused("--public-log", errors.New("links leave by the public log of the house: say where it is read"))
	}
	var names []string
	for _, text := range c.Custodians {
		v, err := witness.ParseVerifier(text)
		if err != nil {
			return gate, misused("--custodian", err)
		}
		gate.Custodians, names = append(gate.Custodians, v), append(names, v.Name())
	}
	if c.Policy == "" {
		return gate, nil
	}
	asks, err := readPolicy(c.Policy)
	if err == nil {
		err = asks.Enough(names)
	}
	if err != nil {
		return gate, misused("--policy", err)
	}
	gate.Policy = func(checkpoint []byte) string { return asks.Of(checkpoint).Lacks }
	return gate, nil
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
