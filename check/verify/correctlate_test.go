package verify_test

import (
	"crypto/sha256"
	"errors"
	"strings"
	"testing"

	"drawhouse/core/refusal"
	"drawhouse/decide/game"
	"drawhouse/internal/cases"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// misread plays a game by a ball machine and goes on to a Keno Day.
func misread(t *testing.T, to ...string) (*cases.Play, *teller) {
	t.Helper()
	play, err := cases.NewPlay("casino-keno-div2", nil, "misread", "house 2026-11-15")
	require(t, err)
	require(t, play.Machine())
	for _, line := range append([]string{"play 1-20", "sell A at T1 standard 1-3 @ 1.00", "play 4-23"}, to...) {
		_, err := play.Do(line)
		require(t, err)
	}
	secret, _, err := journal.GenerateKey(cases.NewScript(sha256.Sum256([]byte("misread"))), "case.example")
	require(t, err)
	signer, err := journal.ParseSigner(secret)
	require(t, err)
	return play, &teller{Core: play.Core, t: t, signer: signer}
}

// TestCorrectedInTime: a result is corrected as long as prizes of its game can be claimed, and not
// a day later (casino-keno-div2 9.2). Package verify holds a house to that which does not.
func TestCorrectedInTime(t *testing.T) {
	right := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21}
	at, told := misread(t, "day 2027-11-15")
	require(t, at.Correct(2, right))
	for _, d := range []string{"2028-05-15", "2028-11-15"} { // What is won is recorded now, and can be fetched as long again.
		_, err := at.Do("day " + d)
		require(t, err)
	}
	if _, err := at.Do("pay A at T1"); err != nil {
		t.Errorf("the ticket that has won by the correction: %v", err)
	}
	require(t, at.Take())
	if f := told.verified(len(told.Records)); f != nil {
		t.Errorf("a correction on the last day: %v", f)
	}
	over, _ := misread(t, "day 2027-11-15")
	require(t, over.Correct(2, right))
	for _, d := range []string{"2028-11-15", "2028-11-16"} {
		_, err := over.Do("day " + d)
		require(t, err)
	}
	if _, err := over.Do("pay A at T1"); err == nil {
		t.Error("the ticket is paid when twelve months from the correction are over")
	}
	late, otherwise := misread(t, "day 2027-11-15", "day 2027-11-16")
	var refused *refusal.Refusal
	if err := late.Correct(2, right); !errors.As(err, &refused) || refused.Code != game.PrizesSwept ||
		!strings.Contains(refused.Clause, "9.2") {
		t.Errorf("a correction a day later: %v", err)
	}
	// The same records, a day later.
	require(t, late.Take())
	last, err := record.Decode(late.Records[len(late.Records)-1])
	require(t, err)
	var more [][]byte
	for _, data := range at.Records[told.find(record.KindResultCorrected, 1)-3:] {
		r, err := record.Decode(data)
		require(t, err)
		if asked, ok := r.Body.(*record.ApprovalRequested); ok {
			asked.Expires = last.Time + 1000
		}
		if fixed, ok := r.Body.(*record.ResultCorrected); ok {
			fixed.Day++
		}
		r.Time = last.Time
		data, err := record.Encode(r)
		require(t, err)
		more = append(more, data)
	}
	f := otherwise.verified(len(late.Records), more...)
	if f == nil || f.Kind != record.KindResultCorrected ||
		!strings.Contains(f.Reason, "nobody can claim a prize of it any more") {
		t.Errorf("a journal with a correction a day later: %v", f)
	}
}
