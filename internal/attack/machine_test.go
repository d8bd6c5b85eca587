package attack

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"drawhouse/internal/outside"
	"drawhouse/journal"
)

// deadlyAttacks want to end the house that others attack as well.
var deadlyAttacks = []attack{
	{"an amount beyond all others ends the house", overflow},
	{"anonymous requests end the house", anonymous},
}

// lonelyAttacks need a house of their own, or none.
var lonelyAttacks = []attack{
	{"a Keno Day of the future keeps the house from today", futureDay},
	{"strangers on the machine ask the draw device", askDevice},
	{"keys that everybody can read are used", openKeys},
	{"strangers on the machine read what was founded and exported", openFiles},
	{"the operator gets links of games to come", linksAhead},
}

// anonymous: strangers ask for a bingo room that there is not, while games close.
func anonymous(t *testing.T, a *arena) string {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var all sync.WaitGroup
	for range 400 {
		all.Go(func() {
			for ctx.Err() == nil && a.Alive() {
				a.AskIn(ctx, http.MethodGet, "/v1/hall/1", nil)
			}
		})
	}
	game := a.OnSale()
	outside.Wait(t, "two more games", func() bool { return !a.Alive() || a.OnSale() >= game+2 })
	stop()
	all.Wait()
	return a.Trouble()
}

// futureDay: people end the games of today and open a Keno Day that is years away.
func futureDay(t *testing.T, _ *arena) string {
	a := newArena(t)
	first, second := a.supervisor(), a.second()
	need(t, "closure", first.Ask(http.MethodPost, "/v1/operator/closure", outside.M{"at": time.Now().Add(time.Second)}))
	got := ""
	outside.Wait(t, "the future, or its refusal", func() bool {
		answer := both(t, first, second, "/v1/operator/days", outside.M{"day": "2099-01-01"})
		got = granted("a day of 2099", answer)
		return answer.OK() || answer.Code() != "day_is_open"
	})
	course := need(t, "course", first.Ask(http.MethodGet, "/v1/operator", nil))
	if !a.Alive() || course.Text("day") > time.Now().AddDate(0, 0, 2).Format(time.DateOnly) {
		return fmt.Sprintf("%s; the house is in %s", got, course.Text("day"))
	}
	return got
}

// overflow: people who may name amounts name the greatest there is, twice.
func overflow(t *testing.T, a *arena) string {
	const most = 9_223_372_036_854_775_807
	got := ""
	for range 2 {
		for _, cents := range []int{most, most / 2} {
			tried := map[string]outside.Answer{
				"a fill":  both(t, a.writerAway(), a.seniorAway(), "/v1/banks/moves", outside.M{"terminal": a.Away.ID, "move": "fill", "cents": cents}),
				"a count": both(t, a.writerAway(), a.seniorAway(), "/v1/banks/counts", outside.M{"terminal": a.Away.ID, "cents": cents}),
				"a limit": a.supervisor().Ask(http.MethodPut, fmt.Sprintf("/v1/venues/%d/limit", a.Venue), outside.M{"cents": cents}),
			}
			_, tried["a voucher"] = a.Away.Request("paper", func(number int) any {
				return outside.M{"kind": "gift_voucher", "cents": cents, "claim_hash": outside.HashOf(outside.CodeOf(a.Away.ID, number), a.Away.ID, number)}
			})
			for what, answer := range tried {
				if answer.OK() || answer.Err != nil || answer.Status >= http.StatusInternalServerError {
					got += fmt.Sprintf("%s of %d: %v; ", what, cents, answer)
				}
			}
		}
	}
	return got
}

// askDevice: a process without any credential asks a draw device on TCP.
func askDevice(t *testing.T, _ *arena) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	_, house, err := journal.GenerateKey(bytes.NewReader(make([]byte, 32)), "drawhouse.example")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	p, err := outside.Launch(t, "device", "--listen="+address, "--key="+filepath.Join(dir, "device.key"), "--name=drawhouse.example/device",
		"--book="+filepath.Join(dir, "book"), "--house-key="+house)
	if err != nil {
		t.Log(err)
		return ""
	}
	defer p.Kill()
	device := &outside.House{URL: "http://" + address}
	return granted("the device answers", device.Ask(http.MethodGet, "/v1/device", nil))
}

// openKeys: the files of the keys are readable by everybody on the machine.
func openKeys(t *testing.T, _ *arena) string {
	data := filepath.Join(t.TempDir(), "data")
	outside.Must(t, "found", "keno.example", "--rulebook=vic-keno-2015", "--data="+data)
	if err := eachFile(filepath.Join(data, "keys"), func(name string, _ fs.FileInfo) error { return os.Chmod(name, 0o644) }); err != nil {
		t.Fatal(err)
	}
	if p, err := outside.Launch(t, "serve", "--addr=127.0.0.1:0", "--data="+data); err == nil {
		p.Kill()
		return "the house opens with keys that everybody can read"
	}
	return ""
}

// openFiles: what found and journal export write can be read by others.
func openFiles(t *testing.T, _ *arena) string {
	dir := t.TempDir()
	data, out := filepath.Join(dir, "data"), filepath.Join(dir, "export")
	outside.Must(t, "found", "keno.example", "--rulebook=vic-keno-2015", "--data="+data)
	outside.Must(t, "journal", "export", "--data="+data, out)
	got := ""
	for _, name := range []string{data, out} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm()&0o077 != 0 {
			got += fmt.Sprintf("%s is %v; ", filepath.Base(name), info.Mode())
		}
	}
	err := eachFile(out, func(name string, info fs.FileInfo) error {
		if info.Mode().Perm()&0o077 != 0 {
			got += fmt.Sprintf("%s is %v; ", filepath.Base(name), info.Mode())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func eachFile(dir string, do func(name string, info fs.FileInfo) error) error {
	return filepath.Walk(dir, func(name string, info fs.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		return do(name, info)
	})
}
