package web

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/house/person"
	"drawhouse/journal/record"
)

const passphrase = "a long enough password"

// member brings in a person with a role and a password.
func (s *shop) member(role record.Role) uint32 {
	s.t.Helper()
	ctx := s.t.Context()
	details, err := person.NewDetails("A "+string(role), "", s.random)
	s.must(err)
	s.must(s.register.Put(ctx, details))
	secret, err := person.NewSecret(passphrase, person.LeastCost, s.random)
	s.must(err)
	s.must(s.register.PutSecret(ctx, secret))
	made, err := s.house.Do(ctx, command.Change{Command: staff.AddPerson{Details: details.Hash(), Secret: secret.Hash(),
		Grants: []state.Grant{{Role: role}}}}, record.By{})
	s.must(err)
	return staff.NumberOf(made)
}

// signOn opens the inspector's page and signs a person on.
func (s *shop) signOn(ctx context.Context, id uint32, password string) {
	s.t.Helper()
	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/inspector"))))
	awaitPage(s.t, ctx, "the form",
		`() => !document.getElementById("sign-on").hidden && document.activeElement.name === "person"`)
	keys(s.t, ctx, fmt.Sprint(id)+kb.Tab+password+kb.Enter)
}

// opened goes to a place of the page and waits until it is there.
func opened(t *testing.T, ctx context.Context, hash string) {
	t.Helper()
	call[chromedp.Void](t, ctx, `(hash) => { location.hash = hash; }`, hash)
	awaitPage(t, ctx, hash, `(hash) => document.documentElement.dataset.view === hash`, hash)
}

// soldAndPaid sells a ticket of eight single numbers, draws its game and pays it. It returns the
// serial and what was won.
func (s *shop) soldAndPaid(ctx context.Context) (serial string, won int) {
	s.t.Helper()
	s.enrolled(ctx)
	line(s.t, ctx, "1 / 2 / 3 / 4 / 5 / 6 / 7 / 8 s5")
	click(s.t, ctx, `#groups .join`)
	shows(s.t, ctx, "price", "$40.00")
	sells(s.t, ctx)
	serial, code := paperOnScreen(s.t, ctx, "Ticket")
	keys(s.t, ctx, kb.F9)
	shows(s.t, ctx, "settle-sums", "To pay $40.00")
	keys(s.t, ctx, "40"+kb.Enter)
	shows(s.t, ctx, "said", "Customer finished")
	game := s.turn()
	s.draw(game, 20)
	s.finish(game)
	if won = winnings(s.house.First().Games(2)[1])[0]; won == 0 {
		s.t.Fatal("the draw of this seed has no winners")
	}
	payOld(s.t, ctx, [2]string{serial, code}, won)
	return serial, won
}

// findKind returns the first record of a kind in the first volume.
func (s *shop) findKind(kind record.Kind) (seq uint64, r record.Record) {
	s.t.Helper()
	heads, err := s.store.Volumes(s.t.Context())
	s.must(err)
	found := false
	s.must(s.store.Records(s.t.Context(), heads[0].Volume, 0, heads[0].Size, func(n uint64, data []byte) error {
		one, err := record.Decode(data)
		if err == nil && !found && one.Kind() == kind {
			seq, r, found = n, one, true
		}
		return err
	}))
	if !found {
		s.t.Fatalf("the journal has no %v", kind)
	}
	return seq, r
}

