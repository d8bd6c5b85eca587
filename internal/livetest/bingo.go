package livetest

import (
	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// SecretMember is a number of the loyalty programme that must never reach the public.
const SecretMember = "secret-member"

// SecretBook is a series of books whose cards must never reach the public. It is so long
// that no hash has it by chance.
const SecretBook = "BOOKS-K7"

// Evening plays a session of bingo in room 1: a game with jackpot numbers, a correction,
// two claims and a card that is replaced, and a game that is void.
func (h *House) Evening() {
	by := record.By{Person: 7, Rank: record.RankSupervisor}
	session := record.HallSession{Hall: 1, Session: 1}
	prizes := []record.PatternPrize{{Pattern: record.PatternBingo, Cents: 500_00}, {Pattern: "top-line", Cents: 50_00}}
	books := record.BookRange{Series: SecretBook, First: 101, Last: 110}
	h.write(&record.HallOpened{Hall: 1, Name: "bingo", Venue: 1, Rulebook: h.rulebook,
		Levels: []record.JackpotLevel{{Name: "major", Share: 10000}}, By: by})
	h.write(&record.SessionSet{
		Hall: 1, Session: 1, Day: day.MustParse("2026-11-15"), Begins: record.Of(h.now), FeeCents: 1000, BooksMax: 4,
		Series: []string{SecretBook},
		Games: []record.BingoPlan{{Colour: "pink", Prizes: prizes, JackpotNumbers: 2, JackpotShare: 10000},
			{Colour: "blue", Prizes: prizes}}, By: by,
	})
	h.write(&record.PlayerEntered{Hall: 1, Session: 1, Player: 1, Member: SecretMember,
		Books: []record.BookRange{books}, Device: 9, FeeCents: 1000, By: by})
	h.write(&record.IssueClosed{
		Hall: 1, Session: 1, Ranges: []record.IssuedRange{{Books: books}}, Players: 1, FeesCents: 1000,
		Contributions: []record.Exact{0}, By: by,
	})
	game := record.BingoGame{Hall: 1, Session: 1, Game: 1}
	h.sealBingo(game, record.DrawJackpot)
	h.Call(game, record.DrawJackpot, 7, 90)
	h.write(&record.BingoDrawn{Game: game, Draw: record.DrawJackpot, Note: []byte("note")})
	h.write(&record.BingoAnnounced{Game: game, Colour: "pink", Prizes: prizes, JackpotNumbers: []uint8{7, 90},
		JackpotCents: []money.Amount{240}, By: by})
	h.sealBingo(game, record.DrawCalls)
	h.write(&record.BingoWitnessed{Game: game, Draw: record.DrawCalls, Seal: []byte("cosigned"),
		By: []string{"inspector.example"}})
	h.Call(game, record.DrawCalls, 11, 22, 33)
	h.write(&record.CallCorrected{Game: game, Number: 22, Wrong: 72, By: by})
	failed := record.DeviceFailed{Session: session, Device: 9, By: by}
	h.write(&failed)
	h.write(&record.DeviceReplaced{Old: failed, Device: 10, Marked: []uint8{11, 33, 22}})
	for claim := range uint16(2) {
		h.write(&record.ClaimOpened{Game: game, Claim: claim + 1, Pattern: record.PatternBingo, Series: SecretBook,
			Book: 103 + uint32(claim), Card: 1, Box: 6, Called: 3, By: by})
	}
	h.write(&record.ClaimChecked{Game: game, Claim: 1, Code: "not_complete", Clause: "7.5", InHand: true, Marked: true,
		By: by})
	h.write(&record.ClaimChecked{Game: game, Claim: 2, Accepted: true, InHand: true, Marked: true, Player: 1,
		Number: 22, Level: 1, By: by})
	h.write(&record.BingoDrawn{Game: game, Draw: record.DrawCalls, Note: []byte("note")})
	h.write(&record.BingoSettled{
		Game: game, Final: true, Prizes: []record.PrizeShared{{Pattern: record.PatternBingo, Cents: 500_00, Cards: 1,
			ShareCents: 500_00}},
		Levels: []record.LevelShared{{Level: 1, Cents: 240, Cards: 1, ShareCents: 240}},
		Shares: []record.ClaimShare{{Claim: 2, Cents: 500_00, JackpotCents: 240}}, Lapsed: prizes[1:],
	})
	game.Game = 2
	h.write(&record.BingoAnnounced{Game: game, Colour: "blue", Prizes: prizes, By: by})
	h.sealBingo(game, record.DrawCalls)
	h.Call(game, record.DrawCalls, 44)
	h.write(&record.BingoVoided{Game: game, Reason: "fire", Clause: "9.4.1", Last: true, Rolled: prizes, By: by})
	h.write(&record.SessionClosing{Session: session, At: record.Of(h.now), By: by})
	h.write(&record.SessionClosed{Session: session, By: by})
}

// Call draws numbers of a game of bingo.
func (h *House) Call(game record.BingoGame, draw record.BingoDraw, numbers ...uint8) {
	for _, n := range numbers {
		h.write(&record.NumberCalled{Game: game, Draw: draw, Number: n, Bytes: []byte{n}})
	}
}

// sealBingo seals a draw of a game of bingo.
func (h *House) sealBingo(game record.BingoGame, draw record.BingoDraw) {
	note, err := journal.SignSeal(journal.SealBody{
		Checkpoint: journal.Checkpoint{Origin: "test.example/keno/v1", Size: h.tree.Size(), Root: h.tree.Root()},
		Game:       journal.Game{Series: "bingo", Day: "2026-11-15", Number: uint32(game.Game)},
		Plays:      1, StakesCents: 1000, Open: []journal.Span{{Volume: 1, First: 0, Length: 1}},
	}, h.signer)
	check(h.t, err)
	h.write(&record.BingoSealed{Game: game, Draw: draw, Seal: note})
}
