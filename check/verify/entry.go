package verify

import (
	"errors"
	"fmt"
	"slices"

	"drawhouse/rulebook"
)

// judgeEntry checks that a bet may come as its ticket came (vic-keno-2015 9(b)).
// What the terminal picked, and a ready ticket, may also come in the way that the
// rulebook has for those: a superplay may be told to a writer, ways may not
// (9(b)(iv)(C)).
func (r *rules) judgeEntry(b *bet, games uint32, e entry) error {
	if err := r.judgeItem(b, games, e); err != nil {
		return err
	}
	ready := b.has(fieldPicked) || b.has(fieldItem)
	if e.method == rulebook.MethodItem && !ready {
		return fmt.Errorf("%s is entered by %s, and is neither picked nor a ready ticket", b.id, e.method)
	}
	if r.comesBy(b, e, e.method) || ready && r.comesBy(b, e, rulebook.MethodItem) {
		return nil
	}
	if e.runner {
		return fmt.Errorf("%s may not be entered by %s through a runner", b.id, e.method)
	}
	return fmt.Errorf("%s may not be entered by %s", b.id, e.method)
}

// comesBy reports whether the rulebook lets such a bet come in a way.
func (r *rules) comesBy(b *bet, e entry, method rulebook.Method) bool {
	way, ok := r.entry[entryWay{e.channel, method}]
	return ok && (way.Bets == nil || slices.Contains(way.Bets, b.id)) &&
		(way.Ways == nil || *way.Ways || b.groups == nil) && (!e.runner || way.Runner != nil && *way.Runner)
}

// item names a ready ticket.
type item struct {
	id      string
	edition uint64
}

// judgeItem checks that a bet which is said to be a ready ticket is the one of
// the catalogue. A ready ticket of one venue is sold there and nowhere else.
func (r *rules) judgeItem(b *bet, games uint32, e entry) error {
	if !b.has(fieldItem) {
		return nil
	}
	want, ok := r.items[b.item]
	switch {
	case !ok || want.Venue != "" && want.Venue != e.listed:
		return fmt.Errorf("the catalogue has no edition %d of a ready ticket %q for this venue", b.item.edition,
			b.item.id)
	case want.Bet != b.id, want.Channels != nil && !slices.Contains(want.Channels, e.channel),
		want.StakeCents != 0 && want.StakeCents != b.stake.Cents(), want.Games != 0 && uint32(want.Games) != games:
		return fmt.Errorf("ready ticket %q is not sold so", b.item.id)
	case !b.laidAs(want):
		return errors.New("it does not have the numbers and ways of its ready ticket")
	}
	return nil
}

// laidAs reports whether the bet has the numbers of a ready ticket, or as many of
// them where they are picked, and plays its types. Without types a ready ticket is
// the one way of all its numbers.
func (b *bet) laidAs(want rulebook.ItemFile) bool {
	picked := b.has(fieldPicked)
	if want.Groups == nil && !picked || want.Groups != nil && picked && !want.Random {
		return false
	}
	groups, sizes := want.Groups, want.GroupSizes
	if groups != nil {
		sizes = nil
	}
	for _, group := range groups {
		sizes = append(sizes, len(group))
	}
	if len(want.Types) == 0 {
		total := 0
		for _, size := range sizes {
			total += size
		}
		return len(b.spots) == total && (picked || sameNumbers(b.spots, slices.Concat(groups...)))
	}
	if len(b.groups) != len(sizes) || !b.has(fieldPlaySpots) || !sameNumbers(b.totals, want.Types) {
		return false
	}
	for i, group := range b.groups {
		if len(group) != sizes[i] || !picked && !sameNumbers(group, groups[i]) {
			return false
		}
	}
	return true
}

// sameNumbers reports whether an ascending list has exactly these numbers.
func sameNumbers(list []byte, numbers []int) bool {
	return slices.EqualFunc(list, slices.Sorted(slices.Values(numbers)), func(a byte, b int) bool { return int(a) == b })
}
