package engine

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/journal/record"
)

// extremesOf returns values at the ends of a type and beyond every bound.
func extremesOf(t reflect.Type) (all []reflect.Value) {
	add := func(v any) { all = append(all, reflect.ValueOf(v).Convert(t)) }
	if t == reflect.TypeFor[time.Time]() {
		add(time.Time{})
		add(time.Unix(math.MaxInt32, 0))
		add(time.Unix(math.MinInt64, 0))
		add(time.Unix(math.MaxInt64, 0))
		return all
	}
	switch t.Kind() {
	case reflect.String:
		for _, text := range []string{"", "x", "a\x00b", "\xff", strings.Repeat("é", 30_000), strings.Repeat("9", 1<<20),
			"1:1", "65535:18446744073709551615", "9999-12-31", "2026-11-15"} {
			add(text)
		}
	case reflect.Int, reflect.Int32, reflect.Int64:
		for _, n := range []int64{0, -1, 1, math.MinInt32, math.MaxInt32, int64(money.MaxAmount), int64(money.MaxAmount) + 1,
			int64(money.MaxBalance), math.MaxInt64, math.MinInt64} {
			if !reflect.Zero(t).OverflowInt(n) {
				add(n)
			}
		}
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		for _, n := range []uint64{0, 1, 15, 255, 65535, math.MaxInt32, math.MaxInt32 + 1, math.MaxUint32, math.MaxUint64} {
			if !reflect.Zero(t).OverflowUint(n) {
				add(n)
			}
		}
	case reflect.Bool:
		add(false)
		add(true)
	case reflect.Slice:
		all = append(all, reflect.Zero(t), reflect.MakeSlice(t, 1, 1), reflect.MakeSlice(t, 70_000, 70_000))
		for _, item := range extremesOf(t.Elem()) {
			all = append(all, reflect.Append(reflect.Zero(t), item), reflect.Append(reflect.Zero(t), item, item))
		}
	case reflect.Struct:
		for i := range t.NumField() {
			for _, v := range extremesOf(t.Field(i).Type) {
				one := plausible(t)
				one.Field(i).Set(v)
				all = append(all, one)
			}
		}
	}
	return all
}

// plausible returns a struct whose numbers are 1 and whose texts are not empty.
func plausible(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	for i := range t.NumField() {
		if !t.Field(i).IsExported() {
			continue
		}
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			f.SetString("x")
		case reflect.Int, reflect.Int32, reflect.Int64:
			f.SetInt(1)
		case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
			f.SetUint(1)
		}
	}
	return v
}

// extremeTrial has one command after another done in one house.
type extremeTrial struct {
	*rig
	tried, applied int
}

// try does something, and fails if it panics, or if it is refused and has changed the house.
func (x *extremeTrial) try(name string, command any, do func() error) {
	x.t.Helper()
	size, hash := x.engine.Size(), x.engine.State().Hash()
	defer func() {
		if p := recover(); p != nil {
			x.t.Fatalf("%s %.300s: %v", name, fmt.Sprintf("%+v", command), p)
		}
	}()
	x.tried++
	if err := do(); err == nil {
		x.applied++
		return
	}
	if x.engine.Size() != size || x.engine.State().Hash() != hash {
		x.t.Fatalf("%s %.300s was refused and has changed the house", name, fmt.Sprintf("%+v", command))
	}
}

// TestExtremeRecords does every act of the operator, and every change of places, with what is
// at the ends of every type: each is refused or applied, never a panic, never a half. What
// was applied is read again, and comes to the same house.
func TestExtremeRecords(t *testing.T) {
	x := &extremeTrial{rig: newRig(t, "extremes")}
	for _, row := range command.Rows() {
		if _, inRoom := command.Room(row.Command(row.New().Elem())); inRoom {
			continue
		}
		if row.Till {
			continue // It comes with the sale that the house has read. Package api tries the form of it.
		}
		for _, v := range extremesOf(row.New().Elem().Type()) {
			c := row.Command(v)
			if act, ok := c.(command.Act); ok {
				x.try(row.Name, c, func() error {
					_, err := x.engine.try(x.now, act, command.As(series, 1))
					return err
				})
			}
			x.try(row.Name, c, func() error { return command.Outcome(x.engine.Do(x.now, c, command.As(series, 1))) })
		}
	}
	// What package staff decides is done by the house itself, too. The first of them have no row of their own.
	changes := []reflect.Type{reflect.TypeFor[staff.AddPerson](), reflect.TypeFor[staff.SetHours](),
		reflect.TypeFor[staff.Lock](), reflect.TypeFor[staff.Request]()}
	for _, row := range command.Rows() {
		if t := row.New().Elem().Type(); t.Implements(reflect.TypeFor[staff.Command]()) {
			changes = append(changes, t)
		}
	}
	for _, change := range changes {
		for _, v := range extremesOf(change) {
			if by := v.FieldByName("By"); by.IsValid() && by.Kind() == reflect.Uint32 && by.Uint() == 1 {
				by.SetUint(0) // The house itself, which may do anything.
			}
			x.try(v.Type().Name(), v, func() error {
				_, err := x.engine.Do(x.now, command.Change{Command: v.Interface().(staff.Command)}, command.Env{})
				return err
			})
		}
	}
	t.Logf("%d commands, %d applied", x.tried, x.applied)
	if x.tried < 1_000 || x.applied < 10 {
		t.Errorf("%d commands of which %d were applied are no trial", x.tried, x.applied)
	}
	x.take()
	again := New(nil)
	for _, data := range x.records {
		must(t, again.Replay(data))
	}
	if again.State().Hash() != x.engine.State().Hash() {
		t.Error("what was applied is read as another house")
	}
}

// TestBalancesAreBounded shows that no act carries a balance beyond its bound, however often
// it is done.
func TestBalancesAreBounded(t *testing.T) {
	r := newRig(t, "balances")
	refused := 0
	for range 120 {
		moved := &record.BankMoved{Terminal: 1, Move: record.BankFloat, Cents: money.MaxAmount, By: 2, With: 1}
		postings := []ledger.Posting{ledger.Debit(ledger.Cash, 1, money.MaxAmount),
			ledger.Credit(ledger.Safe, 1, money.MaxAmount)}
		size := r.engine.Size()
		if _, err := r.engine.append(r.now, moved, postings); err != nil {
			refused++
			if r := new(refusal.Refusal); !errors.As(err, &r) || r.Code != command.OutOfBounds {
				t.Fatalf("refused otherwise: %v", err)
			}
			if r.engine.Size() != size {
				t.Fatal("a refused move is in the journal")
			}
		}
	}
	if refused != 20 {
		t.Error("so many of 120 moves of the largest amount were refused:", refused)
	}
	if trial := r.engine.State().Balances().Trial(); trial != 0 {
		t.Errorf("the trial balance is %v", trial)
	}
}
