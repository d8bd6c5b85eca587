package watch_test

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"drawhouse/check/policy"
	"drawhouse/check/watch"
	"drawhouse/check/witness"
	"drawhouse/core/ball"
	"drawhouse/games/draw"
	"drawhouse/journal"
	"drawhouse/journal/public"
)

// author writes the log of a house that may lie: it has every key of the house, and signs anew whatever it changes.
type author struct {
	t       *testing.T
	random  *rand.ChaCha8
	keys    map[string]key
	links   map[string]*draw.Links // by custodian
	journal *journal.Tree
	records uint64
	entries [][]byte
	seals   map[uint32][]byte // notes, by game
	tellers []func(*author)   // what the log says, in order
	origin  string            // of the log
	// from changes what the next entry that names the journal says it goes on from, and unproved leaves out its proof.
	from     func(uint64) uint64
	unproved bool
	bingo    map[string][]byte // the note of the newest seal of a draw of bingo
	device   string            // that results name; "" for that of the game
	rulebook string            // hash of that of the games
}

type key struct {
	signer journal.Signer
	vkey   string
}

const (
	house  = "keno.example"
	series = "vic-keno"
	day    = "2026-11-15"
	origin = house + "/log"
)

var custodians = []string{"alice.example", "bob.example"}

// newAuthor returns an author with keys of its own, whose log tells of two games of a day that are drawn by links.
func newAuthor(t *testing.T) *author {
	t.Helper()
	a := &author{t: t, random: rand.NewChaCha8([32]byte{7}), keys: map[string]key{}, links: map[string]*draw.Links{},
		journal: journal.NewTree(), seals: map[uint32][]byte{},
		origin: origin}
	for _, name := range append([]string{house, house + "/device", origin, "w1.example", "w2.example", "w3.example"},
		custodians...) {
		a.key(name)
	}
	for _, name := range custodians {
		links, err := draw.NewLinks(a.random, draw.ChainName{Custodian: name, Series: series, Day: day, First: 1, Games: 8})
		a.must(err)
		a.links[name] = links
	}
	a.tellers = []func(*author){begins, chooses}
	for _, name := range custodians {
		a.tellers = append(a.tellers, commits(name))
	}
	for _, game := range []uint32{1, 2} {
		a.tellers = append(a.tellers, opens(game), seals(game), gives(game, custodians[0]), gives(game, custodians[1]),
			results(game), settles(game))
	}
	a.tellers = append(a.tellers, closes)
	return a
}

func (a *author) must(err error) {
	a.t.Helper()
	if err != nil {
		a.t.Fatal(err)
	}
}

func (a *author) key(name string) {
	private, vkey, err := journal.GenerateKey(a.random, name)
	a.must(err)
	signer, err := journal.ParseSigner(private)
	a.must(err)
	a.keys[name] = key{signer, vkey}
}

// say adds an entry, and the record that it follows from to the journal. An entry whose lines end with "journal" names
// the journal as it stands.
func (a *author) say(kind public.Kind, lines ...string) {
	a.t.Helper()
	if len(lines) > 0 && lines[len(lines)-1] == "journal" {
		lines = append(lines[:len(lines)-1], a.named()...)
	}
	a.records++
	text := fmt.Sprintf("drawhouse/log/v1\nkind %s\ntime %d\nrecord 1:%d\n", kind, 1000+a.records, a.records)
	for _, line := range lines {
		text += line + "\n"
	}
	a.entries = append(a.entries, []byte(text))
	a.journal.Append([]byte(text))
}

func (a *author) checkpoint() journal.Checkpoint {
	return journal.Checkpoint{Origin: house + "/v1", Size: a.journal.Size(), Root: a.journal.Root()}
}

// named returns the lines that name the journal.
func (a *author) named() []string {
	a.t.Helper()
	c := a.checkpoint()
	from, marked := a.journal.Marked()
	if a.from != nil {
		from = a.from(from)
	}
	lines := []string{fmt.Sprintf("journal %s %d %v", c.Origin, c.Size, c.Root), fmt.Sprintf("from %d", from)}
	if marked && !a.unproved {
		proof, err := a.journal.Grown()
		a.must(err)
		for _, h := range proof {
			lines = append(lines, "proof "+h.String())
		}
	}
	a.journal.Mark()
	return lines
}

