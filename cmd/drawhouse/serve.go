package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"
	_ "time/tzdata" // A bare machine has no time zones of its own.

	"drawhouse"
	"drawhouse/check/witness"
	"drawhouse/check/witness/wire"
	"drawhouse/cmd/drawhouse/console"
	"drawhouse/cmd/drawhouse/demo"
	"drawhouse/cmd/drawhouse/memory"
	"drawhouse/core/serial"
	"drawhouse/decide/engine"
	"drawhouse/edge/monitor"
	"drawhouse/house"
	"drawhouse/house/timetable"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/rulebook"
)

// serveCmd runs a house.
type serveCmd struct{ serveFlags }

// serveFlags are the settings of a house.
type serveFlags struct {
	Addr      string `setting:"" default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Where to listen (${default})."`
	AdminAddr string `name:"admin-addr" setting:"" default:"127.0.0.1:0" placeholder:"HOST:PORT" help:"Where to listen for those who run the house: /metrics, /readyz, /readyz/draw, /readyz/alarms, /healthz and /debug/pprof; off for nowhere. Keep it from everybody else (${default}: a free port, which the log names)."`
	storageFlags
	tlsFlags
	logFlags
	canaryFlags
	backupFlags
	paperFlags
	keepFlags
	Hosts     []string      `name:"host" setting:"" sep:"none" placeholder:"NAME" help:"A name by which browsers and terminals reach the house. It is reached by its addresses, by localhost, by the name in --addr, by the machine's name and by those in its certificate in any case; a request to another name is refused. May be given several times."`
	BehindTLS bool          `name:"behind-tls" setting:"" help:"A proxy in front of the house has the certificate."`
	Demo      bool          `setting:"" help:"Found a demonstration house in an empty directory, with one venue."`
	Rulebook  string        `setting:"" default:"vic-keno-2015" placeholder:"ID|FILE" help:"Rulebook that a demonstration house is founded with, by its id or in a file (${default})."`
	Terminals int           `setting:"" default:"2" placeholder:"N" help:"Writer terminals that a demonstration house is founded with (${default})."`
	Bingo     bool          `setting:"" help:"Open a bingo room in a demonstration house, with cards and the session of the evening, unless it has one. A house whose rulebook is of bingo has one in any case."`
	Interval  time.Duration `setting:"" default:"3m" help:"From one close to the next (${default})."`
	Lead      time.Duration `setting:"" default:"3s" help:"From the seal to the first number (${default})."`
	Ball      time.Duration `setting:"" default:"1500ms" help:"From one number to the next (${default})."`
	DayStart  time.Duration `name:"day-start" setting:"" default:"5h" help:"Local time of day at which a Keno Day begins (${default})."`
	Witness   []string      `setting:"" sep:"none" placeholder:"URL,KEY[,required|,log|,custodian,LINKSKEY]" help:"Have seals and public log cosigned by the witness at URL with this verifier key before the draw; with required no game is drawn without it; with log it cosigns the public log alone, and no game is drawn without that; with custodian and the key of its commitments it is required and also gives the links of witnessed draws. May be given several times."`
	Relays    []string      `name:"beacon-relay" setting:"" sep:"none" placeholder:"URL" help:"Have rounds of the public beacon from the relay at URL, for series whose draws a beacon is part of. May be given several times: all are asked at once. It takes a --lead of 10 seconds at least."`
	FollowLog uint16        `name:"next-log" setting:"" placeholder:"NUMBER" help:"Begin the public log of this number, which follows the one before it, because entries of that or its key are lost. Once it has begun this says nothing."`
	LogKey    string        `name:"log-key" setting:"" placeholder:"pkcs11:..." help:"Take the key of the next public log from a token. A log that has begun keeps its key."`
	// LastCheckpoint lies elsewhere than the journal, or it goes back with it.
	LastCheckpoint checkpointFile `name:"last-checkpoint" setting:"" placeholder:"FILE" help:"Keep the newest checkpoint in FILE, on another disk than the journal, and do not start on a journal that is older."`
	Device         []string       `setting:"" sep:"none" placeholder:"[SERIES=]KIND|unix:PATH" help:"What draws the games from now on: rng, witnessed or cage, as the rulebook allows; or where a generator in a process of its own listens (drawhouse device), as unix:PATH. Without it they are drawn as before. May be given several times: 2=cage says it of series 2 alone."`
	StopWithin     time.Duration  `name:"stop-within" setting:"" default:"10s" help:"How long requests under way may take when the house is told to stop (${default})."`
	followFlags
	NoSnapshot   bool   `name:"no-snapshot" setting:"" help:"Replay the whole journal at the start, and keep no snapshot in the data directory of what it comes to."`
	RateAddress  uint   `name:"rate-address" setting:"" default:"100" placeholder:"N" help:"Requests a second that an address may send, those that terminals sign apart; 0 for any number. This machine is not counted but with --limit-local (${default})."`
	LimitLocal   bool   `name:"limit-local" setting:"" help:"Count requests and streams of this machine as those of any address. For a house without a proxy on its machine."`
	RateTerminal uint   `name:"rate-terminal" setting:"" default:"1000" placeholder:"N" help:"Requests a second that a terminal may send; 0 for any number (${default})."`
	DiskReserve  uint64 `name:"disk-reserve" setting:"" default:"512" placeholder:"MIB" help:"With less than so many MiB free for the data directory the house says that it is not ready (${default})."`
}

