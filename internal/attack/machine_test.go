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
	"slices"
	"strings"
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
	{"one address takes every stream", takeStreams},
	{"strangers on the machine ask the draw device", askDevice},
	{"keys that everybody can read are used", openKeys},
	{"strangers on the machine read what was founded and exported", openFiles},
	{"the operator gets links of games to come", linksAhead},
	{"strangers keep a person from signing on", starveSignOn},
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
	// A build from before announced it for one person alone.
	closure := need(t, "closure", first.Ask(http.MethodPost, "/v1/operator/closure",
		outside.M{"at": time.Now().Add(20 * time.Second)}))
	if number := closure.Int("number"); number != 0 {
		need(t, "consent", second.Ask(http.MethodPost, fmt.Sprintf("/v1/approvals/%d/decision", number),
			outside.M{"content": closure.Text("content"), "granted": true}))
		need(t, "the closure's use", first.Ask(http.MethodPost, fmt.Sprintf("/v1/approvals/%d/use", number), nil))
	}
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
				"a fill": both(t, a.writerAway(), a.seniorAway(), "/v1/banks/moves",
					outside.M{"terminal": a.Away.ID, "move": "fill", "cents": cents}),
				"a count": both(t, a.writerAway(), a.seniorAway(), "/v1/banks/counts",
					outside.M{"terminal": a.Away.ID, "cents": cents}),
				"a limit": a.supervisor().Ask(http.MethodPut, fmt.Sprintf("/v1/venues/%d/limit", a.Venue),
					outside.M{"cents": cents}),
			}
			_, tried["a voucher"] = a.Away.Request("paper", func(number int) any {
				return outside.M{"kind": "gift_voucher", "cents": cents,
					"claim_hash": outside.HashOf(outside.CodeOf(a.Away.ID, number), a.Away.ID, number)}
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

// streamsOfOne is how many streams of events one address may have open at once.
const streamsOfOne = 256

// takeStreams: one address follows the events with more streams than a venue has screens. The
// address is that of this machine, which a house counts that has no proxy on it. A build from
// before does not know the flag, and counts nothing.
func takeStreams(t *testing.T, _ *arena) string {
	flags := outside.Quick
	if help, err := outside.Run(t, "serve", "--help"); err != nil {
		t.Fatal(err)
	} else if strings.Contains(help, "--limit-local") {
		flags = append(slices.Clone(flags), "--limit-local")
	}
	h := outside.Demo(t, flags...)
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	follow := func(ctx context.Context) int {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, h.URL+"/v1/events", nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		if response.StatusCode != http.StatusOK {
			_ = response.Body.Close()
		} // Otherwise the stream is open until the context ends.
		return response.StatusCode
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	open, refused := 0, 0
	for range streamsOfOne + 20 {
		// The house bounds how often an address asks as well, and says when to come again.
		outside.Wait(t, "an answer", func() bool {
			switch follow(ctx) {
			case http.StatusOK:
				open++
				return true
			case http.StatusTooManyRequests:
				refused++
				return open >= streamsOfOne
			}
			return true
		})
	}
	if open > streamsOfOne {
		return fmt.Sprintf("%d streams of one address are open", open)
	}
	if refused == 0 {
		t.Error("nothing was refused, and nothing was taken")
	}
	if !h.Alive() {
		return "the house has ended"
	}
	stop() // Who closes the streams may follow again.
	outside.Wait(t, "a stream after the others have ended", func() bool { return follow(t.Context()) == http.StatusOK })
	return ""
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
	p, err := outside.Launch(t, "device", "--listen="+address, "--key="+filepath.Join(dir, "device.key"),
		"--name=drawhouse.example/device",
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
	outside.Must(t, append([]string{"found", "keno.example", "--data=" + data},
		outside.Rulebook(t, "vic-keno-2015")...)...)
	if err := eachFile(filepath.Join(data, "keys"),
		func(name string, _ fs.FileInfo) error { return os.Chmod(name, 0o644) }); err != nil {
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
	outside.Must(t, append([]string{"found", "keno.example", "--data=" + data},
		outside.Rulebook(t, "vic-keno-2015")...)...)
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
