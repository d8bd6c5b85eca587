package export

import (
	"strings"

	"drawhouse/check/verify"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// Names finds the objects that records pin. It is shown all records of a journal from
// the first on, because a record may leave out what the name of its object needs.
type Names struct {
	// games may be settled again long after.
	games map[record.Game]game
}

type game struct {
	ordinal uint32
	plays   uint64
}

// NewNames begins before the first record of a journal.
func NewNames() *Names { return &Names{games: map[record.Game]game{}} }

// Of returns the names of the files under which the objects of a record stand in an
// export. Bytes that have no kind have none: to find fault with records is the
// verifier's part.
func (n *Names) Of(data []byte) ([]string, error) {
	if !namesObject(data) {
		return nil, nil // Nearly all are passed over without being decoded.
	}
	r, err := record.Decode(data)
	if err != nil {
		return nil, err
	}
	switch b := r.Body.(type) {
	case *record.GameOpened:
		n.games[b.Game] = game{ordinal: b.Ordinal}
	case *record.GameClosed:
		n.games[b.Game] = game{n.games[b.Game].ordinal, b.Plays + b.DeferredPlays}
	case *record.GameSealed:
		g := n.games[b.Game]
		return bitmaps(b.Seal, g.plays, func(volume uint16) string {
			return verify.BitmapFile(b.Game.Series, g.ordinal,
				volume)
		}), nil
	case *record.TableAdded:
		return []string{verify.TableFile(b.Hall, b.Series)}, nil
	case *record.BingoSealed:
		return bitmaps(b.Seal, sealedPlays(b.Seal),
			func(volume uint16) string { return verify.PlayersFile(b.Game, b.Draw, volume) }), nil
	case *record.OfferSealed:
		return bitmaps(b.Seal, sealedPlays(b.Seal),
			func(volume uint16) string { return verify.EntriesFile(b.Offer, b.Prize, volume) }), nil
	case *record.DayClosed:
		return []string{verify.BookFile(b.Series, b.Day)}, nil
	case *record.GameVoided:
		return []string{verify.WinnersFile(b.Game.Series, n.games[b.Game].ordinal, 1)}, nil
	case *record.GameSettled:
		return []string{verify.WinnersFile(b.Game.Series, n.games[b.Game].ordinal, b.Revision)}, nil
	}
	return nil, nil
}

// namesObject reports whether a record has to be decoded.
func namesObject(data []byte) bool {
	kind, ok := record.KindOf(data)
	if !ok {
		return false
	}
	switch kind {
	case record.KindGameOpened, record.KindGameClosed, record.KindGameSealed, record.KindGameSettled,
		record.KindGameVoided, record.KindDayClosed,
		record.KindTableAdded, record.KindBingoSealed, record.KindOfferSealed:
		return true
	}
	return false
}

// bitmaps returns the bitmaps of a seal: one for each volume with a ticket in the game.
// A seal over nobody has none, for there is nothing to mark. One that cannot be read
// names none either, and the verifier finds fault with it before it asks for any.
func bitmaps(signed []byte, plays uint64, file func(volume uint16) string) []string {
	body, ok := readSeal(signed)
	if !ok || plays == 0 {
		return nil
	}
	var files []string
	for _, span := range body.Open {
		files = append(files, file(span.Volume))
	}
	return files
}

// sealedPlays returns how many plays a seal is over.
func sealedPlays(signed []byte) uint64 {
	body, _ := readSeal(signed)
	return body.Plays
}

// readSeal reads a seal without its signatures.
func readSeal(signed []byte) (journal.SealBody, bool) {
	text, _, _ := strings.Cut(string(signed), "\n\n")
	body, err := journal.ParseSeal(text + "\n")
	return body, err == nil
}