// TestInspectorFindsADifference has an inspector read a day on which all is well. Then
// one drawn number is written over in the database, well formed as ever: the page says
// which records are in doubt, and which checks of the game fail.
func TestInspectorFindsADifference(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	said, asked := complaints(t, ctx), requests(t, ctx)
	s := openShop(t, "vic-keno-2015")
	inspector := s.member(record.RoleInspector)
	size(t, ctx, 1280, 720)
	serial, won := s.soldAndPaid(ctx)
	second := s.turn()
	s.draw(second, 20)
	s.finish(second)
	name := s.house.First().Games(3)[2].Ref.Day.String() + "/0"

	s.signOn(ctx, inspector, passphrase)
	shows(t, ctx, "verdict-title", "The records are those that the house signed")
	shows(t, ctx, "verdict-text", "2 seals in the journal fit")
	checkpoint := call[string](t, ctx, `async () => (await fetch("/v1/checkpoint")).text()`)
	opened(t, ctx, "#game/"+name)
	shows(t, ctx, "game-verdict", "Game "+name+" holds")
	shows(t, ctx, "game-verdict", "The seal stands before the first number. Holds.")
	shows(t, ctx, "game-verdict", "No more was paid than was won. Holds.")
	shows(t, ctx, "game", "Ticket paid "+dollars(won)+" of this game")
	judge(t, ctx, "inspector-game")
	opened(t, ctx, "#ticket/"+serial)
	shows(t, ctx, "view", "paid "+dollars(won))
	shows(t, ctx, "view", "1 of 1 on $5.00")
	shows(t, ctx, "view", "Rule S.classic")
	shows(t, ctx, "view", "Ticket sold")
	judge(t, ctx, "inspector-ticket")
	opened(t, ctx, "#journal")
	judge(t, ctx, "inspector-journal")

	seq, drawn := s.findKind(record.KindNumberDrawn)
	was := *drawn.Body.(*record.NumberDrawn)
	other := was
	other.Number = was.Number%80 + 1
	drawn.Body = &other
	data, err := record.Encode(drawn)
	s.must(err)
	s.gate.planted.Store(&plant{1, seq, data})
	click(t, ctx, "#recompute")
	shows(t, ctx, "verdict-title", "The records are not those that the house signed")
	shows(t, ctx, "verdict-text", "by the seal of game "+name)
	low := call[[]int](t, ctx,
		`() => [...document.getElementById("verdict-text").textContent.matchAll(/among the records 1:(\d+) to 1:(\d+)/g)][0].slice(1).map(Number)`)
	if int(seq) < low[0] || int(seq) > low[1] {
		t.Errorf("record %d was altered, and the page says %v", seq, low)
	}
	opened(t, ctx, "#game/"+name)
	shows(t, ctx, "game-verdict", "does not hold")
	shows(t, ctx, "game-verdict", "The signed numbers are those of the journal, in their order. Does not hold.")
	judge(t, ctx, "inspector-altered")
	opened(t, ctx, fmt.Sprintf("#record/1:%d", seq))
	shows(t, ctx, "view", fmt.Sprintf("number %d", other.Number))
	shows(t, ctx, "view", "have the root that the house signed. Does not hold.")

	s.brings(ctx, checkpoint, "Does not hold.")
	s.gate.planted.Store(nil)
	click(t, ctx, "#recompute")
	shows(t, ctx, "verdict-title", "The records are those that the house signed")
	s.brings(ctx, checkpoint, "Holds.")
	judge(t, ctx, "inspector-checkpoint")
	s.brings(ctx, strings.Replace(checkpoint, "\n", "x\n", 1), "Does not hold.")
	quiet(t, s, said(), asked())
}

// TestInspectorVolumes has a journal of two volumes: either can be read and judged, a
// checkpoint of the first is held against the first, and the archive has both.
func TestInspectorVolumes(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	said, asked := complaints(t, ctx), requests(t, ctx)
	s := openShop(t, "vic-keno-2015")
	inspector := s.member(record.RoleInspector)
	size(t, ctx, 1280, 720)
	serial, _ := s.soldAndPaid(ctx)
	checkpoint := call[string](t, ctx, `async () => (await fetch("/v1/checkpoint")).text()`)
	s.must(s.house.BeginVolume(t.Context(), record.ReasonYear))
	game := s.turn()
	s.draw(game, 20)
	s.finish(game)

	s.signOn(ctx, inspector, passphrase)
	shows(t, ctx, "verdict-title", "The records are those that the house signed")
	shows(t, ctx, "verdict-text", "1 seal in the journal")
	s.brings(ctx, checkpoint, "Volume 1 begins with the")
	shows(t, ctx, "brought-result", "Holds.")
	opened(t, ctx, "#ticket/"+serial)
	shows(t, ctx, "view", "Ticket paid")
	opened(t, ctx, "#takeaway")
	shows(t, ctx, "view", "of 2 volumes")
	judge(t, ctx, "inspector-takeaway")
	s.checkArchive(call[string](t, ctx, `async () => {
		const answer = await fetch(document.getElementById("archive").href);
		return btoa(Array.from(new Uint8Array(await answer.arrayBuffer()), (b) => String.fromCharCode(b)).join(""));
	}`))

	choose := func(volume string) {
		t.Helper()
		call[chromedp.Void](t, ctx,
			`(volume) => { const choice = document.getElementById("volume"); choice.value = volume; choice.dispatchEvent(new Event("change")); }`, volume)
		awaitPage(t, ctx, "volume "+volume,
			`(volume) => document.documentElement.dataset.state === "shown" && document.getElementById("volume").value === volume`, volume)
	}
	choose("1")
	shows(t, ctx, "volume-checks", "The first record of volume 2 names this end")
	shows(t, ctx, "verdict-title", "The records are those that the house signed")
	opened(t, ctx, "#games")
	judge(t, ctx, "inspector-volumes")
	opened(t, ctx, "#record/2:0")
	shows(t, ctx, "view", "2:0 Volume begun")

	seq, drawn := s.findKind(record.KindNumberDrawn)
	other := *drawn.Body.(*record.NumberDrawn)
	other.Number = other.Number%80 + 1
	drawn.Body = &other
	data, err := record.Encode(drawn)
	s.must(err)
	s.gate.planted.Store(&plant{1, seq, data})
	click(t, ctx, "#recompute")
	shows(t, ctx, "verdict-title", "The records are those that the house signed") // Of the newest volume, which is whole.
	choose("1")
	shows(t, ctx, "verdict-title", "The records are not those that the house signed")
	s.brings(ctx, checkpoint, "Does not hold.")
	quiet(t, s, said(), asked())
}

