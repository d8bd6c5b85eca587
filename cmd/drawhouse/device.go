package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"

	"drawhouse/check/witness"
	"drawhouse/cmd/drawhouse/console"
	"drawhouse/edge/monitor"
	"drawhouse/games/draw/remote"
	"drawhouse/house"
	"drawhouse/journal"
)

// deviceCmd runs the generator as a process of its own.
type deviceCmd struct {
	logFlags
	helperFlags
	Listen    string   `required:"" placeholder:"unix:PATH" help:"Where the house finds the device: unix:PATH, or HOST:PORT on this machine."`
	Key       keyName  `required:"" placeholder:"FILE|pkcs11:..." help:"The device's key; a file is made with --name where there is none, and a key in a token by drawhouse keys make."`
	Name      string   `placeholder:"NAME" help:"Name of a new key, or of one in a token, such as drawhouse.example/device."`
	Book      string   `required:"" type:"path" placeholder:"FILE" help:"What was drawn, in a file that grows. Begin a new one between two games when it is too long."`
	HouseKeys []string `name:"house-key" required:"" sep:"none" placeholder:"VKEY" help:"Verifier key of the house, by which seals are known. Given twice around a change of keys: games that were sealed before it are drawn after it."`
	Witnesses []string `name:"witness-key" sep:"none" placeholder:"VKEY" help:"Key of a witness whose cosignature every seal must have. May be given several times."`
	Redraws   []string `name:"allow-redraw" sep:"none" placeholder:"GAME" help:"A game of which a further draw is allowed, such as 'vic-keno 2026-11-15 417'. May be given several times."`
}

// Run implements the command.
func (c *deviceCmd) Run(screen console.Streams) error {
	return c.fatal(screen.Stderr, c.serve(screen))
}

func (c *deviceCmd) serve(screen console.Streams) error {
	ctx, stop := untilStopped()
	defer stop()
	network, where, err := remote.SplitAddress(c.Listen)
	if err != nil {
		return misused("--listen", err)
	}
	config, err := c.config()
	if err != nil {
		return err
	}
	device, err := remote.Open(config)
	if err != nil {
		return misused("--book", err)
	}
	defer func() { _ = device.Close() }()
	log := c.logger(ctx, screen.Stderr)
	watched, err := c.helper(monitor.Answer, c.Book, log, monitor.Drawing(device.Err),
		monitor.Book(monitor.Answer, device.BookErr))
	if err != nil {
		return err
	}
	listener, err := listenPrivately(network, where)
	if err != nil {
		return misused("--listen", err)
	}
	if _, err := fmt.Fprintf(c.said(screen.Stdout),
		"device %s listens at %s\nkey %s\n", config.Keys.Signer.Name(), c.Listen, config.Key); err != nil {
		return errors.Join(err, listener.Close())
	}
	return watched.serve(ctx, device.Handler(), listener)
}

func (c *deviceCmd) config() (remote.Config, error) {
	config := remote.Config{Entropy: rand.Reader, Book: c.Book}
	for i, text := range c.HouseKeys {
		house, err := journal.ParseVerifier(text)
		if err != nil {
			return remote.Config{}, misused("--house-key", err)
		}
		if i == 0 {
			config.Keys.House = house
		} else {
			config.Keys.Others = append(config.Keys.Others, house)
		}
	}
	for _, text := range c.Witnesses {
		w, err := witness.ParseVerifier(text)
		if err != nil {
			return remote.Config{}, misused("--witness-key", err)
		}
		config.Keys.Cosigners = append(config.Keys.Cosigners, w.OfSeals())
		config.Keys.Required = append(config.Keys.Required, w.Name())
	}
	for _, text := range c.Redraws {
		game, err := parseGame(text)
		if err != nil {
			return remote.Config{}, misused("--allow-redraw", err)
		}
		config.Redraws = append(config.Redraws, game)
	}
	key, err := openKey(c.Key, c.Name, c.Book)
	if err != nil {
		return remote.Config{}, misused("--key", err)
	}
	config.Keys.Signer, config.Key = key.Signer, key.Verifier
	return config, nil
}

// parseGame reads a game as it is printed: series, day and number.
func parseGame(text string) (journal.Game, error) {
	words := strings.Fields(text)
	if len(words) != 3 {
		return journal.Game{}, fmt.Errorf("%q is not series, day and number", text)
	}
	n, err := strconv.ParseUint(words[2], 10, 32)
	if err != nil {
		return journal.Game{}, fmt.Errorf("%q: %w", text, err)
	}
	game := journal.Game{Series: words[0], Day: words[1], Number: uint32(n)}
	return game, game.Check()
}

// listenPrivately listens. A socket that a killed device left is taken away, and a new
// one is for this user alone. Two devices cannot meet there: the logbook has one
// owner.
func listenPrivately(network, where string) (net.Listener, error) {
	if network == "unix" {
		if info, err := os.Lstat(where); err == nil && info.Mode()&os.ModeSocket != 0 {
			if err := os.Remove(where); err != nil {
				return nil, err
			}
		}
	}
	listener, err := net.Listen(network, where)
	if err != nil || network != "unix" {
		return listener, err
	}
	if err := os.Chmod(where, 0o600); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return listener, nil
}

// dialDevice reaches the device of a house and takes its key for the house's.
func dialDevice(ctx context.Context, address string, keys *house.Keys) (house.Device, error) {
	client, err := remote.Dial(ctx, address, keys.House)
	if errors.Is(err, remote.ErrUnreachable) {
		return nil, misused("--device",
			fmt.Errorf("%w; start it with drawhouse device --listen=%s --house-key=%s and its own flags", err, address,
				keys.HouseVerifier))
	}
	if err != nil {
		return nil, misused("--device", err)
	}
	keys.Device, keys.DeviceVerifier = nil, client.Key()
	return house.DeviceOf[*remote.Draw](client), nil
}
