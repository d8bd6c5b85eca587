package main

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/crypto/ssh"

	"drawhouse/cmd/drawhouse/lab"
	"drawhouse/core/figure"
	"drawhouse/rulebook"
)

// labPackCmd groups what is done with the folder for a test laboratory. Without a word between it makes one.
type labPackCmd struct {
	Make  labPackMakeCmd  `cmd:"" default:"withargs" help:"Make the folder: parts and hashes, clauses with cases, exact odds, random numbers, a verified journal, tests, documents."`
	Check labPackCheckCmd `cmd:"" help:"Check the signature and every hash of a pack, derive its results again, and name what differs."`
}

// labPackMakeCmd makes a pack.
type labPackMakeCmd struct {
	Dir       string   `arg:"" type:"path" help:"Folder to write; it must not exist, or be empty."`
	Archive   string   `type:"path" placeholder:"FILE" help:"Write it as one file, too: .tar or .zip, the same bytes for the same pack."`
	Key       string   `type:"path" placeholder:"FILE" help:"Sign with this private key of Ed25519, as ssh-keygen or openssl makes it, without a password. Without a key the pack is not signed, and says so."`
	Rulebooks []string `name:"rulebook" sep:"none" placeholder:"ID" help:"Only this rulebook of the program. May be given several times; all of them if absent."`
	Draws     int64    `default:"100000" placeholder:"N" help:"How many draws, 20 of 80, the report on random numbers is about; ${default} if absent."`
	Random    string   `type:"existingfile" placeholder:"FILE" help:"Draw from these bytes of the random source, as drawhouse draw --raw writes them; new ones if absent."`
	Journal   string   `type:"existingdir" placeholder:"DIR" help:"Put this export of a house's journal into the pack, with the rulebooks that it adopted; journals of cases if absent."`
	Tests     string   `type:"existingfile" placeholder:"FILE" help:"Sum up this log of tests, as go test -json or make test has printed it."`
	Programs  []string `name:"program" type:"existingfile" sep:"none" placeholder:"FILE" help:"Add the hash of this program, such as one for another platform. May be given several times."`
	Release   string   `type:"existingdir" placeholder:"DIR" help:"Add the papers of this folder, which make release wrote, and the hashes of its programs."`
}

// errPackFails is the status of a pack that states failures; they have been listed.
var errPackFails = errors.New("the pack is made, and it states what fails")

// errPackDiffers is the status of a pack that is not what it should be.
var errPackDiffers = errors.New("the pack does not hold")

// Run implements the command.
func (c *labPackMakeCmd) Run(out *bytes.Buffer) error {
	var key ed25519.PrivateKey
	if c.Key != "" {
		data, err := os.ReadFile(c.Key)
		if err == nil {
			err = checkSecret(c.Key)
		}
		if err == nil {
			key, err = lab.ParseKey(data)
		}
		if err != nil {
			return misused("--key", err)
		}
	}
	progress, end := labProgress()
	made, err := lab.Make(lab.Options{Dir: c.Dir, Archive: c.Archive, Rulebooks: c.Rulebooks, Draws: c.Draws,
		Random: c.Random, Journal: c.Journal, Tests: c.Tests, Programs: c.Programs, Release: c.Release, Key: key,
		Program: ownProgram, Progress: progress})
	end()
	if err != nil {
		return usageOf(err)
	}
	out.WriteString(made.Said(c.Dir))
	if len(made.Failed) > 0 {
		return fmt.Errorf("%w: %s", errPackFails, figure.Count(len(made.Failed), "failure"))
	}
	return nil
}

// labPackCheckCmd checks a pack.
type labPackCheckCmd struct {
	Dir string `arg:"" type:"existingdir" help:"Folder of the pack."`
	Key string `type:"existingfile" placeholder:"FILE" help:"The public key of who made the pack, as ssh-keygen writes it and as you have it by another way. Without it the signature is not checked."`
}

// Run implements the command. What was found is the result and goes to the output, one to a line.
func (c *labPackCheckCmd) Run(out *bytes.Buffer) error {
	var key ssh.PublicKey
	if c.Key != "" {
		data, err := os.ReadFile(c.Key)
		if err == nil {
			key, err = lab.ParsePublic(data)
		}
		if err != nil {
			return misused("--key", err)
		}
	}
	progress, end := labProgress()
	checked, err := lab.Check(lab.Checking{Dir: c.Dir, Key: key, Program: ownProgram, Progress: progress})
	end()
	if err != nil {
		return usageOf(err)
	}
	if err := checked.Write(out); err != nil {
		return err
	}
	if len(checked.Found) > 0 {
		return fmt.Errorf("%w: %s", errPackDiffers, figure.Count(len(checked.Found), "finding"))
	}
	return nil
}

// usageOf makes an error of an argument one of the command line.
func usageOf(err error) error {
	if argument, ok := errors.AsType[*lab.ArgumentError](err); ok {
		return misused(argument.Argument, argument.Err)
	}
	return err
}

// ownProgram is this program, as its own commands tell of it.
var ownProgram = lab.Program{
	Version: func() ([]byte, error) {
		var out bytes.Buffer
		if _, ok := debug.ReadBuildInfo(); !ok {
			return nil, errors.New("this program was built without build information")
		}
		err := (&versionCmd{Parts: true}).Run(&out)
		return out.Bytes(), err
	},
	Odds: func(name string) (text, machine []byte, err error) {
		book, err := findBook("--rulebook", name)
		if err != nil {
			return nil, nil, err
		}
		var plain, structured bytes.Buffer
		if book.Kind() == rulebook.KindKeno {
			err = errors.Join((&oddsCmd{Rulebook: name}).Run(&plain), (&oddsCmd{Rulebook: name, JSON: true}).Run(&structured))
		} else {
			err = errors.Join((&bingoOddsCmd{Rulebook: name, Boxes: 1}).Run(&plain),
				(&bingoOddsCmd{Rulebook: name, Boxes: 1, JSON: true}).Run(&structured))
		}
		return plain.Bytes(), structured.Bytes(), err
	},
}

// labProgress returns a bar for each step, and what takes the last one away.
func labProgress() (lab.Progress, func()) {
	var bar *progressbar.ProgressBar
	step, last := "", int64(0)
	end := func() {
		if bar != nil {
			endBar(bar)
			bar = nil
		}
	}
	return func(name string, done, total int64) {
		if bar == nil || name != step || done < last {
			end()
			bar, step, last = labBar(name, total, nil), name, 0
		}
		advance(bar, int(done-last))
		last = done
	}, end
}
