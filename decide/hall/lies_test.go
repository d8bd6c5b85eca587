package hall_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/core/day"
	"drawhouse/decide/command"
	"drawhouse/decide/hall"
	"drawhouse/internal/cases"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

const liesSeed = "a room that lies"

// eventful plays a short session in which nearly everything happens once.
func eventful(t *testing.T) evening {
	t.Helper()
	e := newEvening(t, liesSeed, 4, command.Level{Name: "major", Within: 30, Share: 7000, SeedCents: 2000_00},
		command.Level{Name: "minor", Share: 3000, SeedCents: 500_00})
	set := record.SessionSet{Day: day.MustParse("2026-11-15"), FeeCents: 25_05, BooksMax: 3, Series: []string{cards}}
	for g := 1; g <= 4; g++ {
		plan := record.BingoPlan{Prizes: []record.PatternPrize{{Pattern: record.PatternBingo, Cents: 100_00},
			{Pattern: "four-corners", Cents: 20_00}}}
		if g == 2 {
			plan.JackpotNumbers, plan.JackpotShare = 2, 5000
		}
		set.Games = append(set.Games, plan)
	}
	_, err := e.Set(set)
	e.must(err)
	_, err = e.Enter("ann", cards, 101, 102, 0)
	e.must(err)
	_, err = e.Enter("bob", cards, 103, 103, 9)
	e.must(err)
	_, err = e.Enter("cay", cards, 105, 105, 0)
	e.must(err)
	_, err = e.Enter("dan", cards, 106, 106, 0)
	e.must(err)
	err = e.Do(command.UndoEntry{OfPlayer: command.OfPlayer{InSession: command.During(e.Ref()), Player: 4},
		Reason: "another book"}, cases.Supervisor)
	e.must(err)
	_, err = e.Issue(cards, 101, 105, 104)
	e.must(err)
	e.eventfulGames()
	e.eventfulEnd()
	return e
}

// eventfulGames plays a game with a line, a correction and a bingo, one for the
// jackpot, and one that fraud spoils.
func (e *evening) eventfulGames() {
	e.announce(100_00)
	e.call(101, 1, "four-corners", 1)
	e.claims(103, 1, "four-corners", string(hall.NotComplete))
	e.call(101, 1, "four-corners", 0)
	line := e.claims(101, 1, "four-corners", "accepted")
	_, err := e.Call(0)
	e.must(err)
	calls := slices.Clone(e.Standing().Calls)
	err = e.Do(command.CorrectCall{InGame: command.At(e.Playing()), Number: calls[0], Wrong: calls[1]}, cases.Dealer)
	e.must(err)
	e.call(103, 2, record.PatternBingo, 0)
	failed := command.OfDevice{InSession: command.During(e.Ref()), Device: 9}
	err = e.Do(command.FailDevice{OfDevice: failed}, cases.Dealer)
	e.must(err)
	err = e.Do(command.ReplaceDevice{OfDevice: failed, With: 10}, cases.Dealer)
	e.must(err)
	won := e.claims(103, 2, record.PatternBingo, "accepted")
	e.finish(100_00, 1)
	e.pay(1, line, 20_00, 0)
	e.pay(1, won, 100_00, 0)

	box, err := e.Box(cards, 105, 1)
	e.must(err)
	e.must(e.DrawJackpot(box.Number(14), box.Number(0)))
	e.announce(100_00)
	e.call(105, 1, record.PatternBingo, 0)
	won = e.claims(105, 1, record.PatternBingo, "accepted")
	e.finish(100_00, 1)
	game := e.Hall().Sessions[0].Games[1]
	e.pay(2, won, 100_00, game.Claims[won-1].Share.JackpotCents)
	err = e.Do(command.InvalidateBingo{InGame: command.At(record.BingoGame{Hall: 1, Session: 1, Game: 2}),
		Claims: []uint16{1}, Reason: "a card from outside",
		Refund: true, Forfeited: []uint32{2}}, cases.Casino)
	e.must(err)

	e.announce(200_00)
	_, err = e.Call(0)
	e.must(err)
	err = e.Do(command.BarPlayer{OfPlayer: command.OfPlayer{InSession: command.During(e.Ref()), Player: 3}, FeeVoid: true,
		Reason: "a device"}, cases.Supervisor)
	e.must(err)
	err = e.Do(command.VoidBingo{InGame: command.At(e.Playing()), Cause: string(hall.CauseFraud), Reason: "marked balls",
		Refund: true, Forfeited: []uint32{2}}, cases.Casino)
	e.must(err)
	e.Game++
}

