package public

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"drawhouse/core/money"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// BundleWidth is how many entries a full bundle has, and how many hashes a full tile.
const BundleWidth = journal.TileWidth

// A Fold makes the public log of a journal. It belongs to one goroutine.
type Fold struct {
	number uint16 // of the log: 1, and one more for each successor; 0 while there is none
	origin string
	key    string // verifier of its checkpoints
	// house and device are the keys of the volume.
	house, device string
	series        map[uint8]string // name of each series
	// ended are the ends of the volumes before the log begins, which the beginning names.
	ended []journal.Checkpoint
	tree  *journal.Tree
	// bundle are the entries behind the last full bundle. An entry is never changed.
	bundle [][]byte
}

// NewFold returns the fold of a journal without records.
func NewFold() *Fold { return &Fold{series: map[uint8]string{}, tree: journal.NewTree()} }

// Journal is where the journal stands just before a record.
type Journal struct {
	Origin string // of the volume; "" before the first
	Tree   *journal.Tree
}

func (j Journal) checkpoint() journal.Checkpoint {
	return journal.Checkpoint{Origin: j.Origin, Size: j.Tree.Size(), Root: j.Tree.Root()}
}

// brings are the kinds of records that bring an entry.
var brings = func() map[record.Kind]bool {
	kinds := map[record.Kind]bool{}
	for _, kind := range record.Kinds() {
		kinds[kind] = entryKind(kind) != ""
	}
	return kinds
}()

// entryKind returns the kind of the entry that records of a kind bring, or "".
func entryKind(kind record.Kind) Kind {
	e, err := NewFold().entry(record.Record{Body: record.Empty(kind)}, Journal{Tree: journal.NewTree()})
	switch {
	case err != nil: // Only a beginning is read.
		return Begun
	case e == nil:
		return ""
	}
	return e.Kind
}

// Brings reports whether records of a kind bring an entry. A reader who makes a log may pass over all others.
func Brings(kind record.Kind) bool { return brings[kind] }

// Next is what a record brings to the log.
type Next struct {
	body  record.Body
	data  []byte // the entry; nil if the record brings none
	names bool   // the entry names the journal as it stands
	ended journal.Checkpoint
}

// Names reports whether the entry names the journal as it stands before the record. The next entry that names it proves
// growth from there, so the tree is marked.
func (n Next) Names() bool { return n.names }

// Make returns what a record brings to the log, and changes nothing. The record is the one that follows in the journal.
func (f *Fold) Make(place record.Place, r record.Record, j Journal) (Next, error) {
	next := Next{body: r.Body}
	if _, ok := r.Body.(*record.VolumeBegun); ok && j.Origin != "" {
		next.ended = j.checkpoint()
	}
	if _, begins := r.Body.(*record.LogBegun); f.number == 0 && !begins {
		return next, nil
	}
	e, err := f.entry(r, j)
	if e == nil || err != nil {
		return next, err
	}
	e.Millis, e.Volume, e.Seq = uint64(max(r.Time, 0)), place.Volume, place.Seq
	if next.names = namesJournal(e.Kind); next.names {
		if err := e.nameJournal(j); err != nil {
			return next, err
		}
	}
	next.data, err = e.Marshal()
	return next, err
}

// namesJournal reports whether entries of a kind name the journal.
func namesJournal(k Kind) bool {
	lines := kinds[k]
	return len(lines) >= len(journalNamed) && lines[len(lines)-1].key == "proof"
}

// nameJournal adds the lines that name the journal as it stands before the record.
func (e *Entry) nameJournal(j Journal) error {
	from, marked := j.Tree.Marked()
	if !marked || e.Kind == Begun { // A log names nothing before its first entry.
		e.addTree("journal", j.checkpoint()).addUint("from", 0)
		return nil
	}
	e.addTree("journal", j.checkpoint()).addUint("from", from)
	proof, err := j.Tree.Grown()
	if err != nil {
		return err
	}
	for _, h := range proof {
		e.add("proof", h.String())
	}
	return nil
}

// Full is a part of the log that never changes again: a bundle of entries, or a tile of hashes. Its name is the path of
// C2SP tlog-tiles behind the number of the log.
type Full struct {
	Name string
	Data []byte
}

// Put takes in what Make has returned for the record that was written, and returns the parts that it completes.
func (f *Fold) Put(n Next) []Full {
	switch b := n.body.(type) {
	case *record.VolumeBegun:
		f.house, f.device = b.HouseKey, b.DeviceKey
		if n.ended.Origin != "" && f.number == 0 {
			f.ended = append(f.ended, n.ended)
		}
	case *record.SeriesBegun:
		f.series[b.Series] = b.Name
	case *record.LogBegun:
		body, _ := b.Body() // Make has read it.
		f.number++
		f.origin, f.key, f.tree, f.bundle, f.ended = body.Origin, body.Key, journal.NewTree(), nil, nil
	}
	if n.data == nil {
		return nil
	}
	f.tree.Append(n.data)
	f.bundle = append(f.bundle, n.data)
	var full []Full
	if len(f.bundle) == BundleWidth {
		full = append(full, Full{f.name(BundlePath(f.tree.Size()/BundleWidth-1, 0)), Bundle(f.bundle)})
		f.bundle = nil
	}
	for _, t := range f.tree.TakeTiles() {
		full = append(full, Full{f.name(TilePath(t.Level, t.Index, 0)), t.Data})
	}
	return full
}

