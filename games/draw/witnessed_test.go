package draw

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha3"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"drawhouse/core/ball"
	"drawhouse/journal"
)

// hall is a witnessed device with two custodians, who have committed.
type hall struct {
	device      *Witnessed
	custodians  map[string]*Chain
	commitments map[string]Commitment
	shares      map[string][escrowHolders]Share
}

func testKeys(t testing.TB) Keys {
	t.Helper()
	var k Keys
	k.Signer, _ = testKey(t, "device")
	_, k.House = testKey(t, "house")
	return k
}

func testHall(t testing.TB) *hall {
	t.Helper()
	h := &hall{custodians: map[string]*Chain{}, commitments: map[string]Commitment{},
		shares: map[string][escrowHolders]Share{}}
	var verifiers []journal.Verifier
	var notes [][]byte
	for _, name := range []string{"operator", "inspector"} {
		signer, verifier := testKey(t, name)
		verifiers = append(verifiers, verifier)
		c, shares, chain := testCommit(t, name)
		msg, err := journal.SignNote(c.Marshal(), signer)
		if err != nil {
			t.Fatal(err)
		}
		notes = append(notes, msg)
		h.custodians[name] = chain
		h.commitments[name], h.shares[name] = c, shares
	}
	var err error
	if h.device, err = NewWitnessed(testKeys(t), verifiers...); err != nil {
		t.Fatal(err)
	}
	for range 2 { // The same commitment again does no harm.
		for _, msg := range notes {
			if _, err := h.device.Commit(msg); err != nil {
				t.Fatal(err)
			}
		}
	}
	return h
}

// release has custodians give out their links of a draw to the device.
func (h *hall) release(t testing.TB, plan Plan, custodians ...string) {
	t.Helper()
	for _, name := range custodians {
		link, err := h.custodians[name].Link(plan.Game, plan.Revision)
		if err != nil {
			t.Fatal(err)
		}
		if err := h.device.Take(link); err != nil {
			t.Fatal(err)
		}
	}
}

func (h *hall) start(t testing.TB, plan Plan, drawn ball.Sequence) (*Draw, error) {
	t.Helper()
	return h.device.Start(plan, testSeal(t, plan.Game, "house"), drawn, nil)
}

// draw draws a whole game and returns its numbers.
func (h *hall) draw(t testing.TB, plan Plan) ball.Sequence {
	t.Helper()
	r, err := h.start(t, plan, ball.Sequence{})
	if err != nil {
		t.Fatal(err)
	}
	finish(t, r, plan.Most)
	return r.Drawn()
}

func TestWitnessedDraw(t *testing.T) {
	h, plan := testHall(t), KenoPlan(testGame, 1)
	if missing := h.device.Missing(testGame, 1); !slices.Equal(missing, []string{"operator", "inspector"}) {
		t.Errorf("missing are %v", missing)
	}
	h.release(t, plan, "operator")
	if _, err := h.start(t, plan, ball.Sequence{}); !errors.Is(err, ErrLink) ||
		!strings.Contains(err.Error(), "no link of inspector") {
		t.Errorf("drawn without the inspector: %v", err)
	}
	h.release(t, plan, "inspector")
	r, err := h.start(t, plan, ball.Sequence{})
	if err != nil {
		t.Fatal(err)
	}
	// All numbers are known now, and none is told before its turn.
	if r.Drawn().Len() != 0 {
		t.Errorf("told at the start: %v", r.Drawn())
	}
	for _, place := range []int{2, 20} {
		if _, err := r.Next(place); !errors.Is(err, ErrTurn) {
			t.Errorf("number %d before the first: %v", place, err)
		}
	}
	if _, err := r.Sign(); err == nil {
		t.Error("signed before the first number")
	}
	remaining := ball.Full(ball.Keno)
	for place, p := range finish(t, r, 20) {
		n, err := NumberFromBytes(remaining, p.Bytes)
		if err != nil || n != p.Number {
			t.Errorf("number %d: bytes %x give %d: %v, want %d", place+1, p.Bytes, n, err, p.Number)
		}
		remaining = remaining.Minus(ball.MustOf(ball.Keno, n))
	}
	msg, err := r.Sign()
	if err != nil {
		t.Fatal(err)
	}
	_, verifier := testKey(t, "device")
	result, _, err := OpenResult(msg, verifier)
	if err != nil || result.Device != "witnessed" || result.Numbers != r.Drawn() {
		t.Errorf("result %+v: %v", result, err)
	}
	if h.device.Err() != nil {
		t.Error(h.device.Err())
	}
}