// TestInspectorOnADay looks at every part of the page after some hours of trade.
func TestInspectorOnADay(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShopAgo(t, "vic-keno-2015", 100*time.Minute)
	v := s.settle(10, 24, 30)
	v.trades(20)
	said, asked := complaints(t, ctx), requests(t, ctx)
	size(t, ctx, 1280, 720)
	inspector := s.member(record.RoleInspector)
	supervisor := s.member(record.RoleSupervisor)
	s.must(command.Outcome(s.house.Do(t.Context(), command.Pause{Reason: "A storm has taken the power"},
		record.By{Person: supervisor})))
	s.must(command.Outcome(s.house.Do(t.Context(), command.Resume{}, record.By{Person: supervisor})))
	s.must(command.Outcome(s.house.Do(t.Context(), command.ErasePayee{Payee: command.Payee{7}},
		record.By{Person: s.member(record.RoleAdministrator)})))
	for i, view := range []string{"#games", "#journal", "#exceptions", "#ticket/" + v.won[0], "#checkpoint", "#takeaway"} {
		if i == 0 {
			s.signOn(ctx, inspector, passphrase)
		} else { // The page is loaded anew for each view.
			s.must(chromedp.Do(ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(s.url("/inspector")+view)))
		}
		shows(t, ctx, "verdict-text", "20 seals in the journal fit")
		opened(t, ctx, view)
		if view == "#exceptions" {
			shows(t, ctx, "view", "Play paused A storm has taken the power")
			shows(t, ctx, "view", "Payee erased")
		}
		name, _, _ := strings.Cut(view[1:], "/")
		judge(t, ctx, "inspector-day-"+name)
		quiet(t, s, said(), asked())
	}
}

// checkArchive unpacks what the browser took and has it verified.
func (s *shop) checkArchive(text string) {
	s.t.Helper()
	data, err := base64.StdEncoding.DecodeString(text)
	s.must(err)
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	s.must(err)
	dir := s.t.TempDir()
	s.must(os.CopyFS(dir, archive))
	copied, err := export.OpenDir(filepath.Join(dir, "inspection"))
	s.must(err)
	board := s.house.Hub().Board().House
	report := verify.Run(copied, verify.Options{HouseKey: board.HouseKey, DeviceKey: board.DeviceKey})
	s.must(copied.Close())
	if !report.OK() || report.Settled != 2 {
		s.t.Errorf("%+v", report)
	}
}

// brings gives the page a checkpoint and reads what it says of it.
func (s *shop) brings(ctx context.Context, checkpoint, want string) {
	s.t.Helper()
	opened(s.t, ctx, "#journal")
	opened(s.t, ctx, "#checkpoint")
	call[chromedp.Void](s.t, ctx, `(note) => { document.getElementById("brought").value = note; }`, checkpoint)
	click(s.t, ctx, "#view form button")
	shows(s.t, ctx, "brought-result", want)
}

// TestInspectorIsRefused shows the page to those who may not use it, before there is
// anything to see, and when the house is away.
func TestInspectorIsRefused(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "vic-keno-2015")
	inspector, writer := s.member(record.RoleInspector), s.member(record.RoleSupervisor)
	size(t, ctx, 1280, 720)
	s.signOn(ctx, inspector, "another password")
	shows(t, ctx, "sign-on-fault", "Wrong number or password.")
	judge(t, ctx, "inspector-refused")
	s.signOn(ctx, writer, passphrase)
	shows(t, ctx, "sign-on-fault", "You are not an inspector of this house.")
	s.signOn(ctx, inspector, passphrase)
	shows(t, ctx, "verdict-title", "The records are those that the house signed")
	shows(t, ctx, "view", "This game is not sealed yet.")
	opened(t, ctx, "#exceptions")
	shows(t, ctx, "view", "Nothing out of the ordinary")
	judge(t, ctx, "inspector-empty")
	opened(t, ctx, "#record/1:99999")
	shows(t, ctx, "view", "Volume 1 has the records 0 to")
	call[chromedp.Void](t, ctx, `() => { location.hash = "#ticket/1234567890123450"; }`)
	awaitPage(t, ctx, "a refusal", `() => document.getElementById("notice").textContent !== ""`)
	s.down.Store(true)
	click(t, ctx, "#recompute")
	shows(t, ctx, "notice", "The house does not answer.")
	s.down.Store(false)
	click(t, ctx, "#sign-off")
	awaitPage(t, ctx, "the form",
		`() => !document.getElementById("sign-on").hidden && document.getElementById("desk").hidden`)
}

// TestInspectorKnowsTheKinds holds what the page takes for exceptions against the kinds
// of records that there are.
func TestInspectorKnowsTheKinds(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "vic-keno-2015")
	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/inspector"))))
	missing := call[[]string](t, ctx, `async () => {
		const [{ exceptional }, { kinds }] = await Promise.all([import("/web/inspector/explorer.js"), import("/web/inspector/kinds.js")]);
		const names = new Set(Object.values(kinds).map(([name]) => name));
		return [...exceptional].filter((name) => !names.has(name));
	}`)
	if len(missing) > 0 {
		t.Errorf("there are no records such as %q", missing)
	}
}
