package api

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/decide/counter"
	"drawhouse/journal/record"
)

// signOnFrom sends a password from an address.
func (r *rig) signOnFrom(address string, id uint32, password string) reply {
	request := httptest.NewRequest(http.MethodPost, "/v1/session",
		strings.NewReader(fmt.Sprintf(`{"person":%d,"password":%q}`, id, password)))
	request.RemoteAddr = address
	w := httptest.NewRecorder()
	r.handler.ServeHTTP(w, request)
	return reply{w.Code, w.Header(), w.Body.Bytes()}
}

// TestPasswordsAtOnce: anybody who sends many passwords at the same moment, from as many
// addresses, has no more guesses than a person who sends one after the other.
func TestPasswordsAtOnce(t *testing.T) {
	r := newRig(t)
	id := r.member(record.RoleSupervisor)
	s := r.handler.(*Server).server
	for range hashing {
		must(t, s.hashing.enter(t.Context(), "the test")) // Nothing is tried until all have come.
	}
	var group sync.WaitGroup
	var tried, refused atomic.Int64
	for i := range 40 {
		group.Go(func() {
			switch answer := r.signOnFrom(fmt.Sprintf("198.51.100.%d:1", i), id, "wrong"); answer.fault(t).Code {
			case SignOnWrong:
				tried.Add(1)
			case TooManyAttempts:
				refused.Add(1)
			default:
				t.Errorf("%d %s", answer.status, answer.body)
			}
		})
	}
	s.hashing.until(t, 40)
	for range hashing {
		s.hashing.exit()
	}
	group.Wait()
	if tried.Load() != guessedMost || refused.Load() != 40-guessedMost {
		t.Errorf("%d passwords were tried and %d refused; %d may be tried", tried.Load(), refused.Load(), guessedMost)
	}
	if locked, _ := r.house.People().Person(id); locked.Locked != record.Of(r.clock.Now().Add(lockedFor)) {
		t.Errorf("the journal says %+v", locked)
	}
}

// until waits until so many wait for room.
func (h *passwordQueue) until(t *testing.T, n int) {
	t.Helper()
	waitFor(t, fmt.Sprintf("%d who wait", n), func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		return h.count == n
	})
}

// waitFor waits for a condition.
func waitFor(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("there are not %s", what)
		}
	}
}

// TestNobodysPassword: a person who does not exist is answered as one who does, and waits for
// the same room: the answer tells nobody whether there is such a person.
func TestNobodysPassword(t *testing.T) {
	r := newRig(t)
	id := r.member(record.RoleSupervisor)
	s := r.handler.(*Server).server
	if s.hashing.took != 0 {
		t.Fatal("a password was hashed before somebody has signed on")
	}
	if answer := r.signOnFrom("198.51.100.1:1", 9999, "wrong"); answer.status != 401 {
		t.Fatalf("nobody's password: %d %s", answer.status, answer.body)
	}
	if s.hashing.took <= 0 {
		t.Error("nobody's password takes no time")
	}
	for range hashing {
		must(t, s.hashing.enter(t.Context(), "the test"))
		must(t, s.pretending.enter(t.Context(), "the test"))
	}
	answers := make(chan reply, 2)
	for _, who := range []uint32{id, 9999} {
		go func() { answers <- r.signOnFrom("198.51.100.1:1", who, "wrong") }()
	}
	s.hashing.until(t, 1)
	s.pretending.until(t, 1)
	for range hashing {
		s.hashing.exit()
		s.pretending.exit()
	}
	if one, other := <-answers, <-answers; one.status != 401 || one.status != other.status ||
		string(one.body) != string(other.body) {
		t.Errorf("answered was %s to the one and %s to the other", one.body, other.body)
	}
}

// TestSignOnIsNotStarved: while a stranger's address and a hundred others try passwords,
// anybody who signs on from an address of their own has the room after one turn of each
// address, and strangers beyond the bounds are sent away at once.
func TestSignOnIsNotStarved(t *testing.T) {
	r := newRig(t)
	id, other := r.member(record.RoleSupervisor), r.member(record.RoleSupervisor)
	s := r.handler.(*Server).server
	for range hashing {
		must(t, s.hashing.enter(t.Context(), "the test"))
	}
	var group sync.WaitGroup
	var sent atomic.Int64
	for range 150 {
		group.Go(func() {
			if answer := r.signOnFrom("198.51.100.66:1", other, "wrong"); answer.status == 503 {
				sent.Add(1)
			}
		})
	}
	waitFor(t, "142 who were sent away", func() bool { return sent.Load() == 150-waitEach })
	s.hashing.until(t, waitEach)
	good := make(chan reply)
	go func() { good <- r.signOnFrom("203.0.113.9:1", id, password) }()
	s.hashing.until(t, waitEach+1)
	// One turn of the stranger, and then it is the turn of the other address.
	s.hashing.exit()
	s.hashing.exit()
	if answer := <-good; answer.status != 200 {
		t.Errorf("the right password is answered with %d %s", answer.status, answer.body)
	}
	group.Wait()
}

