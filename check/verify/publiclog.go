package verify

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"drawhouse/journal"
	"drawhouse/journal/public"
	"drawhouse/journal/record"
)

// CheckPublicLog is the check of the public log.
const CheckPublicLog Check = "public log"

// maxRoots bounds how many entries may come between the entry that witnesses have cosigned last and the record which
// says so. The house has the newest cosigned.
const maxRoots = 1 << 16

// publicLog is the public log, made again from the records. There is none before the first LogBegun.
type publicLog struct {
	number   uint16
	origin   string
	key      string // verifier of its checkpoints
	verifier journal.Verifier
	// entries are the leaves of the log. rows and bundle are what of the log is in no full file yet.
	entries merkle
	rows    [][]hash
	bundle  []publicEntry
	// grown is the journal as it stands just before the record under check, and volume its origin.
	grown  growth
	volume string
	// roots are those of the log behind its last entries, the newest last; none is of an earlier log, or of what was
	// cosigned.
	roots []hash
	// cosigned is how many entries witnesses have cosigned, by whom, and the note with their cosignatures.
	cosigned uint64
	// quorate is up to how many entries the policy of the inspector has been met, and lacks what it lacked last.
	quorate uint64
	lacks   string
	by      []string
	note    []byte
	// due are the records that must repeat, behind the beginning, what a reader of the log must know.
	due     []record.Body
	repeats bool // the record under check is one of them
	// unstored says that there are no files of the log to compare: a journal that grows has none yet.
	unstored bool
}

// A publicEntry is an entry with the record that it follows from.
type publicEntry struct {
	place record.Place
	kind  record.Kind
	text  []byte
}

// begun reports whether there is a log.
func (p *publicLog) begun() bool { return p.number > 0 }

// keys returns the key of the log, with what it signs.
func (p *publicLog) keys() map[string]string { return map[string]string{p.key: "the public log"} }

// repeated reports whether the record under check repeats what was decided before, because a log begins.
func (p *publicLog) repeated() bool { return p.repeats }

// before is told of the bytes of a record before they enter the journal. The journal is followed from the first
// beginning of a log on.
func (p *publicLog) before(data []byte, journal *merkle) {
	if kind, ok := record.KindOf(data); ok && kind == record.KindLogBegun && !p.begun() {
		p.grown = growthOf(journal)
	}
}

// checkRepeats holds the records behind the beginning of a log against what they must repeat.
func (c *checker) checkRepeats(body record.Body) error {
	p := &c.public
	p.repeats = len(p.due) > 0
	if !p.repeats {
		return nil
	}
	want := p.due[0]
	p.due = p.due[1:]
	if !reflect.DeepEqual(body, want) {
		return fault(CheckPublicLog, "%s begins before it, and here it must repeat what stands: %v", p.origin,
			record.Record{Body: want}.Kind())
	}
	return nil
}

// logBegun checks the beginning of a public log: it comes between two days, names where the journal stands and what was
// before, and has the signatures of both its keys.
func (c *checker) logBegun(b *record.LogBegun) error {
	p, v := &c.public, c.volume()
	house, device := c.report.HouseKey.Key, c.report.DeviceKey.Key
	if v.begun != nil {
		house, device = v.begun.HouseKey, v.begun.DeviceKey
	}
	body, err := journal.OpenLog(b.Note, house)
	if err != nil {
		return fault(CheckPublicLog, "its beginning does not hold: %v", err)
	}
	for _, s := range c.opened {
		if s.dayOpen {
			return fault(CheckPublicLog, "%s begins on the Keno Day %v of series %s, which is open", body.Origin, s.day, s.name)
		}
	}
	next := journal.LogOrigin(c.report.House, p.number+1)
	now := journal.Checkpoint{Origin: v.end.Origin, Size: c.seq, Root: journal.Hash(p.grown.root())}
	switch {
	case body.Origin != next:
		return fault(CheckPublicLog, "%s begins, and the next log is %s", body.Origin, next)
	case body.HouseKey != house || body.DeviceKey != device:
		return fault(CheckPublicLog, "%s begins with the keys %s and %s, which are not those of the volume", body.Origin,
			body.HouseKey, body.DeviceKey)
	case body.Journal != now:
		return fault(CheckPublicLog, "%v", differs("journal", body.Journal, now,
			"%s begins with the journal %v, which stands at %v", body.Origin, body.Journal, now))
	}
	if err := c.checkLogPast(body); err != nil {
		return err
	}
	if err := c.finishLog(); err != nil {
		return err
	}
	verifier, err := journal.ParseVerifier(body.Key)
	if err != nil {
		return fault(CheckPublicLog, "the key of %s: %v", body.Origin, err)
	}
	*p = publicLog{number: p.number + 1, origin: body.Origin, key: body.Key, verifier: verifier, grown: p.grown,
		volume: v.end.Origin, due: c.standing(), unstored: p.unstored}
	return nil
}