func note(msg []byte) string { return "note " + base64.StdEncoding.EncodeToString(msg) }

func named(game uint32) []string {
	return []string{"series " + series, "day " + day, fmt.Sprintf("game %d", game)}
}

func gameOf(game uint32) journal.Game { return journal.Game{Series: series, Day: day, Number: game} }

func begins(a *author) {
	a.journal.Append([]byte("volume begun"))
	a.records++
	body := journal.LogBody{Origin: origin, Key: a.keys[origin].vkey, HouseKey: a.keys[house].vkey,
		DeviceKey: a.keys[house+"/device"].vkey, Journal: a.checkpoint()}
	signed, err := journal.SignLog(body, a.keys[origin].signer, a.keys[house].signer)
	a.must(err)
	a.say(public.Begun, note(signed), "journal")
}

func chooses(a *author) {
	lines := []string{"series " + series, "device witnessed"}
	for _, name := range custodians {
		lines = append(lines, "custodian "+a.keys[name].vkey)
	}
	a.say(public.Device, lines...)
}

func commits(name string) func(*author) {
	return func(a *author) {
		commitment, _, err := a.links[name].Commit(a.random)
		a.must(err)
		signed, err := journal.SignNote(commitment.Marshal(), a.keys[name].signer)
		a.must(err)
		a.say(public.Links, "series "+series, "day "+day, "custodian "+name, note(signed))
	}
}

func opens(game uint32) func(*author) {
	return func(a *author) {
		a.say(public.Opened, append(named(game), fmt.Sprintf("id %d", game), "closes 5000",
			"rulebook "+cmp.Or(a.rulebook, journal.LeafHash(nil).String()), "schedule 1")...)
	}
}

func seals(game uint32) func(*author) {
	return func(a *author) { a.seal(game, gameOf(game), a.checkpoint(), a.keys[house].signer) }
}

// seal adds a seal.
func (a *author) seal(game uint32, of journal.Game, at journal.Checkpoint, signer journal.Signer) {
	a.t.Helper()
	a.sealAs(game, journal.SealBody{Checkpoint: at, Game: of}, signer)
}

// sealOf adds a seal over the journal as it stands.
func (a *author) sealOf(game uint32, body journal.SealBody) {
	a.t.Helper()
	body.Checkpoint, body.Game = a.checkpoint(), gameOf(game)
	body.Open = []journal.Span{{Volume: 1, Length: 1, Root: journal.LeafHash(nil)}}
	a.sealAs(game, body, a.keys[house].signer)
}

func (a *author) sealAs(game uint32, body journal.SealBody, signer journal.Signer) {
	a.t.Helper()
	signed, err := journal.SignSeal(body, signer)
	a.must(err)
	a.seals[game] = signed
	a.say(public.Sealed, append(named(game), note(signed), "journal")...)
}

func gives(game uint32, name string) func(*author) {
	return func(a *author) {
		link, err := a.links[name].Link(gameOf(game))
		a.must(err)
		a.give(game, link)
	}
}

func (a *author) give(game uint32, link draw.Link) {
	lines := append(named(game), "custodian "+link.Custodian, "link "+link.Value.String())
	for _, h := range link.Path.Hashes() {
		lines = append(lines, "path "+h.String())
	}
	a.say(public.Link, lines...)
}

func results(game uint32) func(*author) {
	return func(a *author) { a.result(game, a.numbers(game), 1) }
}

// numbers returns the numbers that follow from seal and links.
func (a *author) numbers(game uint32) []int {
	a.t.Helper()
	body, err := journal.ParseSeal(strings.SplitAfterN(string(a.seals[game]), "\n\n", 2)[0][:strings.Index(
		string(a.seals[game]), "\n\n")+1])
	a.must(err)
	var links []draw.Link
	for _, name := range custodians {
		link, err := a.links[name].Link(gameOf(game))
		a.must(err)
		links = append(links, link)
	}
	picks, err := draw.WitnessedNumbers(draw.KenoPlan(gameOf(game), 1), body.Hash(), links, draw.Round{})
	a.must(err)
	numbers := make([]int, len(picks))
	for i, pick := range picks {
		numbers[i] = pick.Number
	}
	return numbers
}

