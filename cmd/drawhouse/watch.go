package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"drawhouse/check/policy"
	"drawhouse/check/watch"
	"drawhouse/journal/public"
)

// watchCmd follows a public log.
type watchCmd struct {
	Log       string        `arg:"" help:"Address of the log, such as https://keno.example/v1/log, or the folder of a mirror."`
	Key       string        `placeholder:"VKEY" help:"The verifier key of the log, or of the house when the log began, as you know it from elsewhere; without it that of the log in the policy."`
	Policy    string        `type:"existingfile" placeholder:"FILE" help:"Whose cosignatures you ask for, in the form of C2SP tlog-policy; without it those of nobody."`
	LinksKeys []string      `name:"links-key" sep:"none" placeholder:"VKEY" help:"Key by which a custodian commits to links, as you know it from elsewhere; without any those that the log names. May be given several times, also with keys of before."`
	Mirror    string        `type:"path" placeholder:"DIR" help:"Keep a copy of the log in DIR, and begin where the copy ends."`
	Every     time.Duration `placeholder:"TIME" help:"Look again after this time, until you stop it; once, unless it is given."`
	Quiet     bool          `help:"Print what is found, and no entries."`
	watchPage
}

// errLies is the status of a log in which something was found.
var errLies = errors.New("this is not the log of an honest house")

// Run implements the command.
func (c *watchCmd) Run(out *bytes.Buffer) error {
	ctx, stop := untilStopped()
	defer stop()
	asks, err := c.policy()
	if err != nil {
		return err
	}
	shown, err := c.open(ctx, c.Log, c.Key, asks)
	if err != nil {
		return err
	}
	if shown != nil && c.Every == 0 {
		c.Every = pageEvery
	}
	var now io.Writer = out
	if c.Every > 0 {
		now = os.Stdout // What is found is printed when it is found.
	}
	w, err := watch.New(watch.Open(c.Log), c.Key, asks, watch.Mirror(c.Mirror), both(c.tell(now), shown))
	if err != nil {
		return misused("--key", err)
	}
	if err := w.Knows(c.LinksKeys); err != nil {
		return misused("--links-key", err)
	}
	before, err := w.Resume(ctx)
	if errors.Is(err, policy.ErrWeak) {
		return misused("--policy", err)
	}
	if err != nil {
		return misused("--mirror", err)
	}
	found := c.print(now, before)
	if before.Checkpoint.Size > 0 {
		shown.Looked(before, nil)
	}
	for {
		look, err := w.Look(ctx)
		shown.Looked(look, err)
		switch {
		case errors.Is(err, policy.ErrWeak):
			return misused("--policy", err)
		case err != nil && c.Every == 0:
			return err
		case err != nil && ctx.Err() == nil:
			fmt.Fprintf(now, "the log cannot be read now: %v\n", err)
		case err == nil:
			found = c.print(now, look) || found
			found = c.monitor(ctx, now, w) || found
		}
		if c.Every == 0 || !sleep(ctx, c.Every) {
			break
		}
	}
	if found {
		return errLies
	}
	return nil
}

// monitor asks the witnesses of the policy what they have cosigned, and reports whether something was found.
func (c *watchCmd) monitor(ctx context.Context, out io.Writer, w *watch.Watcher) bool {
	findings, unread := w.Monitor(ctx)
	for _, f := range findings {
		fmt.Fprintf(out, "FOUND  %v\n", f)
	}
	for _, err := range unread {
		fmt.Fprintf(out, "NOTE   %v\n", err)
	}
	return len(findings) > 0
}

// sleep waits, and reports whether the context goes on.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// policy reads whose cosignatures the reader asks for, and takes the key of the log from there if there is no other.
func (c *watchCmd) policy() (*policy.Policy, error) {
	if c.Policy == "" {
		if c.Key == "" {
			return nil, misused("--key", errors.New("give the key of the log or of the house, or a policy with the log"))
		}
		return nil, nil //nolint:nilnil // No policy is no fault.
	}
	p, err := readPolicy(c.Policy)
	if err != nil {
		return nil, err
	}
	switch {
	case c.Key != "":
	case len(p.Logs) == 1:
		c.Key = p.Logs[0].VKey
	default:
		return nil, misused("--key", fmt.Errorf("the policy has %d logs: say by its key which one to follow", len(p.Logs)))
	}
	return p, nil
}

// readPolicy reads the file of a policy.
func readPolicy(file string) (*policy.Policy, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, misused("--policy", err)
	}
	p, err := policy.Parse(text)
	if err != nil {
		return nil, misused("--policy", err)
	}
	return p, nil
}

// tell returns what prints an entry in one line.
func (c *watchCmd) tell(out io.Writer) func(uint64, *public.Entry) {
	if c.Quiet {
		return nil
	}
	return func(at uint64, e *public.Entry) {
		about := e.Text("series")
		switch {
		case e.Text("hall") != "":
			about = strings.Trim(fmt.Sprintf("room %s %s/%s", e.Text("hall"), e.Text("session"), e.Text("game")), " /")
		case e.Text("game") != "":
			about = e.Game().String()
		}
		fmt.Fprintf(out, "%8d  %s  %-16s %s\n", at, time.UnixMilli(int64(e.Millis)).UTC().Format(time.RFC3339), e.Kind, //nolint:gosec // Read as such.
			about)
	}
}

// print prints what came of a look, and reports whether something was found.
func (c *watchCmd) print(out io.Writer, look watch.Look) bool {
	for _, f := range look.Findings {
		fmt.Fprintf(out, "FOUND  %v\n", f)
	}
	if look.Read > 0 {
		by := "no witness was asked for"
		if c.Policy != "" {
			by = "cosigned by " + strings.Join(look.By, ", ")
		}
		fmt.Fprintf(out, "%s: %d entries, %s\n", look.Checkpoint.Origin, look.Checkpoint.Size, by)
	}
	return len(look.Findings) > 0
}