// Run implements the command: it serves until it is told to stop.
func (c *serveCmd) Run(screen console.Streams) error {
	return c.fatal(screen.Stderr, c.serve(screen))
}

func (c *serveCmd) serve(screen console.Streams) error {
	ctx, stop := untilStopped()
	defer stop()
	log := c.logger(ctx, screen.Stderr)
	for _, check := range []func() error{c.check, c.checkTLS, c.checkSecrets, c.checkTLSSecrets} {
		if err := check(); err != nil {
			return err
		}
	}
	memory.Spend(log)
	listener, err := listen("--addr", c.Addr)
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }()
	st, err := c.openStore(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	if err := c.keepRules(ctx, st); err != nil {
		return err
	}
	metrics := monitor.NewMetrics(build())
	if c.Follow {
		return c.follow(ctx, listener, st, log, metrics, screen)
	}
	if err := c.checkAlone(ctx, st, log); err != nil {
		return err
	}
	h, rhythm, err := c.openHouse(ctx, st, log, metrics.Group)
	if err != nil {
		return err
	}
	register, err := c.openRegister(ctx)
	if err != nil {
		return errors.Join(err, h.Close(ctx))
	}
	defer func() { _ = register.Close() }()
	c.sealRegister(ctx, register, false, log)
	if err := errors.Join(c.checkReach(h, listener.Addr()), demo.Introduce(ctx, h, register)); err != nil {
		return errors.Join(err, h.Close(ctx))
	}
	if c.Demo && (c.Bingo || !h.First().Book().Keno()) {
		if err := openDemoRoom(ctx, h, register); err != nil {
			return errors.Join(err, h.Close(ctx))
		}
	}
	running := &running{serveFlags: c.serveFlags, log: log, house: h, rhythm: rhythm, metrics: metrics,
		ready: c.readiness(h, st, metrics)}
	if err := running.open(ctx, listener, register, c.said(screen.Stdout)); err != nil {
		return errors.Join(err, h.Close(ctx))
	}
	return running.run(ctx)
}

// keepRules passes over --rulebook where there is a house already: its rules are in its journal, and the file
// that it was founded with need not be there any more.
func (c *serveCmd) keepRules(ctx context.Context, st store.Store) error {
	head, err := st.Head(ctx)
	if err == nil && head.Size > 0 {
		c.Rulebook = demo.Rulebook
	}
	return err
}

// listen opens an address, or says which argument names one that cannot be had.
func listen(argument, addr string) (net.Listener, error) {
	listener, err := net.Listen("tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, misused(argument, fmt.Errorf("another program listens at %s; choose another address: %w", addr,
			syscall.EADDRINUSE))
	}
	if err != nil {
		return nil, misused(argument, err)
	}
	return listener, nil
}

// readiness puts together what the house needs, and has the metrics watch it.
func (c *serveCmd) readiness(h *house.House, st store.Store, metrics *monitor.Metrics) *monitor.Readiness {
	ready := monitor.NewReadiness(h, monitor.Disk(c.Data, c.DiskReserve<<20))
	metrics.WatchDisk(c.Data)
	if c.Backups != "" {
		newest := func() (time.Time, error) {
			_, at, err := newestBackup(c.Backups)
			return at, err
		}
		ready.Add(monitor.Backups(newest, c.BackupAge))
		metrics.WatchBackups(newest)
	}
	var bytes func(context.Context) (int64, error)
	if sized, ok := st.(store.Sized); ok {
		bytes = sized.Bytes
	}
	metrics.Watch(h, ready, bytes)
	return ready
}

