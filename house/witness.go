package house

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"drawhouse/check/witness"
	"drawhouse/check/witness/wire"
	"drawhouse/house/timetable"
	"drawhouse/journal"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// Witnesses are those outside the house who cosign its seals.
type Witnesses struct {
	Members []wire.Member
	Timeout time.Duration // in which they answer together
}

// nameWitnesses records who cosigns, if that has changed.
func (h *House) nameWitnesses(ctx context.Context) error {
	named := record.WitnessesNamed{}
	for _, m := range h.config.Witnesses.Members {
		named.Witnesses = append(named.Witnesses, record.Witness{
			Name: m.Witness.Name(), Key: m.Witness.String(), Required: m.Policy == wire.Required,
		})
		if m.Policy == wire.LogOnly {
			named.Logs = append(named.Logs, m.Witness.Name())
		}
	}
	slices.Sort(named.Logs)
	slices.SortFunc(named.Witnesses, func(a, b record.Witness) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return h.do(ctx, func(m machine) error {
		if s := m.State(); slices.Equal(s.Witnesses(), named.Witnesses) && slices.Equal(s.LogWitnesses(), named.Logs) {
			return nil
		}
		return m.NameWitnesses(h.now(), named)
	})
}

// checkWitnessKeys refuses a witness that has a key of the house, or that of another witness, and a custodian without a
// key of its own for commitments: a key signs one kind of thing. Whoever holds a house's own cosignature holds the
// house's word twice.
func (h *House) checkWitnessKeys() error {
	keys := h.keys()
	own := map[string]string{keys.HouseVerifier: "the house", keys.DeviceVerifier: "the draw device"}
	for vkey := range keys.Earlier {
		own[vkey] = "an earlier volume of the house"
	}
	for vkey := range keys.Logs {
		own[vkey] = "the public log"
	}
	var errs []error
	for i, m := range h.config.Witnesses.Members {
		name := m.Witness.Name()
		if m.Custodian {
			if _, err := witness.NewCustodian(m.Witness, m.LinksKey); err != nil {
				errs = append(errs, fmt.Errorf("house: name custodian %s with its second key, that of commitments, too: %w", name, err))
			}
		}
		for vkey, of := range own {
			if journal.SameKey(vkey, m.Witness.String()) || journal.SameKey(vkey, m.LinksKey) {
				errs = append(errs, fmt.Errorf("house: witness %s has the key of %s: a key signs notes or cosignatures, and not both; give the witness a key of its own",
					name, of))
			}
		}
		for _, other := range h.config.Witnesses.Members[:i] {
			if shareKey(other, m) {
				errs = append(errs, fmt.Errorf("house: the witnesses %s and %s have one key: give each a key of its own",
					other.Witness.Name(), name))
			}
		}
	}
	return errors.Join(errs...)
}

// shareKey reports whether two witnesses have a key in common, for whatever each signs with it.
func shareKey(one, other wire.Member) bool {
	for _, vkey := range []string{one.Witness.String(), one.LinksKey} {
		if journal.SameKey(vkey, other.Witness.String()) || journal.SameKey(vkey, other.LinksKey) {
			return true
		}
	}
	return false
}

// newGroup returns the witnesses as they are asked. It remembers what each has
// signed last.
func (h *House) newGroup() *wire.Group {
	return &wire.Group{
		Members: wire.OfJournal(h.config.Witnesses.Members), Timeout: h.config.Witnesses.Timeout,
		Sign: h.signAgain, Prove: h.growth,
	}
}

// signAgain signs a checkpoint of the journal for a witness, with the key of its volume:
// a witness knows each volume by its own, and a game that was sealed before a change
// of keys is cosigned after it.
func (h *House) signAgain(c journal.Checkpoint) ([]byte, error) {
	_, number, err := journal.ParseOrigin(c.Origin)
	if err != nil {
		return nil, err
	}
	volume, err := h.history.volume(number)
	if err != nil {
		return nil, err
	}
	signer := h.keys().House
	if volume.HouseKey != h.keys().HouseVerifier {
		signer = h.keys().Earlier[volume.HouseKey]
	}
	if signer == nil {
		return nil, fmt.Errorf("house: a checkpoint of volume %d is asked for, and its key %s is not at hand", number,
			volume.HouseKey)
	}
	return journal.SignCheckpoint(c, signer)
}

// growth proves that the journal of a volume only grew.
func (h *House) growth(ctx context.Context, origin string) wire.Prover {
	return func(oldSize, newSize uint64) (journal.TreeProof, error) {
		_, volume, err := journal.ParseOrigin(origin)
		if err != nil {
			return nil, err
		}
		tree, err := h.past.tree(volume)
		if err != nil {
			return nil, err
		}
		return journal.ProveTree(oldSize, newSize, journal.NewReader(tree, store.Tiles(ctx, h.config.Store, volume)))
	}
}

// witnessed has the seal of a game cosigned before its first number, and returns it
// with the signatures. A game that waits for a witness is drawn later. One whose links are all in the journal has its
// result, and waits for no custodian who has cosigned its seal in the public log: a journal that was restored, and is
// shorter than the one that they know, they do not cosign again.
func (l *Line) witnessed(ctx context.Context, g *sealed) (journal.Seal, error) {
	if len(l.config.Witnesses.Members) == 0 {
		return g.seal, nil
	}
	if len(g.Links) > 0 && len(g.Missing) == 0 {
		if seal, ok := l.cosignedBefore(ctx, g, g.loggedBy); ok {
			return seal, nil
		}
	}
	if err := l.logWitnessed(ctx, g.ordinal, g.seal.Body().Hash()); err != nil {
		return journal.Seal{}, fmt.Errorf("%w: %w", timetable.ErrNotYet, err)
	}
	if recorded, ok := l.cosignedBefore(ctx, g, nil); ok {
		return recorded, nil
	}
	cosigned, err := l.group.CosignSeal(ctx, g.seal)
	l.noteWitnesses(cosigned)
	if len(cosigned.By) > 0 {
		if err := l.recordWitnessed(ctx, g.ordinal, cosigned.Seal, cosigned.Names()); err != nil {
			return journal.Seal{}, err
		}
	}
	if err != nil {
		return journal.Seal{}, fmt.Errorf("house: %w: %w", timetable.ErrNotYet, err)
	}
	return journal.OpenSeal(cosigned.Seal, g.verifier, l.cosigners()...)
}

func (h *House) cosigners() (list []journal.Verifier) {
	for _, m := range h.config.Witnesses.Members {
		list = append(list, m.Witness.OfSeals())
	}
	return list
}

// cosignedBefore returns the seal of a game with the signatures that the journal has of
// it, if those are all that must be there beside those who have cosigned it elsewhere. Witnesses may have cosigned a
// longer journal since, and would not sign a shorter one again.
func (l *Line) cosignedBefore(ctx context.Context, g *sealed, elsewhere []string) (journal.Seal, bool) {
	var by []string
	signed := g.Seal
	if known, ok := l.history.byOrdinal(l.id, g.ordinal); ok && known.custody.witnessed.Volume > 0 {
		data, err := l.recordAt(ctx, known.custody.witnessed)
		if err != nil {
			return journal.Seal{}, false
		}
		r, err := record.Decode(data)
		if err != nil {
			return journal.Seal{}, false
		}
		witnessed, ok := r.Body.(*record.GameWitnessed)
		if !ok {
			return journal.Seal{}, false
		}
		signed, by = witnessed.Seal, witnessed.By
	} else if len(elsewhere) == 0 {
		return journal.Seal{}, false
	}
	for _, m := range l.config.Witnesses.Members {
		name := m.Witness.Name()
		if (m.Policy == wire.Required || m.Custodian) && !slices.Contains(by, name) && !slices.Contains(elsewhere, name) {
			return journal.Seal{}, false
		}
	}
	seal, err := journal.OpenSeal(signed, g.verifier, l.cosigners()...)
	return seal, err == nil
}

// recordWitnessed records who has cosigned, unless that is known already.
func (l *Line) recordWitnessed(ctx context.Context, ordinal uint32, seal []byte, by []string) error {
	_, err := lane.DoFirst(ctx, l.lane, func(m machine) (struct{}, error) {
		series, _ := m.State().Series(l.id)
		g, ok := series.Game(ordinal)
		if !ok {
			return struct{}{}, errors.New("house: no such game")
		}
		if g.Numbers.Len() > 0 || slices.Equal(g.WitnessedBy, by) {
			return struct{}{}, nil
		}
		return struct{}{}, m.WitnessGame(l.now(), l.id, ordinal, seal, by)
	})
	return err
}
