package bench

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"drawhouse/cmd/drawhouse/console"
	"drawhouse/cmd/drawhouse/demo"
	"drawhouse/decide/engine"
	"drawhouse/decide/game"
	"drawhouse/house"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// growthPoint is what a house with so many open tickets costs.
type growthPoint struct {
	Tickets        int     `json:"tickets"`
	SellSeconds    float64 `json:"sell_seconds"`    // all of them, through the lane
	SealSeconds    float64 `json:"seal_seconds"`    // of one game
	SettleSeconds  float64 `json:"settle_seconds"`  // of one game, durable
	PayableSeconds float64 `json:"payable_seconds"` // from its close to the first claim
	CommitSeconds  float64 `json:"commit_seconds"`  // the yardstick: one commit by itself
	OpenSeconds    float64 `json:"open_seconds"`    // a house on the journal, without a snapshot
	ReadSeconds    float64 `json:"read_seconds"`    // the yardstick: every record, with nothing done to it
	VerifySeconds  float64 `json:"verify_seconds"`
	VerifyCPU      float64 `json:"verify_cpu_seconds"`
	Holds          bool    `json:"holds"`
}

// growthGames is how many games a point draws; the median counts.
const growthGames = 3

// growth measures a house of one size, from its first ticket to the second opinion.
func growth(ctx context.Context, dir, database string, tickets int, line statusLine) (_ *growthPoint, err error) {
	place, err := newSite(dir, database)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, place.clear()) }()
	p := &growthPoint{Tickets: max(tickets, certain)}
	begin := time.Now()
	full, err := openFullHouse(ctx, place, p.Tickets, line)
	if err != nil {
		return nil, err
	}
	p.SellSeconds = time.Since(begin).Seconds()
	line.show("drawing with %s tickets", console.Counted(p.Tickets))
	if err := p.draw(ctx, place, full); err != nil {
		return nil, errors.Join(err, full.close(ctx))
	}
	if err := full.close(ctx); err != nil {
		return nil, err
	}
	line.show("sealing, opening and verifying %s tickets", console.Counted(p.Tickets))
	return p, errors.Join(p.seal(ctx, full.storage), p.open(ctx, full.storage),
		p.verify(ctx, full.storage, filepath.Join(place.dir, "export")))
}

// draw plays games, and measures a commit by itself.
func (p *growthPoint) draw(ctx context.Context, place *site, full *fullHouse) error {
	var settle, payable []float64
	for range growthGames {
		took, err := full.play(ctx)
		if err != nil {
			return err
		}
		var total time.Duration
		for i, t := range took {
			total += t
			if drawStages[i] == "settlement" {
				settle = append(settle, t.Seconds())
			}
		}
		payable = append(payable, total.Seconds())
	}
	p.SettleSeconds, p.PayableSeconds = median(settle), median(payable)
	commits, err := commitPace(ctx, place, full)
	p.CommitSeconds = float64(commits.P50Micros) / 1e6
	return err
}

// errSealed ends a replay where a game has closed and is to be sealed.
var errSealed = errors.New("a game is to be sealed")

// seal replays the journal up to the first seal, and makes that seal.
func (p *growthPoint) seal(ctx context.Context, storage location) (err error) {
	st, err := storage.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	keys, err := storage.keys(ctx, st)
	if err != nil {
		return err
	}
	head, err := st.Head(ctx)
	if err != nil {
		return err
	}
	e := engine.New(keys.House)
	err = st.Records(ctx, head.Volume, 0, head.Size, func(_ uint64, data []byte) error {
		if kind, _ := record.KindOf(data); kind == record.KindGameSealed {
			return errSealed
		}
		return e.Replay(data)
	})
	if !errors.Is(err, errSealed) {
		return errors.Join(err, errors.New("no game was sealed"))
	}
	at := journal.Checkpoint{Origin: journal.VolumeOrigin(demo.House, head.Volume), Size: e.State().Next().Seq,
		Root: e.Root()}
	var times []float64
	for range growthGames {
		begin := time.Now()
		if _, err := game.Seal(e.State(), house.FirstSeries, 1, at, keys.House); err != nil {
			return err
		}
		times = append(times, time.Since(begin).Seconds())
	}
	p.SealSeconds = median(times)
	return nil
}

// open opens a house on the journal, and reads the journal.
func (p *growthPoint) open(ctx context.Context, storage location) error {
	_, read, err := readJournal(ctx, storage)
	if err != nil {
		return err
	}
	whole, err := reopen(ctx, storage, false)
	p.ReadSeconds, p.OpenSeconds = read.Seconds(), whole.took.Seconds()
	return err
}

// verify has the journal graded.
func (p *growthPoint) verify(ctx context.Context, storage location, out string) error {
	second, err := verifyJournal(ctx, storage, out)
	if err != nil {
		return err
	}
	v := verifiedOf(second.Report, uint64(p.Tickets), second.took)
	p.Holds, p.VerifySeconds, p.VerifyCPU = v.Holds, v.Seconds, second.cpu.Seconds()
	if !v.Holds {
		return fmt.Errorf("%w: %s", errNotCounted, v.Why)
	}
	return nil
}