// openStore opens the journal, or says why there is none to open.
func (c *serveCmd) openStore(ctx context.Context) (store.Store, error) {
	if c.Demo && !c.Follow {
		return c.create(ctx)
	}
	st, err := c.open(ctx)
	if errors.Is(err, errNoHouse) {
		err = console.Usage(fmt.Errorf("%w; drawhouse found makes one, or --demo for a demonstration", err))
	}
	return st, err
}

// openHouse opens the house, or founds the one of the demonstration.
func (c *serveCmd) openHouse(ctx context.Context, st store.Store, log *slog.Logger,
	onGroup func(lane.Group)) (*house.House, timetable.Config, error) {
	keys, err := c.openKeys(ctx, st)
	if err != nil {
		return nil, timetable.Config{}, err
	}
	drawn, err := drawsBy(c.Device)
	if err != nil {
		return nil, timetable.Config{}, err
	}
	var device house.Device // nil is one inside the house
	if drawn.address != "" {
		if device, err = dialDevice(ctx, drawn.address, &keys); err != nil {
			return nil, timetable.Config{}, err
		}
	}
	book, text, err := houseBook(c.Rulebook)
	if err != nil {
		return nil, timetable.Config{}, err
	}
	founding, err := demo.Founding(keys, build(), book, c.Terminals)
	if err != nil {
		return nil, timetable.Config{}, err
	}
	if text != nil {
		founding.Text, founding.Reference, founding.Bases = text, demo.Reference, basesOf(c.Rulebook, book)
	}
	config, _, err := c.houseConfig(st, log, onGroup)
	if err != nil {
		return nil, timetable.Config{}, err
	}
	config.Keys, config.Device, config.Founding = keys, device, founding
	config.Draws, config.DrawsOf = drawn.all, drawn.of
	apart := "" // the key of a device in a process of its own
	if device != nil {
		apart = keys.DeviceVerifier
	}
	config.KeysOf = func(v record.VolumeBegun) (house.Keys, error) { return c.followerKeys(v, apart) }
	h, err := openHouse(ctx, config)
	if err != nil {
		return nil, timetable.Config{}, older(err)
	}
	rhythm, err := c.rhythm(h.First().Book()) // The house may be one of another rulebook.
	return h, rhythm, err
}

// houseConfig returns what a house is made of but for its keys, its device and its
// founding, and the rhythm of its games.
func (c *serveCmd) houseConfig(st store.Store, log *slog.Logger,
	onGroup func(lane.Group)) (house.Config, timetable.Config, error) {
	book, _, err := houseBook(c.Rulebook)
	if err != nil {
		return house.Config{}, timetable.Config{}, err
	}
	rhythm, err := c.rhythm(book)
	if err != nil {
		return house.Config{}, timetable.Config{}, err
	}
	witnesses, err := c.witnesses()
	if err != nil {
		return house.Config{}, timetable.Config{}, err
	}
	if err := c.checkRelays(); err != nil {
		return house.Config{}, timetable.Config{}, err
	}
	held, err := c.LastCheckpoint.read()
	if err != nil {
		return house.Config{}, timetable.Config{}, err
	}
	return house.Config{
		Build: build(), Binary: binary(log),
		Store: st, Snapshots: c.snapshots(), Clock: timetable.NewSystemClock(), Entropy: rand.Reader,
		Witnesses: witnesses, Relays: c.Relays, Log: log,
		NextSerials: c.nextSerials, NextLog: c.nextLog, FollowLog: c.FollowLog, Held: held, OnGroup: onGroup,
	}, rhythm, nil
}

// rhythm returns when the games of a rulebook close and are drawn.
func (c *serveFlags) rhythm(book *rulebook.Book) (timetable.Config, error) {
	zone, err := time.LoadLocation(book.Zone())
	if err != nil {
		return timetable.Config{}, err
	}
	_, numbers := book.Numbers()
	rhythm := timetable.Config{Interval: c.Interval, Lead: c.Lead, Ball: c.Ball, DayStart: c.DayStart, Zone: zone,
		Numbers: numbers}
	if err := rhythm.Check(); err != nil {
		return timetable.Config{}, console.Usage(err)
	}
	return rhythm, nil
}

// leastBeaconLead is how long after the seal a draw with a beacon begins at the earliest: the seal is cosigned, the
// time of the round comes, and relays have the round.
const leastBeaconLead = 10 * time.Second

