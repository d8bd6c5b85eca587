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
	"drawhouse/core/day"
	"drawhouse/games/draw"
	"drawhouse/internal/outside"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// custodian is somebody outside the house who holds links, as a process.
type custodian struct {
	name string
	path func(what string) string // of its files
	key  string                   // of cosignatures
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
	custodians := newCustodians(t, dir, public)
	flags := append([]string{"--device=witnessed"}, outside.Quick...)
	for _, c := range custodians {
		flags = append(flags, "--witness="+c.URL+","+c.key+",custodian")
	}
	house := outside.DemoIn(t, data, flags...)
	house.Settled(1)

	operator, err := journal.ParseSigner(secret)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, c := range custodians {
		commitment := c.commitment(t)
		chain := commitment.Chain
		last := journal.Game{Series: chain.Series, Day: chain.Day, Number: chain.First + chain.Games - 1}
		for _, game := range []journal.Game{{Series: last.Series, Day: last.Day, Number: last.Number - 1}, last} {
			seal := c.ownSeal(t, operator, game)
			requests := map[string][]byte{}
			if !c.old {
				requests["records of its own"] = c.forged(t, house, game, seal)
			}
			for revision := range uint32(3) {
				requests[fmt.Sprintf("revision %d", revision+1)] = witness.MarshalRelease(revision+1, seal)
			}
			for what, request := range requests {
				answer := c.Ask(http.MethodPost, "/release-link", request)
				link, err := witness.ParseLink(string(answer.Body))
				if answer.OK() && err == nil && commitment.CheckLink(link) == nil {
					got += fmt.Sprintf("%s gave the link of %v under %s; ", c.name, link.Game, what)
				}
			}
		}
	}
	if trouble := house.Trouble(); trouble != "" {
		got += trouble
	}
	return got
}

// newCustodians starts two custodians of a house.
func newCustodians(t *testing.T, dir, house string) []*custodian {
	t.Helper()
	serving := func(c *custodian) []string {
		return []string{"witness", "--listen=127.0.0.1:0", "--name=" + c.name, "--key=" + c.path("key"), "--log=" + house,
			"--state=" + c.path("state")}
	}
	var all []*custodian
	for _, name := range []string{"inspector.example", "auditor.example"} {
		c := &custodian{name: name, path: func(what string) string { return filepath.Join(dir, name+"."+what) },
			days: outside.KenoDays(t)}
		p := outside.Start(t, serving(c)...) // It makes the key.
		_, c.key, _ = strings.Cut(strings.TrimSpace(p.Said), "\nkey ")
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
			outside.Must(t, "witness", command, c.path(day), "--key="+c.path("key"), "--series=vic-keno", "--day="+day)
			args = append(args, flag+c.path(day))
		}
		for _, other := range all {
			if !c.old {
				args = append(args, "--custodian="+other.key)
			}
		}
		p := outside.Start(t, args...)
		line, _, _ := strings.Cut(p.Said, "\n")
		_, address, _ := strings.Cut(line, " at ")
		c.House = &outside.House{Process: p, URL: address}
	}
	return all
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
	_, public := readKey(t, c.path("key"))
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

// forged asks for the link of a game with what the house shows of one that was drawn, in
// which the records of the drawn game are replaced by those of the other. With what the
// house shows itself the custodian gives the link of the drawn game, once more.
func (c *custodian) forged(t *testing.T, house *outside.House, game journal.Game, seal []byte) []byte {
	t.Helper()
	newest := outside.List(need(t, "games", house.Ask(http.MethodGet, "/v1/games?limit=20", nil)).Get("games"))
	i := slices.IndexFunc(newest, func(g map[string]any) bool { return g["phase"] == "settled" })
	if i < 0 {
		t.Fatalf("no game is settled: %v", newest)
	}
	shown := need(t, "evidence", house.Ask(http.MethodGet,
		fmt.Sprintf("/v1/games/%v/%v/evidence", newest[i]["day"], newest[i]["game"]), nil))
	need(t, "the link of a game that was drawn", c.Ask(http.MethodPost, "/release-link", shown.Body))
	evidence, err1 := witness.ParseEvidence(shown.Body)
	of, err2 := day.Parse(game.Day)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	evidence.Game = game
	for i, r := range evidence.Records {
		evidence.Records[i].Data = replaced(t, r.Data, record.Game{Series: 1, Day: of, Number: uint16(game.Number)}, seal)
	}
	data, err := evidence.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// replaced returns a record with another game and seal, if it is about the seal of a game.
func replaced(t *testing.T, data []byte, game record.Game, seal []byte) []byte {
	t.Helper()
	decoded, err := record.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	switch b := decoded.Body.(type) {
	case *record.GameOpened:
		b.Game = game
	case *record.GameSealed:
		b.Game, b.Seal = game, seal
	case *record.GameWitnessed:
		b.Game, b.Seal = game, seal
	}
	if data, err = record.Encode(decoded); err != nil {
		t.Fatal(err)
	}
	return data
}
