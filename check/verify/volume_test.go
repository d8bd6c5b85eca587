package verify_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"drawhouse/check/verify"
	"drawhouse/journal"
	"drawhouse/journal/public"
	"drawhouse/journal/record"
)

// A turning is how a house begins another volume.
type turning struct {
	number  uint16
	reason  record.VolumeReason
	seed    byte // of the new house key, and of the device's after it; 0 keeps both
	silent  bool // the old key does not sign
	skipped int  // records at the end of the volume that are not in what it states
	// abandoned are checkpoints of what is lost, and lie changes the record before it is
	// signed.
	abandoned [][]byte
	lie       func(*record.VolumeBegun)
}

// turn begins another volume under a label.
func (h *house) turn(label string, to turning) {
	h.t.Helper()
	before, old := h.begun, h.signer
	end := h.checkpoint()
	if n := len(h.data) - to.skipped; to.skipped > 0 {
		tree := journal.NewTree()
		for _, data := range h.data[:n] {
			tree.Append(data)
		}
		end.Size, end.Root = tree.Size(), tree.Root()
	}
	previous, err := journal.SignCheckpoint(end, old)
	require(h.t, err)
	h.past[h.about.Volume] = h.data
	h.ended = public.Journal{Origin: end.Origin, Tree: h.tree}
	h.data, h.tree, h.about.Volume = nil, journal.NewTree(), to.number
	if to.seed != 0 {
		h.signer, h.about.HouseKey = key(h.t, houseName, to.seed)
		h.device, h.about.DeviceKey = key(h.t, "device", to.seed+1)
	}
	h.begun = &record.VolumeBegun{House: houseName, Volume: to.number, Level: 1, Build: "test", HouseKey: h.about.HouseKey,
		DeviceKey: h.about.DeviceKey,
		Reason:    to.reason, Previous: previous, StateForm: 1, State: bytes.Repeat([]byte{7}, 32), Abandoned: to.abandoned}
	if to.lie != nil {
		to.lie(h.begun)
	}
	body, err := h.begun.Statement(before)
	require(h.t, err)
	if to.silent {
		old = nil
	}
	h.begun.Handover, err = journal.SignVolume(body, h.signer, old)
	require(h.t, err)
	h.add(label, h.begun)
}

// tellVolumes tells of a house that changes its keys between the sale of a ticket and
// its game, and that later loses the end of a volume.
//
// One of one is $3.00 for a dollar and two of two $12.00.
func (h *house) tellVolumes(keys, restore turning) *house {
	h.t.Helper()
	h.found()
	h.open(1)
	h.sell("both", 1, 1, 2, 1, 200, classic(100, 1, 21))
	h.sell("first", 2, 1, 1, 1, 100, classic(100, 1))
	h.closeAndSeal(1, totals{plays: 2, ways: 2, stakes: 200, fund: 150, tickets: []string{"both", "first"}})
	h.draw(1, firstNumbers)
	h.settle(1, record.GameSettled{Multiplier: 2, Plays: 2, Ways: 2, StakesCents: 200, Winners: 1, WinningWays: 1,
		PrizesCents: 300}, []prize{{"first", 300, 1}})
	h.open(2)
	h.sell("old", 3, 2, 1, 1, 100, classic(100, 21, 22))
	keys.number, keys.reason = 2, record.ReasonKeys
	h.turn("volume 2", keys)
	h.pay("pay first", 4, "first", 1, 300)
	h.sell("new", 5, 2, 2, 1, 200, classic(100, 22))
	h.closeAndSeal(2, totals{plays: 3, ways: 3, stakes: 300, fund: 225, tickets: []string{"both", "old", "new"}})
	h.draw(2, secondNumbers)
	h.settle(2, record.GameSettled{Multiplier: 2, Plays: 3, Ways: 3, StakesCents: 300, Winners: 2, WinningWays: 2,
		PrizesCents: 1500}, []prize{{"old", 1200, 1}, {"new", 300, 1}})
	h.pay("pay old", 6, "old", 2, 1200)
	restore.number, restore.reason = 4, record.ReasonRestore
	h.turn("volume 4", restore)
	h.open(3)
	h.pay("pay new", 7, "new", 2, 300)
	h.cancel("cancelled", 8, "new", 2, 100, 0)
	return h
}