// A link that is withheld is rebuilt from escrow and gives the same numbers:
// withholding can delay a result and never change it.
func TestWithheldLink(t *testing.T) {
	plan := KenoPlan(testGame, 1)
	honest := testHall(t)
	honest.release(t, plan, "operator", "inspector")
	want := honest.draw(t, plan)
	for _, holders := range [][2]int{{0, 1}, {0, 2}, {2, 1}} {
		h := testHall(t)
		h.release(t, plan, "inspector")
		shares := h.shares["operator"]
		chain, err := h.commitments["operator"].Rebuild(shares[holders[0]], shares[holders[1]])
		if err != nil {
			t.Fatal(err)
		}
		link, err := chain.Link(testGame, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := h.device.Take(link); err != nil {
			t.Fatal(err)
		}
		if got := h.draw(t, plan); got != want {
			t.Errorf("with the shares %v the numbers are %v, want %v", holders, got, want)
		}
	}
}

func TestLinkThatDoesNotFitIsRefused(t *testing.T) {
	h, plan := testHall(t), KenoPlan(testGame, 1)
	h.release(t, plan, "operator")
	link, err := h.custodians["inspector"].Link(plan.Game, plan.Revision)
	if err != nil {
		t.Fatal(err)
	}
	bent := link
	bent.Value[0] ^= 0x80
	unknown := link
	unknown.Custodian = "stranger"
	for _, l := range []Link{bent, unknown} {
		if err := h.device.Take(l); !errors.Is(err, ErrLink) {
			t.Errorf("taken: %v", err)
		}
	}
	if _, err := h.start(t, plan, ball.Sequence{}); !errors.Is(err, ErrLink) {
		t.Errorf("drawn with a link that does not fit: %v", err)
	}
	// A bad link is the fault of the custodian who brought it, and the device goes on.
	if err := h.device.Take(link); err != nil || h.device.Err() != nil {
		t.Fatal(err, h.device.Err())
	}
	h.draw(t, plan)
}

// Every part of what numbers are made of changes them.
func TestNumbersDependOnEverything(t *testing.T) {
	h := testHall(t)
	plan := KenoPlan(testGame, 1)
	var links []Link
	for _, c := range h.custodians {
		link, err := c.Link(plan.Game, plan.Revision)
		if err != nil {
			t.Fatal(err)
		}
		links = append(links, link)
	}
	numbers := func(p Plan, seal journal.Hash, links []Link) string {
		picks, err := WitnessedNumbers(p, seal, links, Round{})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(picks)
	}
	want := numbers(plan, journal.Hash{}, links)
	reversed := slices.Clone(links)
	slices.Reverse(reversed)
	if numbers(plan, journal.Hash{}, reversed) != want {
		t.Error("the order in which links arrive matters")
	}
	for what, got := range map[string]string{
		"the game":     numbers(KenoPlan(gameAfter(testGame, 1), 1), journal.Hash{}, links),
		"the revision": numbers(KenoPlan(testGame, 2), journal.Hash{}, links),
		"the seal":     numbers(plan, journal.Hash{1}, links),
		"a link less":  numbers(plan, journal.Hash{}, links[:1]),
	} {
		if got == want {
			t.Errorf("%s changes nothing", what)
		}
	}
	for i := range links {
		bent := slices.Clone(links)
		bent[i].Value[5] ^= 4
		if numbers(plan, journal.Hash{}, bent) == want {
			t.Errorf("the link of %s changes nothing", links[i].Custodian)
		}
	}
	if _, err := WitnessedNumbers(Plan{Universe: 81}, journal.Hash{}, links, Round{}); !errors.Is(err, ball.ErrUniverse) {
		t.Errorf("numbers of 81: %v", err)
	}
}

// otherSeal is a second seal of the game, with a ticket more.
func otherSeal(t testing.TB, game journal.Game) journal.Seal {
	t.Helper()
	signer, verifier := testKey(t, "house")
	body := testSeal(t, game, "house").Body()
	body.Checkpoint.Size, body.Checkpoint.Root = 1, journal.LeafHash([]byte("a late ticket"))
	msg, err := journal.SignSeal(body, signer)
	if err != nil {
		t.Fatal(err)
	}
	seal, err := journal.OpenSeal(msg, verifier)
	if err != nil {
		t.Fatal(err)
	}
	return seal
}

func TestWitnessedCommitments(t *testing.T) {
	h := testHall(t)
	commit := func(custodian, signedBy string, change func(*Commitment)) error {
		c := h.commitments[custodian]
		change(&c)
		signer, _ := testKey(t, signedBy)
		msg, err := journal.SignNote(c.Marshal(), signer)
		if err != nil {
			t.Fatal(err)
		}
		_, err = h.device.Commit(msg)
		return err
	}
	tomorrow := func(c *Commitment) { c.Chain.Day = "2026-11-16" }
	if err := commit("operator", "operator", func(c *Commitment) { c.Tip[0]++ }); !errors.Is(err, ErrContradiction) {
		t.Errorf("a second tip: %v", err)
	}
	if err := commit("operator", "stranger", tomorrow); err == nil {
		t.Error("a stranger committed")
	}
	if err := commit("operator", "inspector", tomorrow); err == nil {
		t.Error("the inspector committed for the operator")
	}
	if err := commit("operator", "operator", tomorrow); err != nil {
		t.Errorf("for the next day: %v", err)
	}
	// A commitment after the first draw of its day is too late.
	late, err := NewWitnessed(testKeys(t), h.device.custodians...)
	if err != nil {
		t.Fatal(err)
	}
	late.days.put(dayKey{testGame.Series, testGame.Day}, true)
	signer, _ := testKey(t, "operator")
	msg, err := journal.SignNote(h.commitments["operator"].Marshal(), signer)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := late.Commit(msg); !errors.Is(err, ErrLink) {
		t.Errorf("committed after a draw: %v", err)
	}
	plan := KenoPlan(testGame, 1)
	h.release(t, plan, "operator", "inspector")
	h.draw(t, plan)
	if _, begun := h.device.days.get(dayKey{testGame.Series, testGame.Day}); !begun {
		t.Error("a draw does not begin its day")
	}
}

func TestWitnessedTakesUpADraw(t *testing.T) {
	plan := KenoPlan(testGame, 1)
	whole := testHall(t)
	whole.release(t, plan, "operator", "inspector")
	numbers := whole.draw(t, plan)
	// A new process, with seven numbers recorded.
	h := testHall(t)
	h.release(t, plan, "operator", "inspector")
	r, err := h.start(t, plan, numbers.Prefix(7))
	if err != nil {
		t.Fatal(err)
	}
	finish(t, r, 20)
	if r.Drawn() != numbers {
		t.Errorf("taken up as %v, want %v", r.Drawn(), numbers)
	}
	// Numbers on record that the links do not give stop the device.
	bent := numbers.Prefix(7).Numbers()
	bent[6] = ball.Full(ball.Keno).Minus(numbers.Set()).Min()
	if _, err := h.start(t, plan, mustSequence(t, ball.Keno, bent...)); !errors.Is(err, ErrContradiction) ||
		h.device.Err() == nil {
		t.Errorf("taken up with another number: %v", err)
	}
	if _, err := h.start(t, plan, ball.Sequence{}); !errors.Is(err, ErrContradiction) {
		t.Errorf("the device goes on: %v", err)
	}
}

func TestWitnessedTripwires(t *testing.T) {
	plan := KenoPlan(testGame, 1)
	h := testHall(t)
	h.release(t, plan, "operator", "inspector")
	if _, err := h.device.Start(plan, journal.Seal{}, ball.Sequence{}, nil); !errors.Is(err, ErrSeal) {
		t.Errorf("drawn without a seal: %v", err)
	}
	if _, err := h.device.Start(Plan{}, testSeal(t, testGame, "house"), ball.Sequence{}, nil); err == nil {
		t.Error("drawn without a plan")
	}
	numbers := h.draw(t, plan)
	if _, err := h.device.Start(plan, otherSeal(t, testGame), ball.Sequence{}, nil); !errors.Is(err, ErrContradiction) {
		t.Errorf("a second result under another seal: %v", err)
	}
	again := testHall(t)
	again.release(t, plan, "operator", "inspector")
	r, err := again.device.Start(plan, testSeal(t, testGame, "house"), ball.Sequence{}, []ball.Sequence{numbers})
	if err != nil {
		t.Fatal(err)
	}
	finish(t, r, 19)
	if _, err := r.Next(20); !errors.Is(err, ErrRepeated) {
		t.Errorf("a result like a recent one: %v", err)
	}
}

func TestNewWitnessedRefuses(t *testing.T) {
	_, operator := testKey(t, "operator")
	_, inspector := testKey(t, "inspector")
	for what, err := range map[string]error{
		"one custodian":     second(NewWitnessed(testKeys(t), operator)),
		"the same twice":    second(NewWitnessed(testKeys(t), operator, operator)),
		"nobody":            second(NewWitnessed(testKeys(t), operator, nil)),
		"no key of its own": second(NewWitnessed(Keys{}, operator, inspector)),
	} {
		if err == nil {
			t.Errorf("%s: a device", what)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// TestPublishedSHAKE256 has two outputs of SHAKE256 that NIST publishes with
// FIPS 202: of the empty message and, at its byte 480, of 1600 bits of 0xa3.
func TestPublishedSHAKE256(t *testing.T) {
	for _, v := range []struct {
		message []byte
		skip    int64
		want    string
	}{
		{nil, 0, "46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f"},
		{bytes.Repeat([]byte{0xa3}, 200), 480, "6a1a9d7846436e4dca5728b6f760eef0ca92bf0be5615e96959d767197a0beeb"},
	} {
		shake := sha3.NewSHAKE256()
		_, _ = shake.Write(v.message)
		if _, err := io.CopyN(io.Discard, shake, v.skip); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, 32)
		if _, err := io.ReadFull(shake, got); err != nil || hex.EncodeToString(got) != v.want {
			t.Errorf("%x at %d: %v", got, v.skip, err)
		}
	}
}

// TestWitnessedVectors holds the package against the vectors that a program in
// another language wrote, see testdata/witnessed.py.
func TestWitnessedVectors(t *testing.T) {
	data, err := os.ReadFile("testdata/witnessed.txt")
	if err != nil {
		t.Fatal(err)
	}
	v := vectors{t: t, chains: map[string]*Chain{}}
	for line := range strings.Lines(string(data)) {
		words := strings.Fields(line)
		if len(words) > 0 && words[0] != "#" {
			v.line(words)
		}
	}
	if v.checked != 2*(1+2*drawsOfGame+escrowHolders)+4*3 {
		t.Errorf("%d values were checked", v.checked)
	}
}

// vectors reads the file of vectors line by line.
type vectors struct {
	t       *testing.T
	checked int
	chains  map[string]*Chain

	custodian  string
	seed       journal.Hash
	chain      *Chain
	commitment Commitment
	shares     [escrowHolders]Share
	plan       Plan
	seal       journal.Hash
	links      []Link
}

// expect compares a value of the file with the package's.
func (v *vectors) expect(what, got, want string) {
	v.checked++
	if got != want {
		v.t.Errorf("%s of %s %v: %s, want %s", what, v.custodian, v.plan, got, want)
	}
}

func (v *vectors) line(words []string) {
	var err error
	switch words[0] {
	case "chain":
		v.custodian = words[1]
	case "seed":
		v.seed = v.hash(words[1])
		v.chain, err = NewChain(testChainName(v.custodian), v.seed)
		v.chains[v.custodian] = v.chain
	case "slopes":
		var slopes []byte
		if slopes, err = hex.DecodeString(words[1]); err == nil {
			v.commitment, v.shares, err = Commit(bytes.NewReader(slopes), testChainName(v.custodian), v.seed)
		}
	case "tip":
		v.expect("tip", v.commitment.Tip.String(), words[1])
	case "link":
		var number, revision uint32
		if _, err = fmt.Sscan(words[1], &number); err == nil {
			_, err = fmt.Sscan(words[2], &revision)
		}
		link, linkErr := v.chain.Link(gameAfter(testGame, number-testGame.Number), revision)
		err = errors.Join(err, linkErr, v.commitment.CheckLink(link))
		v.expect("link", link.Value.String(), words[3])
	case "share":
		holder := int(words[1][0] - '0')
		v.expect("share", v.shares[holder-1].Value.String()+" "+v.commitment.Shares[holder-1].String(), words[2]+" "+words[3])
	default:
		err = v.drawLine(words)
	}
	if err != nil {
		v.t.Fatalf("%v: %v", words, err)
	}
}

// drawLine reads a line of a draw.
func (v *vectors) drawLine(words []string) error {
	switch words[0] {
	case "draw":
		var number, revision uint32
		var of ball.Universe
		if _, err := fmt.Sscan(strings.Join(words[1:], " "), &number, &revision, &of); err != nil {
			return err
		}
		v.plan = Plan{Game: gameAfter(testGame, number-testGame.Number), Revision: revision, Universe: of, Least: 20,
			Most: 20}
		if of == ball.Bingo {
			v.plan = BingoPlan(v.plan.Game, revision, ball.Bingo)
		}
		v.links = nil
		for _, chain := range v.chains {
			link, err := chain.Link(v.plan.Game, revision)
			if err != nil {
				return err
			}
			v.links = append(v.links, link)
		}
	case "seal":
		v.seal = v.hash(words[1])
	case "text":
		v.expect("text", journal.Hash(sha256.Sum256([]byte(ExpandText(v.plan, v.seal, v.links, Round{})))).String(), words[1])
	case "bytes", "numbers":
		picks, err := WitnessedNumbers(v.plan, v.seal, v.links, Round{})
		if err != nil {
			return err
		}
		var read []byte
		var numbers []string
		for _, p := range picks {
			read = append(read, p.Bytes...)
			numbers = append(numbers, fmt.Sprint(p.Number))
		}
		if words[0] == "bytes" {
			v.expect("bytes", hex.EncodeToString(read), words[1])
		} else {
			v.expect("numbers", strings.Join(numbers, " "), strings.Join(words[1:], " "))
		}
	default:
		return errors.New("no such line")
	}
	return nil
}

func (v *vectors) hash(text string) (h journal.Hash) {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || copy(h[:], raw) != len(h) {
		v.t.Fatalf("%s is no hash: %v", text, err)
	}
	return h
}

// TestWitnessedNumbersAgain recomputes a draw from the signed papers alone, the
// way an inspector would, with nothing of the package but what it published.
func TestWitnessedNumbersAgain(t *testing.T) {
	h, plan := testHall(t), KenoPlan(testGame, 1)
	h.release(t, plan, "operator", "inspector")
	got := h.draw(t, plan)
	seal := testSeal(t, testGame, "house").Body().Hash()
	text := "drawhouse/witnessed/v1\nseries vic-keno\nday 2026-11-15\ngame 417\nrevision 1\nof 80\nseal " +
		base64.StdEncoding.EncodeToString(seal[:]) + "\n"
	for _, custodian := range []string{"inspector", "operator"} {
		seed := make([]byte, 32)
		if _, err := io.ReadFull(stream("seed of "+custodian), seed); err != nil {
			t.Fatal(err)
		}
		id := sha256.Sum256([]byte("drawhouse/chain/v1\ncustodian " + custodian +
			"\nseries vic-keno\nday 2026-11-15\nfirst 417\ngames 2\n"))
		value := seed
		for place := 6; place >= 1; place-- {
			var number [4]byte
			binary.BigEndian.PutUint32(number[:], uint32(place))
			sum := sha256.Sum256(slices.Concat(id[:], number[:], value))
			value = sum[:]
		}
		text += "custodian " + custodian + "\nlink " + base64.StdEncoding.EncodeToString(value) + "\n"
	}
	stream := sha3.SumSHAKE256([]byte(text), 1000)
	var remaining, numbers []int
	for n := range 80 {
		remaining = append(remaining, n+1)
	}
	for len(numbers) < 20 {
		m, b := len(remaining), int(stream[0])
		stream = stream[1:]
		if b < 256/m*m {
			numbers = append(numbers, remaining[b%m])
			remaining = slices.Delete(remaining, b%m, b%m+1)
		}
	}
	if !slices.Equal(numbers, got.Numbers()) {
		t.Errorf("recomputed %v, drawn %v", numbers, got)
	}
}
