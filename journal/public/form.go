package public

import "drawhouse/journal/record"

// A Form is what entries of a kind look like.
type Form struct {
	Kind    Kind
	Records []record.Kind // that bring such an entry
	Lines   []Line        // behind those that every entry has, in their order
}

// A Line is a line that entries of a kind have.
type Line struct {
	Key    string
	Value  string // in which form the value is written
	Repeat bool   // any number of times, also never
	Says   string // what it holds
}

// CommonLines returns the lines behind the first that every entry has, also one of a kind that is not known.
func CommonLines() []Line { return linesOf("", common) }

// Forms returns the form of every kind of entry, in the order in which a reader meets them first.
func Forms() (forms []Form) {
	made := map[Kind][]record.Kind{}
	for _, kind := range record.Kinds() {
		if k := entryKind(kind); k != "" {
			made[k] = append(made[k], kind)
		}
	}
	for _, kind := range inOrder {
		forms = append(forms, Form{kind, made[kind], linesOf(kind, kinds[kind])})
	}
	return forms
}

// inOrder are all kinds: of the house, of keno and of bingo rooms.
var inOrder = []Kind{Begun, Volume, Series, Terms, Device, Beacon, Witnesses, Links, Opened, Sealed, Link, Round,
	Result, DrawVoid, GameVoid, Settled, Corrected, DayClosed, RoomOpened, SessionSet, BingoSealed, BingoDrawn,
	BingoSettled, BingoVoid, SessionEnded}

func linesOf(kind Kind, lines []line) (list []Line) {
	for _, l := range lines {
		says, own := meanings[string(kind)+" "+l.key]
		if !own {
			says = meanings[l.key]
		}
		list = append(list, Line{l.key, l.value.String(), l.repeat, says})
	}
	return list
}

// meanings say what lines hold: by their key, or by kind and key where that kind has another meaning for it.
var meanings = map[string]string{
	"kind":   "the kind of the entry",
	"time":   "time of the record, in milliseconds since 1970 UTC",
	"record": "the record that makes the entry, `VOLUME:NUMBER`",

	"journal": "the journal as it stands just before the record: origin of the volume, number of records, root",
	"from":    "how many records that volume had when the log named it before, 0 if it did not",
	"proof":   "the RFC 6962 consistency proof from size `from` to `journal`, none from 0 or to the same size",
	"series":  "the series of games",
	"day":     "the Keno Day",
	"game":    "number of the game in its Keno Day, from 0",
	"draw":    "number of the draw in the game, from 1",
	"clause":  "clause of the rulebook, `-` if it is not one word",

	"log-begun note": "the note that begins the log, signed by the key of the log and the key of the house",

	"volume":     "number of the volume that begins",
	"reason":     "why it begins: `found`, `year`, `keys` or `restore`",
	"house-key":  "key of checkpoints and seals from here on",
	"device-key": "key of results from here on",
	"abandoned":  "a checkpoint of records that others hold and that the journal has lost",

	"rulebook":                  "SHA-256 of the rulebook",
	"schedule":                  "schedule of prizes, `-` if its name is not one word",
	"first":                     "number in the series of the first game under the terms, as in `id`",
	"device":                    "what draws the games that open from here on: `rng`, `witnessed` or `cage`",
	"device custodian":          "key of a custodian whose links are part of the draw, ascending by name",
	"beacon from":               "the Keno Day from which on the beacon is part of draws",
	"chain":                     "hash of the beacon's chain, hexadecimal in the text of a draw; zeros for none",
	"key":                       "public key of the beacon; missing for no beacon, never twice",
	"genesis":                   "time of round 1, in seconds since 1970 UTC",
	"period":                    "seconds from one round to the next",
	"required":                  "key of a witness without whose cosignature nothing is drawn",
	"log":                       "key of a witness that cosigns the public log, without whose cosignature no game of keno is drawn",
	"optional":                  "key of another witness",
	"custodian":                 "name of the custodian",
	"links-committed note":      "the commitment, signed by the custodian's key in `device`",
	"id":                        "number of the game in its series",
	"closes":                    "when the game is meant to close, in milliseconds since 1970 UTC",
	"game-opened round":         "round of the beacon that is part of the draw; missing without one, never twice",
	"game-sealed note":          "the seal, signed by the key of the house",
	"link":                      "the link of the custodian for the game",
	"path":                      "the RFC 6962 path from the link to `root` of the commitment, the lowest hash first",
	"round":                     "number of the round",
	"signature":                 "the beacon's signature of the round",
	"checkpoint":                "checkpoint of this log by which the seal was cosigned in time, with cosignatures",
	"result note":               "the numbers as drawn, with the hash of the seal, signed by the key of the device",
	"revision":                  "number of the settlement of the game, from 1",
	"settled draw":              "number of the draw whose numbers count",
	"plays":                     "tickets in the game",
	"along-plays":               "tickets of void games that are played along",
	"ways":                      "ways in the game",
	"stakes-cents":              "stakes of the game",
	"settled winners":           "tickets that won something payable",
	"prizes-cents":              "prizes as payable",
	"carried-cents":             "prizes that become stakes of the next game",
	"game-void draw":            "number of the draw that would have counted",
	"deferred":                  "`yes` if tickets are played along with the next game, `no` if stakes go back",
	"refund-cents":              "stakes that go back",
	"result-corrected revision": "number of the settlement that follows",
	"numbers":                   "the numbers that count from here on, in the order drawn",
	"games":                     "how many games the Keno Day had",

	"hall":                  "number of the bingo room",
	"name":                  "name of the room, `-` if it is not one word",
	"session":               "number of the session in the room, from 1",
	"session-set day":       "day of the session",
	"session-set games":     "how many games are planned",
	"fee-cents":             "entry fee of a player",
	"bingo-sealed game":     "number of the game in its session",
	"bingo-sealed draw":     "which draw of the game: `calls` or `jackpot`",
	"bingo-sealed note":     "the seal, signed by the key of the house",
	"bingo-drawn game":      "number of the game in its session",
	"bingo-drawn draw":      "which draw of the game: `calls` or `jackpot`",
	"bingo-drawn note":      "the numbers as drawn, with the hash of the seal, signed by the key of the device",
	"bingo-settled game":    "number of the game in its session",
	"final":                 "`yes` if the game is over with it",
	"bingo-settled winners": "claims that get a share",
	"jackpot-cents":         "shares of the jackpot",
	"bingo-void game":       "number of the game in its session",
	"early":                 "`yes` if games of the session were not played",
}
