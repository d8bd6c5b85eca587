package engine

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"drawhouse/decide/counter"
	"drawhouse/decide/state"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// newKey makes a house key.
func (r *rig) newKey() (journal.Signer, string) {
	r.t.Helper()
	private, public, err := journal.GenerateKey(r.random, "rig.example")
	must(r.t, err)
	signer, err := journal.ParseSigner(private)
	must(r.t, err)
	return signer, public
}

// next is a next volume with the keys of this one.
func (r *rig) next(reason record.VolumeReason) NextVolume {
	now := r.engine.State().Volume()
	return NextVolume{
		Reason: reason, Build: "test", House: r.engine.house, HouseKey: now.HouseKey, DeviceKey: now.DeviceKey,
		SerialKey: record.Hash{byte(now.Volume)}, Previous: r.batches[len(r.batches)-1].Checkpoint,
	}
}

// turnVolume ends the volume.
func (r *rig) turnVolume() {
	r.t.Helper()
	must(r.t, r.engine.BeginVolume(r.tick(), r.next(record.ReasonYear)))
	r.take()
}

// rotate ends the volume, with new keys for the house and the device.
func (r *rig) rotate() {
	r.t.Helper()
	n := r.next(record.ReasonKeys)
	n.House, n.HouseKey = r.newKey()
	private, public, err := journal.GenerateKey(r.random, "rig.example/device")
	must(r.t, err)
	n.DeviceKey = public
	must(r.t, r.engine.BeginVolume(r.tick(), n))
	r.device = r.newDevice(private, n.HouseKey)
	r.take()
}

// replay builds an engine from batches, as far as it can.
func replay(batches []Pending) (*Engine, error) {
	e := New(nil)
	for _, batch := range batches {
		for _, entry := range batch.Entries {
			if err := e.Replay(entry.Data); err != nil {
				return e, err
			}
		}
		if batch.Root != e.Root() || batch.Volume != e.State().Next().Volume || batch.Size != e.Size() {
			return e, errors.New("the batch comes to another root")
		}
	}
	return e, nil
}

// TestThreeVolumes sells tickets of several games in three volumes. They play on
// in the volumes after theirs, are sealed with a bitmap for each volume, settled,
// paid and cancelled there, and the whole replays to the same state.
func TestThreeVolumes(t *testing.T) {
	r := newRig(t, "three volumes")
	r.openDay("2026-11-15")
	var tickets []record.Place
	spots := func(n int) string { return strings.Replace(oneSpot, "7", string(rune('0'+n)), 1) }
	for volume := range 3 {
		for n := 1; n <= 9; n++ {
			_, answer := r.sell(1, 6, spots(n))
			tickets = append(tickets, answer.Place)
		}
		r.play()
		switch volume {
		case 0:
			r.turnVolume()
		case 1:
			r.rotate()
		}
	}
	for range 8 {
		r.play()
	}
	current, _ := r.engine.State().Series(series)
	sealed, _ := current.Game(3)
	if sealed.Settled.Plays != 27 {
		t.Errorf("game 3 was played by %d tickets of three volumes, want 27", sealed.Settled.Plays)
	}
	body := sealOf(t, r, sealed)
	if volumes := []uint16{body.Open[0].Volume, body.Open[1].Volume, body.Open[2].Volume}; !slices.Equal(volumes,
		[]uint16{1, 2, 3}) {
		t.Errorf("its seal has bitmaps of the volumes %v", volumes)
	}
	paid := map[uint16]int{}
	for _, place := range tickets {
		if _, err := r.pay(r.claim(3, place)); err == nil {
			paid[place.Volume]++
		} else {
			r.numbers[3]--
		}
	}
	r.take()
	for _, volume := range []uint16{1, 2, 3} {
		if paid[volume] == 0 {
			t.Errorf("no ticket of volume %d was paid", volume)
		}
	}
	again, err := replay(r.batches)
	must(t, err)
	if again.State().Hash() != r.engine.State().Hash() || again.State().Next().Volume != 3 {
		t.Errorf("replayed to %v", again.State().Next())
	}
}

