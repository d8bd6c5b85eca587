package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"drawhouse/cmd/drawhouse/console"
	"drawhouse/edge/api"
	"drawhouse/edge/monitor"
	"drawhouse/house"
	"drawhouse/house/person"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// followFlags make a house one that follows the journal of another.
type followFlags struct {
	Follow   bool          `setting:"" help:"Follow the journal that another process writes: show screens, results, tickets and proofs, and take no commands."`
	TakeOver bool          `name:"take-over" help:"Take the journal from the house that writes it now. Without it a house does not start beside another one that is alive."`
	Takeover time.Duration `setting:"" placeholder:"DURATION" help:"With --follow: become the writer when the writer has given no sign of life for so long. This takes all its keys."`
}

// checkAlone refuses a journal that another house writes now. A person who means to take the
// journal over says so: two houses that are started again whenever they stop would take
// the journal from each other for ever.
func (f followFlags) checkAlone(ctx context.Context, st store.Store, log *slog.Logger) error {
	shared, ok := st.(store.Shared)
	if !ok || f.TakeOver {
		return nil
	}
	who, alive, err := house.Writer(ctx, shared)
	if err != nil || !alive {
		return err
	}
	at := "which does not say where it takes commands"
	if who.Address != "" {
		at = "at " + who.Address
	}
	log.Error("another house writes this journal", "at", who.Address, "epoch", who.Epoch)
	return misused("--data",
		fmt.Errorf("another house writes this journal now, %s; stop it first, or start this one with --follow --takeover=5s to follow it and to succeed it when it is gone, or with --take-over to take the journal from it at once", at))
}

// leastTakeover is the least time after which a writer may be missed. It gives a sign
// of life every half second, and one that waits for a slow disk is not gone.
const leastTakeover = 2 * time.Second

// check reports flags that cannot be meant.
func (f followFlags) check() error {
	switch {
	case f.TakeOver && f.Follow:
		return misused("--take-over",
			errors.New("a house that follows takes over when the writer is silent (--takeover=DURATION)"))
	case f.Takeover != 0 && !f.Follow:
		return misused("--takeover", errors.New("only a house that follows (--follow) takes over"))
	case f.Takeover != 0 && f.Takeover < leastTakeover:
		return misused("--takeover", fmt.Errorf("%v is less than %v, which a writer may well be silent", f.Takeover,
			leastTakeover))
	}
	return nil
}

// follow serves a house whose journal another process writes, until it is told to
// stop, has to, or takes over and then runs the house itself.
func (c *serveCmd) follow(ctx context.Context, listener net.Listener, st store.Store, log *slog.Logger,
	metrics *monitor.Metrics, screen console.Streams) error {
	config, rhythm, err := c.houseConfig(st, log, metrics.Group)
	if err != nil {
		return err
	}
	var device house.Keys // with the key of a device in a process of its own
	drawn, err := drawsBy(c.Device)
	if err != nil {
		return err
	}
	if config.Draws, config.DrawsOf = drawn.all, drawn.of; drawn.address != "" {
		// The device answers the key of the house alone.
		if device, err = c.openKeys(ctx, st); err != nil {
			return err
		}
		if config.Device, err = dialDevice(ctx, drawn.address, &device); err != nil {
			return err
		}
	}
	config.KeysOf = func(v record.VolumeBegun) (house.Keys, error) { return c.followerKeys(v, device.DeviceVerifier) }
	f, err := house.Follow(ctx, config, config.KeysOf)
	if err != nil {
		return older(err)
	}
	h := f.House()
	if err := c.checkReach(h, listener.Addr()); err != nil {
		return errors.Join(err, h.Close(ctx))
	}
	var register *person.Register // of people who sign on once the house has taken over
	if c.Takeover > 0 {
		if register, err = c.openRegister(ctx); err != nil {
			return errors.Join(err, h.Close(ctx))
		}
		defer func() { _ = register.Close() }()
		c.sealRegister(ctx, register, true, log)
	}
	r := &running{serveFlags: c.serveFlags, log: log, house: h, rhythm: rhythm, metrics: metrics,
		ready: c.readiness(h, st, metrics)}
	if err := r.open(ctx, listener, register, c.said(screen.Stdout)); err != nil {
		return errors.Join(err, h.Close(ctx))
	}
	return r.run(ctx)
}

// followerKeys returns the keys of a volume as far as they are at hand. A follower that
// is never to write need not have any; without those of serials it finds no ticket. A
// device in a process of its own brings its key.
func (c *serveCmd) followerKeys(v record.VolumeBegun, deviceKey string) (house.Keys, error) {
	if _, err := os.Stat(c.keysOf()); errors.Is(err, os.ErrNotExist) {
		return house.Keys{HouseVerifier: v.HouseKey, DeviceVerifier: v.DeviceKey}, nil
	}
	keys, err := house.ReadKeyDir(c.keysOf())
	if err != nil {
		return house.Keys{}, err
	}
	found, err := keys.For(v)
	if deviceKey != "" {
		found.DeviceVerifier = deviceKey
	}
	return found, err
}

// interfaceOfFollower makes the interface of a house that follows, and says where it is.
// Its administrator is made at the writer.
func (c *serveFlags) interfaceOfFollower(h *house.House, options api.Options, at net.Addr,
	out io.Writer) (http.Handler, *api.Server, error) {
	options.Secure = c.secure() || c.BehindTLS
	handler, server, err := pages(h, options)
	if err != nil {
		return nil, nil, err
	}
	_, err = fmt.Fprintf(out, "drawhouse follows at %s\n", c.url(at))
	return handler, server, err
}
