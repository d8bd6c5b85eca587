package rulebook

import (
	"fmt"
	"slices"

	"drawhouse/core/money"
)

// FaultAt returns a fault of a value of a book, with the line on which the file of the book writes the value.
func FaultAt(b *Book, path, format string, args ...any) Fault {
	at := b.written.find(path)
	return Fault{File: b.written.file, Line: at.line, Col: at.col, Path: path, Message: fmt.Sprintf(format, args...)}
}

// Unsold returns a fault for every limit that leaves nothing to sell at a channel: it allows less for a ticket than
// the least stake of every bet that it binds.
func (b *Book) Unsold() (faults Faults) {
	c := &checker{keno: &b.keno}
	for i := range b.keno.Limits {
		l := &b.keno.Limits[i]
		if l.Max == nil || l.part() != PartMain && l.part() != PartAll || !slices.Contains([]Measure{MeasureBetGame,
			MeasureGame, MeasureEntry}, l.Measure) || l.Jackpot != nil || l.Pool != nil || l.Ways.Least > 1 {
			continue
		}
		for _, channel := range c.channels() {
			if len(l.Channels) > 0 && !slices.Contains(l.Channels, channel) {
				continue
			}
			if least, ok := b.leastStake(l.Bets, channel); ok && least > l.Max.Amount() {
				faults = append(faults, FaultAt(b, item("keno.limits", i)+".max",
					"%v is below the least stake at channel %s, %v: no ticket could be sold", l.Max.Amount(), channel, least))
				break
			}
		}
	}
	return faults
}

// leastStake returns the smallest minimum of stakes at a channel, of some bets or of all; ok is false where there is
// none.
func (b *Book) leastStake(bets []string, channel Channel) (least money.Amount, ok bool) {
	for i := range b.keno.Limits {
		l := &b.keno.Limits[i]
		binds := slices.ContainsFunc(b.keno.betIDs(), func(bet string) bool {
			return namedOrAll(bets, bet) && namedOrAll(l.Bets, bet)
		})
		if l.Measure != MeasureStake || l.part() != PartMain || l.Min == nil || !binds ||
			len(l.Channels) > 0 && !slices.Contains(l.Channels, channel) {
			continue
		}
		if min := l.Min.Amount(); !ok || min < least {
			least, ok = min, true
		}
	}
	return least, ok
}