// sealOf opens the seal of a game with the key of its volume.
func sealOf(t *testing.T, r *rig, g *state.Game) journal.SealBody {
	t.Helper()
	rec, err := record.Decode(r.at(g.SealPlace))
	must(t, err)
	volume, ok := r.engine.State().VolumeOf(g.SealPlace.Volume)
	if !ok {
		t.Fatalf("there is no volume %d", g.SealPlace.Volume)
	}
	verifier, err := journal.ParseVerifier(volume.HouseKey)
	must(t, err)
	seal, err := journal.OpenSeal(rec.Body.(*record.GameSealed).Seal, verifier)
	must(t, err)
	return seal.Body()
}

// TestCancelsInALaterVolume gives back a ticket of the volume before.
func TestCancelsInALaterVolume(t *testing.T) {
	r := newRig(t, "cancels later")
	r.openDay("2026-11-15")
	command, answer := r.sell(1, 4, oneSpot)
	r.play()
	r.turnVolume()
	rec, err := record.Decode(r.at(answer.Place))
	must(t, err)
	cancelled, err := r.back(counter.Cancellation{
		Request: r.request(1, "cancel"), Place: answer.Place, Sold: rec.Body.(*record.TicketSold),
		Code: codeOf(command.Request),
	})
	must(t, err)
	r.take()
	if cancelled.Place != (record.Place{Volume: 2, Seq: 1}) || cancelled.About != answer.Place {
		t.Errorf("cancelled at %v, about %v", cancelled.Place, cancelled.About)
	}
	if _, err := replay(r.batches); err != nil {
		t.Error(err)
	}
}

// TestKeysChangeBetweenSealAndDraw changes both keys while a game is sealed and
// half drawn. The new device draws on under the old seal and signs with its key.
func TestKeysChangeBetweenSealAndDraw(t *testing.T) {
	r := newRig(t, "mid draw")
	r.openDay("2026-11-15")
	r.sell(1, 2, oneSpot)
	must(t, r.engine.TurnGame(r.tick(), series, r.now+180_000))
	r.take()
	sealKey := r.engine.State().Volume().HouseKey
	n := r.next(record.ReasonKeys)
	n.House, n.HouseKey = r.newKey()
	private, public, err := journal.GenerateKey(r.random, "rig.example/device")
	must(t, err)
	n.DeviceKey = public
	must(t, r.engine.BeginVolume(r.tick(), n))
	r.take()
	r.device = r.newDevice(private, sealKey)
	if g := r.drawAndSettle(1); g.Phase != state.PhaseSettled {
		t.Errorf("the game is %v", g.Phase)
	}
	if _, err := replay(r.batches); err != nil {
		t.Error(err)
	}
}

// TestVolumeNeedsNothingPending: a batch is of one volume.
func TestVolumeNeedsNothingPending(t *testing.T) {
	r := newRig(t, "pending")
	r.openDay("2026-11-15")
	r.sell(1, 1, oneSpot)
	if err := r.engine.BeginVolume(r.tick(), r.next(record.ReasonYear)); !errors.Is(err, ErrPending) {
		t.Errorf("a volume began with a ticket pending: %v", err)
	}
	r.take()
	r.turnVolume()
	r.sell(1, 1, oneSpot)
	r.take()
	last := r.batches[len(r.batches)-1]
	if last.Volume != 2 || last.From != 1 {
		t.Errorf("the next batch is at %d:%d", last.Volume, last.From)
	}
}