// TestNumbersOfNobody: strangers of however many addresses who try numbers that are nobody's
// take no place of those who are somebody.
func TestNumbersOfNobody(t *testing.T) {
	r := newRig(t)
	id := r.member(record.RoleSupervisor)
	s := r.handler.(*Server).server
	for range hashing {
		must(t, s.pretending.enter(t.Context(), "the test"))
	}
	var group sync.WaitGroup
	for i := range 200 {
		group.Go(func() { r.signOnFrom(fmt.Sprintf("198.51.100.%d:1", i+1), uint32(5000+i), "wrong") })
	}
	s.pretending.until(t, waitMost)
	if answer := r.signOnFrom("203.0.113.9:1", id, password); answer.status != 200 {
		t.Errorf("the right password is answered with %d %s", answer.status, answer.body)
	}
	for range hashing {
		s.pretending.exit()
	}
	group.Wait()
}

// TestGuessesBehindAProxy: a proxy on this machine stands for everybody. What strangers guess
// through it keeps nobody out but the person whom they guess at, and a terminal that signs
// is counted for itself.
func TestGuessesBehindAProxy(t *testing.T) {
	r := newRig(t)
	id, other := r.member(record.RoleSupervisor), r.member(record.RoleWriter)
	const proxy = "127.0.0.1:1"
	for i := range 3 * guessedFrom {
		wantFault(t, r.signOnFrom(proxy, uint32(5000+i), "wrong"), 401, "sign_on_wrong", "")
	}
	for range guessedMost {
		wantFault(t, r.signOnFrom(proxy, other, "wrong"), 401, "sign_on_wrong", "")
	}
	wantFault(t, r.signOnFrom(proxy, other, password), 429, "too_many_attempts", "")
	if answer := r.signOnFrom(proxy, id, password); answer.status != 200 {
		t.Errorf("somebody else is answered with %d %s", answer.status, answer.body)
	}
}

// TestPasswordQueue: the queue has its bounds, gives up the places of who leaves, and makes
// room for an address that waits less than others.
func TestPasswordQueue(t *testing.T) {
	q := newPasswordQueue(1)
	must(t, q.enter(t.Context(), "first"))
	var group sync.WaitGroup
	defer group.Wait()
	wait := func(ctx context.Context, from string) chan error {
		done := make(chan error, 1)
		q.mu.Lock()
		before := q.count
		q.mu.Unlock()
		group.Go(func() { done <- q.enter(ctx, from) })
		if before < waitMost {
			q.until(t, before+1)
		}
		return done
	}
	leaving, leave := context.WithCancel(t.Context())
	gone := wait(leaving, "a")
	leave()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("who left: %v", err)
	}
	q.until(t, 0)
	var last []chan error
	for from := range waitMost / waitEach {
		for range waitEach {
			last = append(last, wait(t.Context(), fmt.Sprint(from)))
		}
	}
	if err := q.enter(t.Context(), "0"); err == nil {
		t.Error("an address waits more often than it may")
	}
	fresh := wait(t.Context(), "fresh")
	if err := <-last[waitEach-1]; err == nil {
		t.Error("nobody was sent away for an address that waits less")
	}
	q.until(t, waitMost)
	// Each address has one turn, and then the fresh one has.
	for range waitMost/waitEach + 1 {
		q.exit()
	}
	if err := <-fresh; err != nil {
		t.Errorf("the fresh address: %v", err)
	}
	for range waitMost - waitMost/waitEach {
		q.exit()
	}
	if q.free != 1 || q.count != 0 || len(q.turn) != 0 || len(q.waiting) != 0 {
		t.Errorf("at the end: %+v", q)
	}
}

