package house

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"drawhouse/core/ball"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/hall"
	"drawhouse/decide/state"
	"drawhouse/games/draw"
	"drawhouse/journal"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// rooms are what a house keeps for its bingo rooms beside the journal.
type rooms struct {
	mu   sync.Mutex // guards kits
	kits map[record.Hash]*hall.Kit

	// drawing guards draws: numbers of a room are drawn one after the other.
	drawing turn
	draws   map[drawKey]Drawing
	anew    uint64 // of the draws, see House
}

// drawKey names a draw of a room.
type drawKey struct {
	name     journal.Game
	revision uint32
}

// Do does a command that is about no series of games, or about the first.
func (h *House) Do(ctx context.Context, c command.Command, by record.By) (record.Body, error) {
	return h.First().Do(ctx, c, by)
}

// DoIn does a command in a series of games.
func (h *House) DoIn(ctx context.Context, series uint8, c command.Command, by record.By) (record.Body, error) {
	return h.line(series).Do(ctx, c, by)
}

// Do does a command: what it takes besides the state is gathered beside the lane.
func (l *Line) Do(ctx context.Context, c command.Command, by record.By) (record.Body, error) {
	h := l.House
	if named, ok := c.(command.Gatherer); ok {
		var err error
		if c, err = named.Gather(ctx, l); err != nil {
			return nil, err
		}
	}
	room, inRoom := command.Room(c)
	env := command.Env{By: by, Series: l.id, Disputed: h.disputed(), Key: keyOf(ctx)}
	if inRoom {
		var err error
		if env.Kit, err = h.kit(ctx, room); err != nil {
			return nil, err
		}
		book := h.roomBook(room)
		if env.Zone, err = time.LoadLocation(book.Zone()); err != nil {
			return nil, fmt.Errorf("house: the zone of rulebook %s: %w", book.ID(), err)
		}
	}
	body, err := lane.DoSoon(ctx, h.lane, func(m machine) (record.Body, error) { return m.Do(h.now(), c, env) })
	if err == nil && inRoom {
		h.roomEnded(room, body)
	}
	return body, err
}

// roomBook returns the rulebook of a room, whose clocks are those of the room; before it is
// there, that of the house.
func (h *House) roomBook(room uint8) *rulebook.Book {
	view := h.viewed().View
	if opened, ok := view.Hall(room); ok {
		if book, ok := view.Book(opened.Opened.Rulebook); ok {
			return book
		}
	}
	return h.First().Book()
}

// record records in a bingo room what the device has drawn or witnesses have signed. Like
// a step of the timetable it is never refused as busy. The caller holds h.rooms.drawing,
// so that there is one at a time.
func (h *House) record(ctx context.Context, c command.Command) (record.Body, error) {
	return lane.DoFirst(ctx, h.lane, func(m machine) (record.Body, error) { return m.Do(h.now(), c, command.Env{}) })
}

// ReadHall reads the bingo rooms as of the last commit, of a follower as far as it has
// come, with what cards of a room are checked with; nil if there is no such room. The
// function must not change what it reads.
func (h *House) ReadHall(ctx context.Context, id uint8, read func(v *state.View, kit *hall.Kit) error) error {
	kit, err := h.kit(ctx, id)
	if err != nil {
		return err
	}
	return read(h.viewed().View, kit)
}

// kit returns what claims of a hall are checked with, with all master tables of the
// hall read from the store; nil if there is no such hall.
func (h *House) kit(ctx context.Context, id uint8) (*hall.Kit, error) {
	seen := h.viewed()
	room, ok := seen.Hall(id)
	if !ok {
		return nil, nil
	}
	hash := room.Opened.Rulebook
	h.rooms.mu.Lock()
	defer h.rooms.mu.Unlock()
	kit, ok := h.rooms.kits[hash]
	if !ok {
		book, _ := seen.Book(hash)
		var err error
		if kit, err = hall.NewKit(book); err != nil {
			return nil, err
		}
		if h.rooms.kits == nil {
			h.rooms.kits = map[record.Hash]*hall.Kit{}
		}
		h.rooms.kits[hash] = kit
	}
	for i := range room.Tables {
		t := &room.Tables[i].Added
		if kit.Has(t.Hash) {
			continue
		}
		err := h.safely("reading a master table", func() error { return h.loadTable(ctx, kit, t) })
		if h.loaded(ctx, id, err); err != nil {
			return nil, err
		}
	}
	return kit, nil
}

