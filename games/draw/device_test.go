package draw

import (
	"bytes"
	"errors"
	"flag"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"drawhouse/core/ball"
	"drawhouse/journal"
)

var rewrite = flag.Bool("rewrite", false,
	"write the golden files anew; read the difference before you keep it, for these texts are signed")

func testKey(t testing.TB, name string) (journal.Signer, journal.Verifier) {
	t.Helper()
	skey, vkey, err := journal.GenerateKey(strings.NewReader(strings.Repeat(name, 32)), name)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := journal.ParseSigner(skey)
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := journal.ParseVerifier(vkey)
	if err != nil {
		t.Fatal(err)
	}
	return signer, verifier
}

var testGame = journal.Game{Series: "vic-keno", Day: "2026-11-15", Number: 417}

func testSeal(t testing.TB, game journal.Game, signers ...string) journal.Seal {
	t.Helper()
	body := journal.SealBody{
		Checkpoint: journal.Checkpoint{Origin: journal.VolumeOrigin("keno.example", 1), Root: journal.EmptyRoot()},
		Game:       game,
	}
	var keys []journal.Signer
	for _, name := range signers {
		signer, _ := testKey(t, name)
		keys = append(keys, signer)
	}
	msg, err := journal.SignSeal(body, keys...)
	if err != nil {
		t.Fatal(err)
	}
	_, author := testKey(t, signers[0])
	seal, err := journal.OpenSeal(msg, author)
	if err != nil {
		t.Fatal(err)
	}
	return seal
}

