package verify

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"drawhouse/core/money"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// maxClosed is the greatest length of a closed word in an entry.
const maxClosed = 40

// entryText is an entry while it is written: a key, a blank and a value on each line.
type entryText struct{ strings.Builder }

func (e *entryText) line(key string, value any) { fmt.Fprintf(e, "%s %v\n", key, value) }

// cents writes an amount, which is never below nothing.
func (e *entryText) cents(key string, amount money.Amount) { e.line(key, max(amount.Cents(), 0)) }

// hash writes a hash in base64.
func (e *entryText) hash(key string, h [32]byte) { e.note(key, h[:]) }

// note writes bytes in base64.
func (e *entryText) note(key string, data []byte) {
	e.line(key, base64.StdEncoding.EncodeToString(data))
}

// closed writes a word such as a clause. What is no word, or a long one, may be somebody's own text and is left out.
func (e *entryText) closed(key, word string) {
	if word == "" || len(word) > maxClosed || strings.ContainsFunc(word, func(c rune) bool { return c <= ' ' || c > '~' }) {
		word = "-"
	}
	e.line(key, word)
}

// tree writes a checkpoint on one line.
func (e *entryText) tree(key string, c journal.Checkpoint) {
	e.line(key, strings.ReplaceAll(strings.TrimSuffix(c.Marshal(), "\n"), "\n", " "))
}

// entryOf returns the entry that follows from a record, or nil.
func (c *checker) entryOf(place record.Place, r record.Record) []byte {
	var e entryText
	kind, names := c.writeHouseEntry(&e, r.Body)
	if kind == "" {
		kind, names = c.writeGameEntry(&e, r.Body)
	}
	if kind == "" {
		kind, names = writeRoomEntry(&e, r.Body)
	}
	if kind == "" {
		return nil
	}
	if names {
		_, first := r.Body.(*record.LogBegun)
		c.public.nameJournal(&e, first)
	}
	return fmt.Appendf(nil, "drawhouse/log/v1\nkind %s\ntime %d\nrecord %d:%d\n%s", kind, max(r.Time, 0), place.Volume,
		place.Seq, e.String())
}

// nameJournal writes where the journal stands just before the record, with the proof that it only grew since an
// entry of the same volume named it. The first entry of a log names it for the first time.
func (p *publicLog) nameJournal(e *entryText, first bool) {
	e.tree("journal", journal.Checkpoint{Origin: p.volume, Size: p.grown.size, Root: journal.Hash(p.grown.root())})
	if first {
		e.line("from", 0)
	} else {
		e.line("from", p.grown.mark)
		for _, h := range p.grown.proof() {
			e.hash("proof", h)
		}
	}
	p.grown.setMark()
}

// writeHouseEntry writes what everybody may know of a record about the house or a series. It returns the kind of the
// entry, or "", and whether the entry names the journal.
func (c *checker) writeHouseEntry(e *entryText, body record.Body) (kind string, names bool) {
	switch b := body.(type) {
	case *record.LogBegun:
		e.note("note", b.Note)
		return "log-begun", true
	case *record.VolumeBegun:
		e.line("volume", b.Volume)
		e.line("reason", b.Reason)
		e.line("house-key", b.HouseKey)
		e.line("device-key", b.DeviceKey)
		for _, signed := range b.Abandoned {
			lost, _ := journal.UnverifiedCheckpoint(signed) // It was verified with the record.
			e.tree("abandoned", lost)
		}
		return "volume-begun", true
	case *record.SeriesBegun:
		e.line("series", b.Name)
		e.hash("rulebook", b.Rulebook)
		e.closed("schedule", b.Schedule)
		return "series-begun", false
	case *record.TermsChanged:
		c.writeSeries(e, b.Series)
		e.line("first", b.From)
		e.hash("rulebook", b.Rulebook)
		e.closed("schedule", b.Schedule)
		return "terms", false
	case *record.DeviceChosen:
		c.writeSeries(e, b.Series)
		e.line("device", b.Device)
		for _, who := range b.Custodians {
			e.line("custodian", who.Key)
		}
		return "device", false
	case *record.BeaconChosen:
		c.writeBeacon(e, b)
		return "beacon", false
	case *record.WitnessesNamed:
		writeWitnesses(e, b)
		return "witnesses", false
	case *record.LinksCommitted:
		c.writeSeries(e, b.Series)
		e.line("day", b.Day)
		e.line("custodian", b.Custodian)
		e.note("note", b.Note)
		return "links-committed", false
	case *record.DayClosed:
		c.writeSeries(e, b.Series)
		e.line("day", b.Day)
		e.line("games", b.Games)
		return "day-closed", true
	}
	return "", false
}

// writeWitnesses writes who cosigns: first those without whom nothing is drawn, then those without whom no game of keno
// is.
func writeWitnesses(e *entryText, b *record.WitnessesNamed) {
	for _, w := range b.Witnesses {
		if w.Required {
			e.line("required", w.Key)
		}
	}
	for _, w := range b.Witnesses {
		if slices.Contains(b.Logs, w.Name) {
			e.line("log", w.Key)
		}
	}
	for _, w := range b.Witnesses {
		if !w.Required && !slices.Contains(b.Logs, w.Name) {
			e.line("optional", w.Key)
		}
	}
}

