package verify_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/fxamacker/cbor/v2"

	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// free are the parts of records that nobody can hold against anything: what people
// named, what happened outside, what is hashed, and what would be another fact that
// is as good. A path ends in a star for all below it. The envelope of a record is
// [kind, version, time, postings, body].
var free = map[record.Kind][]string{
	record.KindVolumeBegun:     {"4/*"}, // Keys and names are checked by other tests.
	record.KindRulebookAdopted: {},
	record.KindSeriesBegun:     {"4/0", "4/1"},
	record.KindVenueAdded:      {"4/0", "4/1", "4/2", "4/3"},
	record.KindTerminalAdded:   {"4/0", "4/1", "4/2"},
	record.KindDayOpened:       {"4/1", "4/2"}, // Within a day of the date.
	record.KindDayClosed:       {"4/3", "4/4"}, // The house's own state.
	record.KindGameOpened:      {"4/2"},
	// Another request, session, way of entry or paper is another sale; numbers and
	// stakes that are as good, too.
	record.KindTicketSold: {"4/0/*", "4/1", "4/2", "4/3", "4/4/*", "4/7", "4/10"},
	record.KindTicketPaid: {"4/0/*", "4/1"},
	// What ran on may be staked or paid by another request.
	record.KindTicketCancelled: {"4/0/*", "4/1"},
	record.KindRequestBurned:   {"4/1"},
	// What others say of themselves.
	record.KindJurisdictionReported: {"4/0/*", "4/1", "4/3", "4/4"},
	record.KindParticipantsNamed:    {"4/1", "4/2/*"},
	record.KindTermsChanged:         {"4/1", "4/4"},
	record.KindGameDesignated:       {"4/0/1", "4/0/2", "4/1"},
	record.KindPoolOpened:           {"4/1/*"}, // What the operator puts in, with its postings.
	record.KindPoolMoved:            {"4/3"},
	record.KindPromotionBegun: {"4/2", "4/3", "4/4", "4/6", "4/7", "4/8", "4/9", "4/10", "4/11", "4/12", "4/13",
		"4/14/*"},
	record.KindPromotionChanged: {"4/1", "4/2", "4/3", "4/4"},
	record.KindPrizesCarried:    {"4/1/*"}, // The settlement behind it shows them.
	record.KindBonusAllocated:   {"4/4/*", "4/4"},
	record.KindDrawVoided:       {"4/2", "4/3", "4/4"}, // Why, and with whose consent.
	record.KindWitnessesNamed:   {"4/0/*"},             // Who is asked.
	record.KindGameVoided:       {"4/2", "4/3", "4/4"},
	// Another customer, or a list or a look at another list that was asked for.
	record.KindSessionEnded: {"4/0/*", "4/5", "4/6", "4/7"},
	// Another paper, a life that is announced as shorter, and another payee.
	record.KindInstrumentIssued: {"4/0/*", "4/1", "4/6", "4/8", "4/12"},
	record.KindCardRegistered:   {"4/1", "4/2"},
	record.KindPaymentFrozen:    {"4/1", "4/2", "4/3"},
	record.KindBankMoved:        {"4/0", "4/3"}, // Another bank of the venue.
	record.KindBankCounted:      {"4/3"},
}

// people are kinds whose checks are of another file.
func aboutPeople(kind record.Kind) bool {
	return kind >= record.KindOperatorAdded && kind <= record.KindApprovalUsed
}

// isFree reports whether a path of a kind is free.
func isFree(kind record.Kind, path string) bool {
	if path == "2" { // Any later time is as good.
		return true
	}
	return slices.ContainsFunc(free[kind], func(pattern string) bool {
		prefix, all := strings.CutSuffix(pattern, "*")
		return path == pattern || all && strings.HasPrefix(path, prefix)
	})
}

// leaves calls fn with every number, truth and string of a tree and a function that
// puts another in its place. Of a long list of lists, which are all alike, it takes
// the first, the second and the last.
func leaves(path string, tree any, put func(any), fn func(path string, value any, put func(any))) {
	list, ok := tree.([]any)
	if !ok {
		fn(path, tree, put)
		return
	}
	for i := range list {
		if _, nested := list[i].([]any); nested && path != "" && i > 1 && i < len(list)-1 {
			continue
		}
		below := fmt.Sprint(i)
		if path != "" {
			below = path + "/" + below
		}
		leaves(below, list[i], func(v any) { list[i] = v }, fn)
	}
}

// others returns values near to one.
func others(value any) []any {
	switch v := value.(type) {
	case uint64:
		if v == 0 {
			return []any{uint64(1)}
		}
		return []any{v + 1, v - 1}
	case int64:
		return []any{v + 1, v - 1}
	case bool:
		return []any{!v}
	case string:
		return []any{v + "x"}
	case []byte:
		if len(v) > 0 {
			changed := slices.Clone(v)
			changed[len(v)/2] ^= 1
			return []any{changed}
		}
	}
	return nil
}

