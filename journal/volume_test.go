package journal

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

// testVolume is the beginning of volume 3, after a restore that lost the end of
// volume 1 and all of volume 2, with a new key.
func testVolume(t testing.TB) (body VolumeBody, house, before Signer) {
	t.Helper()
	key := func(seed, name string) (Signer, string) {
		skey, vkey, err := GenerateKey(strings.NewReader(strings.Repeat(seed, 32)), name)
		if err != nil {
			t.Fatal(err)
		}
		signer, err := ParseSigner(skey)
		if err != nil {
			t.Fatal(err)
		}
		return signer, vkey
	}
	before, previousKey := key("old", "keno.example/vic")
	house, houseKey := key("new", "keno.example/vic")
	_, deviceKey := key("device", "keno.example/vic/device")
	root := longReference(t).root(t, 5000)
	return VolumeBody{
		Origin: VolumeOrigin("keno.example/vic", 3), Reason: "restore", HouseKey: houseKey, DeviceKey: deviceKey,
		SerialKey: Hash{1}, State: Hash{2},
		Previous:    Checkpoint{Origin: VolumeOrigin("keno.example/vic", 1), Size: 5000, Root: root},
		PreviousKey: previousKey,
		Abandoned: []Checkpoint{
			{Origin: VolumeOrigin("keno.example/vic", 1), Size: 5001, Root: Hash{3}},
			{Origin: VolumeOrigin("keno.example/vic", 2), Size: 17, Root: Hash{4}},
		},
	}, house, before
}

func TestVolumeGolden(t *testing.T) {
	body, house, before := testVolume(t)
	msg, err := SignVolume(body, house, before)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "volume.txt", msg)
	for _, key := range []string{body.HouseKey, body.PreviousKey} {
		h, err := OpenVolume(msg, key)
		if err != nil || !h.ByHouse || !h.ByPrevious || !reflect.DeepEqual(h.Body, body) {
			t.Errorf("opened by %s: %+v, %v", key, h, err)
		}
	}
	if _, err := OpenVolume(msg, body.DeviceKey); err == nil {
		t.Error("the device's key opens the beginning of a volume")
	}
}