func (a *author) result(game uint32, numbers []int, revision uint32) {
	a.t.Helper()
	text, _, _ := strings.Cut(string(a.seals[game]), "\n\n")
	body, err := journal.ParseSeal(text + "\n")
	a.must(err)
	drawn, err := ball.NewSequence(ball.Keno, numbers...)
	a.must(err)
	result := draw.Result{Device: cmp.Or(a.device, "witnessed"), Game: gameOf(game), Revision: revision,
		Seal: body.Hash(), Numbers: drawn}
	signed, err := journal.SignNote(result.Marshal(), a.keys[house+"/device"].signer)
	a.must(err)
	a.say(public.Result, append(named(game), fmt.Sprintf("draw %d", revision), note(signed))...)
}

func settles(game uint32) func(*author) {
	return func(a *author) {
		a.say(public.Settled, append(named(game), "revision 1", "draw 1", "plays 0", "along-plays 0", "ways 0",
			"stakes-cents 0", "winners 0", "prizes-cents 0", "carried-cents 0")...)
	}
}

func closes(a *author) { endsDay("3")(a) }

// endsDay ends the Keno Day, which had a game before the log began.
func endsDay(games string) func(*author) {
	return func(a *author) { a.say(public.DayClosed, "series "+series, "day "+day, "games "+games, "journal") }
}

func voids(game uint32) func(*author) {
	return func(a *author) {
		a.say(public.GameVoid, append(named(game), "draw 1", "clause 11.6", "deferred no", "refund-cents 0")...)
	}
}

// Places of what the log tells.
const (
	atSeal1   = 5
	atLink1   = 6
	atResult1 = 8
	atSettle1 = 9
	atOpen2   = 10
	atSeal2   = 11
	atEnd     = 17
)

// log is a source that the author serves.
type log map[string][]byte

func (l log) Read(_ context.Context, path string) ([]byte, error) {
	data, ok := l[path]
	if !ok {
		return nil, watch.ErrNone
	}
	return data, nil
}

// publish serves the first entries of the log as they are, signed and cosigned.
func (a *author) publish(size int, by ...string) log {
	a.t.Helper()
	tree := journal.NewTree()
	for _, e := range a.entries[:size] {
		tree.Append(e)
	}
	checkpoint := journal.Checkpoint{Origin: a.origin, Size: tree.Size(), Root: tree.Root()}
	return log{watch.CheckpointPath: a.sign(checkpoint, by...),
		public.BundlePath(0, size): public.Bundle(a.entries[:size])}
}

func (a *author) sign(c journal.Checkpoint, by ...string) []byte {
	a.t.Helper()
	signed, err := journal.SignCheckpoint(c, a.keys[a.origin].signer)
	a.must(err)
	for _, name := range by {
		line, err := a.cosigner(name).Cosign(c, 1_800_000_000)
		a.must(err)
		signed = append(signed, line...)
	}
	return signed
}

func (a *author) cosigner(name string) *witness.Cosigner {
	a.t.Helper()
	c, err := witness.NewCosigner(a.keys[name].signer, a.keys[name].vkey)
	a.must(err)
	return c
}

// told writes the log.
func (a *author) told() *author {
	for _, tell := range a.tellers {
		tell(a)
	}
	return a
}

// look follows what the author serves, and returns the codes of what is found.
func (a *author) look(from watch.Source, by *policy.Policy) (codes []public.Code) {
	a.t.Helper()
	w, err := watch.New(from, a.keys[house].vkey, by, "", nil)
	a.must(err)
	look, err := w.Look(a.t.Context())
	a.must(err)
	for _, f := range look.Findings {
		codes = append(codes, f.Code)
	}
	return codes
}

