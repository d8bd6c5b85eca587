package attack

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"drawhouse/check/witness"
	"drawhouse/games/draw"
	"drawhouse/internal/outside"
	"drawhouse/journal"
)

// custodian is somebody outside the house who holds links, as a process.
type custodian struct {
	name string
	path func(what string) string // of its files
	key  string                   // of cosignatures
	own  string                   // of commitments; "" of an earlier build, which has one key
	days []string                 // for which it has committed to links
	old  bool                     // of an earlier build, with chains and without the rule
	*outside.House
}

// linksAhead: the operator, who has the key of the house, takes an ordinary checkpoint that
// a custodian has cosigned, puts it into seals of games that are not sealed, and asks for
// their links with those. Who knows links can choose tickets until the result suits.
func linksAhead(t *testing.T, _ *arena) string {
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	// A house whose device does not answer has made its keys when it ends.
	if out, err := outside.Run(t, "serve", "--demo", "--addr=127.0.0.1:0", "--data="+data, "--device=unix:"+
		filepath.Join(dir, "none")); err == nil {
		t.Fatalf("a house without a device runs: %s", out)
	}
	secret, public := readKey(t, filepath.Join(data, "keys", "house.key"))
	front := outside.NewFront(t)
	custodians := newCustodians(t, dir, public, front.URL+"/v1/log")
	flags := append([]string{"--device=witnessed"}, outside.Quick...)
	for _, c := range custodians {
		flags = append(flags, "--witness="+c.URL+","+c.key+",custodian"+c.second())
	}
	house := outside.DemoIn(t, data, flags...)
	front.Lead(t, house.URL)
	house.Settled(1)

	operator, err := journal.ParseSigner(secret)
	if err != nil {
		t.Fatal(err)
	}
	secret, _ = readKey(t, filepath.Join(data, "keys", "log-1.key"))
	ofLog, err := journal.ParseSigner(secret)
	if err != nil {
		t.Fatal(err)
	}
	shown := need(t, "the public log", house.Ask(http.MethodGet, "/v1/log/checkpoint", nil)).Body
	got := ""
	for _, c := range custodians {
		commitment := c.commitment(t)
		chain := commitment.Chain
		last := journal.Game{Series: chain.Series, Day: chain.Day, Number: chain.First + chain.Games - 1}
		for _, game := range []journal.Game{{Series: last.Series, Day: last.Day, Number: last.Number - 1}, last} {
			seal := c.ownSeal(t, operator, game)
			requests := map[string][]byte{
				"the log as it is":        witness.LinkRequest{Game: game, Checkpoint: shown}.Marshal(),
				"a log of its own":        witness.LinkRequest{Game: game, Checkpoint: ownLog(t, ofLog, shown)}.Marshal(),
				"the seal in the request": witness.LinkRequest{Game: game, Checkpoint: seal}.Marshal(),
			}
			for revision := range uint32(3) {
				requests[fmt.Sprintf("revision %d", revision+1)] = witness.MarshalRelease(revision+1, seal)
			}
			for what, request := range requests {
				for _, path := range []string{"/ask-link", "/release-link"} {
					answer := c.Ask(http.MethodPost, path, request)
					link, err := witness.ParseLink(string(answer.Body))
					if answer.OK() && err == nil && commitment.CheckLink(link) == nil {
						got += fmt.Sprintf("%s gave the link of %v under %s; ", c.name, link.Game, what)
					}
				}
			}
		}
		if !c.old {
			c.givesAgain(t, house, shown)
		}
	}
	if trouble := house.Trouble(); trouble != "" {
		got += trouble
	}
	return got
}

// newCustodians starts two custodians of a house.
func newCustodians(t *testing.T, dir, house, log string) []*custodian {
	t.Helper()
	help, _ := outside.Run(t, "witness", "links", "--help")
	two := strings.Contains(help, "--links-key") // An earlier build has one key for all.
	serving := func(c *custodian) []string {
		args := []string{"witness", "--listen=127.0.0.1:0", "--name=" + c.name, "--key=" + c.path("key"),
			"--log=" + house, "--state=" + c.path("state")}
		if two {
			args = append(args, "--links-key="+c.path("second"))
		}
		return args
	}
	var all []*custodian
	for _, name := range []string{"inspector.example", "auditor.example"} {
		c := &custodian{name: name, path: func(what string) string { return filepath.Join(dir, name+"."+what) },
			days: outside.KenoDays(t)}
		p := outside.Start(t, serving(c)...) // It makes the key.
		_, said, _ := strings.Cut(strings.TrimSpace(p.Said), "\nkey ")
		c.key, _, _ = strings.Cut(said, "\n")
		if two {
			_, c.own = readKey(t, c.path("second"))
		}
		p.Kill()
		all = append(all, c)
	}
	for _, c := range all {
		args := serving(c)
		// An earlier build has chains for links, and no policy.
		command, flag := "links", "--links="
		if _, err := outside.Run(t, "witness", "links", "--help"); err != nil {
			c.old, command, flag = true, "chain", "--chain="
		}
		for _, day := range c.days {
			outside.Must(t, "witness", command, c.path(day), c.committing(), "--series=vic-keno", "--day="+day)
			args = append(args, flag+c.path(day))
		}
		for _, other := range all {
			if !c.old {
				args = append(args, "--custodian="+other.key+other.second())
			}
		}
		if !c.old {
			args = append(args, "--public-log="+log)
		}
		p := outside.Start(t, args...)
		line, _, _ := strings.Cut(p.Said, "\n")
		_, address, _ := strings.Cut(line, " at ")
		c.House = &outside.House{Process: p, URL: address}
	}
	return all
}