// lost is a checkpoint that somebody holds of a volume, signed by a key.
func lost(t testing.TB, volume uint16, size uint64, signer journal.Signer) []byte {
	t.Helper()
	signed, err := journal.SignCheckpoint(journal.Checkpoint{Origin: journal.VolumeOrigin(houseName, volume), Size: size,
		Root: journal.Hash{byte(size)}}, signer)
	require(t, err)
	return signed
}

// TestVolumes verifies a journal of three volumes under two keys.
func TestVolumes(t *testing.T) {
	_, oldKey := key(t, origin, 1)
	newSigner, newKey := key(t, houseName, 11)
	stranger, strangerKey := key(t, houseName, 33)
	abandoned := lost(t, 2, 900, newSigner)
	restore := turning{abandoned: [][]byte{abandoned}}
	honest := newHouse(t, lies{}).tellVolumes(turning{seed: 11}, restore)
	beyond := slices.Clone(honest.past[1])
	for _, c := range []struct {
		name string
		tell *house
		opts verify.Options
		want string // empty: it holds
	}{
		{"no keys", honest, verify.Options{}, ""},
		{"the new key", honest, verify.Options{HouseKey: newKey}, ""},
		{"the old key", honest, verify.Options{HouseKey: oldKey}, ""},
		{"the old device", honest, verify.Options{DeviceKey: honest.deviceOf(1)}, ""},
		{"a stranger's key", honest, verify.Options{HouseKey: strangerKey}, "names another house key"},
		{"a stranger's device", honest, verify.Options{DeviceKey: strangerKey}, "names another device key"},
		{"without the old signature", newHouse(t, lies{}).tellVolumes(turning{seed: 11, silent: true}, restore),
			verify.Options{}, ""},
		{"the new key without the old signature", newHouse(t, lies{}).tellVolumes(turning{seed: 11, silent: true}, restore),
			verify.Options{HouseKey: newKey}, "record 1:0"},
		{"the old key without the old signature", newHouse(t, lies{}).tellVolumes(turning{seed: 11, silent: true}, restore),
			verify.Options{HouseKey: oldKey}, "record 2:0"},
		{"both keys", newHouse(t, lies{}).tellVolumes(turning{seed: 11, silent: true}, restore),
			verify.Options{HouseKey: newKey, OtherKeys: []string{oldKey}}, ""},
		{"checkpoints of each volume", honest,
			verify.Options{Checkpoints: [][]byte{honest.at(1, len(beyond)), honest.at(1, 3), honest.at(2, 4), honest.signed()}},
			""},
		{"a checkpoint of another past", honest, verify.Options{Checkpoints: [][]byte{lost(t, 2, 4, newSigner)}},
			"written anew"},
		{"a checkpoint of the wrong key", honest, verify.Options{Checkpoints: [][]byte{lost(t, 1, 4, newSigner)}},
			"earlier checkpoint 1"},
		{"what was abandoned", honest, verify.Options{Checkpoints: [][]byte{abandoned}}, ""},
		{"less than that", honest, verify.Options{Checkpoints: [][]byte{lost(t, 2, 800, newSigner)}}, ""},
		{"more than was said to be lost", honest, verify.Options{Checkpoints: [][]byte{lost(t, 2, 901, newSigner)}},
			"export ends after"},
		{"a volume of which nothing was said", honest, verify.Options{Checkpoints: [][]byte{lost(t, 3, 5, newSigner)}},
			"is of the log"},
		{"a checkpoint of a stranger", honest, verify.Options{Checkpoints: [][]byte{lost(t, 2, 4, stranger)}},
			"earlier checkpoint 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			report := runBothWays(t, c.tell.files(), c.opts)
			switch {
			case c.want == "" && !report.OK():
				t.Error(report.Failure)
			case c.want != "" && (report.OK() || !strings.Contains(report.Failure.Error(), c.want)):
				t.Errorf("got %v, want %s", report.Failure, c.want)
			case c.want == "" && (len(report.Volumes) != 3 || report.Volume != 4 ||
				report.Records != uint64(len(honest.past[1])+len(honest.past[2])+len(honest.data))):
				t.Errorf("reported %+v", report)
			}
		})
	}
}