// TestWatchHonestLog finds nothing in an honest log, read as a whole or as it grows.
func TestWatchHonestLog(t *testing.T) {
	a := newAuthor(t).told()
	if found := a.look(a.publish(len(a.entries)), nil); found != nil {
		t.Errorf("found %v", found)
	}
	// Where the rules end a game that cannot go on, all its links are public.
	ended := newAuthor(t)
	ended.rulebook = hashOf(t, "casino-keno-div2")
	ended.tellers = slices.Replace(ended.tellers, atResult1, atSettle1+1, voids(1))
	if found := ended.told().look(ended.publish(len(ended.entries)), nil); found != nil {
		t.Errorf("of a game void with its links found %v", found)
	}
	growing := log{}
	w, err := watch.New(growing, a.keys[origin].vkey, nil, "", nil)
	a.must(err)
	for size := 1; size <= len(a.entries); size++ {
		for path, data := range a.publish(size) {
			growing[path] = data
		}
		if look, err := w.Look(t.Context()); err != nil || look.Findings != nil || look.Read != 1 {
			t.Fatalf("with %d entries: %+v, %v", size, look, err)
		}
	}
}

// TestWatchFindsForks serves checkpoints that do not go together.
func TestWatchFindsForks(t *testing.T) {
	a := newAuthor(t).told()
	whole := a.publish(len(a.entries))
	for name, lie := range map[string]struct {
		then func() log
		want public.Code
	}{
		"fewer entries": {func() log { return a.publish(len(a.entries) - 1) }, watch.LogShorter},
		"another root": {func() log {
			c := journal.Checkpoint{Origin: origin, Size: uint64(len(a.entries)), Root: journal.LeafHash(nil)}
			return log{watch.CheckpointPath: a.sign(c)}
		}, watch.LogForked},
		"signed by the house alone": {func() log {
			c, err := journal.UnverifiedCheckpoint(whole[watch.CheckpointPath])
			a.must(err)
			signed, err := journal.SignCheckpoint(c, a.keys[house].signer)
			a.must(err)
			return log{watch.CheckpointPath: signed}
		}, watch.Unsigned},
		"no checkpoint": {func() log { return log{watch.CheckpointPath: []byte("nothing")} }, watch.Unsigned},
	} {
		t.Run(name, func(t *testing.T) {
			served := log{}
			for path, data := range whole {
				served[path] = data
			}
			w, err := watch.New(served, a.keys[house].vkey, nil, "", nil)
			a.must(err)
			if look, err := w.Look(t.Context()); err != nil || look.Findings != nil {
				t.Fatalf("%+v, %v", look, err)
			}
			for path, data := range lie.then() {
				served[path] = data
			}
			look, err := w.Look(t.Context())
			if err != nil || len(look.Findings) != 1 || look.Findings[0].Code != lie.want {
				t.Errorf("found %+v, %v, want %s", look.Findings, err, lie.want)
			}
		})
	}
}

// TestWatchAsksForQuorum holds a checkpoint to the policy of the reader: below, at and above the quorum.
func TestWatchAsksForQuorum(t *testing.T) {
	a := newAuthor(t).told()
	text := "log " + a.keys[origin].vkey + "\ngroup custodians all"
	outside := []string{"w1.example", "w2.example", "w3.example"}
	for _, name := range custodians {
		text = "witness " + name + " " + a.cosigner(name).String() + "\n" + text + " " + name
	}
	for _, name := range outside {
		text = "witness " + name + " " + a.cosigner(name).String() + "\n" + text
	}
	read := func(text string) *policy.Policy {
		p, err := policy.Parse([]byte(text))
		a.must(err)
		return p
	}
	asks := read(text + "\ngroup outside 2 " + strings.Join(outside, " ") + "\ngroup all all custodians outside\nquorum all\n")
	for _, by := range []struct {
		names []string
		found bool
	}{
		{nil, true},
		{custodians[:], true},
		{append(custodians[1:], outside...), true},
		{append(custodians[:1:1], outside...), true},
		{append(custodians[:], outside[0]), true},
		{append(custodians[:], outside[0], outside[0]), true},
		{append(custodians[:], outside[0], outside[2]), false},
		{append(custodians[:], outside...), false},
	} {
		found := a.look(a.publish(len(a.entries), by.names...), asks)
		if by.found != slices.Equal(found, []public.Code{watch.QuorumLow}) {
			t.Errorf("cosigned by %v: found %v", by.names, found)
		}
	}
	if found := a.look(a.publish(len(a.entries), append(custodians[:], outside...)...), read(strings.Replace(text,
		a.keys[origin].vkey, a.keys[house].vkey, 1)+"\ngroup outside 2 "+strings.Join(outside,
		" ")+"\ngroup all all custodians outside\nquorum all\n")); !slices.Equal(found, []public.Code{watch.Unsigned}) {
		t.Errorf("a log that the policy does not have: found %v", found)
	}
}

