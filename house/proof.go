package house

import (
	"context"
	"errors"
	"fmt"

	"drawhouse/core/refusal"
	"drawhouse/decide/game"
	"drawhouse/games/draw"
	"drawhouse/journal"
	"drawhouse/journal/public"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// The codes with which a proof is refused.
const (
	NotSealed refusal.Code = "not_sealed"  // the game is not closed yet, or does not exist
	NotInGame refusal.Code = "not_in_game" // the ticket does not play in the game
)

// Proof proves to anybody who holds the house's public key that a ticket was sealed
// before a game was drawn.
type Proof struct {
	Record []byte // the ticket's record
	Seal   []byte // signed note
	Proof  journal.PlayProof
	// Volumes are the records that began the volumes from the one after the ticket's
	// to the seal's, to which Proof.Volumes are the paths.
	Volumes [][]byte
	// Logged proves that the seal is in the public log. It is nil while nothing proves that, and Unlogged says why.
	Logged   *public.Proof
	Unlogged string
}

// Proof makes the proof of a ticket in one of its games.
func (h *House) Proof(ctx context.Context, place record.Place, ref record.Game) (Proof, error) {
	data, err := h.recordAt(ctx, place)
	if err != nil {
		return Proof{}, err
	}
	g, ok := h.history.byRef(ref)
	if !ok || !g.Sealed() {
		return Proof{}, &refusal.Refusal{Code: NotSealed, Path: "game",
			Sentence: fmt.Sprintf("Game %v has no seal.", ref)}
	}
	seal, err := h.Seal(ctx, g)
	if err != nil {
		return Proof{}, err
	}
	p := Proof{Record: data, Seal: seal.Signed(),
		Proof: journal.PlayProof{Seq: place.Seq, Leaf: journal.LeafHash(data)}}
	if p.Proof.Bit, err = h.proveBit(ctx, place, g, seal.Body()); err != nil {
		return Proof{}, err
	}
	if err := h.provePath(ctx, &p, place, seal.Body()); err != nil {
		return Proof{}, err
	}
	if err := seal.Body().CheckPlay(p.Proof); err != nil {
		// A proof that fails in the hands of a player would accuse the house of
		// what somebody did to its store.
		return Proof{}, fmt.Errorf("house: the proof of ticket %v in game %v, made from the store: %w", place, ref, err)
	}
	p.Logged, err = h.LogProof(ctx, g)
	if refused := new(refusal.Refusal); errors.As(err, &refused) {
		p.Unlogged, err = refused.Sentence, nil
	}
	return p, err
}

// proveBit proves that a ticket plays in a sealed game.
func (h *House) proveBit(ctx context.Context, place record.Place, g Game,
	seal journal.SealBody) (journal.BitProof, error) {
	absent := &refusal.Refusal{Code: NotInGame, Path: "game",
		Sentence: fmt.Sprintf("The ticket is not in game %v.", g.Ref)}
	span, ok := seal.Span(place.Volume)
	if !ok || place.Seq < span.First || place.Seq >= span.First+span.Length {
		return journal.BitProof{}, absent
	}
	bits, err := h.config.Store.Object(ctx, game.BitmapName(g.Ref.Series, g.Ordinal, place.Volume))
	if err != nil {
		return journal.BitProof{}, err
	}
	bitmap, err := journal.ParseBitmap(span.First, span.Length, bits)
	if err != nil {
		return journal.BitProof{}, err
	}
	if !bitmap.Has(place.Seq) {
		return journal.BitProof{}, absent
	}
	return bitmap.Prove(place.Seq)
}

// provePath proves that a ticket's record was in the journal under a seal: in its
// volume as that ended, whose end the next one's first record names, and so on up to
// the volume of the seal.
func (h *House) provePath(ctx context.Context, p *Proof, place record.Place, seal journal.SealBody) (err error) {
	sealed := seal.Volume()
	size := func(volume uint16) uint64 {
		if volume == sealed {
			return seal.Checkpoint.Size
		}
		return h.past.size(volume)
	}
	for _, v := range h.history.volumesIn(place.Volume+1, sealed) {
		data, err := h.config.Store.Record(ctx, record.Place{Volume: v.Volume})
		if err != nil {
			return err
		}
		path, err := h.prove(ctx, record.Place{Volume: v.Volume}, size(v.Volume))
		if err != nil {
			return err
		}
		p.Volumes = append(p.Volumes, data)
		p.Proof.Volumes = append(p.Proof.Volumes,
			journal.VolumeProof{Previous: v.ended, Leaf: journal.LeafHash(data), Record: path})
	}
	p.Proof.Record, err = h.prove(ctx, place, size(place.Volume))
	return err
}

// prove proves that a record was in its volume when that had a size.
func (h *House) prove(ctx context.Context, place record.Place, size uint64) (journal.RecordProof, error) {
	tree, err := h.past.tree(place.Volume)
	if err != nil {
		return nil, err
	}
	return journal.ProveRecord(place.Seq, size, journal.NewReader(tree, store.Tiles(ctx, h.config.Store, place.Volume)))
}

// checkRecord holds a record that was read from the store against the tree that
// this house built while it wrote and replayed. Money leaves on the strength of
// one record, and anybody who can change a row of the store could put the hash of a
// claim code of their own into a winning ticket.
func (h *House) checkRecord(ctx context.Context, place record.Place, leaf journal.Hash) error {
	tree, err := h.past.tree(place.Volume)
	if err != nil {
		return err
	}
	proof, err := journal.ProveRecord(place.Seq, tree.Size(),
		journal.NewReader(tree, store.Tiles(ctx, h.config.Store, place.Volume)))
	if err != nil {
		return err
	}
	if err := journal.CheckRecord(proof, tree.Size(), tree.Root(), place.Seq, leaf); err != nil {
		return fmt.Errorf("house: record %v was changed in the store: %w", place, err)
	}
	return nil
}

// Seal returns the seal of a game, verified with the key of its volume.
func (h *House) Seal(ctx context.Context, g Game) (journal.Seal, error) {
	r, err := h.read(ctx, g.SealPlace)
	if err != nil {
		return journal.Seal{}, err
	}
	sealed, ok := r.Body.(*record.GameSealed)
	if !ok {
		return journal.Seal{}, fmt.Errorf("house: record %v is %v, not a seal", g.SealPlace, r.Kind())
	}
	verifier, err := h.history.houseKey(g.SealPlace.Volume)
	if err != nil {
		return journal.Seal{}, err
	}
	return journal.OpenSeal(sealed.Seal, verifier)
}

// DrawNote returns the device's signed statement of a game's numbers, verified with
// the key of its volume.
func (h *House) DrawNote(ctx context.Context, g Game) ([]byte, error) {
	r, err := h.read(ctx, g.DrawnPlace)
	if err != nil {
		return nil, err
	}
	drawn, ok := r.Body.(*record.GameDrawn)
	if !ok {
		return nil, fmt.Errorf("house: record %v is %v, not a draw", g.DrawnPlace, r.Kind())
	}
	verifier, err := h.history.deviceKey(g.DrawnPlace.Volume)
	if err != nil {
		return nil, err
	}
	if _, _, err := draw.OpenResult(drawn.Note, verifier); err != nil {
		return nil, fmt.Errorf("house: record %v: %w", g.DrawnPlace, err)
	}
	return drawn.Note, nil
}

// SignedBy returns the public keys that a game's seal and its numbers are signed with. They
// are those of the volumes in which both stand, which need not be the keys of today; each
// is empty as long as nothing is signed.
func (h *House) SignedBy(g Game) (houseKey, deviceKey string, err error) {
	if g.Sealed() {
		v, err := h.history.volume(g.SealPlace.Volume)
		if err != nil {
			return "", "", err
		}
		houseKey = v.HouseKey
	}
	if g.DrawnPlace.Volume != 0 {
		v, err := h.history.volume(g.DrawnPlace.Volume)
		if err != nil {
			return "", "", err
		}
		deviceKey = v.DeviceKey
	}
	return houseKey, deviceKey, nil
}

// read reads a record.
func (h *House) read(ctx context.Context, place record.Place) (record.Record, error) {
	data, err := h.config.Store.Record(ctx, place)
	if err != nil {
		return record.Record{}, err
	}
	return record.Decode(data)
}

// BodyAt reads what the record at a place says.
func (h *House) BodyAt(ctx context.Context, place record.Place) (record.Body, error) {
	r, err := h.read(ctx, place)
	return r.Body, err
}