// checkRelays refuses relays that cannot be asked, and a show that would begin before a round can be there.
func (c *serveCmd) checkRelays() error {
	for _, relay := range c.Relays {
		if !strings.HasPrefix(relay, "http://") && !strings.HasPrefix(relay, "https://") {
			return misused("--beacon-relay", fmt.Errorf("%q is not the address of a relay, such as https://relay.example", relay))
		}
	}
	if len(c.Relays) > 0 && c.Lead < leastBeaconLead {
		return misused("--lead", fmt.Errorf("draws with a beacon need %v from the seal to the first number, and this is %v",
			leastBeaconLead, c.Lead))
	}
	return nil
}

// custodianWord says of a witness that it also holds links.
const custodianWord = "custodian"

// witnesses reads who cosigns. They answer within half of the time between the seal
// and the first number, or a second if that is longer.
func (c *serveCmd) witnesses() (house.Witnesses, error) {
	w := house.Witnesses{Timeout: max(c.Lead/2, time.Second)}
	for _, text := range c.Witness {
		m, err := readWitness(text)
		if err != nil {
			return w, misused("--witness", err)
		}
		w.Members = append(w.Members, m)
	}
	return w, nil
}

// readWitness reads one who cosigns: URL,KEY, what happens without it, and the second key of a custodian.
func readWitness(text string) (wire.Member, error) {
	parts := strings.Split(text, ",")
	if len(parts) == 2 {
		parts = append(parts, string(wire.Expected))
	}
	custodian := len(parts) > 2 && parts[2] == custodianWord
	words := []string{string(wire.Required), string(wire.Expected), string(wire.LogOnly)}
	switch {
	case custodian && len(parts) == 3:
		return wire.Member{}, fmt.Errorf("%q has no second key: a custodian signs its commitments to links with another key than its cosignatures; write URL,KEY,custodian,LINKSKEY with the links key that it prints at its start",
			text)
	case custodian && len(parts) == 4:
	case len(parts) != 3 || !slices.Contains(words, parts[2]):
		return wire.Member{}, fmt.Errorf("%q is not URL,KEY, URL,KEY,required, URL,KEY,log or URL,KEY,custodian,LINKSKEY", text)
	}
	verifier, err := witness.ParseVerifier(parts[1])
	if err != nil {
		return wire.Member{}, err
	}
	m := wire.Member{Client: &wire.Client{URL: strings.TrimSuffix(parts[0], "/"), Witness: verifier},
		Policy: wire.Policy(parts[2])}
	if !custodian {
		return m, nil
	}
	if _, err := witness.NewCustodian(verifier, parts[3]); err != nil {
		return wire.Member{}, err
	}
	// Its link comes only after its cosignature, so that no game is drawn without.
	m.Policy, m.Custodian, m.LinksKey = wire.Required, true, parts[3]
	return m, nil
}

// openKeys opens the keys of the house. New ones are made only for a house without
// records: beside a journal they would sign for somebody else.
func (c *serveCmd) openKeys(ctx context.Context, st store.Store) (house.Keys, error) {
	dir := c.keysOf()
	head, err := st.Head(ctx)
	if err != nil {
		return house.Keys{}, err
	}
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) && head.Size > 0 {
		return house.Keys{}, misused("--data",
			fmt.Errorf("%s has a journal and no keys; restore them from a backup into %s", c.Data, dir))
	}
	return house.KeysOf(ctx, st, dir, demo.House, rand.Reader)
}

// nextSerials makes the serial key of a further volume.
func (c *serveCmd) nextSerials(volume uint16) (*serial.Keyring, record.Hash, error) {
	keys, err := house.ReadKeyDir(c.keysOf())
	if err != nil {
		return nil, record.Hash{}, err
	}
	return keys.NextSerials(volume, rand.Reader)
}

// nextLog makes the key of a public log, or takes the one that was made before the log began.
func (c *serveCmd) nextLog(name string, number uint16) (engine.LogKey, error) {
	keys, err := house.ReadKeyDir(c.keysOf())
	if err != nil {
		return engine.LogKey{}, err
	}
	if c.LogKey != "" {
		keys.Give(house.InToken{house.LogKey: c.LogKey})
	}
	signer, verifier, err := keys.Signer(house.LogKey, name, number, rand.Reader)
	return engine.LogKey{Signer: signer, Verifier: verifier}, err
}

// binary returns the hash of the program's file, for the journal.
func binary(log *slog.Logger) record.Hash {
	sum, err := programHash()
	if err != nil {
		log.Warn("the journal does not say which program writes it: the file of the program cannot be read", "error", err)
		return record.Hash{}
	}
	return sum
}

// build names the program that decides, for the journal.
func build() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				return drawhouse.Version + " " + setting.Value
			}
		}
	}
	return drawhouse.Version
}