// writeGameEntry writes what everybody may know of a record about a game. It returns the kind of the entry, or "", and
// whether the entry names the journal.
func (c *checker) writeGameEntry(e *entryText, body record.Body) (kind string, names bool) {
	switch b := body.(type) {
	case *record.GameOpened:
		c.writeGame(e, b.Game)
		e.line("id", b.Ordinal)
		e.line("closes", max(b.Closes, 0))
		e.hash("rulebook", b.Rulebook)
		e.closed("schedule", b.Schedule)
		if b.Round > 0 {
			e.line("round", b.Round)
		}
		return "game-opened", false
	case *record.GameSealed:
		c.writeGame(e, b.Game)
		e.note("note", b.Seal)
		return "game-sealed", true
	case *record.LinkGiven:
		c.writeGame(e, b.Game)
		e.line("custodian", b.Custodian)
		e.hash("link", b.Link)
		for _, h := range b.Path {
			e.hash("path", h)
		}
		return "link", false
	case *record.RoundGiven:
		c.writeRound(e, b)
		return "round", false
	case *record.GameDrawn:
		c.writeGame(e, b.Game)
		e.line("draw", b.Draw)
		e.note("note", b.Note)
		return "result", false
	case *record.GameSettled:
		c.writeSettled(e, b)
		return "settled", false
	case *record.DrawVoided:
		c.writeGame(e, b.Game)
		e.line("draw", b.Draw)
		e.closed("clause", b.Clause)
		return "draw-void", false
	case *record.GameVoided:
		c.writeGame(e, b.Game)
		e.line("draw", b.Draw)
		e.closed("clause", b.Clause)
		e.line("deferred", map[bool]string{true: "yes", false: "no"}[b.Deferred])
		e.cents("refund-cents", b.RefundCents)
		return "game-void", false
	case *record.ResultCorrected:
		c.writeGame(e, b.Game)
		e.line("revision", b.Revision)
		e.closed("clause", b.Clause)
		e.line("numbers", strings.Trim(fmt.Sprint([]uint8(b.Numbers)), "[]"))
		return "result-corrected", false
	}
	return "", false
}

// writeSettled writes what a game came to.
func (c *checker) writeSettled(e *entryText, b *record.GameSettled) {
	c.writeGame(e, b.Game)
	e.line("revision", b.Revision)
	e.line("draw", b.Draw)
	e.line("plays", b.Plays)
	e.line("along-plays", b.DeferredPlays)
	e.line("ways", b.Ways)
	e.cents("stakes-cents", b.StakesCents)
	e.line("winners", b.Winners)
	e.cents("prizes-cents", b.PrizesCents)
	e.cents("carried-cents", b.CarriedCents)
}

// writeSeries writes the name of a series, which was found to be there.
func (c *checker) writeSeries(e *entryText, id uint8) { e.line("series", c.series[id].name) }

// writeGame writes of which game an entry is.
func (c *checker) writeGame(e *entryText, g record.Game) {
	c.writeSeries(e, g.Series)
	e.line("day", g.Day)
	e.line("game", g.Number)
}

// writeRoomEntry writes what everybody may know of a record about a bingo room. It returns the kind of the entry, or
// "", and whether the entry names the journal.
func writeRoomEntry(e *entryText, body record.Body) (kind string, names bool) {
	switch b := body.(type) {
	case *record.HallOpened:
		e.line("hall", b.Hall)
		e.closed("name", b.Name)
		e.hash("rulebook", b.Rulebook)
		return "room-opened", false
	case *record.SessionSet:
		writePlanned(e, *b)
		return "session-set", false
	case *record.SessionChanged:
		writePlanned(e, b.Set)
		return "session-set", false
	case *record.BingoSealed:
		writeBingo(e, b.Game)
		e.line("draw", map[bool]string{true: "jackpot", false: "calls"}[b.Draw == record.DrawJackpot])
		e.note("note", b.Seal)
		return "bingo-sealed", true
	case *record.BingoDrawn:
		writeBingo(e, b.Game)
		e.line("draw", map[bool]string{true: "jackpot", false: "calls"}[b.Draw == record.DrawJackpot])
		e.note("note", b.Note)
		return "bingo-drawn", false
	case *record.BingoSettled:
		writeBingo(e, b.Game)
		e.line("final", map[bool]string{true: "yes", false: "no"}[b.Final])
		e.line("winners", len(b.Shares))
		var prizes, pool money.Amount
		for i := range b.Shares {
			prizes += b.Shares[i].Cents
			pool += b.Shares[i].JackpotCents
		}
		e.cents("prizes-cents", prizes)
		e.cents("jackpot-cents", pool)
		return "bingo-settled", false
	case *record.BingoVoided:
		writeBingo(e, b.Game)
		e.closed("clause", b.Clause)
		e.cents("refund-cents", b.RefundCents)
		return "bingo-void", false
	case *record.SessionClosed:
		e.line("hall", b.Session.Hall)
		e.line("session", b.Session.Session)
		e.line("early", map[bool]string{true: "yes", false: "no"}[b.Early])
		return "session-closed", true
	}
	return "", false
}

// writePlanned writes how a session is planned.
func writePlanned(e *entryText, set record.SessionSet) {
	e.line("hall", set.Hall)
	e.line("session", set.Session)
	e.line("day", set.Day)
	e.line("games", len(set.Games))
	e.cents("fee-cents", set.FeeCents)
}

// writeBingo writes of which game of bingo an entry is.
func writeBingo(e *entryText, g record.BingoGame) {
	e.line("hall", g.Hall)
	e.line("session", g.Session)
	e.line("game", g.Game)
}
