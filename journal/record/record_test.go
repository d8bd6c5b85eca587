package record

import (
	"bytes"
	"encoding/hex"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
)

var rewrite = flag.Bool("rewrite", false,
	"write the goldens anew; old journals must stay readable, so understand every difference")

// samples holds one record of every kind.
func samples() map[Kind]Record {
	game := Game{Series: 1, Day: day.MustParse("2026-11-15"), Number: 417}
	request := Request{Terminal: 7, Number: 12, Body: [16]byte{1, 2, 3}}
	at := func(b Body, postings ...ledger.Posting) Record {
		return Record{Time: 1_794_700_800_000, Postings: postings, Body: b}
	}
	bodies := []Record{
		at(&VolumeBegun{
			House: "example.org/keno", Volume: 3, Level: 1, Build: "0.1.0", HouseKey: "house+1+key", DeviceKey: "device+1+key",
			SerialKey: Hash{9},
			Reason:    ReasonRestore, Previous: []byte("checkpoint"), StateForm: 2, State: make([]byte, 32),
			Abandoned: [][]byte{[]byte("another")}, Handover: []byte("note"),
		}),
		at(&RulebookAdopted{ID: "vic-keno-2015", Hash: Hash{1}, Book: []byte{0xa0}}),
		at(&RulebookAdopted{ID: "riverside-keno-1", Hash: Hash{1}, Book: []byte{0xa0},
			Text: []byte("rulebook: riverside-keno-1\n"), Reference: "letter 7"}),
		at(&SeriesBegun{Series: 1, Name: "vic-keno", Rulebook: Hash{1}, Schedule: "1"}),
		at(&VenueAdded{Venue: 1, Kind: "hotel", Name: "Corner Hotel", Listed: "corner-hotel"}),
		at(&TerminalAdded{Terminal: 7, Venue: 1, Channel: "writer"}),
		at(&DayOpened{Series: 1, Day: game.Day, OffsetSeconds: 39600}),
		at(&DayClosed{Series: 1, Day: game.Day, Games: 480, StateForm: 1, State: Hash{2}, Books: Hash{3}}),
		at(&GameOpened{Game: game, Ordinal: 90417, Closes: 1_794_700_980_000, Rulebook: Hash{1}, Schedule: "1",
			Rates: []PoolRate{{Spots: 7, Primary: 1000, Secondary: 500}}}),
		at(&TicketSold{
			Request: request, Session: 3, Method: "verbal", Runner: true, Replays: Place{Volume: 1, Seq: 300}, Series: 1,
			Ordinal: 90417,
			Ticket:  []byte{0x83, 1, 2, 3}, Ways: 1, CostCents: 200, Claim: Hash{5},
			Tenders: []Tender{{Kind: TenderCash, Cents: 200}},
		}, ledger.Debit(ledger.Cash, 1, 200), ledger.Credit(ledger.Unplayed, 0, 200)),
		at(&GameClosed{Game: game, Plays: 1, Ways: 1, StakesCents: 100,
			Contributions: []Contribution{{Spots: 7, StakesCents: 100, Primary: 100_000, Unseeded: 1}},
			Deferred:      []uint32{90416}, DeferredPlays: 1, DeferredWays: 1, DeferredStakesCents: 100},
			ledger.Debit(ledger.Unplayed, 0, 100), ledger.Credit(ledger.PrizeFund, 0, 75),
			ledger.Credit(ledger.Retained, 0, 25)),
		at(&GameSealed{Game: game, Seal: []byte("seal")}),
		at(&NumberDrawn{Game: game, Draw: 1, Number: 42, Bytes: []byte{0xff, 41}}),
		at(&GameDrawn{Game: game, Draw: 1, Note: []byte("draw")}),
		at(&GameSettled{Game: game, Revision: 1, Draw: 1, Multiplier: 2, Plays: 1, Ways: 1, StakesCents: 100, Winners: 1,
			WinningWays: 1, PrizesCents: 300, Reductions: []Reduction{{Limit: 0, Num: 3, Den: 4}}, WinnersHash: Hash{6},
			Awards:       []Award{{Spots: 7, Part: PartPool, AmountCents: 200, StakesCents: 100}},
			JackpotWins:  []JackpotWin{{Ticket: Place{Volume: 1, Seq: 20417}, Spots: 7, StakeCents: 100, ScheduleCents: 100}},
			JackpotCents: 200,
			Pools:        []Pool{{Spots: 7, Primary: 12345}}},
			ledger.Debit(ledger.PrizeFund, 0, 300), ledger.Credit(ledger.Prizes, 0, 300)),
		at(&TicketPaid{Request: request, Session: 4, Ticket: Place{Volume: 1, Seq: 20417}, Opening: Hash{7}, Series: 1,
			Parts: []PaidPart{{Ordinal: 90417, Cents: 300}}, Tenders: []Tender{{Kind: TenderCash, Cents: -300}}},
			ledger.Debit(ledger.Prizes, 0, 300), ledger.Credit(ledger.Cash, 1, 300)),
		at(&RequestBurned{Terminal: 7, Number: 13}),
		at(&PrizesCarried{Game: game, List: []Carried{{Ticket: Place{Volume: 1, Seq: 20417}, Run: 0, Cents: 400}}}),
		at(&TicketCancelled{Request: request, Session: 5, Ticket: Place{Volume: 1, Seq: 20417}, Opening: Hash{7}, Series: 1,
			Kept: 90418, RefundCents: 300, CarriedCents: 400, Tenders: []Tender{{Kind: TenderCash, Cents: -700}},
			Released: []Release{{Outcome: "heads_or_tails/heads", First: 90419, Last: 90420, Cents: 100}}},
			ledger.Debit(ledger.Unplayed, 0, 700), ledger.Credit(ledger.Cash, 1, 700)),
		at(&PoolOpened{Series: 1, Pool: Pool{Spots: 9, Primary: 100_000_000}}),
		at(&PoolMoved{Series: 1, Move: "reallocate", AmountCents: 500, Approval: "decision 12",
			Pools: []Pool{{Spots: 9, Primary: 100, Secondary: 200, Owed: 30, Seeded: 20, Waiting: 4, Aside: 5}}, ClosedSeries: 2,
			Closed: []Pool{{Spots: 7, Owed: 6}}}),
		at(&ParticipantsNamed{Series: 1, From: 90418, Names: []string{"nsw", "qld"}}),
		at(&JurisdictionReported{Game: game, Spots: 10, Jurisdiction: "nsw", GrowthCents: 123_456, StakesCents: 200}),
		at(&TermsChanged{Series: 1, From: 90500, Rulebook: Hash{1}, Schedule: "2", Approval: "decision 13"}),
		at(&GameDesignated{Game: game, Ordinal: 90417}),
		at(&VenueLicensed{Venue: 12, Series: 2, Sells: true, Approval: "decision 14"}),
		at(&SeriesLimited{Series: 1, LastDay: game.Day + 30, Games: 480, Approval: "decision 17"}),
		at(&PoolsTakenIn{Series: 2, System: "old keno", JackpotCents: 250_000_05, BonusCents: 700,
			Pools: []Pool{{Spots: 9, Primary: 250_000_000_000, Waiting: 50_000}}, Approval: "decision 18"},
			ledger.Debit(ledger.Bank, 0, 250_007_05), ledger.Credit(ledger.JackpotPrimary, ledger.Pool(2, 9), 250_000_00),
			ledger.Credit(ledger.JackpotWaiting, ledger.Pool(2, 9), 5), ledger.Credit(ledger.BonusPool, 0, 700)),
		at(&DrawVoided{Game: game, Draw: 1, Reason: "a ball broke", Clause: "11.4(a)", Approval: 5}),
		at(&GameVoided{Game: game, Draw: 2, Reason: "no power", Clause: "11.6", Approval: 6, RefundCents: 100,
			Pools: []Pool{{Spots: 7}}, BonusPool: 5},
			ledger.Debit(ledger.PrizeFund, 0, 75), ledger.Debit(ledger.Retained, 0, 25), ledger.Credit(ledger.Refunds, 0, 100)),
		at(&ResultCorrected{Game: game, Revision: 2, Numbers: []uint8{3, 80, 1}, Reason: "ball 2 was misread: tape 7",
			Clause: "11.1", Approval: 7, OverpaidCents: 500, ToppedCents: 4, Earned: []Earned{{Game: game, Cents: 7}},
			Day: game.Day + 3}),
		at(&PlayPaused{Series: 1, Reason: "device", By: 3}),
		at(&PlayResumed{Series: 1, By: 3}),
		at(&ClosureAnnounced{Series: 1, At: 1_794_702_000_000, By: 3}),
		at(&NoticeShown{Series: 1, Text: "The bar closes at ten.", By: 3}),
		at(&WitnessesNamed{Witnesses: []Witness{{Name: "inspector.example", Key: "inspector.example+1+key",
			Required: true}}}),
		at(&ResultConfirmed{Game: game, Draw: 1, Repeats: Game{Series: game.Series, Day: game.Day, Number: game.Number - 1},
			Reason: "the machine was watched", Approval: 7}),
		at(&LevelRaised{Level: LevelGuarded, Build: "drawhouse test"}),
		at(&PersonInvited{Person: 4, By: 1}),
		at(&PersonRecovered{Person: 1, Secret: Hash{4}, Reason: "the only administrator left the password at home"}),
		at(&LogBegun{Note: []byte("note")}),
		at(&LogWitnessed{Checkpoint: []byte("checkpoint"), By: []string{"inspector.example"}}),
		at(&JournalWitnessed{Checkpoint: []byte("checkpoint"), By: []string{"inspector.example"}}),
		at(&GameWitnessed{Game: game, Seal: []byte("seal"), By: []string{"inspector.example"}}),
		at(&PromotionBegun{Series: 1, Number: 3, Name: "Cup day", From: 90417, Last: 90500, AmountCents: 100_000,
			Approval: "decision 14", Bet: "classic", Spots: 5, Matched: 5, LeastCents: 200},
			ledger.Debit(ledger.PrizeFund, 0, 100_000), ledger.Credit(ledger.Promotions, 3, 100_000)),
		at(&PromotionChanged{Series: 1, Number: 3, Paused: true, Approval: "decision 15"}),
		at(&BonusMoved{Series: 2, From: 1, Amount: 98_765, Approval: "decision 16"}),
		at(&BonusAllocated{Series: 1, Number: 4, Ticket: Place{Volume: 1, Seq: 20417}, Terminal: 7,
			Bytes: []byte{1, 2, 3, 4, 5, 6, 7, 8}, Cents: 500, Tenders: []Tender{{Kind: TenderCash, Cents: -500}}},
			ledger.Debit(ledger.Promotions, 4, 500), ledger.Credit(ledger.Cash, 1, 500)),
		at(&OperatorAdded{Operator: 1, Name: "Keno Pty Ltd", Licence: "K 1", By: 1}),
		at(&VenueOperated{Venue: 1, Operator: 1, By: 1}),
		at(&HoursSet{Venue: 1, Hours: []Trading{{Weekday: 1, From: 600, To: 1320}, {Weekday: 5, From: 600, To: 1560}},
			By: 1}),
		at(&VenueRenamed{Venue: 1, Name: "River Hotel", By: 1}),
		at(&AreaAdded{Venue: 1, Area: 2, Name: "Bar", By: 1}),
		at(&TerminalPlaced{Terminal: 7, Area: 2, By: 1}),
		at(&DisplayReported{Venue: 1, Area: 2, Screen: ScreenDraw, Working: false, Reason: "silent"}),
		at(&TerminalKeyed{Terminal: 7, Key: [32]byte{3, 1}, By: 1}),
		at(&TerminalRevoked{Terminal: 7, Reason: "stolen", By: 1}),
		at(&PersonAdded{Person: 12, Details: Hash{4}, By: 1}),
		at(&PersonErased{Person: 12, Reason: "left, at their wish", By: 1}),
		at(&RoleGranted{Person: 12, Role: RoleSenior, Venue: 1, By: 1}),
		at(&RoleWithdrawn{Person: 12, Role: RoleSenior, Venue: 1, By: 1}),
		at(&PasswordSet{Person: 12, Secret: Hash{8}, By: 12}),
		at(&LockSet{Person: 12, Until: Forever, Reason: "on leave", By: 1}),
		at(&ShiftBegun{Person: 12, Role: RoleSenior, Venue: 1, Terminal: 7}),
		at(&ShiftEnding{Person: 12}),
		at(&ShiftEnded{Person: 12, By: 12}),
		at(&ApprovalRequested{Approval: 3, Action: "erase_person", Content: Hash{6},
			Roles: []Role{RoleSupervisor, RoleInspector}, Expires: 1_794_787_200_000, By: 1}),
		at(&ApprovalDecided{Approval: 3, Content: Hash{6}, Granted: true, By: 12}),
		at(&ApprovalUsed{Approval: 3, By: 1}),
		at(&DeviceChosen{Series: 1, Device: DeviceWitnessed,
			Custodians: []Custodian{{Name: "inspector.example", Key: "inspector.example+1+key"},
				{Name: "operator.example", Key: "operator.example+1+key"}}}),
		at(&BuildNamed{Build: "v2.1.0 0123abc", Binary: Hash{7}}),
		at(&VenueListed{Series: 1, Venue: 1, Listed: "corner-hotel", By: 3}),
		at(&RequestKeyed{Person: 3, Key: Hash{1}, Asked: Hash{2}, Answer: Place{Volume: 1, Seq: 20}}),
		at(&SaleRefused{Terminal: 7, Cause: CauseUnderAge, By: 3}),
		at(&RunnerDisputed{Dispute: 1, Venue: 1, Runner: 4, Finding: "a form came late", By: 3}),
		at(&RunnerDisputeDecided{Dispute: 1, Venue: 1, Finding: "the stake goes back", By: 3}),
		at(&DeviceRegistered{Series: 1, Number: 2, Device: DeviceCage, Maker: "Acme", Model: "Sphere 80", Serial: "A-17",
			Site: "main floor", Medium: "video 3", Reference: "approval 9", By: 3}),
		at(&DeviceInspected{Number: 2, Part: PartBalls, Sound: true, Finding: "no flaw", Authority: "test house",
			Reference: "report 7", Directed: true, By: 3}),
		at(&DrawInspected{Game: game, Revision: 1, Agrees: true, Witnessed: true, Finding: "as recorded",
			Reference: "report 8", By: 3}),
		at(&ChainCommitted{Series: 1, Day: game.Day, Custodian: "inspector.example", Note: []byte("commitment")}),
		at(&LinkReleased{Game: game, Draw: 1, Custodian: "inspector.example", Link: Hash{9}, By: 12}),
		at(&LinksCommitted{Series: 1, Day: game.Day, Custodian: "inspector.example", Note: []byte("commitment")}),
		at(&LinkGiven{Game: game, Custodian: "inspector.example", Link: Hash{9}, Path: []Hash{{7}, {8}}, By: 12}),
		at(&BeaconChosen{Series: 1, From: game.Day, Chain: Hash{8}, Key: bytes.Repeat([]byte{7}, 96),
			Genesis: 1_692_803_367_000, Period: 3}),
		at(&RoundGiven{Game: game, Round: 33_965_872, Signature: bytes.Repeat([]byte{6}, 48),
			Checkpoint: []byte("checkpoint")}),
		at(&CageStarted{Game: game, Draw: 1, Recorders: [2]uint32{12, 13}, By: 14}),
		at(&BallKeyed{Game: game, Draw: 1, Place: 3, Number: 42, By: 12}),
		at(&CageAttended{Series: 1, Act: CageFellBack, Place: 3, Video: "tape 7", Reason: "seen on the floor", By: 12,
			Approval: 3}),
	}
	bodies = append(bodies, moneySamples()...)
	bodies = append(bodies, claimSamples()...)
	bodies = append(bodies, venueSamples()...)
	byKind := map[Kind]Record{}
	for _, r := range append(bodies, hallSamples(at)...) {
		byKind[r.Kind()] = r
	}
	return byKind
}