// TestClaimCodesAtOnce holds claims at one terminal up until all have come: of those with a
// wrong code no more are tried than one after the other would be, and those that are right,
// or fail for another reason, do not count.
func TestClaimCodesAtOnce(t *testing.T) {
	for tickets, most := range map[int]int64{1: codesEach, 10: codesMost} {
		synctest.Test(t, func(t *testing.T) {
			s := &server{codes: newAttempts(codesMost, codesWindow, "codes", time.Now),
				codesOf: newAttempts(codesEach, codesWindow, "codes", time.Now)}
			claim := func(ticket int, do func() error) error {
				return s.guessing(record.Request{Terminal: 1}, []record.Place{{Volume: 1, Seq: uint64(ticket)}}, do)
			}
			for range 2 * codesMost {
				failed := &refusal.Refusal{Code: counter.NotDrawn}
				if err := errors.Join(claim(0, func() error { return nil }),
					claim(0, func() error { return failed })); !errors.Is(err, failed) {
					t.Fatalf("what is no wrong code counts as one: %v", err)
				}
			}
			var group sync.WaitGroup
			var tried, refused atomic.Int64
			held := make(chan struct{})
			for i := range 50 {
				group.Go(func() {
					err := claim(i%tickets, func() error {
						tried.Add(1)
						<-held
						return &refusal.Refusal{Code: counter.ClaimCodeOther}
					})
					if errors.As(err, new(*tooMany)) {
						refused.Add(1)
					}
				})
			}
			synctest.Wait()
			close(held)
			group.Wait()
			if tried.Load() != most || refused.Load() != 50-most {
				t.Errorf("%d tickets: %d codes were tried at once and %d refused; %d may be tried", tickets, tried.Load(),
					refused.Load(), most)
			}
		})
	}
}

// TestClaimCodesWhereverShown: a wrong code counts wherever one is shown, be it of a paper that
// pays for tickets or of a ticket whose prizes somebody under age is not to have.
func TestClaimCodesWhereverShown(t *testing.T) {
	locks := func(r *rig, action string, body func(code serial.ClaimCode) string,
		code serial.ClaimCode) func(serial.ClaimCode) reply {
		t.Helper()
		show := func(code serial.ClaimCode) reply {
			r.number++
			return r.send(http.MethodPut, fmt.Sprintf("/v1/terminals/1/requests/%d/%s", r.number, action), body(code))
		}
		for i := range byte(codesEach) {
			wrong := code
			wrong[0] ^= i + 1
			wantFault(t, show(wrong), 403, "claim_code_other", "claim_code")
		}
		wantFault(t, show(code), 429, "too_many_attempts", "")
		r.clock.advance(codesWindow)
		return show
	}
	vic := newRig(t)
	vic.openDay()
	vic.begins(1, 1)
	vic.number++
	code, err := serial.NewClaimCode(vic.random)
	must(t, err)
	hash := code.Hash(1, vic.number)
	var paper PaperIssued
	vic.send(http.MethodPut, fmt.Sprintf("/v1/terminals/1/requests/%d/paper", vic.number),
		fmt.Sprintf(`{"kind":"gift_voucher","cents":1000,"claim_hash":%q}`, hex.EncodeToString(hash[:]))).into(t, &paper)
	show := locks(vic, "session-end", func(code serial.ClaimCode) string {
		return fmt.Sprintf(`{"papers":[{"serial":%q,"claim_code":%q}]}`, paper.Serial, code)
	}, code)
	wantFault(t, show(code), 422, "voucher_no_change", "papers") // There is nothing to pay for.

	tas := newRigUnder(t, "tas-keno-2023", "licensed_premises", "")
	tas.openDay()
	sold, code := tas.sell(`{"v":1,"rulebook":"tas-keno-2023","first":"open","bets":[{"bet":"heads_or_tails","calls":["heads"],"stake_cents":1000}]}`)
	show = locks(tas, "forfeit", func(code serial.ClaimCode) string {
		return fmt.Sprintf(`{"serial":%q,"claim_code":%q}`, sold.Serial, code)
	}, code)
	wantFault(t, show(code), 409, "not_drawn", "serial")
}

// TestGuessesFromANetwork: who has an address of IPv6 has a net of them, and is one guesser.
func TestGuessesFromANetwork(t *testing.T) {
	r := newRig(t)
	for i := range guessedFrom {
		answer := r.signOnFrom(fmt.Sprintf("[2001:db8:1:2::%x]:1", i+1), uint32(1000+i), "wrong")
		wantFault(t, answer, 401, "sign_on_wrong", "")
	}
	wantFault(t, r.signOnFrom("[2001:db8:1:2:ffff::9]:1", 5000, "wrong"), 429, "too_many_attempts", "")
	wantFault(t, r.signOnFrom("[2001:db8:1:3::1]:1", 5000, "wrong"), 401, "sign_on_wrong", "")
}
