package watch_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"drawhouse/check/policy"
	"drawhouse/check/watch"
	"drawhouse/journal"
	"drawhouse/journal/public"
)

// asks returns a policy of all custodians and so many of three witnesses. Those who serve something have an address.
func (a *author) asks(most string, serves map[string][]byte) *policy.Policy {
	a.t.Helper()
	text := "log " + a.keys[origin].vkey + "\nlog " + a.keys[origin+"2"].vkey + "\n"
	everybody := append(custodians[:len(custodians):len(custodians)], outside...)
	for _, name := range everybody {
		text += "witness " + name + " " + a.cosigner(name).String()
		if note, ok := serves[name]; ok {
			text += " " + a.monitored(note, serves[name+"/quorum"])
		}
		text += "\n"
	}
	p, err := policy.Parse([]byte(text + "group custodians all " + strings.Join(custodians, " ") + "\ngroup outside " + most +
		" " + strings.Join(outside, " ") + "\ngroup all all custodians outside\nquorum all\n"))
	a.must(err)
	return p
}

var outside = []string{"w1.example", "w2.example", "w3.example"}

// monitored returns the address of a witness that has cosigned a checkpoint, and serves a quorum if that is not nil.
func (a *author) monitored(note, quorum []byte) string { return a.says(note, quorum, nil) }

// says is monitored for a custodian that publishes something, too.
func (a *author) says(note, quorum, published []byte) string {
	sum := sha256.Sum256([]byte(origin))
	front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		served := map[string][]byte{"checkpoint": note, "quorum": quorum}[strings.TrimPrefix(r.URL.Path,
			"/"+hex.EncodeToString(sum[:])+"/")]
		if r.URL.Path == "/published" {
			served = published
		}
		if served == nil {
			http.NotFound(rw, r)
			return
		}
		_, _ = rw.Write(served)
	}))
	a.t.Cleanup(front.Close)
	return front.URL
}

// all publishes the log with the cosignatures of everybody but some.
func (a *author) all(but ...string) log {
	everybody := append(custodians[:len(custodians):len(custodians)], outside...)
	return a.publish(len(a.entries), slices.DeleteFunc(everybody, func(name string) bool {
		return slices.Contains(but, name)
	})...)
}

// TestWatchFindsWhatIsShownToSome has a house that shows some of the custodians and witnesses another log than the
// reader, and lowers what it asks for. The reader asks for both custodians and for two of three witnesses.
func TestWatchFindsWhatIsShownToSome(t *testing.T) {
	otherSeal := insert(atSeal1, func(a *author) { a.records += 7 }) // The seal is over other records.
	for name, c := range map[string]struct {
		lie    func(*author)       // in the log that others are shown
		serves string              // who is shown it
		log    func(a *author) log // what the reader is shown
		most   string              // of the witnesses that the reader asks for
		code   public.Code         // "" for a policy that is refused
		says   string
	}{
		"a seal shown to one custodian only": {otherSeal, "alice.example", func(a *author) log { return a.all() }, "2",
			watch.LogSplit, "alice.example has cosigned 17 entries of keno.example/log with the root "},
		"a seal that one custodian was not shown": {nil, "", func(a *author) log { return a.all("bob.example") }, "2",
			watch.QuorumLow, "of custodians 1 of 2 count, and 2 must: bob.example has not cosigned"},
		"disjoint quorums, of which the reader sees one": {otherSeal, "w3.example",
			func(a *author) log { return a.all("w3.example") }, "2", watch.LogSplit, "w3.example has cosigned 17 entries of "},
		"disjoint quorums under a policy that lets there be two": {otherSeal, "w3.example",
			func(a *author) log { return a.all("w2.example", "w3.example") }, "1", "", "it is met by 1 of 3 "},
		"fewer witnesses than before": {nil, "", func(a *author) log {
			a.say(public.Witnesses, "required "+a.keys["alice.example"].vkey, "required "+a.keys["bob.example"].vkey)
			return a.all("w2.example", "w3.example")
		}, "2", watch.QuorumLow, "of outside 1 of 3 count, and 2 must: w2.example has not cosigned; w3.example has not cosigned"},
		"a custodian in the place of another": {nil, "", func(a *author) log {
			a.key("mallory.example")
			a.say(public.Device, "series "+series, "device witnessed", "custodian "+a.keys["alice.example"].vkey,
				"custodian "+a.keys["mallory.example"].vkey)
			return a.all()
		}, "2", "", "custodian mallory.example is no witness of it"},
	} {
		t.Run(name, func(t *testing.T) {
			a, serves := newAuthor(t), map[string][]byte{}
			a.key(origin + "2")
			if c.lie != nil {
				other := newAuthor(t)
				c.lie(other)
				serves[c.serves] = other.told().all()[watch.CheckpointPath]
			}
			a.told()
			w, err := watch.New(c.log(a), a.keys[house].vkey, a.asks(c.most, serves), "", nil)
			a.must(err)
			look, err := w.Look(t.Context())
			if c.code == "" {
				if err == nil || !strings.Contains(err.Error(), c.says) {
					t.Errorf("it says %v, want %q", err, c.says)
				}
				return
			}
			a.must(err)
			found, unread := w.Monitor(t.Context())
			if unread != nil {
				t.Error(unread)
			}
			names(t, append(look.Findings, found...), c.code, c.says)
		})
	}
}

