package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"drawhouse/check/watch"
	"drawhouse/check/witness"
	"drawhouse/check/witness/wire"
	"drawhouse/cmd/drawhouse/console"
	"drawhouse/core/contain"
	"drawhouse/edge/monitor"
	"drawhouse/games/beacon"
	"drawhouse/games/draw"
	"drawhouse/journal"
	"drawhouse/journal/keyfile"
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
	helperFlags
	Listen string   `default:"127.0.0.1:8090" placeholder:"HOST:PORT" help:"Where to listen (${default})."`
	Key    string   `required:"" type:"path" placeholder:"FILE" help:"The witness's key; made with --name where there is none."`
	Second string   `name:"links-key" type:"path" placeholder:"FILE" help:"The second key of a custodian, which signs its commitments to links and no checkpoint; made with --name where there is none, by a start without --links."`
	Name   string   `placeholder:"NAME" help:"Name of new keys, such as inspector.example."`
	Logs   []string `name:"log" required:"" sep:"none" placeholder:"VKEY[,ORIGIN]" help:"Verifier key of a house, or of another log, as you know it from elsewhere; with its origin if that is not the name of the key. May be given several times."`
	State  string   `required:"" type:"path" placeholder:"FILE" help:"What was signed, in a file that grows. Without it the witness could sign the contrary."`
	Links  []string `name:"links" type:"existingfile" sep:"none" placeholder:"FILE" help:"Links of a day to hold, made by witness links. May be given several times."`
	ruleFlags
	Followers  []string      `name:"follower" sep:"none" placeholder:"URL" help:"Where another custodian of the house answers, which keeps a copy of the public log. This one asks it after each start, before it signs or gives out anything. May be given several times."`
	LetGo      []string      `sep:"none" placeholder:"SERIES/DAY/NUMBER" help:"As a custodian, go on although this game has no right result: the log that follows leaves it, or it was declared void when its links could be known. The link of the game is published. Only a game that this custodian waits for is taken, and counts once. Give it at one start, once the inspector agrees. May be given several times."`
	GiveUp     []string      `sep:"none" placeholder:"LOG@SIZE" help:"Have another log follow this one, such as keno.example/log@978, although exactly so many entries of it were cosigned and nobody has the last of them any more. Games that were sealed in what is given up may be drawn a second time: ask every custodian for its copy first. May be given several times."`
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
	config.Log = c.logger(ctx, screen.Stderr)
	if config.Custody != nil {
		c.warnOfBlindness(config.Log)
	}
	var following *replaying
	if c.Replay != "" {
		if following, err = c.open(ctx, c.State, c.houses(), key.Signer, config.Log); err != nil {
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
	watched, err := c.helper(monitor.Cosign, c.State, config.Log, monitor.Book(monitor.Cosign, server.BookErr))
	if err != nil {
		return err
	}
	watched.metrics.WatchCosigned(func() (logs []monitor.Cosigned) {
		for _, s := range server.Standings() {
			logs = append(logs, monitor.Cosigned(s))
		}
		return logs
	}, func() uint64 {
		last, _ := server.Refused()
		return last.Times
	})
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return misused("--listen", err)
	}
	// The book keeps what is let go: a start that fails lets nothing go.
	if err := c.letGo(server); err != nil {
		return errors.Join(err, listener.Close())
	}
	said := fmt.Sprintf("witness %s listens at http://%s\nkey %v\n", config.Cosigner.Name(), listener.Addr(),
		config.Cosigner)
	if config.LinksKey != "" {
		said += fmt.Sprintf("links key %s\n", config.LinksKey)
	}
	if _, err := fmt.Fprint(c.said(screen.Stdout), said); err != nil {
		return errors.Join(err, listener.Close())
	}
	return watched.serve(ctx, handler, listener)
}