// TestVolumeRefuses: what a volume cannot begin with leaves the engine as it was.
func TestVolumeRefuses(t *testing.T) {
	r := newRig(t, "refuses")
	earlier := r.batches[0].Checkpoint
	r.openDay("2026-11-15")
	foreign, foreignKey := r.newKey()
	for name, change := range map[string]func(*NextVolume){
		"an old checkpoint":       func(n *NextVolume) { n.Previous = earlier },
		"no checkpoint":           func(n *NextVolume) { n.Previous = nil },
		"its own number":          func(n *NextVolume) { n.Volume = 1 },
		"a number without serial": func(n *NextVolume) { n.Volume = 1000 },
		"no signer":               func(n *NextVolume) { n.House = nil },
		"another's signer":        func(n *NextVolume) { n.House = foreign },
		"another's key":           func(n *NextVolume) { n.HouseKey = foreignKey },
		"no device":               func(n *NextVolume) { n.DeviceKey = "" },
		"no reason":               func(n *NextVolume) { n.Reason = "" },
		"founded again":           func(n *NextVolume) { n.Reason = record.ReasonFound },
		"nothing lost":            func(n *NextVolume) { n.Abandoned = [][]byte{n.Previous} },
	} {
		n := r.next(record.ReasonYear)
		change(&n)
		before := r.engine.State().Hash()
		if err := r.engine.BeginVolume(r.tick(), n); err == nil {
			t.Fatalf("%s: a volume began", name)
		}
		if _, pending, _ := r.engine.Take(); pending || r.engine.State().Hash() != before {
			t.Fatalf("%s: the engine has changed", name)
		}
	}
	if err := New(nil).BeginVolume(r.now, r.next(record.ReasonYear)); err == nil {
		t.Error("a house without records ended a volume")
	}
}

// TestLostKey begins a volume without the key of the one before: it is signed by
// the new key alone, and says so to anybody who asks.
func TestLostKey(t *testing.T) {
	r := newRig(t, "lost key")
	r.openDay("2026-11-15")
	n := r.next(record.ReasonKeys)
	n.House, n.HouseKey = r.newKey()
	before := r.engine.State().Volume()
	lost, err := replay(r.batches)
	must(t, err)
	if _, err := lost.Sell(r.tick(), counter.Sale{}); err == nil {
		t.Error("sold without a key")
	}
	must(t, lost.BeginVolume(r.tick(), n))
	begun := lost.State().Volume()
	if _, handed, err := begun.Follows(&before); err != nil || handed {
		t.Errorf("handed over by a key that is lost: %v, %v", handed, err)
	}
	must(t, r.engine.BeginVolume(r.tick(), n))
	begun = r.engine.State().Volume()
	if _, handed, err := begun.Follows(&before); err != nil || !handed {
		t.Errorf("not handed over: %v", err)
	}
}

// TestAbandoned restores a journal that lacks its end, of which a witness still
// holds a checkpoint. The next volume names it, and takes a number that was never
// used.
func TestAbandoned(t *testing.T) {
	r := newRig(t, "abandoned")
	r.openDay("2026-11-15")
	r.sell(1, 3, oneSpot)
	r.take()
	backup := slices.Clone(r.batches)
	_, lost := r.sell(1, 3, oneSpot)
	r.take()
	held := r.batches[len(r.batches)-1].Checkpoint
	r.turnVolume()
	heldToo := r.batches[len(r.batches)-1].Checkpoint

	restored, err := replay(backup)
	must(t, err)
	n := r.next(record.ReasonRestore)
	n.Previous, n.Abandoned, n.Volume = backup[len(backup)-1].Checkpoint, [][]byte{held, heldToo}, 3
	must(t, restored.BeginVolume(r.tick(), n))
	begun := restored.State().Volume()
	body, err := begun.Statement(&record.VolumeBegun{House: begun.House, Volume: 1, HouseKey: begun.HouseKey})
	must(t, err)
	if len(body.Abandoned) != 2 || body.Abandoned[0].Size != lost.Place.Seq+1 ||
		body.Abandoned[1].Origin != "rig.example/v2" {
		t.Errorf("abandoned %+v", body.Abandoned)
	}
	if next := restored.State().Next(); next != (record.Place{Volume: 3, Seq: 1}) {
		t.Errorf("goes on at %v", next)
	}
}