// name returns the name under which a part of the log is stored.
func (f *Fold) name(path string) string { return ObjectName(f.number, path) }

// ObjectName returns the name of the object that has a full part of a log.
func ObjectName(number uint16, path string) string { return fmt.Sprintf("public/%d/%s", number, path) }

// Bundle returns entries in the form of a bundle: each behind its length in two bytes.
func Bundle(entries [][]byte) (data []byte) {
	for _, e := range entries {
		data = append(data, byte(len(e)>>8), byte(len(e)))
		data = append(data, e...)
	}
	return data
}

// SplitBundle returns the entries of a bundle.
func SplitBundle(data []byte) (entries [][]byte, err error) {
	for len(data) > 0 {
		if len(data) < 2 {
			return nil, fmt.Errorf("public: a bundle ends within the length of an entry")
		}
		n := int(data[0])<<8 | int(data[1])
		if len(data) < 2+n {
			return nil, fmt.Errorf("public: a bundle ends within an entry of %d bytes", n)
		}
		entries, data = append(entries, data[2:2+n]), data[2+n:]
	}
	return entries, nil
}

// A View is the log at a moment. It never changes, and any number of goroutines may use it.
type View struct {
	Number  uint16 // of the log; 0 while there is none
	Origin  string
	Key     string // verifier of the log's checkpoints
	Size    uint64
	Root    journal.Hash
	Tree    *journal.Tree
	Entries [][]byte // behind the last full bundle
}

// View returns the log as it stands.
func (f *Fold) View() View {
	return View{Number: f.number, Origin: f.origin, Key: f.key, Size: f.tree.Size(), Root: f.tree.Root(),
		Tree: f.tree.Clone(), Entries: f.bundle[:len(f.bundle):len(f.bundle)]}
}

// Stands returns number and size of the log; number 0 while there is none.
func (f *Fold) Stands() (number uint16, size uint64) { return f.number, f.tree.Size() }

// Checkpoint returns what the log's key signs.
func (v View) Checkpoint() journal.Checkpoint {
	return journal.Checkpoint{Origin: v.Origin, Size: v.Size, Root: v.Root}
}

// entry returns the entry of a record, without the lines that name the journal; nil if the record brings none.
func (f *Fold) entry(r record.Record, j Journal) (*Entry, error) {
	switch b := r.Body.(type) {
	case *record.LogBegun:
		return f.begun(b, j)
	case *record.VolumeBegun:
		e := of(Volume).addUint("volume", uint64(b.Volume)).add("reason", string(b.Reason)).add("house-key", b.HouseKey).
			add("device-key", b.DeviceKey)
		for _, signed := range b.Abandoned {
			c, err := journal.UnverifiedCheckpoint(signed)
			if err != nil {
				return nil, err
			}
			e.addTree("abandoned", c)
		}
		return e, nil
	case *record.SeriesBegun:
		return of(Series).add("series", b.Name).addHash("rulebook", b.Rulebook).add("schedule", closed(b.Schedule)), nil
	case *record.TermsChanged:
		return f.in(Terms, b.Series).addUint("first", uint64(b.From)).addHash("rulebook", b.Rulebook).
			add("schedule", closed(b.Schedule)), nil
	case *record.DeviceChosen:
		e := f.in(Device, b.Series).add("device", string(b.Device))
		for _, c := range b.Custodians {
			e.add("custodian", c.Key)
		}
		return e, nil
	case *record.BeaconChosen:
		e := f.in(Beacon, b.Series).add("from", b.From.String()).addHash("chain", b.Chain)
		if len(b.Key) > 0 {
			e.add("key", hex.EncodeToString(b.Key))
		}
		return e.addUint("genesis", uint64(max(b.Genesis, 0))/1000).addUint("period", uint64(b.Period)), nil
	case *record.WitnessesNamed:
		return witnesses(b), nil
	case *record.LinksCommitted:
		return f.in(Links, b.Series).add("day", b.Day.String()).add("custodian", b.Custodian).addNote("note", b.Note), nil
	case *record.DayClosed:
		return f.in(DayClosed, b.Series).add("day", b.Day.String()).addUint("games", uint64(b.Games)), nil
	}
	if e := ofHall(r.Body); e != nil {
		return e, nil
	}
	return f.ofGame(r.Body), nil
}