// letGo lets go and gives up what the flags name.
func (c *witnessServeCmd) letGo(server *wire.Server) error {
	var games []journal.Game
	for _, text := range c.LetGo {
		game, err := witness.ParseLetGo(text)
		if err != nil {
			return misused("--let-go", err)
		}
		games = append(games, game)
	}
	for _, text := range c.GiveUp {
		origin, size, _ := strings.Cut(text, "@")
		entries, err := strconv.ParseUint(size, 10, 64)
		if err != nil {
			err = fmt.Errorf("%q is not LOG@SIZE, such as keno.example/log@978", text)
		} else {
			err = server.GiveUp(origin, entries)
		}
		if err != nil {
			return misused("--give-up", err)
		}
	}
	if err := server.LetGo(games...); err != nil {
		return misused("--let-go", err)
	}
	return nil
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

// config reads the keys and links. It returns the key by which the witness asks its house for records, too.
func (c *witnessServeCmd) config() (wire.ServerConfig, keyfile.Key, error) {
	fail := func(err error) (wire.ServerConfig, keyfile.Key, error) {
		return wire.ServerConfig{}, keyfile.Key{}, err
	}
	watch, logs, err := c.watch()
	if err != nil {
		return fail(misused("--log", err))
	}
	key, err := openOwnKey(c.Key, c.Name, c.State)
	if err != nil {
		return fail(misused("--key", err))
	}
	if err := c.checkOwn(key.Verifier); err != nil {
		return fail(misused("--log", err))
	}
	cosigner, err := witness.NewCosigner(key.Signer, key.Verifier)
	if err != nil {
		return fail(misused("--key", err))
	}
	config := wire.ServerConfig{Cosigner: cosigner, Watch: watch, State: c.State, Now: time.Now,
		Publish: c.Publish, PerAddress: c.PerAddress}
	if c.Second == "" && len(c.Links) == 0 {
		return config, key, nil
	}
	second, err := c.openSecond(cosigner)
	if err != nil {
		return fail(misused("--links-key", err))
	}
	config.LinksKey = second.Verifier
	if len(c.Links) == 0 {
		return config, second, nil
	}
	if err := c.custody(&config, logs); err != nil {
		return fail(err)
	}
	return config, second, nil
}

// openSecond reads the key of a custodian's commitments, or makes one. One that is lost has no successor by itself: the
// house must be told of it, and what the lost one signed is not of the new one.
func (c *witnessServeCmd) openSecond(first *witness.Cosigner) (keyfile.Key, error) {
	if c.Second == "" {
		return keyfile.Key{}, errors.New("a custodian signs its commitments with a second key: say where it is; a start with --links-key and --name, without --links, makes one")
	}
	if _, err := os.Stat(c.Second); errors.Is(err, fs.ErrNotExist) && len(c.Links) > 0 {
		return keyfile.Key{}, fmt.Errorf("%s is not there: restore it from a backup. If it is lost, a start without --links makes another one; give that to the house and to all custodians, and make new links with it for days that have not opened",
			c.Second)
	}
	second, err := openOwnKey(c.Second, c.Name, "")
	if err != nil {
		return keyfile.Key{}, err
	}
	if err := c.checkOwn(second.Verifier); err != nil {
		return keyfile.Key{}, err
	}
	_, err = witness.NewCustodian(first.Verifier, second.Verifier)
	return second, err
}

// custody has the witness hold links.
func (c *witnessServeCmd) custody(config *wire.ServerConfig, logs []journal.Verifier) error {
	if len(logs) == 0 {
		return misused("--log", errors.New("a custodian needs the key of its house"))
	}
	for _, other := range logs[1:] {
		if other.Name() != logs[0].Name() {
			return misused("--links",
				fmt.Errorf("a custodian serves one house, and not %s and %s", logs[0].Name(), other.Name()))
		}
	}
	if _, err := os.Stat(c.State); errors.Is(err, fs.ErrNotExist) {
		return misused("--state",
			fmt.Errorf("%s is not there, and a custodian without its book may have given links out; the start without --links that made the key began the book. If it is lost, go on under a new name and key", c.State))
	} else if err != nil {
		return misused("--state", err)
	}
	gate, err := c.gate(c.houses(), config.Cosigner.Name())
	if err != nil {
		return err
	}
	if config.Custody, err = witness.NewCustody(gate); err != nil {
		return misused("--custodian", err)
	}
	for _, own := range gate.Custodians {
		if own.Name() == gate.Own && (own.String() != config.Cosigner.String() || own.LinksKey != config.LinksKey) {
			return misused("--custodian", fmt.Errorf("%s itself has the keys %v,%s, and not %v,%s", gate.Own, config.Cosigner,
				config.LinksKey, own, own.LinksKey))
		}
	}
	config.Source = c.source()
	config.Followers = c.others()
	if config.Witnesses, err = c.witnesses(gate); err != nil {
		return err
	}
	for _, path := range c.Links {
		commitment, err := hold(config.Custody, path, config.LinksKey)
		if err != nil {
			return misused("--links", err)
		}
		config.Commitments = append(config.Commitments, commitment)
	}
	return nil
}

// others returns who else keeps a copy of the public log.
func (c *witnessServeCmd) others() (list []wire.LogFollower) {
	for _, url := range c.Followers {
		list = append(list, wire.LogFollower{Name: url,
			Log: func(hash string) wire.LogSource { return watch.Open(strings.TrimSuffix(url, "/") + "/" + hash) }})
	}
	return list
}

// witnesses returns the others of the policy that have an address there.
func (c *ruleFlags) witnesses(gate witness.GateConfig) (list []wire.LogWitness, err error) {
	if c.Policy == "" {
		return nil, nil
	}
	asks, err := readPolicy(c.Policy)
	if err != nil {
		return nil, err
	}
	for _, w := range asks.Witnesses {
		if w.URL != "" && w.Key.Name() != gate.Own {
			list = append(list, wire.LogWitness{Witness: w.Key,
				Log: func(hash string) wire.LogSource { return watch.Open(strings.TrimSuffix(w.URL, "/") + "/" + hash) }})
		}
	}
	return list, nil
}

// warnOfBlindness tells the people of a custodian whom it cannot ask whether its book is an old one.
func (c *ruleFlags) warnOfBlindness(log *slog.Logger) {
	if c.Policy == "" {
		log.Warn("no witness but the custodians is asked for: if this book is brought back from a backup, the house and another custodian can hide that; name witnesses outside in --policy")
		return
	}
	asks, err := readPolicy(c.Policy)
	if err != nil {
		return // It was read before.
	}
	for _, w := range asks.Witnesses {
		custodian := slices.ContainsFunc(c.Custodians, func(text string) bool {
			of, err := witness.ParseCustodian(text)
			return err == nil && of.Name() == w.Key.Name()
		})
		if w.URL == "" && !custodian { // Custodians answer at --follower.
			log.Warn("this witness has no address in --policy, so it is never asked how far it has cosigned a log before the next one is followed; add its address",
				"witness", w.Key.Name())
		}
	}
}

// houses returns the keys that are trusted for a house, its volumes and its public log.
func (c *witnessServeCmd) houses() (keys []string) {
	for _, text := range c.Logs {
		if vkey, origin := witness.CutKey(text); origin == "" {
			keys = append(keys, vkey)
		}
	}
	return keys
}

// checkOwn refuses to watch a log that the witness's own key signs.
func (c *witnessServeCmd) checkOwn(own string) error {
	for _, text := range c.Logs {
		if vkey, _ := witness.CutKey(text); journal.SameKey(vkey, own) {
			return fmt.Errorf("%s is the key of this witness: one key signs logs, cosignatures or commitments, and no two of them", vkey)
		}
	}
	return nil
}

// watch returns what the witness watches, and the keys of houses.
func (c *witnessServeCmd) watch() (*witness.Watch, []journal.Verifier, error) {
	var houses []journal.Verifier
	foreign := map[string]journal.Verifier{}
	for _, text := range c.Logs {
		vkey, origin := witness.CutKey(text)
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
	Custodians []string `name:"custodian" sep:"none" placeholder:"KEY,LINKSKEY" help:"The two keys of a custodian, of its cosignatures and of its commitments, as you know them from elsewhere. Give all of them, also your own, and that of one whose link is missing."`
	Beacons    []string `name:"beacon" sep:"none" placeholder:"HASH,KEY,GENESIS,PERIOD" help:"A public beacon of which rounds may be part of draws, as you know it from elsewhere, beside the quicknet of the League of Entropy. May be given several times."`
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
		custodian, err := witness.ParseCustodian(text)
		if err != nil {
			return gate, misused("--custodian", err)
		}
		gate.Custodians, names = append(gate.Custodians, custodian), append(names, custodian.Name())
	}
	if err := witness.CheckCustodians(gate.Custodians, house...); err != nil {
		return gate, misused("--custodian", err)
	}
	for _, text := range c.Beacons {
		chain, err := beacon.Parse(text)
		if err != nil {
			return gate, misused("--beacon", err)
		}
		gate.Beacons = append(gate.Beacons, chain)
	}
	if c.Policy == "" {
		return gate, nil
	}
	asks, err := readPolicy(c.Policy)
	if err == nil {
		err = errors.Join(asks.Enough(names), asks.CheckLinksKeys(gate.Custodians))
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