// upTo exports the records before a place and one more in its stead.
func (m *market) upTo(seq int, data ...[]byte) *verify.Report {
	m.t.Helper()
	cut := *m
	cut.records = append(slices.Clone(m.records[:seq]), data...)
	tree := journal.NewTree()
	for _, r := range cut.records {
		tree.Append(r)
	}
	signed, err := journal.SignCheckpoint(journal.Checkpoint{Origin: origin, Size: tree.Size(), Root: tree.Root()},
		m.house)
	require(m.t, err)
	out := files{}
	if err := export.Write(context.Background(), out, m.about, signed, &cut); err != nil {
		// An export that cannot be made shows the lie too: its record cannot be read.
		return &verify.Report{Failure: &verify.Failure{Check: verify.CheckLog,
			Place: record.Place{Volume: 1, Seq: uint64(seq)}, Reason: err.Error()}}
	}
	return verify.Run(out, verify.Options{})
}

// TestEveryLie changes one part of one record at a time in journals of the house, the
// richest record of every kind, and signs the log anew up to it. Each lie must be
// found, at that record. A kind that several of the journals have is lied about in one of them,
// by turns. AGREE_TICKETS lies about every record of all.
func TestEveryLie(t *testing.T) {
	var markets []*market
	has := map[record.Kind][]int{} // by which of the markets
	for i, id := range []string{"vic-keno-2015", "tas-keno-2023", "casino-keno-div2"} {
		m := newMarket(t, id, 7)
		m.busy = true
		m.beginLog(1, 3)
		m.nameWitnesses()
		m.days(120)
		markets = append(markets, m)
		for kind := range m.richest() {
			has[kind] = append(has[kind], i)
		}
	}
	for i, m := range markets {
		t.Run(m.book.ID(), func(t *testing.T) {
			t.Parallel()
			m.t = t
			told, kinds := 0, 0
			richest := m.richest()
			for seq, data := range m.records {
				kind, _ := record.KindOf(data)
				// Every lie takes its time, so most are left to those who ask for them.
				chosen := richest[kind] == seq && has[kind][int(kind)%len(has[kind])] == i
				if chosen || os.Getenv("AGREE_TICKETS") != "" && !aboutPeople(kind) {
					told += m.lieAbout(seq, kind, data)
					kinds++
				}
			}
			t.Logf("%d lies about %d records in a journal of %d", told, kinds, len(m.records))
			if told < 100 {
				t.Errorf("only %d lies were told", told)
			}
		})
	}
}

// richest returns the record of each kind about which there are most lies, and the first of several: a lie about a late
// record takes longer to find.
func (m *market) richest() map[record.Kind]int {
	m.t.Helper()
	richest, most := map[record.Kind]int{}, map[record.Kind]int{}
	for seq, data := range m.records {
		kind, _ := record.KindOf(data)
		if aboutPeople(kind) {
			continue
		}
		var tree []any
		require(m.t, cbor.Unmarshal(data, &tree))
		lies := 0
		leaves("", tree, nil, func(path string, value any, _ func(any)) {
			if !isFree(kind, path) {
				lies += len(others(value))
			}
		})
		if _, ok := richest[kind]; !ok || lies > most[kind] {
			richest[kind], most[kind] = seq, lies
		}
	}
	return richest
}

// end returns where the session ends in which a paper is given: the end says what the paper is
// for, and so how long it may be good.
func (m *market) end(seq int) int {
	m.t.Helper()
	for ; seq < len(m.records); seq++ {
		if kind, _ := record.KindOf(m.records[seq]); kind == record.KindSessionEnded {
			return seq
		}
	}
	m.t.Fatal("no session ends behind the paper")
	return 0
}

// lieAbout tells every lie about a record and returns how many.
func (m *market) lieAbout(seq int, kind record.Kind, data []byte) int {
	m.t.Helper()
	mode, err := cbor.CoreDetEncOptions().EncMode()
	require(m.t, err)
	var tree []any
	require(m.t, cbor.Unmarshal(data, &tree))
	told := 0
	leaves("", tree, nil, func(path string, value any, put func(any)) {
		if isFree(kind, path) {
			return
		}
		for _, lie := range others(value) {
			put(lie)
			changed, err := mode.Marshal(tree)
			require(m.t, err)
			told++
			f, at := m.upTo(seq, changed).Failure, seq
			if f == nil && kind == record.KindInstrumentIssued {
				at = m.end(seq)
				f = m.upTo(seq, append([][]byte{changed}, m.records[seq+1:at+1]...)...).Failure
			}
			if f == nil || f.Place.Seq != uint64(at) {
				m.t.Errorf("record %d, %v: %s is %v instead of %v: %v", seq, kind, path, lie, value, f)
			}
		}
		put(value)
	})
	return told
}