// loadTable reads a master table from the store.
func (h *House) loadTable(ctx context.Context, kit *hall.Kit, t *record.TableAdded) error {
	file, err := h.config.Store.Object(ctx, hall.TableName(t.Hall, t.Series))
	if err != nil {
		return err
	}
	hash, err := kit.Load(file)
	if err != nil {
		return fmt.Errorf("house: the master table of series %s: %w", t.Series, err)
	}
	if hash != t.Hash {
		return fmt.Errorf("house: the master table of series %s is not the one that was added", t.Series)
	}
	return nil
}

// AddTable reads the file of a master table and brings it into a hall.
func (h *House) AddTable(ctx context.Context, id uint8, file []byte, by record.By) (record.Body, error) {
	kit, err := h.kit(ctx, id)
	if err != nil {
		return nil, err
	}
	if kit == nil {
		return nil, unknownHall(id)
	}
	known := kit.Has(sha256.Sum256(file))
	hash, err := kit.Load(file)
	if err != nil {
		return nil, &refusal.Refusal{Code: hall.TableUnknown, Clause: "2.3.3", Path: "table", Sentence: err.Error()}
	}
	body, err := h.Do(ctx, command.AddTable{InRoom: command.InRoom{Hall: id}, File: file}, by)
	if err != nil && !known {
		kit.Drop(hash) // Tables that are refused would fill the memory.
	}
	return body, err
}

func unknownHall(id uint8) error {
	return &refusal.Refusal{Code: hall.HallUnknown, Path: "hall", Sentence: fmt.Sprintf("There is no hall %d.", id)}
}

// roomDraw is a draw under way in a room.
type roomDraw struct {
	plan   draw.Plan
	seal   []byte
	volume uint16 // of the seal
	drawn  []uint8
}

// bingoDraw returns the draw that is under way in a game, if may allows it.
func (h *House) bingoDraw(ctx context.Context, ref record.BingoGame,
	may func(*state.State, record.BingoGame) error) (roomDraw, error) {
	return lane.DoFirst(ctx, h.lane, func(m machine) (roomDraw, error) {
		err := may(m.State(), ref)
		// That a witness has not cosigned is what asking for the draw will change.
		var refused *refusal.Refusal
		if err != nil && !(errors.As(err, &refused) && refused.Code == hall.NotWitnessed) {
			return roomDraw{}, err
		}
		room, _ := m.State().Hall(ref.Hall)
		session, _ := room.Session(ref.Session)
		game, _ := session.Game(ref.Game)
		which, drawn, _ := hall.UnderWay(game)
		of, err := hall.Universe(m.State(), ref.Hall)
		if err != nil {
			return roomDraw{}, err
		}
		return roomDraw{hall.Plan(of, room, session, game, which), game.Seal, game.SealPlace.Volume,
			slices.Clone(drawn)}, nil
	})
}

// CallBingo has the device draw the number at a place of the draw under way, counted
// from 1, and records it. Asked again for a number that was drawn it says which one
// that was.
func (h *House) CallBingo(ctx context.Context, ref record.BingoGame, place int) (record.Body, error) {
	return h.inRoom(ctx, ref.Hall, fmt.Sprintf("call number %d of game %d", place, ref.Game),
		func() (record.Body, error) {
			return h.callBingo(ctx, ref, place)
		})
}