// eventfulEnd closes the session early, settles a dispute and draws a promotion.
func (e *evening) eventfulEnd() {
	at := record.Of(time.Date(2026, 11, 15, 9, 0, 0, 0, time.UTC))
	err := e.Do(command.SignClosure{InSession: command.During(e.Ref()), At: (at).Time()}, cases.Supervisor)
	e.must(err)
	e.Wait(2 * time.Hour)
	err = e.Do(command.ReturnDevice{OfDevice: command.OfDevice{InSession: command.During(e.Ref()), Device: 10}},
		cases.Dealer)
	e.must(err)
	err = e.Do(command.CloseSession{InSession: command.During(e.Ref())}, cases.Supervisor)
	e.must(err)
	err = e.Do(command.PayRefund{OfPlayer: command.OfPlayer{InSession: command.During(e.Ref()), Player: 1}}, cases.Dealer)
	e.must(err)
	err = e.Do(command.RaiseDispute{InRoom: command.InRoom{Hall: 1}, Session: 1, Member: "ann", Subject: "a call"},
		cases.Dealer)
	e.must(err)
	first, second := int64(5_00), int64(15_00)
	dispute := command.OfDispute{InRoom: command.InRoom{Hall: 1}, Dispute: 1}
	e.must(e.Do(command.MoveDispute{OfDispute: dispute, Step: "decided", Text: "late", AwardCents: &first},
		cases.Supervisor))
	e.must(e.Do(command.MoveDispute{OfDispute: dispute, Step: "review"}, cases.Dealer))
	e.must(e.Do(command.MoveDispute{OfDispute: dispute, Step: "reviewed", Text: "late", AwardCents: &second},
		cases.Casino))
	e.must(e.Do(command.MoveDispute{OfDispute: dispute, Step: "advised"}, cases.Dealer))
	e.must(e.Do(command.PayAward{OfDispute: dispute, Parts: []command.MediumPart{{Medium: "cash", Cents: 15_00}}},
		cases.Dealer))
	set := e.Hall().Sessions[0].Set
	set.Games = set.Games[:1]
	_, err = e.Set(set)
	e.must(err)
	set.Session, set.FeeCents = e.Session, 20_00
	err = e.Do(command.ChangeSession{InSession: command.During(e.Ref()), SessionPlan: command.PlanOf(set)}, set.By)
	e.must(err)
	err = e.Do(command.CancelSession{InSession: command.During(e.Ref()), Reason: "the wrong evening"}, cases.Dealer)
	e.must(err)
}

// unseen are changes that nothing before them in the journal contradicts: what people
// planned, keyed, saw and said. Where it matters later, a later record does: books
// that were not issued, a seal of another name, a share of another prize. That
// somebody of a higher rank did it is always possible. Some bytes give the same number.
var unseen = strings.Fields(`
	HallOpened.Name HallOpened.Venue HallOpened.Levels[0].Name HallOpened.Levels[0].Within HallOpened.Levels[1].Name
	MemberSet.Member MemberSet.Ended
	SessionSet.Day SessionSet.Begins SessionSet.FeeCents SessionSet.BooksMax SessionSet.Games_shorter
	SessionSet.Games[0].Prizes_shorter SessionSet.Games[0].Prizes[0].Cents SessionSet.Games[0].Prizes[1].Cents
	SessionSet.Games[1].Prizes_shorter SessionSet.Games[1].Prizes[0].Cents SessionSet.Games[1].Prizes[1].Cents
	SessionSet.Games[1].JackpotNumbers SessionSet.Games[1].JackpotShare
	PlayerEntered.Books[0].First PlayerEntered.Books[0].Last PlayerEntered.Device
	ClaimOpened.Series ClaimOpened.Book ClaimOpened.Card ClaimOpened.Box ClaimOpened.Behalf ClaimChecked.Marked
	CallCorrected.Wrong DeviceReplaced.Device PlayerBarred.Reason BingoVoided.Reason SessionClosing.At
	SessionChanged.Set.Day SessionChanged.Set.Begins SessionChanged.Set.FeeCents SessionChanged.Set.BooksMax
	SessionChanged.Set.Games[0].Prizes_shorter SessionChanged.Set.Games[0].Prizes[0].Cents SessionChanged.Set.Games[0].Prizes[1].Cents
	EntryUndone.Reason SessionCancelled.Reason OutcomeInvalidated.Reason OutcomeInvalidated.Forfeited[0]
	DisputeRaised.Game DisputeRaised.Member DisputeRaised.Subject DisputeMoved.Text
	OfferNotified.Terms.Name OfferNotified.Terms.Particulars[0].Text OfferNotified.Terms.Particulars[1].Text
	OfferNotified.Terms.Available OfferNotified.Terms.Marketing OfferNotified.Terms.Present
	OfferNotified.Terms.Starts OfferNotified.Terms.Closes OfferNotified.Terms.Draws
	OfferNotified.Terms.Prizes[0].Kind OfferNotified.Terms.Prizes[0].Name OfferNotified.Terms.Prizes[0].ValueCents
	OfferNotified.Terms.Prizes[0].Conditions OfferNotified.Terms.Prizes[0].Alternative OfferNotified.Terms.Prizes[0].LiquorMillilitres
	OfferNotified.Approval OfferNotified.Confirms_shorter OfferNotified.Confirms[0] OfferNotified.Confirms[1]
	OfferStopped.Reason OfferStopped.Told OfferSealed.Scrutineer OfferTold.Reached
	OfferDrawn.Bytes[1][0] OfferDrawn.Bytes[1][1]
`)