// at signs a checkpoint of a volume that has ended, with the key of that volume.
func (h *house) at(volume uint16, size int) []byte {
	h.t.Helper()
	tree := journal.NewTree()
	for _, data := range h.past[volume][:size] {
		tree.Append(data)
	}
	signer, _ := key(h.t, origin, 1)
	if volume > 1 {
		signer = h.signer
	}
	signed, err := journal.SignCheckpoint(journal.Checkpoint{Origin: journal.VolumeOrigin(houseName, volume),
		Size: uint64(size), Root: tree.Root()}, signer)
	require(h.t, err)
	return signed
}

// deviceOf returns the device key of a volume that has ended.
func (h *house) deviceOf(volume uint16) string {
	h.t.Helper()
	r, err := record.Decode(h.past[volume][0])
	require(h.t, err)
	return r.Body.(*record.VolumeBegun).DeviceKey
}

// TestLyingAboutVolumes lets the house lie where two volumes meet.
func TestLyingAboutVolumes(t *testing.T) {
	oldSigner, _ := key(t, origin, 1)
	oldDevice, _ := key(t, "device", 2)
	newSigner, _ := key(t, houseName, 11)
	keys, restore := turning{seed: 11}, turning{abandoned: [][]byte{lost(t, 2, 900, newSigner)}}
	volume := func(label string, to func(*record.VolumeBegun)) lies { return change(label, to) }
	for _, d := range []struct {
		damage
		keys turning
	}{
		{damage{"a sale cut off", lies{}, verify.CheckGames, "close 2", "2 plays of 2 ways for $2.00 were sold"},
			turning{seed: 11, skipped: 1}},
		{damage{"an end of another key", volume("volume 2",
			func(b *record.VolumeBegun) { b.Previous = lost(t, 1, 5, newSigner) }), verify.CheckHouse, "volume 2",
			"end of volume 1"}, keys},
		{damage{"another end than was signed for",
			volume("volume 2", func(b *record.VolumeBegun) { b.Previous = lost(t, 1, 5, oldSigner) }), verify.CheckHouse,
			"volume 2", "not what its record says"}, keys},
		{damage{"another key than was signed for",
			volume("volume 2", func(b *record.VolumeBegun) { b.DeviceKey = b.HouseKey }), verify.CheckHouse, "volume 2",
			"not what its record says"}, keys},
		{damage{"another state than was signed for", volume("volume 2", func(b *record.VolumeBegun) { b.State[0]++ }),
			verify.CheckHouse, "volume 2", "not what its record says"}, keys},
		{damage{"nothing signed", volume("volume 2", func(b *record.VolumeBegun) { b.Handover = nil }), verify.CheckHouse,
			"volume 2", "does not say what it follows"}, keys},
		{damage{"a loss left out", volume("volume 4", func(b *record.VolumeBegun) { b.Abandoned = nil }), verify.CheckHouse,
			"volume 4", "not what its record says"}, keys},
		{damage{"a volume in a volume", before("pay first", func(h *house) { h.add("again", h.begun) }), verify.CheckHouse,
			"again", "first record and no other"}, keys},
		{damage{"a seal by the old key", reseal(2, func(h *house) []byte {
			return h.seal(2, totals{plays: 3, stakes: 300, tickets: []string{"both", "old", "new"}}, oldSigner)
		}), verify.CheckSeal, "seal 2", "does not hold"}, keys},
		{damage{"a seal without the old tickets", reseal(2, func(h *house) []byte {
			return h.seal(2, totals{plays: 3, stakes: 300, tickets: []string{"new"}}, h.signer)
		}), verify.CheckSeal, "seal 2", "not that of ticket 1:"}, keys},
		{damage{"a seal without one old ticket", reseal(2, func(h *house) []byte {
			return h.seal(2, totals{plays: 3, stakes: 300, tickets: []string{"both", "new"}}, h.signer)
		}), verify.CheckSeal, "seal 2", "is not that of the tickets"}, keys},
		{damage{"a statement by the old device",
			restate(2, func(h *house) []byte { return h.result(2, secondNumbers, oldDevice) }), verify.CheckDraw, "drawn 2",
			"does not hold"}, keys},
		{damage{"paid again in another volume", before("pay old", func(h *house) { h.pay("again", 90, "first", 1, 300) }),
			verify.CheckPayments, "again", "by record 2:1"}, keys},
		{damage{"a ticket of the same number in another volume",
			change("pay old", func(b *record.TicketPaid) { b.Ticket.Volume = 2 }), verify.CheckPayments, "pay old",
			"has no prize"}, keys},
		{damage{"a request number used again", before("pay new", func(h *house) { h.add("again", burned(70, 3)) }),
			verify.CheckRequests, "again", "numbers rise"}, keys},
	} {
		t.Run(d.name, func(t *testing.T) {
			h := newHouse(t, d.lies).tellVolumes(d.keys, restore)
			report := runBothWays(t, h.files(), verify.Options{})
			expectFailure(t, report, d.check, h.places, d.record, d.reason)
			if got, want := report.Failure.Place.Volume, h.in[d.record]; got != want {
				t.Errorf("named a record of volume %d, want %d", got, want)
			}
		})
	}
}