// second is what stands behind the key of cosignatures of a custodian that has a key of commitments, too.
func (c *custodian) second() string {
	if c.own == "" {
		return ""
	}
	return "," + c.own
}

// committing is the flag of the key by which the custodian commits to links.
func (c *custodian) committing() string {
	if c.own == "" {
		return "--key=" + c.path("key")
	}
	return "--links-key=" + c.path("second")
}

// readKey returns the two lines of a key file.
func readKey(t *testing.T, path string) (secret, public string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	secret, public, _ = strings.Cut(strings.TrimSpace(string(data)), "\n")
	return secret, public
}

// commitment returns what the custodian has committed to for the last of its days.
func (c *custodian) commitment(t *testing.T) draw.Commitment {
	t.Helper()
	var said struct{ Commitments []string }
	answer := need(t, "commitments", c.Ask(http.MethodGet, "/commitments", nil))
	if err := json.Unmarshal(answer.Body, &said); err != nil || len(said.Commitments) != len(c.days) {
		t.Fatalf("%v: %v", err, answer)
	}
	public := c.own
	if c.old || public == "" {
		_, public = readKey(t, c.path("key"))
	}
	verifier, err := journal.ParseVerifier(public)
	if err != nil {
		t.Fatal(err)
	}
	commitment, err := draw.OpenCommitment([]byte(said.Commitments[len(c.days)-1]), verifier)
	if err != nil {
		t.Fatal(err)
	}
	return commitment
}

// ownSeal returns a seal of any game over the last checkpoint that the custodian cosigned,
// with that cosignature.
func (c *custodian) ownSeal(t *testing.T, operator journal.Signer, game journal.Game) []byte {
	t.Helper()
	origin := journal.VolumeOrigin(operator.Name(), 1)
	cosigned := need(t, "the last checkpoint", c.Ask(http.MethodGet, "/latest?origin="+url.QueryEscape(origin), nil)).Body
	text, signatures, _ := strings.Cut(string(cosigned), "\n\n")
	checkpoint, err1 := journal.ParseCheckpoint(text + "\n")
	seal, err2 := journal.SignSeal(journal.SealBody{Checkpoint: checkpoint, Game: game}, operator)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(signatures) {
		if strings.HasPrefix(line, "— "+c.name+" ") {
			return append(seal, line...)
		}
	}
	t.Fatalf("%s has cosigned nothing: %s", c.name, cosigned)
	return nil
}

// ownLog returns a checkpoint of a log that the operator continues as it likes, with the cosignatures of the true one.
func ownLog(t *testing.T, operator journal.Signer, shown []byte) []byte {
	t.Helper()
	c, err := journal.UnverifiedCheckpoint(shown)
	if err != nil {
		t.Fatal(err)
	}
	c.Size, c.Root = c.Size+1, journal.LeafHash(shown)
	own, err := journal.SignCheckpoint(c, operator)
	if err != nil {
		t.Fatal(err)
	}
	_, signatures, _ := strings.Cut(string(shown), "\n\n")
	for line := range strings.Lines(signatures) {
		if !strings.HasPrefix(line, "— "+operator.Name()+" ") {
			own = append(own, line...)
		}
	}
	return own
}

// givesAgain demands the link of a game that was drawn, which the custodian gives once more: what is refused is not
// refused because nothing is given.
func (c *custodian) givesAgain(t *testing.T, house *outside.House, shown []byte) {
	t.Helper()
	newest := outside.List(need(t, "games", house.Ask(http.MethodGet, "/v1/games?limit=20", nil)).Get("games"))
	i := slices.IndexFunc(newest, func(g map[string]any) bool { return g["phase"] == "settled" })
	if i < 0 {
		t.Fatalf("no game is settled: %v", newest)
	}
	number, _ := newest[i]["game"].(float64)
	game := journal.Game{Series: "vic-keno", Day: fmt.Sprint(newest[i]["day"]), Number: uint32(number)}
	need(t, "the link of a game that was drawn", c.Ask(http.MethodPost, "/ask-link",
		witness.LinkRequest{Game: game, Checkpoint: shown}.Marshal()))
}