// callBingo is CallBingo for a caller who holds h.rooms.drawing.
func (h *House) callBingo(ctx context.Context, ref record.BingoGame, place int) (record.Body, error) {
	if again, err := h.calledBefore(ctx, ref, place); again != nil || err != nil {
		return again, err
	}
	found, err := h.bingoDraw(ctx, ref, hall.MayCall)
	if err != nil {
		return nil, err
	}
	if place != len(found.drawn)+1 {
		return nil, &refusal.Refusal{Code: hall.NumberNotPossible, Path: "place",
			Sentence: fmt.Sprintf("Number %d is asked for, and %d are drawn.", place, len(found.drawn))}
	}
	drawing, err := h.roomDrawing(ctx, found, func(seal []byte, by []string) error {
		_, err := h.record(ctx, command.WitnessBingo{InGame: command.At(ref), Seal: seal, Names: by})
		return err
	})
	if err != nil {
		return nil, err
	}
	pick, err := drawing.Next(place)
	if err != nil && pick.Number == 0 {
		return nil, err
	}
	// As in DrawNumber, a number that made the device stop is kept.
	called, recorded := h.record(ctx,
		command.CallBingo{InGame: command.At(ref), Place: place, Number: pick.Number, Bytes: pick.Bytes})
	return called, errors.Join(err, recorded)
}

// calledBefore returns a number of the draw under way that was called before.
func (h *House) calledBefore(ctx context.Context, ref record.BingoGame, place int) (record.Body, error) {
	return lane.DoFirst(ctx, h.lane, func(m machine) (record.Body, error) {
		room, ok := m.State().Hall(ref.Hall)
		if !ok {
			return nil, nil
		}
		session, ok := room.Session(ref.Session)
		if !ok {
			return nil, nil
		}
		game, ok := session.Game(ref.Game)
		if !ok {
			return nil, nil
		}
		which, drawn, ok := hall.UnderWay(game)
		if !ok || place < 1 || place > len(drawn) {
			return nil, nil
		}
		return &record.NumberCalled{Game: ref, Draw: which, Number: drawn[place-1]}, nil
	})
}

// FinishBingo has the device sign the draw under way. That of the calls ends the game.
func (h *House) FinishBingo(ctx context.Context, ref record.BingoGame) (record.Body, error) {
	return h.inRoom(ctx, ref.Hall, fmt.Sprintf("end game %d", ref.Game),
		func() (record.Body, error) { return h.finishBingo(ctx, ref) })
}

func (h *House) finishBingo(ctx context.Context, ref record.BingoGame) (record.Body, error) {
	found, err := h.bingoDraw(ctx, ref, hall.MayEnd)
	if err != nil {
		return nil, err
	}
	drawing, err := h.roomDrawing(ctx, found, nil)
	if err != nil {
		return nil, err
	}
	note, err := drawing.Sign()
	if err != nil {
		return nil, err
	}
	return h.record(ctx, command.FinishBingo{InGame: command.At(ref), Note: note})
}

// roomDrawing starts the device on a draw, or takes it up behind what is recorded. The
// first time its seal is cosigned by the witnesses, whom witnessed records.
func (h *House) roomDrawing(ctx context.Context, d roomDraw,
	witnessed func(seal []byte, by []string) error) (Drawing, error) {
	key, anew := drawKey{d.plan.Game, d.plan.Revision}, h.anew.Load()
	if drawing, ok := h.rooms.draws[key]; ok && h.rooms.anew == anew {
		return drawing, nil
	}
	verifier, err := h.history.houseKey(d.volume)
	if err != nil {
		return nil, err
	}
	seal, err := journal.OpenSeal(d.seal, verifier)
	if err != nil {
		return nil, err
	}
	if len(d.drawn) == 0 {
		if seal, err = h.cosigned(ctx, seal, verifier, witnessed); err != nil {
			return nil, err
		}
	}
	device, err := h.deviceUnder(d.volume)
	if err != nil {
		return nil, err
	}
	drawing, err := device.Start(d.plan, seal, hall.Drawn(d.plan.Universe, d.drawn), nil)
	if err != nil {
		return nil, err
	}
	// A room draws one thing at a time, so that nothing else is worth keeping.
	h.rooms.draws, h.rooms.anew = map[drawKey]Drawing{key: drawing}, anew
	return drawing, nil
}