// TestWatchRefusesAWeakPolicy has policies that can be met without a custodian of the log, or with half of the others.
func TestWatchRefusesAWeakPolicy(t *testing.T) {
	a := newAuthor(t).told()
	text, everybody := "", append(custodians[:], "w1.example", "w2.example")
	for _, name := range everybody {
		text += "witness " + name + " " + a.cosigner(name).String() + "\n"
	}
	all := strings.Join(custodians[:], " ")
	for quorum, says := range map[string]string{
		"group o all w1.example w2.example\nquorum o\n":                                         "without custodian",
		"group k any " + all + "\ngroup o 2 w1.example w2.example\ngroup q all k o\nquorum q\n": "without custodian",
		"group k all " + all + "\ngroup o 1 w1.example w2.example\ngroup q all k o\nquorum q\n": "met by 1 of 2",
		"group k all " + all + "\ngroup o 2 w1.example w2.example\ngroup q all k o\nquorum q\n": "",
	} {
		p, err := policy.Parse([]byte(text + quorum))
		a.must(err)
		w, err := watch.New(a.publish(len(a.entries), everybody...), a.keys[house].vkey, p, "", nil)
		a.must(err)
		_, err = w.Look(t.Context())
		if says == "" && err != nil || says != "" && (!errors.Is(err, policy.ErrWeak) || !strings.Contains(err.Error(), says)) {
			t.Errorf("%s: %v, want %q", quorum, err, says)
		}
	}
}

// TestMirror writes a mirror, goes on from it, and finds a log that was exchanged meanwhile.
func TestMirror(t *testing.T) {
	a := newAuthor(t).told()
	folder := watch.Mirror(t.TempDir())
	first, err := watch.New(a.publish(8), a.keys[house].vkey, nil, folder, nil)
	a.must(err)
	if look, err := first.Look(t.Context()); err != nil || look.Read != 8 || look.Findings != nil {
		t.Fatalf("%+v, %v", look, err)
	}
	if found := a.look(watch.Open(string(folder)), nil); found != nil {
		t.Errorf("the mirror has %v", found)
	}
	again, err := watch.New(a.publish(len(a.entries)), a.keys[house].vkey, nil, folder, nil)
	a.must(err)
	if look, err := again.Resume(t.Context()); err != nil || look.Read != 8 {
		t.Fatalf("%+v, %v", look, err)
	}
	if look, err := again.Look(t.Context()); err != nil || look.Findings != nil || int(look.Read) != len(a.entries)-8 {
		t.Errorf("%+v, %v", look, err)
	}
	other := newAuthor(t)
	other.tellers = slices.Insert(other.tellers, atOpen2, opens(7))
	other.told()
	exchanged, err := watch.New(other.publish(len(a.entries)+1), a.keys[house].vkey, nil, folder, nil)
	a.must(err)
	_, err = exchanged.Resume(t.Context())
	a.must(err)
	look, err := exchanged.Look(t.Context())
	isRoot := func(f *public.Finding) bool { return f.Code == watch.RootWrong }
	if err != nil || !slices.ContainsFunc(look.Findings, isRoot) {
		t.Errorf("a log that was exchanged: %+v, %v", look.Findings, err)
	}
}