// checkLogPast checks what the beginning of a log states of the past: the first how every volume ended, and a later one
// how the log before it ended.
func (c *checker) checkLogPast(body journal.LogBody) error {
	p := &c.public
	var ended []journal.Checkpoint
	if !p.begun() {
		ended = c.log.past()
	}
	if !slices.Equal(body.Ended, ended) {
		return fault(CheckPublicLog, "%s begins with the ends of volumes: %s; and they are: %s", body.Origin,
			body.Ended, ended)
	}
	if !p.begun() {
		return nil // The form lets the first log follow none.
	}
	if before := p.checkpoint(); *body.Before != before && !c.lostEntries(*body.Before) {
		return fault(CheckPublicLog, "%v", differs("before", *body.Before, before, "%s follows %v, and that ended with %v",
			body.Origin, *body.Before, before))
	}
	if body.Key == p.key {
		return fault(CheckPublicLog, "%s has the key of the log before it", body.Origin)
	}
	return nil
}

// lostEntries reports whether a log may have ended elsewhere than the records say: a journal that was restored lacks
// entries which others have, behind those of which it says itself that witnesses have cosigned them.
func (c *checker) lostEntries(ended journal.Checkpoint) bool {
	p := &c.public
	if !c.log.restored() || ended.Origin != p.origin || ended.Size <= p.cosigned {
		return false
	}
	if first := p.entries.size - uint64(len(p.roots)) + 1; ended.Size >= first && ended.Size <= p.entries.size &&
		ended.Root == journal.Hash(p.roots[ended.Size-first]) {
		return false // It is no other log, and a part of it is given up.
	}
	c.find(fault(CheckPublicLog, "%s ended with %d entries, and the journal, which was restored, has other ones behind the first %d: ask for the entries where they were followed",
		p.origin, ended.Size, p.cosigned))
	return true
}

// standing returns what a reader of a log that begins must know: what draws each series, where that was chosen, what
// custodians have committed to for days to come, and who cosigns.
func (c *checker) standing() (bodies []record.Body) {
	for _, s := range c.series {
		if s != nil && s.device.chosen != nil {
			bodies = append(bodies, s.device.chosen)
		}
		if s == nil {
			continue
		}
		for i, b := range s.beacons {
			if b.From > s.day || i+1 == len(s.beacons) || s.beacons[i+1].From > s.day {
				bodies = append(bodies, b)
			}
		}
		for _, committed := range s.committed {
			if committed.Day > s.day {
				bodies = append(bodies, committed)
			}
		}
	}
	if named := c.witnessing.said(); named != nil {
		bodies = append(bodies, named)
	}
	return bodies
}

// checkpoint returns the log as it stands.
func (p *publicLog) checkpoint() journal.Checkpoint {
	return journal.Checkpoint{Origin: p.origin, Size: p.entries.size, Root: journal.Hash(p.entries.root())}
}

// logWitnessed checks that those who are said to have cosigned the public log have, and that it was this log.
func (c *checker) logWitnessed(b *record.LogWitnessed) error {
	p := &c.public
	if !p.begun() {
		return fault(CheckPublicLog, "a public log is cosigned, and there is none")
	}
	known := c.witnessing.ofCheckpoints()
	stated, signers, err := journal.OpenCheckpoint(b.Checkpoint, p.verifier, known...)
	if err != nil {
		return fault(CheckPublicLog, "what was cosigned does not hold: %v", err)
	}
	size := p.entries.size
	first := size - uint64(len(p.roots)) + 1 // of which the root is kept
	switch {
	case stated.Origin != p.origin:
		return fault(CheckPublicLog, "%s is cosigned, and the log is %s", stated.Origin, p.origin)
	case stated.Size <= p.cosigned:
		return fault(CheckPublicLog, "%d entries of %s are cosigned, and %d were before", stated.Size, p.origin, p.cosigned)
	case stated.Size > size:
		return fault(CheckPublicLog, "%d entries of %s are cosigned, and there are %d", stated.Size, p.origin, size)
	case stated.Size < first:
		return fault(CheckPublicLog, "%d entries of %s are cosigned, more than %d entries ago", stated.Size, p.origin,
			maxRoots/2)
	}
	if root := journal.Hash(p.roots[stated.Size-first]); stated.Root != root {
		return fault(CheckPublicLog, "%v", differs("root", stated.Root, root,
			"what was cosigned are not the first %d entries of %s", stated.Size, p.origin))
	}
	names := slices.DeleteFunc(signers, func(name string) bool { return name == p.verifier.Name() })
	slices.Sort(names)
	if !slices.Equal(names, b.By) {
		return fault(CheckPublicLog, "%s is cosigned by %s, and it says by %s", p.origin, names, b.By)
	}
	p.roots = slices.Clone(p.roots[stated.Size-first+1:])
	p.cosigned, p.by, p.note = stated.Size, b.By, slices.Clone(b.Checkpoint)
	for _, s := range c.opened {
		s.quorate(stated.Size, b.By)
		c.sealedInTime(s, stated.Size, b)
	}
	if c.opts.Policy != nil {
		if p.lacks = c.opts.Policy(b.Checkpoint); p.lacks == "" {
			p.quorate = stated.Size
		}
	}
	return nil
}