// TestVolumeWithoutTheOldKey: who knows the new key alone is shown the old one as
// named, and not as having signed. Who knows the old one alone learns nothing.
func TestVolumeWithoutTheOldKey(t *testing.T) {
	body, house, before := testVolume(t)
	msg, err := SignVolume(body, house, nil)
	if err != nil {
		t.Fatal(err)
	}
	if h, err := OpenVolume(msg, body.HouseKey); err != nil || !h.ByHouse || h.ByPrevious {
		t.Errorf("%+v, %v", h, err)
	}
	if _, err := OpenVolume(msg, body.PreviousKey); err == nil {
		t.Error("opened by a key that did not sign")
	}
	// The old key alone cannot begin a volume in the new one's name.
	if msg, err = SignVolume(body, before, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenVolume(msg, body.HouseKey); err == nil {
		t.Error("opened by a key that did not sign")
	}
	if h, err := OpenVolume(msg, body.PreviousKey); err != nil || h.ByHouse {
		t.Errorf("%+v, %v", h, err)
	}
	// A key that stays signs once.
	body.HouseKey = body.PreviousKey
	if msg, err = SignVolume(body, before, before); err != nil || strings.Count(string(msg), "— ") != 1 {
		t.Errorf("%s: %v", msg, err)
	}
	if h, err := OpenVolume(msg, body.HouseKey); err != nil || !h.ByHouse || !h.ByPrevious {
		t.Errorf("%+v, %v", h, err)
	}
}

func TestVolumeRefuses(t *testing.T) {
	for what, change := range map[string]func(*VolumeBody){
		"no volume":                  func(b *VolumeBody) { b.Origin = "keno.example/vic" },
		"the volume itself":          func(b *VolumeBody) { b.Previous.Origin = b.Origin },
		"a later volume":             func(b *VolumeBody) { b.Previous.Origin = VolumeOrigin("keno.example/vic", 4) },
		"another house":              func(b *VolumeBody) { b.Previous.Origin = VolumeOrigin("keno.example/nsw", 1) },
		"an empty volume":            func(b *VolumeBody) { b.Previous.Size, b.Previous.Root = 0, EmptyRoot() },
		"no reason":                  func(b *VolumeBody) { b.Reason = "" },
		"a reason of two words":      func(b *VolumeBody) { b.Reason = "by mistake" },
		"no house key":               func(b *VolumeBody) { b.HouseKey = "" },
		"half a device key":          func(b *VolumeBody) { b.DeviceKey = b.DeviceKey[:40] },
		"no previous key":            func(b *VolumeBody) { b.PreviousKey = "" },
		"abandoned before the end":   func(b *VolumeBody) { b.Abandoned[0].Size = 5000 },
		"abandoned of an earlier":    func(b *VolumeBody) { b.Abandoned[0].Origin = VolumeOrigin("keno.example/vic", 0) },
		"abandoned of the new one":   func(b *VolumeBody) { b.Abandoned[1].Origin = b.Origin },
		"abandoned of another house": func(b *VolumeBody) { b.Abandoned[1].Origin = VolumeOrigin("keno.example/nsw", 2) },
		"abandoned twice":            func(b *VolumeBody) { b.Abandoned[0] = b.Abandoned[1] },
		"abandoned in the wrong order": func(b *VolumeBody) {
			b.Abandoned[0], b.Abandoned[1] = b.Abandoned[1],
				b.Abandoned[0]
		},
		"too much abandoned": func(b *VolumeBody) { b.Abandoned = make([]Checkpoint, MaxAbandoned+1) },
	} {
		body, house, before := testVolume(t)
		change(&body)
		if _, err := SignVolume(body, house, before); err == nil {
			t.Errorf("%s: signed", what)
		}
		if _, err := ParseVolume(body.Marshal()); err == nil {
			t.Errorf("%s: read", what)
		}
	}
}

func FuzzParseVolume(f *testing.F) {
	body, _, _ := testVolume(f)
	f.Add(body.Marshal())
	f.Fuzz(func(t *testing.T, text string) {
		if b, err := ParseVolume(text); err == nil && b.Marshal() != text {
			t.Errorf("%q marshals back as %q", text, b.Marshal())
		}
	})
}

// TestPlayProofAcrossVolumes proves a ticket of volume 3 into a game that was
// sealed in volume 7, with volume 5 between them.
func TestPlayProofAcrossVolumes(t *testing.T) {
	old := testSeal(t) // of which only the journal and the bitmap are used
	record, err := ProveRecord(4000, 5000, longReference(t))
	if err != nil {
		t.Fatal(err)
	}
	bit, err := testBitmap(t).Prove(4000)
	if err != nil {
		t.Fatal(err)
	}
	p := PlayProof{Seq: 4000, Leaf: LeafHash(testRecord(4000)), Record: record, Bit: bit}
	at := old.Checkpoint
	for _, volume := range []uint16{5, 7} {
		tree, first := NewTree(), []byte(VolumeOrigin("begins", volume))
		tree.Append(first)
		tree.Append([]byte("something else"))
		path, err := ProveRecord(0, 2, NewReader(tree, memory{}))
		if err != nil {
			t.Fatal(err)
		}
		p.Volumes = append(p.Volumes, VolumeProof{Previous: at, Leaf: LeafHash(first), Record: path})
		at = Checkpoint{Origin: VolumeOrigin("keno.example/vic", volume), Size: 2, Root: tree.Root()}
	}
	body := SealBody{Checkpoint: at, Game: old.Game, Plays: 1334, StakesCents: 1, Open: old.Open}
	if err := errors.Join(body.Check(), body.CheckPlay(p)); err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func(*PlayProof, *SealBody){
		"another end of a volume":  func(p *PlayProof, _ *SealBody) { p.Volumes[0].Previous.Root[0] ^= 1 },
		"a volume of its own past": func(p *PlayProof, _ *SealBody) { p.Volumes[1].Previous.Origin = at.Origin },
		"a volume of another house": func(p *PlayProof,
			_ *SealBody) {
			p.Volumes[0].Previous.Origin = VolumeOrigin("keno.example/nsw", 3)
		},
		"another first record":    func(p *PlayProof, _ *SealBody) { p.Volumes[1].Leaf[0] ^= 1 },
		"another path":            func(p *PlayProof, _ *SealBody) { p.Volumes[1].Record = nil },
		"a volume left out":       func(p *PlayProof, _ *SealBody) { p.Volumes = p.Volumes[1:] },
		"no volumes":              func(p *PlayProof, _ *SealBody) { p.Volumes = nil },
		"no bitmap of the volume": func(_ *PlayProof, b *SealBody) { b.Open = []Span{{Volume: 2, Length: 1}} },
	} {
		q, b := p, body
		q.Volumes = append([]VolumeProof(nil), p.Volumes...)
		change(&q, &b)
		if err := b.CheckPlay(q); !errors.Is(err, ErrProof) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