// TestDamageAtTheSeam damages the end of one volume or the beginning of the next,
// one thing at a time. No replay passes over it.
func TestDamageAtTheSeam(t *testing.T) {
	r := newRig(t, "seam")
	r.openDay("2026-11-15")
	r.sell(1, 4, oneSpot)
	r.take()
	r.sell(1, 4, oneSpot)
	r.take()
	r.turnVolume()
	first := len(r.batches) - 1 // of volume 2
	reencoded := func(change func(*record.VolumeBegun)) func([]Pending) []Pending {
		return func(all []Pending) []Pending {
			rec, err := record.Decode(all[first].Entries[0].Data)
			must(t, err)
			change(rec.Body.(*record.VolumeBegun))
			data, err := record.Encode(rec)
			must(t, err)
			all[first].Entries = []Entry{{Data: data}}
			tree := journal.NewTree()
			tree.Append(data)
			all[first].Root = tree.Root() // As a person who can change records can change roots.
			return all
		}
	}
	for name, damage := range map[string]func([]Pending) []Pending{
		"the last batch of the old volume lost": func(all []Pending) []Pending { return slices.Delete(all, first-1, first) },
		"a record of the old volume behind its end": func(all []Pending) []Pending {
			return slices.Insert(all, first, Pending{Volume: 1, Entries: []Entry{{Data: burned(t, r.now)}}})
		},
		"the beginning left out": func(all []Pending) []Pending {
			return append(all[:first], Pending{Volume: 2, Entries: []Entry{{Data: burned(t, r.now)}}})
		},
		"the beginning twice": func(all []Pending) []Pending { return append(all, all[first]) },
		"another state":       reencoded(func(v *record.VolumeBegun) { v.State[0] ^= 1 }),
		"another number":      reencoded(func(v *record.VolumeBegun) { v.Volume = 3 }),
		"another house key":   reencoded(func(v *record.VolumeBegun) { _, v.HouseKey = r.newKey() }),
		"another device key":  reencoded(func(v *record.VolumeBegun) { v.DeviceKey = v.HouseKey }),
		"another serial key":  reencoded(func(v *record.VolumeBegun) { v.SerialKey[0] ^= 1 }),
		"another reason":      reencoded(func(v *record.VolumeBegun) { v.Reason = record.ReasonRestore }),
		"no handover":         reencoded(func(v *record.VolumeBegun) { v.Handover = nil }),
		"an earlier end":      reencoded(func(v *record.VolumeBegun) { v.Previous = r.batches[first-2].Checkpoint }),
		"something abandoned": reencoded(func(v *record.VolumeBegun) { v.Abandoned = [][]byte{v.Previous} }),
		"founded a second time": reencoded(func(v *record.VolumeBegun) {
			*v = record.VolumeBegun{House: v.House, Volume: 1, Level: 1, HouseKey: v.HouseKey, DeviceKey: v.DeviceKey,
				Reason: record.ReasonFound}
		}),
	} {
		e, err := replay(damage(slices.Clone(r.batches)))
		if err == nil {
			t.Errorf("%s: replayed to %v", name, e.State().Next())
		}
	}
	if _, err := replay(r.batches); err != nil {
		t.Fatal(err)
	}
}

// burned is a record that could stand anywhere but at the beginning of a volume.
func burned(t *testing.T, at record.Time) []byte {
	t.Helper()
	data, err := record.Encode(record.Record{Time: at, Body: &record.RequestBurned{Terminal: 2, Number: 77}})
	must(t, err)
	return data
}

// TestVolumesAtRandomPlaces turns the volume at random moments of a day, with and
// without other keys. No place is used twice, and the replay is equal.
func TestVolumesAtRandomPlaces(t *testing.T) {
	for seed := range uint64(5) {
		r := newRig(t, "random places "+string(rune('a'+seed)))
		random := rand.New(rand.NewPCG(seed, 1))
		r.openDay("2026-11-15")
		for range 12 {
			for range random.IntN(4) {
				r.sell(1, 1+random.IntN(5), oneSpot)
			}
			r.take()
			switch random.IntN(3) {
			case 0:
				r.turnVolume()
			case 1:
				r.rotate()
			}
			r.play()
		}
		seen := map[record.Place]bool{}
		for _, batch := range r.batches {
			for i, entry := range batch.Entries {
				if want := (record.Place{Volume: batch.Volume, Seq: batch.From + uint64(i)}); entry.Place != want || seen[want] {
					t.Fatalf("a record at %v stands at %v", entry.Place, want)
				}
				seen[entry.Place] = true
			}
		}
		again, err := replay(r.batches)
		must(t, err)
		a, b := again.State().Hash(), r.engine.State().Hash()
		if !bytes.Equal(a[:], b[:]) {
			t.Errorf("seed %d: another state", seed)
		}
	}
}
