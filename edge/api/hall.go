package api

import (
	"context"
	"encoding"
	"fmt"
	"net/http"
	"reflect"
	"strconv"

	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/hall"
	"drawhouse/decide/state"
	"drawhouse/house"
	"drawhouse/journal/record"
)

// Rooms is a house with its bingo rooms. What it returns without an
// error is durable.
type Rooms interface {
	ReadHall(ctx context.Context, hall uint8, read func(*state.View, *hall.Kit) error) error
	AddTable(ctx context.Context, hall uint8, file []byte, by record.By) (record.Body, error)
	CallBingo(ctx context.Context, ref record.BingoGame, place int) (record.Body, error)
	FinishBingo(ctx context.Context, ref record.BingoGame) (record.Body, error)
	DrawOffer(ctx context.Context, ref record.Offer, prize uint8) (record.Body, error)
	Scorecard(ctx context.Context, ref record.BingoGame, player uint32, marked []int, auto bool) (*hall.Scorecard,
		[]hall.ShownPattern, error)
}

// HallRecord is what was decided in a bingo room: the record of the journal, with its
// fields by name.
type HallRecord struct {
	Kind   string         `json:"kind" doc:"Kind of the record, such as claim checked."`
	Record map[string]any `json:"record" doc:"Its fields. Amounts end with cents, times are RFC 3339, hashes and bytes are hexadecimal."`
}

// place is where in a bingo room a request is.
type place struct {
	hall    uint8
	session uint32
	game    uint8
	number  uint32 // of the last element of the path: a claim, a player, a device ...
	prize   uint8
}

func (p place) of() record.HallSession { return record.HallSession{Hall: p.hall, Session: p.session} }
func (p place) played() record.BingoGame {
	return record.BingoGame{Hall: p.hall, Session: p.session, Game: p.game}
}

// hallRoutes registers what people do in bingo rooms.
func (s *server) hallRoutes(rooms Rooms) {
	const (
		room    = "/v1/hall/{hall}"
		session = room + "/sessions/{session}"
		game    = session + "/games/{game}"
		player  = session + "/players/{player}"
	)
	r := roomServer{s, rooms}
	r.procedures()
	r.readings(room, session, game)
	r.roomReadings(room)
	r.deskReadings(room, game, player)
	r.offerReadings(room)
	r.heldCardRoute()
}

// roomServer serves bingo rooms.
type roomServer struct {
	*server
	rooms Rooms
}

// procedures registers the commands for which a device draws.
func (r roomServer) procedures() {
	procedure(r, func(ctx context.Context, c command.CallBingo, _ record.By) (record.Body, error) {
		return r.rooms.CallBingo(ctx, c.Ref(), c.Place)
	})
	procedure(r, func(ctx context.Context, c command.FinishBingo, _ record.By) (record.Body, error) {
		return r.rooms.FinishBingo(ctx, c.Ref())
	})
	procedure(r, func(ctx context.Context, c command.SealPromotion, by record.By) (record.Body, error) {
		if !c.Sealed {
			if _, err := r.house.Do(ctx, c, by); err != nil {
				return nil, err
			}
		}
		return r.rooms.DrawOffer(ctx, c.Offer(), c.Prize)
	})
}

// procedure registers the route of a command that the house does in several steps.
func procedure[C command.Command](r roomServer, do func(context.Context, C, record.By) (record.Body, error)) {
	r.commandRoute(command.RowOf[C](), func(ctx context.Context, _ *house.Line, c command.Command,
		by record.By) (record.Body, error) {
		return do(ctx, c.(C), by) //nolint:errcheck // The row makes commands of this type.
	})
}

// readPath reads the elements of an address into the fields of a command that are tagged with
// their names.
func readPath(req *http.Request, to reflect.Value) error {
	for _, f := range reflect.VisibleFields(to.Type()) {
		name := f.Tag.Get("path")
		if name == "" {
			continue
		}
		if err := readElement(name, req.PathValue(name), to.FieldByIndex(f.Index)); err != nil {
			return err
		}
	}
	return nil
}

// readElement reads one element of an address: a text, what is written as one, or a number.
func readElement(name, text string, to reflect.Value) error {
	if to.Kind() == reflect.String {
		to.SetString(text)
		return nil
	}
	if written, ok := to.Addr().Interface().(encoding.TextUnmarshaler); ok {
		if err := written.UnmarshalText([]byte(text)); err != nil {
			return &refusal.Refusal{Code: ParameterValue, Path: name, Sentence: fmt.Sprintf("It must be %v.", err)}
		}
		return nil
	}
	n, err := pathNumber(name, text, to.Type().Bits())
	if err == nil {
		to.SetUint(n)
	}
	return err
}

// pathNumber reads an element of a path as a number of so many bits.
func pathNumber(name, text string, bits int) (uint64, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	if most := min(elements[name].most, 1<<bits-1); err != nil || n == 0 || n > most {
		return 0, &refusal.Refusal{Code: ParameterValue, Path: name,
			Sentence: fmt.Sprintf("It must be a whole number from 1 to %d.", most)}
	}
	return n, nil
}

// placeOf reads where a request is.
func placeOf(req *http.Request) (at place, err error) {
	for name, e := range elements {
		text := req.PathValue(name)
		if text == "" || e.most == 0 {
			continue
		}
		n, err := pathNumber(name, text, 64)
		if err != nil {
			return place{}, err
		}
		switch name {
		case "hall":
			at.hall = uint8(n)
		case "session":
			at.session = uint32(n)
		case "game":
			at.game = uint8(n)
		case "prize":
			at.prize = uint8(n)
		default:
			at.number = uint32(n)
		}
	}
	return at, nil
}
