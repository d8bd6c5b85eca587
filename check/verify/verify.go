package verify

import (
	"errors"
	"fmt"

	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// Options are what an inspector brings along.
type Options struct {
	// HouseKey and DeviceKey are the verifier keys as the inspector knows them
	// from elsewhere. Where one is empty the export's own is used, and the proof
	// is worth less: it shows that the export agrees with itself.
	HouseKey  string
	DeviceKey string
	// OtherKeys are house keys of other volumes, as the inspector knows them. One is
	// needed where a house has a new key for which its old one did not sign.
	OtherKeys []string
	// Witnesses are the keys of witnesses as the inspector knows them. Every game must
	// have been cosigned before its draw by as many of them as Cosignatures says, or by
	// all if it is 0, the witnesses that the house says it asks; and the house may name none of
	// them with another key.
	Witnesses    []string
	Cosignatures int
	// LinksKeys are the keys by which custodians commit to links, as the inspector knows them, with those of before; none
	// takes those that the journal names.
	LinksKeys []string
	// Policy, if not nil, is the policy of the inspector for checkpoints of the public log: it says what one lacks, or
	// "". Every game of which the seal is in the log must be drawn behind a checkpoint above the seal that lacks nothing.
	Policy func(checkpoint []byte) (lacks string)
	// Checkpoints are earlier signed checkpoints of the same log, from a receipt, a
	// witness or a former visit. The records must begin with what each of them
	// states: so a house that wrote its history anew is found, however well the
	// new one agrees with itself.
	Checkpoints [][]byte
	// Rulebooks are the hashes of the rulebooks as the inspector knows them. The
	// report says which of the export's are among them: prizes are graded by the
	// export's own, and one of lower prizes under the same name grades as well.
	Rulebooks []record.Hash
	// HasClause, if not nil, says whether a rulebook of this id has a clause, as the inspector
	// knows the texts. An act that comes under a clause which its rulebook does not have is
	// then a fault; the export has no texts.
	HasClause func(id, clause string) bool
	// Progress, if not nil, is told now and then how many records are done.
	Progress func(done, total uint64)
}

// progressEvery is how many records pass between two calls of Progress.
const progressEvery = 1 << 12

// Run checks an export from its first byte to its last and reports what it
// found. It never panics, whatever the bytes are.
func Run(src Source, opts Options) *Report {
	c := newChecker(src, opts)
	if err := c.run(); err != nil {
		c.report.Failure = c.failure(err)
	}
	c.finishReport()
	return c.report
}

// A checker goes through the records of one export once and keeps what later
// records are checked against.
type checker struct {
	src    Source
	opts   Options
	report *Report

	log   theLog
	level uint8             // of the journal, see record.Level
	build record.BuildNamed // the program that writes; empty before one has said so
	now   record.Time
	seq   uint64 // of the record under check
	kind  record.Kind

	adopted     map[record.Hash]*rulebook.Book // which editions may have for a base
	rules       map[record.Hash]*rules
	terms       map[termsKey]*terms
	series      [256]*series
	opened      []*series // those that there are
	venues      map[uint32]venue
	terminals   map[uint32]*terminal
	disputes    []runnerDispute // between runners and players, by number - 1
	register    []*registered   // the drawing devices, by number - 1
	books       books
	apart       apart
	houseFrom   record.Place // the first record of the day of the house
	shifts      []*workShift // of the day, in the order in which they began
	counter     wayCounter
	people      people
	tickets     tickets
	halls       halls
	tills       tills
	outside     outside // tickets of other systems
	money       venueBooks
	witnessing  witnessing
	public      publicLog
	corrections corrections
	slow        bool // read and keep every ticket the long way; for tests
}

// newChecker begins before the first record.
func newChecker(src Source, opts Options) *checker {
	return &checker{src: src, opts: opts, report: &Report{}, people: newPeople(), tills: newTills()}
}

// run checks everything. The log comes first: a record that breaks a rule is
// held back until the log's root is known to be the signed one, for in a log
// that was altered it is the altering that must be told.
func (c *checker) run() error {
	if err := c.readAsked(); err != nil {
		return err
	}
	if err := c.openExport(); err != nil {
		return err
	}
	for c.log.current = range c.log.volumes {
		if err := c.runVolume(c.volume()); err != nil {
			return err
		}
	}
	return c.checkEnd()
}

// runVolume checks the records of one volume.
func (c *checker) runVolume(v *volume) error {
	var broken *Failure
	c.log.tree, c.log.lastSeal, c.seq = merkle{}, 0, 0
	if err := c.meetEarlier(); err != nil {
		return err
	}
	stream := newRecordStream(c.src, c.fileOf(v.number), v.end.Size)
	defer stream.close()
	for ; c.seq < v.end.Size; c.seq++ {
		r, err := c.readRecord(stream)
		if err != nil && broken != nil {
			// Where a record is missing the end comes too early, but it is the
			// first record that does not fit that tells where.
			return &Failure{Check: CheckLog, Place: broken.Place, Kind: broken.Kind,
				Reason: fmt.Sprintf("%s; and further on: %v", broken.Reason, err)}
		}
		if err != nil {
			return err
		}
		if broken == nil {
			if err := c.checkRecord(r); err != nil {
				broken = c.failure(err)
			}
		}
		c.progress()
	}
	c.kind = 0
	if err := stream.finish(); err != nil {
		return fault(CheckExport, "%v", err)
	}
	if c.log.tree.root() != v.end.Root {
		return c.altered(broken)
	}
	if broken != nil {
		return broken
	}
	return nil
}

// openExport reads what stands before the records: house, keys, checkpoint.
func (c *checker) openExport() error {
	data, err := readWhole(c.src, HouseFile, maxSmallFile)
	if err != nil {
		return fault(CheckExport, "%v", err)
	}
	if c.log.house, err = ParseHouse(data); err != nil {
		return fault(CheckExport, "%v", err)
	}
	c.report.House, c.report.Volume = c.log.house.House, c.log.house.Volume
	newest := &volume{number: c.log.house.Volume}
	if newest.house, err = c.key("house", c.opts.HouseKey, c.log.house.HouseKey, &c.report.HouseKey); err != nil {
		return err
	}
	if newest.device, err = c.key("device", c.opts.DeviceKey, c.log.house.DeviceKey, &c.report.DeviceKey); err != nil {
		return err
	}
	signed, err := readWhole(c.src, CheckpointFile, maxSmallFile)
	if err != nil {
		return fault(CheckExport, "%v", err)
	}
	if newest.end, _, err = journal.OpenCheckpoint(signed, newest.house); err != nil {
		return fault(CheckLog, "the checkpoint does not hold: %v", err)
	}
	if origin := journal.VolumeOrigin(c.log.house.House, c.log.house.Volume); newest.end.Origin != origin {
		return fault(CheckLog, "the checkpoint is of the log %s, and the export of %s", newest.end.Origin, origin)
	}
	c.log.volumes = []*volume{newest}
	if err := c.openVolumes(); err != nil {
		return err
	}
	for _, v := range c.log.volumes {
		c.log.total += v.end.Size
	}
	c.report.setCheckpoint(newest.end)
	c.reportVolumes()
	return c.openEarlier()
}

// key chooses between the key that was given and the export's own.
func (c *checker) key(whose, given, exported string, told *Key) (journal.Verifier, error) {
	if given != "" && given != exported && len(c.log.house.Earlier) == 0 {
		return nil, fault(CheckHouse, "the export names another %s key than the one given", whose)
	}
	verifier, err := journal.ParseVerifier(exported)
	if err != nil {
		return nil, fault(CheckHouse, "the %s key: %v", whose, err)
	}
	*told = Key{Key: exported, Given: given != ""}
	return verifier, nil
}

// readRecord reads the next record: its form, and its time. It is valid until the next
// one is read.
func (c *checker) readRecord(stream *recordStream) (record.Record, error) {
	c.kind = 0
	data, err := stream.read()
	if err != nil {
		return record.Record{}, fault(CheckExport, "%v", err)
	}
	return c.takeRecord(data)
}

// takeRecord takes the bytes of the next record into the log and reads them.
func (c *checker) takeRecord(data []byte) (record.Record, error) {
	c.halls.before(data, &c.log.tree)
	c.public.before(data, &c.log.tree)
	c.log.tree.add(data)
	if err := c.meetEarlier(); err != nil {
		return record.Record{}, err
	}
	r, err := c.decode(data)
	if err != nil {
		return record.Record{}, fault(CheckLog, "%v", record.WrittenBy(err, c.build.Build))
	}
	c.kind = r.Kind()
	if r.Time < c.now {
		return record.Record{}, fault(CheckLog,
			"its time is %d milliseconds before that of the record before it", c.now-r.Time)
	}
	c.now = r.Time
	if c.report.Records == 0 {
		c.report.First = r.Time.Time()
	}
	c.report.Records++
	return r, nil
}

// decode reads the bytes of a record: a sale quickly, if it can be.
func (c *checker) decode(data []byte) (record.Record, error) {
	if !c.slow {
		if r, ok := c.tickets.read(data); ok {
			return r, nil
		}
	}
	return record.Decode(data)
}

func (c *checker) progress() {
	if c.opts.Progress != nil && (c.report.Records%progressEvery == 0 || c.report.Records == c.log.total) {
		c.opts.Progress(c.report.Records, c.log.total)
	}
}

// altered tells that the records are not those of the checkpoint, and where that
// shows first.
func (c *checker) altered(broken *Failure) error {
	const altered = "the records are not those of the signed checkpoint: one was changed, dropped, added or moved"
	since := ""
	if c.log.lastSeal > 0 {
		since = fmt.Sprintf(" after %v, up to which a seal holds",
			record.Place{Volume: c.volume().number, Seq: c.log.lastSeal - 1})
	}
	if broken != nil {
		return &Failure{Check: CheckLog, Place: broken.Place, Kind: broken.Kind,
			Reason: fmt.Sprintf("%s%s, and this is the first that does not fit: %s", altered, since, broken.Reason)}
	}
	c.seq = c.volume().end.Size - 1
	return fault(CheckLog, "%s%s", altered, since)
}

// checkRecord checks what a record says and does against those before it.
func (c *checker) checkRecord(r record.Record) error {
	if _, begins := r.Body.(*record.VolumeBegun); begins != (c.seq == 0) {
		return fault(CheckHouse, "a volume begins with its first record and no other")
	}
	if err := c.checkRepeats(r.Body); err != nil {
		return err
	}
	if err := c.checkCorrecting(r.Body); err != nil {
		return err
	}
	if err := c.guard(c.checkContinued(r.Body)); err != nil {
		return err
	}
	if err := c.checkFrozen(r.Body); err != nil {
		return err
	}
	if err := c.checkPromised(r.Body); err != nil {
		return err
	}
	if err := c.checkApproved(r.Body); err != nil {
		return err
	}
	if err := c.checkReached(r.Body); err != nil {
		return err
	}
	if err := c.guard(c.checkExit(r.Body)); err != nil {
		return err
	}
	if err := c.guard(c.checkPaying(r.Body)); err != nil {
		return err
	}
	if err := c.guard(c.checkHanded(r.Body)); err != nil {
		return err
	}
	if err := c.checkPersons(r); err != nil {
		return err
	}
	if err := c.checkExpired(r.Body); err != nil {
		return err
	}
	if err := c.checkReturned(r.Body); err != nil {
		return err
	}
	if err := c.checkSwept(r.Body); err != nil {
		return err
	}
	if err := c.checkStated(r.Body); err != nil {
		return err
	}
	if err := c.checkBounds(r); err != nil {
		return err
	}
	expected, err := c.checkBody(r.Body)
	if err != nil {
		return err
	}
	if err := c.takeIn(r.Body); err != nil {
		return err
	}
	if err := c.publish(r); err != nil {
		return err
	}
	if err := c.books.check(r.Postings, expected); err != nil {
		return fault(checkOf(r.Body), "%v", err)
	}
	if err := c.books.post(r.Kind(), r.Postings); err != nil {
		return fault(CheckLedger, "%v", err)
	}
	if err := c.postApart(r); err != nil {
		return fault(CheckLedger, "%v", err)
	}
	if id, ok := r.Terminal(); ok {
		if term := c.terminals[id]; term != nil {
			term.bank(r.Postings)
			c.tallyRecord(id, term, r)
		}
	}
	c.shiftRecord(r)
	c.countVenue(r)
	return nil
}

// checkBody checks the body and returns the postings that it must have.
func (c *checker) checkBody(body record.Body) (postings, error) {
	return rowFor(body).judged(c, body)
}

// checkEnd compares the books with what the records left open: a check of this
// program as much as of the house.
func (c *checker) checkEnd() error {
	if c.volume().end.Size == 0 {
		return fault(CheckHouse, "the export has no record, and a volume begins with one")
	}
	c.seq = c.volume().end.Size - 1
	if err := c.checkOpen(); err != nil {
		return err
	}
	return c.finishLog()
}

// checkOpen compares the books with what is open behind any record.
func (c *checker) checkOpen() error {
	if err := c.corrections.checkDone(); err != nil {
		return err
	}
	if err := c.checkHalls(); err != nil {
		return err
	}
	return c.checkOpenMoney()
}

// failure gives an error its place.
func (c *checker) failure(err error) *Failure {
	var f *Failure
	if errors.As(err, &f) {
		return f
	}
	var e *faultError
	if !errors.As(err, &e) {
		e = &faultError{check: CheckExport, reason: err.Error()}
	}
	f = &Failure{Check: e.check, Reason: e.reason, Differs: e.differs}
	if c.report.Checkpoint != nil {
		f.Place, f.Kind = record.Place{Volume: c.volume().number, Seq: c.seq}, c.kind
	}
	return f
}