// TestMonitor asks witnesses at their addresses, of which one has been shown another log by the house.
func TestMonitor(t *testing.T) {
	a, other := newAuthor(t).told(), newAuthor(t)
	other.tellers = slices.Insert(other.tellers, atOpen2, opens(7))
	other.told()
	size := len(a.entries)
	path := func(of *author, n int, by ...string) []byte { return of.publish(n, by...)[watch.CheckpointPath] }
	for name, c := range map[string]struct {
		serves []byte
		found  bool
		unread string
	}{
		"nothing":                {nil, false, ""},
		"what it was shown":      {path(a, size, "w1.example"), false, ""},
		"what was shown earlier": {path(a, 3, "w1.example"), false, ""},
		"another log":            {path(other, size, "w1.example"), true, ""},
		"another log, earlier":   {path(other, size-1, "w1.example"), true, ""},
		"a longer log":           {path(other, len(other.entries), "w1.example"), false, ""},
		"not cosigned":           {path(other, size), false, "has not cosigned"},
		"by another witness":     {path(other, size, "w2.example"), false, "has not cosigned"},
		"no checkpoint":          {[]byte("nothing"), false, "w1.example"},
	} {
		t.Run(name, func(t *testing.T) {
			sum := sha256.Sum256([]byte(origin))
			front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
				if c.serves == nil || r.URL.Path != "/sub/"+hex.EncodeToString(sum[:])+"/checkpoint" {
					http.NotFound(rw, r)
					return
				}
				_, _ = rw.Write(c.serves)
			}))
			defer front.Close()
			text := "witness w1 " + a.cosigner("w1.example").String() + " " + front.URL + "/sub/\ngroup q all w1"
			for _, name := range custodians {
				text = "witness " + name + " " + a.cosigner(name).String() + "\n" + text + " " + name
			}
			p, err := policy.Parse([]byte(text + "\nquorum q\n"))
			a.must(err)
			w, err := watch.New(a.publish(size, append(custodians[:], "w1.example")...), a.keys[house].vkey, p, "", nil)
			a.must(err)
			if look, err := w.Look(t.Context()); err != nil || look.Findings != nil {
				t.Fatalf("%+v, %v", look, err)
			}
			findings, unread := w.Monitor(t.Context())
			if c.found != (len(findings) == 1 && findings[0].Code == watch.LogSplit) || (c.unread != "") != (len(unread) == 1) ||
				len(unread) == 1 && !strings.Contains(unread[0].Error(), c.unread) {
				t.Errorf("found %v, unread %v", findings, unread)
			}
		})
	}
}

// TestMonitorFindsWhatALogGaveUp shows a reader the first entries of a log and one that follows from there. A witness
// that has cosigned more of the first log still serves that, and so the reader finds what was given up.
func TestMonitorFindsWhatALogGaveUp(t *testing.T) {
	a, shown := newAuthor(t).told(), 12
	b := a.successor(func(body *journal.LogBody) {
		tree := journal.NewTree()
		for _, e := range a.entries[:shown] {
			tree.Append(e)
		}
		body.Before.Size, body.Before.Root = uint64(shown), tree.Root()
	})
	by := append(custodians[:], "w1.example")
	for cosigned, found := range map[int]bool{shown: false, len(a.entries): true} {
		sum := sha256.Sum256([]byte(origin))
		front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/"+hex.EncodeToString(sum[:])+"/checkpoint" {
				http.NotFound(rw, r)
				return
			}
			_, _ = rw.Write(a.publish(cosigned, by...)[watch.CheckpointPath])
		}))
		text := "witness w1 " + a.cosigner("w1.example").String() + " " + front.URL + "\ngroup q all w1"
		for _, name := range custodians {
			text = "witness " + name + " " + a.cosigner(name).String() + "\n" + text + " " + name
		}
		p, err := policy.Parse([]byte(text + "\nquorum q\n"))
		a.must(err)
		served := log{}
		w, err := watch.New(served, a.keys[house].vkey, p, "", nil)
		a.must(err)
		for _, published := range []log{a.publish(shown, by...), b.publish(len(b.entries), by...)} {
			clear(served)
			maps.Copy(served, published)
			_, err := w.Look(t.Context())
			a.must(err)
		}
		findings, _ := w.Monitor(t.Context())
		front.Close()
		lost := slices.ContainsFunc(findings, func(f *public.Finding) bool {
			return f.Code == watch.LogLost && strings.Contains(f.Says, "w1.example has cosigned")
		})
		if lost != found {
			t.Errorf("the witness has cosigned %d entries, and it finds %v", cosigned, findings)
		}
	}
}