// successor returns an author who goes on with log2, which names the log of a as changed.
func (a *author) successor(change func(*journal.LogBody)) *author {
	b := newAuthor(a.t)
	b.key(origin + "2")
	b.origin = origin + "2"
	b.journal, b.records = a.journal, a.records
	b.journal.Mark()
	tree := journal.NewTree()
	for _, e := range a.entries {
		tree.Append(e)
	}
	body := journal.LogBody{Origin: b.origin, Key: b.keys[b.origin].vkey, HouseKey: b.keys[house].vkey,
		DeviceKey: b.keys[house+"/device"].vkey, Journal: b.checkpoint(),
		Before: &journal.Checkpoint{Origin: origin, Size: tree.Size(), Root: tree.Root()}}
	change(&body)
	signed, err := journal.SignLog(body, b.keys[b.origin].signer, b.keys[house].signer)
	b.must(err)
	named := body.Journal
	b.say(public.Begun, note(signed), fmt.Sprintf("journal %s %d %v", named.Origin, named.Size, named.Root), "from 0")
	return b
}

// TestWatchTellsWhatACustodianRefuses has a custodian publish why it refuses what the house has signed. The reader is
// told once, and is told what is new.
func TestWatchTellsWhatACustodianRefuses(t *testing.T) {
	a := newAuthor(t).told()
	everybody := a.publish(len(a.entries), custodians...)
	published := []byte(`{"links":[],"refused":{"why":"the house lies"}}`)
	text := "log " + a.keys[origin].vkey + "\n"
	for i, name := range custodians {
		text += "witness " + name + " " + a.cosigner(name).String()
		if i == 0 {
			text += " " + a.says(everybody[watch.CheckpointPath], nil, published)
		}
		text += "\n"
	}
	asks, err := policy.Parse([]byte(text + "group both all " + strings.Join(custodians, " ") + "\nquorum both\n"))
	a.must(err)
	w, err := watch.New(everybody, a.keys[house].vkey, asks, "", nil)
	a.must(err)
	for i, want := range []string{`it says that it refuses: "the house lies"`, "", `it says that it refuses: "the house LIES"`} {
		if i == 2 {
			copy(published, `{"links":[],"refused":{"why":"the house LIES"}}`)
		}
		look, err := w.Look(t.Context())
		a.must(err)
		found, notes := w.Monitor(t.Context())
		if look.Findings != nil || found != nil || (want != "") != (len(notes) == 1) {
			t.Fatalf("%v, %v, %v", look.Findings, found, notes)
		}
		if want != "" && !strings.Contains(notes[0].Error(), want) {
			t.Errorf("%v, want %s", notes[0], want)
		}
	}
}

// TestWatchFollowsASuccessor goes on with the log that follows one which was lost, from memory and from a mirror, and
// finds what it gives up.
func TestWatchFollowsASuccessor(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*journal.LogBody)
		code   public.Code // "" for an honest one
		says   string
	}{
		"the end": {func(*journal.LogBody) {}, "", ""},
		"an end that nobody here was shown": {func(b *journal.LogBody) {
			b.Before.Size, b.Before.Root = b.Before.Size+3, journal.LeafHash(nil)
		}, "", ""},
		"another end": {func(b *journal.LogBody) { b.Before.Root = journal.LeafHash(nil) }, watch.LogForked,
			"keno.example/log2 follows keno.example/log with 17 entries and the root "},
		"entries given up": {func(b *journal.LogBody) {
			a := newAuthor(t).told()
			tree := journal.NewTree()
			for _, e := range a.entries[:12] {
				tree.Append(e)
			}
			b.Before.Size, b.Before.Root = 12, tree.Root()
		}, watch.LogLost, "keno.example/log2 follows keno.example/log with 12 entries, and 17 were signed: it gives up what the last 5 say"},
		"records given up": {func(b *journal.LogBody) { b.Journal.Size, b.Journal.Root = 3, journal.LeafHash(nil) },
			public.JournalForked, "keno.example/log2 begins with 3 records of keno.example/v1, and keno.example/log named 17"},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAuthor(t).told()
			folder, served := watch.Mirror(t.TempDir()), log{}
			b := a.successor(c.change)
			shows := func(by *author) {
				clear(served)
				for path, data := range by.publish(len(by.entries)) {
					served[path] = data
				}
			}
			follow := func(into watch.Mirror) (*watch.Watcher, watch.Look) {
				w, err := watch.New(served, a.keys[house].vkey, nil, into, nil)
				a.must(err)
				look, err := w.Resume(t.Context())
				a.must(err)
				if look.Findings != nil {
					t.Fatalf("the mirror has %v", look.Findings)
				}
				look, err = w.Look(t.Context())
				a.must(err)
				return w, look
			}
			shows(a)
			if _, look := follow(folder); int(look.Read) != len(a.entries) {
				t.Fatalf("%+v", look)
			}
			shows(b)
			_, look := follow(folder)
			if c.code != "" {
				names(t, look.Findings, c.code, c.says)
				return
			}
			if look.Findings != nil || look.Read != 1 || look.Checkpoint.Origin != origin+"2" {
				t.Errorf("%+v", look)
			}
			// The mirror has both logs, and goes on with the second one.
			b.say("kind-of-later", "more of it")
			shows(b)
			if _, look := follow(folder); look.Findings != nil || look.Read != 1 || look.Checkpoint.Size != 2 {
				t.Errorf("%+v", look)
			}
			second := watch.Open(filepath.Join(string(folder), "log2"))
			if found := a.look(second, nil); found != nil {
				t.Errorf("the mirror of the second has %v", found)
			}
		})
	}
}