// cosigned asks the witnesses for their signatures on the seal of a room.
func (h *House) cosigned(ctx context.Context, seal journal.Seal, house journal.Verifier,
	witnessed func([]byte, []string) error) (journal.Seal, error) {
	if len(h.config.Witnesses.Members) == 0 {
		return seal, nil
	}
	cosigned, err := h.group.CosignSeal(ctx, seal)
	h.noteWitnesses(cosigned)
	if err != nil {
		return journal.Seal{}, err
	}
	if len(cosigned.By) > 0 && witnessed != nil {
		if err := witnessed(cosigned.Seal, cosigned.Names()); err != nil {
			return journal.Seal{}, err
		}
	}
	var cosigners []journal.Verifier
	for _, m := range h.config.Witnesses.Members {
		cosigners = append(cosigners, m.Witness.OfSeals())
	}
	return journal.OpenSeal(cosigned.Seal, house, cosigners...)
}

// DrawOffer has the device draw for a promotional prize until an entry wins it.
func (h *House) DrawOffer(ctx context.Context, ref record.Offer, prize uint8) (record.Body, error) {
	return h.inRoom(ctx, ref.Hall, fmt.Sprintf("draw prize %d of promotion %d", prize, ref.Offer),
		func() (record.Body, error) {
			for {
				drawn, err := h.drawOfferOnce(ctx, ref, prize)
				if err != nil {
					return nil, err
				}
				if b, ok := drawn.(*record.OfferDrawn); ok && b.Entry != 0 {
					return drawn, nil
				}
			}
		})
}

func (h *House) drawOfferOnce(ctx context.Context, ref record.Offer, prize uint8) (record.Body, error) {
	found, err := lane.DoFirst(ctx, h.lane, func(m machine) (roomDraw, error) {
		room, ok := m.State().Hall(ref.Hall)
		if !ok {
			return roomDraw{}, unknownHall(ref.Hall)
		}
		offer, ok := room.Offer(ref.Offer)
		if !ok {
			return roomDraw{}, &refusal.Refusal{Code: hall.OfferUnknown, Path: "offer",
				Sentence: fmt.Sprintf("There is no promotion %d.", ref.Offer)}
		}
		award, ok := offer.Award(prize)
		if !ok || award.SealPlace.Volume == 0 || award.Entry != 0 {
			return roomDraw{}, &refusal.Refusal{Code: hall.OfferPhase, Clause: "10.12", Path: "prize",
				Sentence: fmt.Sprintf("Prize %d is not sealed, or was drawn.", prize)}
		}
		return roomDraw{hall.OfferPlan(room, offer, prize), award.Seal, award.SealPlace.Volume, nil}, nil
	})
	if err != nil {
		return nil, err
	}
	drawing, err := h.roomDrawing(ctx, found, nil)
	if err != nil {
		return nil, err
	}
	b := record.OfferDrawn{Offer: ref, Prize: prize}
	for place := 1; place <= found.plan.Most; place++ {
		pick, err := drawing.Next(place)
		if err != nil {
			return nil, err
		}
		b.Numbers, b.Bytes = append(b.Numbers, uint8(pick.Number)), append(b.Bytes, pick.Bytes)
	}
	if b.Note, err = drawing.Sign(); err != nil {
		return nil, err
	}
	return h.record(ctx, command.DrawPromotion{InRoom: command.InRoom{Hall: ref.Hall}, Drawn: b})
}

// Scorecard returns what the electronic card of a player shows in a game.
func (h *House) Scorecard(ctx context.Context, ref record.BingoGame, player uint32, marked []int,
	auto bool) (*hall.Scorecard, []hall.ShownPattern, error) {
	var card *hall.Scorecard
	var near []hall.ShownPattern
	err := h.ReadHall(ctx, ref.Hall, func(s *state.View, kit *hall.Kit) error {
		if kit == nil {
			return unknownHall(ref.Hall)
		}
		set, err := ball.Of(kit.Form().Universe(), marked...)
		if err != nil {
			return &refusal.Refusal{Code: hall.NumberNotCalled, Clause: "3.4", Path: "marked", Sentence: err.Error()}
		}
		if card, err = hall.NewScorecard(s, kit, ref, player, set, auto); err != nil {
			return err
		}
		display, err := hall.Show(s, ref.In())
		if err != nil {
			return err
		}
		var patterns []string
		for _, p := range display.Prizes {
			patterns = append(patterns, p.Pattern)
		}
		near = card.ToGo(patterns)
		return nil
	})
	return card, near, err
}