func TestGoldens(t *testing.T) {
	for _, kind := range Kinds() {
		r, ok := samples()[kind]
		if !ok {
			t.Errorf("no sample of %v", kind)
			continue
		}
		data, err := Encode(r)
		if err != nil {
			t.Errorf("%v: %v", kind, err)
			continue
		}
		path := filepath.Join("testdata", "goldens", strings.ReplaceAll(kind.String(), " ", "-")+".hex")
		if *rewrite {
			if err := os.WriteFile(path, []byte(hex.EncodeToString(data)+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want, err := hex.DecodeString(strings.TrimSpace(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(data, want) {
			t.Errorf("%v encodes as %x, the golden is %x", kind, data, want)
		}
		back, err := Decode(want)
		if err != nil {
			t.Errorf("%v: golden does not decode: %v", kind, err)
			continue
		}
		if diff := cmp.Diff(normal(t, r), normal(t, back)); diff != "" {
			t.Errorf("%v: decoded golden differs:\n%s", kind, diff)
		}
	}
}

// normal maps a record through its encoding, where nil and empty are one.
func normal(t *testing.T, r Record) string {
	t.Helper()
	data, err := Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(data)
}

func TestDecodeRefuses(t *testing.T) {
	good, err := Encode(samples()[KindTicketPaid])
	if err != nil {
		t.Fatal(err)
	}
	longInteger := slices.Concat([]byte{good[0], 0x18}, good[1:]) // kind 15 in two bytes
	unknownKind := slices.Clone(good)
	unknownKind[1] = 0x17
	newVersion := slices.Clone(good)
	newVersion[2] = 0x02
	for name, data := range map[string][]byte{
		"nothing":         nil,
		"a number":        {1},
		"cut":             good[:len(good)-1],
		"trailing byte":   append(slices.Clone(good), 0),
		"long integer":    longInteger,
		"unknown kind":    unknownKind,
		"unknown version": newVersion,
		"too long":        make([]byte, MaxBytes+1),
	} {
		if r, err := Decode(data); err == nil {
			t.Errorf("%s: decoded as %v", name, r.Kind())
		}
	}
	if _, err := Decode(withField(t, samples()[KindTicketPaid])); !errors.Is(err, ErrNewer) {
		t.Errorf("a field that is not known: %v", err)
	}
	for name, data := range map[string][]byte{"unknown kind": unknownKind, "unknown version": newVersion} {
		_, err := Decode(data)
		if !errors.Is(err, ErrNewer) || errors.Is(err, ErrForm) {
			t.Errorf("%s: %v", name, err)
		}
		if said := WrittenBy(err, "drawhouse 9.1.0").Error(); !strings.Contains(said, "drawhouse 9.1.0") {
			t.Errorf("%s: %s", name, said)
		}
	}
	if _, err := Decode(longInteger); !errors.Is(err, ErrForm) || WrittenBy(err, "drawhouse 9.1.0") != err {
		t.Errorf("an integer that is longer than it needs to be: %v", err)
	}
}

// TestUnreleasedForm reads a record as programs before the first release wrote some: with fewer fields. The error says
// what to do, and not what the encoding says of it.
func TestUnreleasedForm(t *testing.T) {
	body, err := encMode.Marshal(&VenueAdded{Venue: 1, Kind: "hotel", Name: "Corner Hotel"})
	if err != nil {
		t.Fatal(err)
	}
	body[0]--                 // the length of its array
	body = body[:len(body)-1] // Listed, which is empty
	data, err := encMode.Marshal(envelope{Kind: KindVenueAdded, Version: 1, Time: 1, Body: body})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Decode(data)
	if !errors.Is(err, ErrUnreleased) || !errors.Is(err, ErrForm) || errors.Is(err, ErrNewer) {
		t.Fatal(err)
	}
	said := WrittenBy(err, "drawhouse 0.9.0").Error()
	for _, part := range []string{"venue added has 3 fields and not 4", "open the journal with the program that wrote it", "drawhouse 0.9.0"} {
		if !strings.Contains(said, part) {
			t.Errorf("it does not say %q: %s", part, said)
		}
	}
	if strings.Contains(said, "cbor") {
		t.Errorf("it speaks of the encoding: %s", said)
	}
}

// TestVersionsOfKinds reads a record of every kind in the version behind the one that is known, which is a newer
// program's, and in the version before it, where there was none.
func TestVersionsOfKinds(t *testing.T) {
	for kind, sample := range samples() {
		data, err := Encode(sample)
		if err != nil {
			t.Fatal(err)
		}
		at := 2 // behind the kind
		if kind >= 24 {
			at++ // It takes two bytes.
		}
		if data[at] != Version(kind) {
			t.Fatalf("%v is encoded as %x", kind, data[:4])
		}
		newer, before := slices.Clone(data), slices.Clone(data)
		newer[at]++
		before[at]--
		if _, err := Decode(newer); !errors.Is(err, ErrNewer) || !strings.Contains(err.Error(), kind.String()) {
			t.Errorf("version %d of %v: %v", newer[at], kind, err)
		}
		if _, err := Decode(before); !errors.Is(err, ErrForm) || errors.Is(err, ErrNewer) {
			t.Errorf("version %d of %v: %v", before[at], kind, err)
		}
	}
}

// withField encodes a record with one field more than this program knows.
func withField(t *testing.T, r Record) []byte {
	t.Helper()
	body, err := encMode.Marshal(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	body = append(append([]byte{body[0] + 1}, body[1:]...), 0)
	data, err := encMode.Marshal(envelope{Kind: r.Kind(), Version: rowOf[r.Kind()].version, Time: r.Time,
		Postings: r.Postings, Body: body})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestEncodeRefusesWhatDoesNotCheck(t *testing.T) {
	for name, change := range map[string]func(*Record){
		"unbalanced":    func(r *Record) { r.Postings[0].Cents++ },
		"no time":       func(r *Record) { r.Time = 0 },
		"no session":    func(r *Record) { r.Body.(*TicketSold).Session = 0 },
		"tender short":  func(r *Record) { r.Body.(*TicketSold).Tenders[0].Cents-- },
		"no terminal":   func(r *Record) { r.Body.(*TicketSold).Request.Terminal = 0 },
		"free ticket":   func(r *Record) { r.Body.(*TicketSold).CostCents = 0 },
		"no first game": func(r *Record) { r.Body.(*TicketSold).Ordinal = 0 },
	} {
		r := samples()[KindTicketSold]
		change(&r)
		if _, err := Encode(r); err == nil {
			t.Errorf("%s: encoded", name)
		}
	}
	paid := samples()[KindTicketPaid]
	body := paid.Body.(*TicketPaid)
	body.Parts = append(body.Parts, PaidPart{Ordinal: body.Parts[0].Ordinal, Cents: 1})
	body.Tenders[0].Cents--
	if _, err := Encode(paid); err == nil {
		t.Error("a payment that pays one game twice was encoded")
	}
}

func TestKindOf(t *testing.T) {
	for kind, r := range samples() {
		data, err := Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := KindOf(data); !ok || got != kind {
			t.Errorf("%v is read as %v, %v", kind, got, ok)
		}
	}
	for _, data := range [][]byte{nil, {0x85}, {0x84, 1}, {0x85, 0x18}, {0x85, 0x18, 0x10}} {
		if kind, ok := KindOf(data); ok {
			t.Errorf("%x is read as %v", data, kind)
		}
	}
}

func TestSubject(t *testing.T) {
	for kind, r := range samples() {
		place, ok := r.Subject()
		if want := slices.Contains([]Kind{
			KindTicketPaid, KindTicketCancelled, KindBonusAllocated, KindPaperReissued, KindPaperUndelivered,
			KindTicketDisqualified,
			KindTicketReinstated, KindTicketInvalidated, KindPrizeForfeited, KindAnonymitySet,
		}, kind); ok != want {
			t.Errorf("%v has subject %v: %v", kind, place, ok)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, r := range samples() {
		data, err := Encode(r)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Decode(data)
		if err != nil {
			return
		}
		again, err := Encode(r)
		if err != nil || !bytes.Equal(again, data) {
			t.Fatalf("%x decodes and encodes as %x, %v", data, again, err)
		}
	})
}

// The benchmarks measure a ticket as it is written out beside the general encoder
// and decoder, which are the yardstick.
func BenchmarkEncode(b *testing.B) {
	r := samples()[KindTicketSold]
	for name, encode := range map[string]func(Record) ([]byte, error){"written-out": marshal, "general": marshalAny} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := encode(r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	data, err := Encode(samples()[KindTicketSold])
	if err != nil {
		b.Fatal(err)
	}
	for name, decode := range map[string]func([]byte) (Record, error){"written-out": Decode, "general": decodeAny} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := decode(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