func testDevice(t testing.TB, entropy io.Reader, required ...string) *Device {
	t.Helper()
	source, err := NewSource(entropy)
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Source: source, Required: required}
	c.Signer, _ = testKey(t, "device")
	_, c.House = testKey(t, "house")
	_, witness := testKey(t, "witness")
	c.Cosigners = []journal.Verifier{witness}
	d, err := NewDevice(c)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func mustStart(t testing.TB, d *Device, plan Plan, drawn ball.Sequence) *Draw {
	t.Helper()
	r, err := d.Start(plan, testSeal(t, plan.Game, "house"), drawn, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// finish draws from the place after what is drawn to the last.
func finish(t testing.TB, r *Draw, last int) []Pick {
	t.Helper()
	var picks []Pick
	for place := r.Drawn().Len() + 1; place <= last; place++ {
		p, err := r.Next(place)
		if err != nil {
			t.Fatal(err)
		}
		picks = append(picks, p)
	}
	return picks
}

// TestOtherHouseKeys draws under seals of another house key, as a device does around a
// change of keys, and under no key that it was not told.
func TestOtherHouseKeys(t *testing.T) {
	source, err := NewSource(stream("others"))
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Source: source}
	c.Signer, _ = testKey(t, "device")
	_, c.House = testKey(t, "house")
	_, old := testKey(t, "earlier")
	c.Others = []journal.Verifier{old}
	d, err := NewDevice(c)
	if err != nil {
		t.Fatal(err)
	}
	for i, signer := range []string{"house", "earlier"} {
		game := testGame
		game.Number += uint32(i)
		if _, err := d.Start(KenoPlan(game, 1), testSeal(t, game, signer), ball.Sequence{}, nil); err != nil {
			t.Errorf("sealed by %s: %v", signer, err)
		}
	}
	other := testGame
	other.Number += 2
	if _, err := d.Start(KenoPlan(other, 1), testSeal(t, other, "stranger"), ball.Sequence{}, nil); !errors.Is(err,
		ErrSeal) {
		t.Errorf("sealed by a stranger: %v", err)
	}
}

func TestDrawAndSign(t *testing.T) {
	d := testDevice(t, stream("golden"))
	r := mustStart(t, d, KenoPlan(testGame, 1), ball.Sequence{})
	if _, err := r.Sign(); err == nil {
		t.Error("an unfinished draw was signed")
	}
	picks := finish(t, r, 20)
	if _, err := r.Next(21); !errors.Is(err, ErrTurn) {
		t.Errorf("a number after the 20th: %v", err)
	}
	msg, err := r.Sign()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "result.txt", msg)
	_, verifier := testKey(t, "device")
	result, signers, err := OpenResult(msg, verifier)
	if err != nil || !slices.Equal(signers, []string{"device"}) {
		t.Fatalf("signed by %v: %v", signers, err)
	}
	want := Result{Device: "rng", Game: testGame, Revision: 1, Seal: testSeal(t, testGame, "house").Body().Hash(),
		Numbers: r.Drawn()}
	if result != want {
		t.Errorf("result %+v, want %+v", result, want)
	}
	// What an inspector does with the recorded bytes.
	remaining := ball.Full(ball.Keno)
	for i, p := range picks {
		n, err := NumberFromBytes(remaining, p.Bytes)
		if err != nil || n != result.Numbers.At(i) {
			t.Errorf("bytes %x at place %d give %d: %v", p.Bytes, i+1, n, err)
		}
		remaining = remaining.Minus(ball.MustOf(ball.Keno, n))
	}
	if again, err := r.Sign(); err != nil || !bytes.Equal(again, msg) {
		t.Errorf("signed again differently: %v", err)
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *rewrite {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is\n%s\nwant\n%s", name, got, want)
	}
}

func TestNoDrawWithoutTheSeal(t *testing.T) {
	other := testGame
	other.Number++
	plan := KenoPlan(testGame, 1)
	for what, c := range map[string]struct {
		seal     journal.Seal
		required []string
		ok       bool
	}{
		"none":                   {journal.Seal{}, nil, false},
		"of another game":        {testSeal(t, other, "house"), nil, false},
		"by another house":       {testSeal(t, testGame, "stranger"), nil, false},
		"by the witness alone":   {testSeal(t, testGame, "witness"), nil, false},
		"without the witness":    {testSeal(t, testGame, "house"), []string{"witness"}, false},
		"with the witness":       {testSeal(t, testGame, "house", "witness"), []string{"witness"}, true},
		"witness not asked for":  {testSeal(t, testGame, "house", "witness"), nil, true},
		"stranger for a witness": {testSeal(t, testGame, "house", "stranger"), []string{"witness"}, false},
	} {
		d := testDevice(t, stream("seal"), c.required...)
		_, err := d.Start(plan, c.seal, ball.Sequence{}, nil)
		if (err == nil) != c.ok || err != nil && !errors.Is(err, ErrSeal) {
			t.Errorf("seal %s: %v", what, err)
		}
		if d.Err() != nil {
			t.Errorf("seal %s stopped the device: %v", what, d.Err())
		}
	}
}

// A crash in the middle keeps the numbers drawn, and a new device draws on.
func TestResume(t *testing.T) {
	plan := KenoPlan(testGame, 1)
	for drawn := range 21 {
		first := mustStart(t, testDevice(t, stream("before")), plan, ball.Sequence{})
		finish(t, first, drawn)
		prefix := first.Drawn()
		second := mustStart(t, testDevice(t, stream("after")), plan, prefix)
		picks := finish(t, second, 20)
		if len(picks) != 20-drawn || second.Drawn().Prefix(drawn) != prefix {
			t.Fatalf("%d numbers became %v", drawn, second.Drawn())
		}
		remaining := ball.Full(ball.Keno).Minus(prefix.Set())
		for _, p := range picks {
			if n, err := NumberFromBytes(remaining, p.Bytes); err != nil || n != p.Number {
				t.Fatalf("bytes %x give %d: %v, want %d", p.Bytes, n, err, p.Number)
			}
			remaining = remaining.Minus(ball.MustOf(ball.Keno, p.Number))
		}
		if _, err := second.Sign(); err != nil {
			t.Fatal(err)
		}
	}
}

// A number once drawn is the number: anybody who lost the answer gets it again, and
// nobody gets another.
func TestNumbersAreDrawnOnce(t *testing.T) {
	d := testDevice(t, stream("once"))
	plan := KenoPlan(testGame, 1)
	r := mustStart(t, d, plan, ball.Sequence{})
	picks := finish(t, r, 7)
	picks[6].Bytes[0] ^= 1 // The caller's copy is the caller's own.
	// Five of seven numbers were recorded before the writer failed.
	again := mustStart(t, d, plan, r.Drawn().Prefix(5))
	for place := 1; place <= 7; place++ {
		p, err := again.Next(place)
		if err != nil || p.Number != picks[place-1].Number {
			t.Errorf("number %d is now %d: %v", place, p.Number, err)
		}
	}
	p7, _ := again.Next(7)
	if bytes.Equal(p7.Bytes, picks[6].Bytes) {
		t.Error("the device's record of the bytes can be changed from outside")
	}
	// Both handles are of one draw.
	p8, err := again.Next(8)
	if err != nil {
		t.Fatal(err)
	}
	if q8, err := r.Next(8); err != nil || q8.Number != p8.Number {
		t.Errorf("two handles drew %d and %d: %v", p8.Number, q8.Number, err)
	}
	for _, place := range []int{-1, 0, 10} {
		if _, err := r.Next(place); !errors.Is(err, ErrTurn) {
			t.Errorf("number %d after 8: %v", place, err)
		}
	}
}

func TestContradictionStopsTheDevice(t *testing.T) {
	plan := KenoPlan(testGame, 1)
	for what, start := range map[string]func(d *Device, r *Draw) error{
		"another number": func(d *Device, r *Draw) error {
			numbers := r.Drawn().Numbers()
			numbers[2] = (ball.Full(ball.Keno).Minus(r.Drawn().Set())).Min()
			_, err := d.Start(plan, testSeal(t, testGame, "house"), mustSequence(t, ball.Keno, numbers...), nil)
			return err
		},
		"another seal": func(d *Device, r *Draw) error {
			signer, verifier := testKey(t, "house")
			body := testSeal(t, testGame, "house").Body()
			body.Checkpoint.Size, body.Checkpoint.Root = 1, journal.LeafHash([]byte("a late ticket"))
			msg, err := journal.SignSeal(body, signer)
			if err != nil {
				t.Fatal(err)
			}
			seal, err := journal.OpenSeal(msg, verifier)
			if err != nil {
				t.Fatal(err)
			}
			_, err = d.Start(plan, seal, r.Drawn(), nil)
			return err
		},
		"another universe": func(d *Device, r *Draw) error {
			_, err := d.Start(BingoPlan(testGame, 1, ball.Bingo), testSeal(t, testGame, "house"), ball.Sequence{}, nil)
			return err
		},
	} {
		d := testDevice(t, stream("contradiction"))
		r := mustStart(t, d, plan, ball.Sequence{})
		finish(t, r, 5)
		if err := start(d, r); !errors.Is(err, ErrContradiction) {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := r.Next(6); !errors.Is(err, ErrContradiction) || !errors.Is(d.Err(), ErrContradiction) {
			t.Errorf("%s: the device draws on: %v", what, err)
		}
		if _, err := d.Start(KenoPlan(testGame, 2), testSeal(t, testGame, "house"), ball.Sequence{}, nil); !errors.Is(err,
			ErrContradiction) {
			t.Errorf("%s: the device starts again: %v", what, err)
		}
		if _, err := r.Next(5); err != nil {
			t.Errorf("%s: a number that was drawn is not told: %v", what, err)
		}
	}
}

// After a void draw the same game is drawn again as a further revision.
func TestRevision(t *testing.T) {
	d := testDevice(t, stream("revision"))
	first := mustStart(t, d, KenoPlan(testGame, 1), ball.Sequence{})
	finish(t, first, 20)
	second := mustStart(t, d, KenoPlan(testGame, 2), ball.Sequence{})
	finish(t, second, 20)
	if first.Drawn() == second.Drawn() {
		t.Error("both draws have the same numbers")
	}
	msg, err := second.Sign()
	if err != nil || !strings.Contains(string(msg), "\nrevision 2\n") {
		t.Errorf("%s: %v", msg, err)
	}
}

// A device that draws as another did is stopped at the last number, whose value
// is still told.
func TestRecentResultStopsTheDevice(t *testing.T) {
	old := mustStart(t, testDevice(t, stream("again")), KenoPlan(testGame, 1), ball.Sequence{})
	finish(t, old, 20)
	recent := old.Drawn().Numbers()
	slices.Reverse(recent) // The order does not matter.
	next := testGame
	next.Number++
	plan := KenoPlan(next, 1)
	results := []ball.Sequence{mustSequence(t, ball.Keno, 1, 2, 3), mustSequence(t, ball.Keno, recent...)}
	d := testDevice(t, stream("again"))
	r, err := d.Start(plan, testSeal(t, next, "house"), ball.Sequence{}, results)
	if err != nil {
		t.Fatal(err)
	}
	finish(t, r, 19)
	p, err := r.Next(20)
	if !errors.Is(err, ErrRepeated) || p.Number != old.Drawn().At(19) {
		t.Errorf("number %d: %v", p.Number, err)
	}
	// Whether the result stands is for persons to decide: the device signs what it drew, and
	// another device takes the draw up.
	if _, err := r.Sign(); err != nil || d.Err() != nil {
		t.Errorf("signed: %v; the device has stopped: %v", err, d.Err())
	}
	if _, err := testDevice(t, stream("other")).Start(plan, testSeal(t, next, "house"), r.Drawn(), results); err != nil {
		t.Errorf("taken up: %v", err)
	}
}

func TestStuckSourceStopsTheDraw(t *testing.T) {
	good := io.LimitReader(stream("good"), startupBytes+5)
	d := testDevice(t, io.MultiReader(good, &repeating{block: []byte{9}}))
	r := mustStart(t, d, KenoPlan(testGame, 1), ball.Sequence{})
	drawn := 0
	var err error
	for ; err == nil && drawn < 20; drawn++ {
		_, err = r.Next(drawn + 1)
	}
	if !errors.Is(err, ErrStuck) || drawn > 5+repetitionCutoff {
		t.Errorf("%d numbers drawn, then %v", drawn, err)
	}
	if _, err := r.Sign(); err == nil || d.Err() == nil {
		t.Error("the device goes on")
	}
}

func TestBingo(t *testing.T) {
	game := journal.Game{Series: "bingo", Day: "2026-11-15", Number: 3}
	d := testDevice(t, stream("bingo"))
	r := mustStart(t, d, BingoPlan(game, 1, ball.Bingo), ball.Sequence{})
	finish(t, r, 57)
	msg, err := r.Sign()
	if err != nil {
		t.Fatal(err)
	}
	_, verifier := testKey(t, "device")
	result, _, err := OpenResult(msg, verifier)
	if err != nil || result.Numbers != r.Drawn() || result.Numbers.Len() != 57 {
		t.Errorf("result %+v: %v", result, err)
	}
	if _, err := r.Next(58); !errors.Is(err, ErrTurn) {
		t.Errorf("a number after the result was signed: %v", err)
	}
	all := mustStart(t, d, BingoPlan(game, 2, ball.Bingo), ball.Sequence{})
	if finish(t, all, 90); all.Drawn().Len() != 90 {
		t.Errorf("%d numbers", all.Drawn().Len())
	}
}

func TestStartRefuses(t *testing.T) {
	d := testDevice(t, stream("refuse"))
	seal := testSeal(t, testGame, "house")
	good := KenoPlan(testGame, 1)
	for what, change := range map[string]func(*Plan){
		"no series":     func(p *Plan) { p.Game.Series = "" },
		"revision 0":    func(p *Plan) { p.Revision = 0 },
		"universe":      func(p *Plan) { p.Universe = 81 },
		"none at least": func(p *Plan) { p.Least = 0 },
		"most < least":  func(p *Plan) { p.Most = 19 },
		"81 of 80":      func(p *Plan) { p.Most = 81 },
	} {
		plan := good
		change(&plan)
		if _, err := d.Start(plan, seal, ball.Sequence{}, nil); err == nil {
			t.Errorf("%s: started", what)
		}
	}
	numbers := ball.Full(ball.Keno).Numbers()
	if _, err := d.Start(good, seal, mustSequence(t, ball.Keno, numbers[:21]...), nil); err == nil {
		t.Error("taken up with 21 numbers")
	}
	if _, err := d.Start(good, seal, mustSequence(t, ball.Bingo, 1), nil); err == nil {
		t.Error("taken up with a bingo number")
	}
	if _, err := NewDevice(Config{}); err == nil {
		t.Error("a device of nothing")
	}
	c := Config{Signer: d.keys.Signer, House: d.keys.House, Cosigners: d.keys.Cosigners, Source: d.source}
	c.Required = []string{"inspector"}
	if _, err := NewDevice(c); err == nil {
		t.Error("a required cosigner whom the device cannot verify")
	}
}

func TestMemoryIsBounded(t *testing.T) {
	d := testDevice(t, stream("memory"))
	seal := journal.Hash{1}
	for i := range uint32(rememberedDraws + 100) {
		plan := KenoPlan(testGame, i+1)
		if _, err := d.recall(plan, seal, ball.Sequence{}); err != nil {
			t.Fatal(err)
		}
	}
	if len(d.memory.values) != rememberedDraws || len(d.memory.order) != rememberedDraws {
		t.Errorf("%d draws remembered", len(d.memory.values))
	}
}

func TestConcurrentDraws(t *testing.T) {
	d := testDevice(t, stream("concurrent"))
	var wg sync.WaitGroup
	for i := range 4 {
		game := testGame
		game.Number = uint32(i)
		r := mustStart(t, d, KenoPlan(game, 1), ball.Sequence{})
		wg.Go(func() {
			for place := 1; place <= 20; place++ {
				if _, err := r.Next(place); err != nil {
					t.Error(err)
				}
			}
			if _, err := r.Sign(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// TestImports holds the package to what it may know: a generator that cannot see
// the date cannot be made to wait for one. The files that turn bytes into numbers
// know less still: not even the name of the game, in which its day stands.
func TestImports(t *testing.T) {
	const numbers = "bytes crypto/sha256 errors fmt io drawhouse/core/ball"
	const all = numbers +
		" cmp crypto/sha3 encoding/binary encoding/hex math slices strconv strings sync drawhouse/journal" +
		" drawhouse/games/draw/cage drawhouse/games/beacon"
	makers := []string{"index.go", "repeats.go", "selector.go", "source.go"}
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, name := range makers {
		if !slices.Contains(files, name) {
			t.Errorf("%s is gone: who makes the numbers?", name)
		}
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		allowed := all
		if slices.Contains(makers, name) {
			allowed = numbers
		}
		for _, spec := range f.Imports {
			if path, _ := strconv.Unquote(spec.Path.Value); !slices.Contains(strings.Fields(allowed), path) {
				t.Errorf("%s imports %s", name, path)
			}
		}
	}
}