// TestLyingRoom changes one thing at a time in the records of a room, signs the
// journal up to there anew, and expects package verify to say so. What it cannot
// know is listed.
func TestLyingRoom(t *testing.T) {
	e := eventful(t)
	e.must(cases.CheckHall(e.Engine.State()))
	e.replays()
	e.verifies()
	lies, kinds := e.lie(liesSeed, record.KindHallOpened)
	t.Logf("%d lies about %d kinds of records in a journal of %d", lies, kinds, len(e.Records))
	if lies < 200 || kinds < 25 {
		t.Errorf("only %d lies about %d kinds", lies, kinds)
	}
}

// lie tells every lie about the first two records of each kind from one on, and expects verify to see it. It
// returns how many lies were told, and about how many kinds.
func (e evening) lie(seed string, from record.Kind) (lies, kinds int) {
	e.t.Helper()
	signer := e.signer(seed)
	told := map[record.Kind]int{}
	for i, data := range e.Records {
		r, err := record.Decode(data)
		e.must(err)
		if r.Kind() < from || told[r.Kind()] >= 2 {
			continue
		}
		told[r.Kind()]++
		for _, lie := range liesAbout(e.t, data) {
			lies++
			if failure := e.verifyPrefix(signer, i, lie.data); failure == nil && !isUnseen(lie.path) {
				e.t.Errorf("record %d: nobody sees that %s was changed", i, lie.path)
			}
		}
	}
	return lies, len(told)
}

// signer returns the key of the house with a seed.
func (e evening) signer(seed string) journal.Signer {
	e.t.Helper()
	house, _, err := journal.GenerateKey(cases.NewScript(sha256.Sum256([]byte(seed))), "case.example")
	e.must(err)
	signer, err := journal.ParseSigner(house)
	e.must(err)
	return signer
}

func isUnseen(path string) bool {
	return strings.Contains(path, ".By.") || slices.Contains(unseen, strings.ReplaceAll(path, " ", "_"))
}

// lie is a record with one thing changed.
type lie struct {
	path string
	data []byte
}

// liesAbout returns all lies of one change about a record that still encode.
func liesAbout(t *testing.T, data []byte) (lies []lie) {
	t.Helper()
	for n := 0; ; n++ {
		r, err := record.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		count := n
		path := change(reflect.ValueOf(r.Body).Elem(), reflect.TypeOf(r.Body).Elem().Name(), &count)
		if path == "" {
			return lies
		}
		if changed, err := record.Encode(r); err == nil && !bytes.Equal(changed, data) {
			lies = append(lies, lie{path, changed})
		}
	}
}

// change changes the value with a number, counted through all fields, and returns its
// path; it is empty when there are no more.
func change(v reflect.Value, path string, n *int) string {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				if done := change(v.Field(i), path+"."+f.Name, n); done != "" {
					return done
				}
			}
		}
		return ""
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.Len() > 0 && v.Type().Elem().Kind() != reflect.Uint8 {
			if *n == 0 {
				v.Set(v.Slice(0, v.Len()-1))
				*n = -1
				return path + " shorter"
			}
			*n--
		}
		for i := range min(v.Len(), 2) {
			if done := change(v.Index(i), fmt.Sprintf("%s[%d]", path, i), n); done != "" {
				return done
			}
		}
		return ""
	}
	if *n > 0 {
		*n--
		return ""
	}
	if *n < 0 {
		return ""
	}
	*n = -1
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(v.Uint() + 1)
	case reflect.Int32, reflect.Int64, reflect.Int:
		v.SetInt(v.Int() + 1)
	}
	return path
}

// verifyPrefix verifies the journal up to a record, with that record changed, signed
// anew by the house.
func (e evening) verifyPrefix(signer journal.Signer, last int, changed []byte) *verify.Failure {
	e.t.Helper()
	records := append(slices.Clone(e.Records[:last]), changed)
	tree := journal.NewTree()
	for _, data := range records {
		tree.Append(data)
	}
	checkpoint, err := journal.SignCheckpoint(journal.Checkpoint{Origin: journal.VolumeOrigin("case.example", 1),
		Size: tree.Size(), Root: tree.Root()}, signer)
	e.must(err)
	files := export.Memory{}
	about := verify.House{House: "case.example", Volume: 1, HouseKey: e.Keys.House, DeviceKey: e.Keys.Device}
	if err := export.Write(context.Background(), files, about, checkpoint, prefix{records, e.Objects}); err != nil {
		return &verify.Failure{Reason: err.Error()}
	}
	return verify.Run(files, verify.Options{}).Failure
}

// prefix is the beginning of a journal, which is exported.
type prefix struct {
	records [][]byte
	objects map[string][]byte
}

func (p prefix) Records(_ context.Context, _ uint16, from, to uint64, fn func(uint64, []byte) error) error {
	for seq := from; seq < to; seq++ {
		if err := fn(seq, p.records[seq]); err != nil {
			return err
		}
	}
	return nil
}

func (p prefix) Object(_ context.Context, name string) ([]byte, error) {
	data, ok := p.objects[name]
	if !ok {
		return nil, fmt.Errorf("no object %s", name)
	}
	return data, nil
}