// TestDamagedVolumes changes the files of an export of several volumes.
func TestDamagedVolumes(t *testing.T) {
	newSigner, _ := key(t, houseName, 11)
	h := newHouse(t, lies{}).tellVolumes(turning{seed: 11}, turning{abandoned: [][]byte{lost(t, 2, 900, newSigner)}})
	first, second := verify.EarlierFile(1, 0), verify.EarlierFile(2, 0)
	for _, c := range []struct {
		name string
		do   func(files)
		want string
	}{
		{"a volume missing", func(f files) { delete(f, second) }, "record 2:0"},
		{"volumes swapped", func(f files) { f[first], f[second] = f[second], f[first] }, "record 1:0"},
		{"the last byte of a volume", func(f files) { f[first][len(f[first])-1] ^= 1 }, "record 1:41"},
		{"a volume cut short", func(f files) { f[first] = f[first][:len(f[first])-9] }, "record 1:"},
		{"a volume with a tail", func(f files) { f[first] = append(f[first], 0) }, "should be its last"},
		{"a further file of a volume", func(f files) { f[verify.EarlierFile(1, 1)] = []byte{0} }, "after the checkpoint"},
		{"the bitmap of an old volume", func(f files) { f[verify.BitmapFile(1, 2, 1)][0] ^= 1 }, "is not the bitmap"},
		{"a volume not listed", func(f files) {
			f[verify.HouseFile] = bytes.Replace(f[verify.HouseFile], []byte("1,\n    2"), []byte("2"), 1)
		}, "continues an earlier volume"},
		{"no earlier volume listed", func(f files) {
			about := h.about
			f[verify.HouseFile] = about.Marshal()
		}, "continues an earlier volume"},
		{"a volume listed twice", func(f files) {
			f[verify.HouseFile] = bytes.Replace(f[verify.HouseFile], []byte("1,\n    2"), []byte("1,\n    1"), 1)
		}, "out of order"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := files{}
			for name, data := range h.files() {
				f[name] = bytes.Clone(data)
			}
			c.do(f)
			if report := runBothWays(t, f, verify.Options{}); report.OK() || !strings.Contains(report.Failure.Error(), c.want) {
				t.Errorf("got %v, want %s", report.Failure, c.want)
			}
		})
	}
}

// TestVolumeLeftOut demands that a volume names every number between the volume before and
// itself as abandoned, be it with an empty checkpoint. In a journal of before a number that
// is left out is a finding.
func TestVolumeLeftOut(t *testing.T) {
	signer, _ := key(t, origin, 1)
	empty, err := journal.SignCheckpoint(journal.Checkpoint{Origin: journal.VolumeOrigin(houseName, 3),
		Root: journal.EmptyRoot()}, signer)
	require(t, err)
	for _, c := range []struct {
		name      string
		level     uint8
		abandoned [][]byte
		fails     bool
		findings  uint64
	}{
		{"each is named", record.LevelGuarded, [][]byte{lost(t, 2, 5, signer), empty}, false, 0},
		{"one is left out", record.LevelGuarded, [][]byte{lost(t, 2, 5, signer)}, true, 0},
		{"all are left out", record.LevelGuarded, nil, true, 0},
		{"one was left out before", record.LevelFirst, [][]byte{lost(t, 2, 5, signer)}, false, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t, lies{})
			h.found()
			h.turn("volume 4", turning{number: 4, reason: record.ReasonRestore, abandoned: c.abandoned,
				lie: func(b *record.VolumeBegun) { b.Level = c.level }})
			report := runBothWays(t, h.files(), verify.Options{})
			if c.fails {
				expectFailure(t, report, verify.CheckHouse, h.places, "volume 4", "between them as abandoned")
			} else if !report.OK() || report.FindingCount != c.findings {
				t.Errorf("%v, findings %v", report.Failure, report.Findings)
			}
		})
	}
}