// ofGame returns the entry of a record about a game.
func (f *Fold) ofGame(body record.Body) *Entry {
	switch b := body.(type) {
	case *record.GameOpened:
		e := f.game(Opened, b.Game).addUint("id", uint64(b.Ordinal)).addUint("closes", uint64(max(b.Closes, 0))).
			addHash("rulebook", b.Rulebook).add("schedule", closed(b.Schedule))
		if b.Round > 0 {
			e.addUint("round", b.Round)
		}
		return e
	case *record.GameSealed:
		return f.game(Sealed, b.Game).addNote("note", b.Seal)
	case *record.LinkGiven:
		e := f.game(Link, b.Game).add("custodian", b.Custodian).addHash("link", b.Link)
		for _, h := range b.Path {
			e.addHash("path", h)
		}
		return e
	case *record.RoundGiven:
		return f.game(Round, b.Game).addUint("round", b.Round).add("signature", hex.EncodeToString(b.Signature)).
			addNote("checkpoint", b.Checkpoint)
	case *record.GameDrawn:
		return f.game(Result, b.Game).addUint("draw", uint64(b.Draw)).addNote("note", b.Note)
	case *record.GameSettled:
		return f.game(Settled, b.Game).addUint("revision", uint64(b.Revision)).addUint("draw", uint64(b.Draw)).
			addUint("plays", b.Plays).addUint("along-plays", b.DeferredPlays).addUint("ways", b.Ways).
			addCents("stakes-cents", b.StakesCents).addUint("winners", b.Winners).addCents("prizes-cents", b.PrizesCents).
			addCents("carried-cents", b.CarriedCents)
	case *record.DrawVoided:
		return f.game(DrawVoid, b.Game).addUint("draw", uint64(b.Draw)).add("clause", closed(b.Clause))
	case *record.GameVoided:
		return f.game(GameVoid, b.Game).addUint("draw", uint64(b.Draw)).add("clause", closed(b.Clause)).
			add("deferred", yes(b.Deferred)).addCents("refund-cents", b.RefundCents)
	case *record.ResultCorrected:
		numbers := make([]string, len(b.Numbers))
		for i, n := range b.Numbers {
			numbers[i] = fmt.Sprint(n)
		}
		return f.game(Corrected, b.Game).addUint("revision", uint64(b.Revision)).add("clause", closed(b.Clause)).
			add("numbers", strings.Join(numbers, " "))
	}
	return nil
}

// begun returns the first entry of a log, whose beginning must state what has been.
func (f *Fold) begun(b *record.LogBegun, j Journal) (*Entry, error) {
	body, err := b.Body()
	if err != nil {
		return nil, err
	}
	want := f.Beginning(j)
	want.Origin, want.Key = body.Origin, body.Key
	if body.Before != nil && body.Before.Origin == f.origin {
		want.Before = body.Before // Followers may have more of that log than the journal.
	}
	if _, number, err := journal.ParseLogOrigin(body.Origin); err != nil || number != f.number+1 {
		return nil, fmt.Errorf("public: %s is not log %d", body.Origin, f.number+1)
	}
	if want.Marshal() != body.Marshal() {
		return nil, fmt.Errorf("public: the beginning of %s does not state what has been", body.Origin)
	}
	return of(Begun).addNote("note", b.Note), nil
}

// Beginning returns what the beginning of the next log states of the past. The caller adds origin and key of the log.
func (f *Fold) Beginning(j Journal) journal.LogBody {
	body := journal.LogBody{HouseKey: f.house, DeviceKey: f.device, Journal: j.checkpoint()}
	if f.number == 0 {
		body.Ended = f.ended
	} else {
		before := f.View().Checkpoint()
		body.Before = &before
	}
	return body
}

// witnesses returns the entry of the house's witnesses: those it requires, those it requires for this log, and the
// others.
func witnesses(b *record.WitnessesNamed) *Entry {
	e := of(Witnesses)
	for _, word := range []string{"required", "log", "optional"} {
		for _, w := range b.Witnesses {
			is := "optional"
			switch {
			case w.Required:
				is = "required"
			case slices.Contains(b.Logs, w.Name):
				is = "log"
			}
			if is == word {
				e.add(word, w.Key)
			}
		}
	}
	return e
}

func of(k Kind) *Entry { return &Entry{Kind: k, known: true} }

// in begins an entry about a series.
func (f *Fold) in(k Kind, series uint8) *Entry { return of(k).add("series", f.series[series]) }

// game begins an entry about a game.
func (f *Fold) game(k Kind, g record.Game) *Entry {
	return f.in(k, g.Series).add("day", g.Day.String()).addUint("game", uint64(g.Number))
}

func (e *Entry) addHash(key string, h record.Hash) *Entry {
	return e.add(key, journal.Hash(h).String())
}

func (e *Entry) addCents(key string, cents money.Amount) *Entry {
	return e.addUint(key, uint64(max(cents.Cents(), 0)))
}

// closed returns a text if it is a closed word, such as a clause; "-" for any other, which is for the journal alone.
func closed(text string) string {
	if !isWord(text) || len(text) > 40 {
		return "-"
	}
	return text
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