// quorate takes in that witnesses have cosigned the public log: of a sealed game with all custodians among them links
// may be known from here on.
func (s *series) quorate(entries uint64, by []string) {
	for i := len(s.games) - 1; i >= 0 && !s.games[i].stage.over(); i-- {
		g := s.games[i]
		lacks := func(who custodian) bool { return !slices.Contains(by, who.name) }
		if g.round.number > 0 {
			continue // Its seal must be cosigned in time, see sealedInTime.
		}
		if size := g.logged.entries; size > 0 && size <= entries && !slices.ContainsFunc(g.device.custodians, lacks) {
			g.quorate = true
		}
	}
}

// sealedInTime takes in that witnesses have cosigned the public log for the sealed games with a round.
func (c *checker) sealedInTime(s *series, entries uint64, b *record.LogWitnessed) {
	for i := len(s.games) - 1; i >= 0 && !s.games[i].stage.over(); i-- {
		if g := s.games[i]; g.round.number > 0 && g.logged.entries > 0 && g.logged.entries <= entries {
			c.cosignedInTime(g, b.Checkpoint, b.By)
		}
	}
}

// unmet says why a game must not be drawn by the policy of the inspector, or "": no checkpoint above its seal meets the
// policy.
func (c *checker) unmet(g *game) string {
	p := &c.public
	switch {
	case c.opts.Policy != nil && g.round.number > 0 && !g.round.meets:
		return "no checkpoint of the public log above its seal met the policy before its round could be known"
	case c.opts.Policy == nil || g.logged.entries == 0 || g.logged.of != p.number || g.logged.entries <= p.quorate:
		return ""
	case p.lacks != "":
		return "no checkpoint of the public log above its seal meets the policy: " + p.lacks
	}
	return "no checkpoint of the public log above its seal is cosigned"
}

// loggedSeal is where the seal of a game stands: in the log of a number, which has so many entries with the seal.
type loggedSeal struct {
	of      uint16
	entries uint64
}

// nextSeal returns where the seal under check will stand: its entry follows. Without a log that is nowhere.
func (p *publicLog) nextSeal() loggedSeal {
	if !p.begun() {
		return loggedSeal{}
	}
	return loggedSeal{p.number, p.entries.size + 1}
}

// publish adds to the log what follows from a record, and the record to the journal that the log names.
func (c *checker) publish(r record.Record) error {
	p := &c.public
	if !p.begun() {
		return nil
	}
	place := record.Place{Volume: c.volume().number, Seq: c.seq}
	if text := c.entryOf(place, r); text != nil {
		if err := c.addEntry(publicEntry{place, r.Kind(), text}); err != nil {
			return err
		}
	}
	if _, begins := r.Body.(*record.VolumeBegun); begins {
		p.volume, p.grown = c.volume().end.Origin, growth{}
	}
	p.grown.add(c.log.leaf())
	return nil
}

// addEntry adds an entry to the log.
func (c *checker) addEntry(e publicEntry) error {
	p := &c.public
	if _, err := public.Parse(e.text); err != nil {
		return fault(CheckPublicLog, "the entry that follows from it has not the form of one: %v", err)
	}
	p.entries.add(e.text)
	p.bundle = append(p.bundle, e)
	if len(p.roots) == maxRoots {
		p.roots = slices.Delete(p.roots, 0, maxRoots/2)
	}
	p.roots = append(p.roots, p.entries.root())
	return c.addLeaf(p.entries.last)
}

// report tells of the log; nil without one.
func (p *publicLog) report() *PublicLog {
	if !p.begun() {
		return nil
	}
	end := p.checkpoint()
	return &PublicLog{Origin: end.Origin, Key: p.key, Entries: end.Size, Root: end.Root.String(),
		Cosigned: p.cosigned, By: p.by}
}

// A PublicLog is what everybody may follow of the journal: how many entries it has and their root, and how many of them
// which witnesses have cosigned.
type PublicLog struct {
	Origin   string   `json:"origin"`
	Key      string   `json:"key"`
	Entries  uint64   `json:"entries"`
	Root     string   `json:"root"`
	Cosigned uint64   `json:"cosigned"`
	By       []string `json:"by,omitempty"`
}

// told returns what the report says of the log.
func (l *PublicLog) told() string {
	if l.Cosigned == 0 {
		return "not cosigned"
	}
	return fmt.Sprintf("cosigned up to entry %d by %s", l.Cosigned, strings.Join(l.By, ", "))
}
