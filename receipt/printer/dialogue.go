package printer

import (
	"errors"
	"io"
	"net"
	"os"
	"time"
)

// The questions. Those of the first kind a printer answers at once; the last stands
// in line behind what is printed, so that its answer means that the printer is
// through.
const (
	askState   = "\x10\x04\x01"
	askOffline = "\x10\x04\x02"
	askError   = "\x10\x04\x03"
	askPaper   = "\x10\x04\x04"
	askThrough = "\x1dr\x01"
)

// The bits of the answers.
const (
	stateOffline = 0x08

	offlineCover = 0x04
	offlinePaper = 0x20
	offlineError = 0x40

	errorKnife = 0x08

	paperLow = 0x0c
	paperEnd = 0x60

	throughLow = 0x03
	throughEnd = 0x0c
)

// dialogue is a talk with a printer.
type dialogue struct {
	conn     net.Conn
	deadline time.Time
	low      bool
}

func (d *dialogue) write(data []byte) error {
	if err := d.conn.SetWriteDeadline(d.deadline); err != nil {
		return err
	}
	_, err := d.conn.Write(data)
	return err
}

// read reads one byte. No answer in time is not an error.
func (d *dialogue) read(until time.Time) (b byte, ok bool, err error) {
	if until.After(d.deadline) {
		until = d.deadline
	}
	if err := d.conn.SetReadDeadline(until); err != nil {
		return 0, false, err
	}
	var one [1]byte
	_, err = io.ReadFull(d.conn, one[:])
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return 0, false, nil
	}
	return one[0], err == nil, err
}

// question asks something that is answered at once.
func (d *dialogue) question(question string) (b byte, ok bool, err error) {
	if err := d.write([]byte(question)); err != nil {
		return 0, false, err
	}
	b, ok, err = d.read(time.Now().Add(answerTime))
	// The fixed bits tell an answer from anything else that a device may send.
	return b, ok && b&0x93 == 0x12, err
}

// ask asks the printer how it is. A printer that does not talk is taken to be well.
func (d *dialogue) ask() (state State, talks bool, err error) {
	b, talks, err := d.question(askState)
	if err != nil || !talks {
		return "", talks, err
	}
	if b&stateOffline != 0 {
		state, err = d.whyOffline()
		return state, true, err
	}
	paper, ok, err := d.question(askPaper)
	if err != nil || !ok {
		return "", true, err
	}
	d.low = paper&paperLow != 0
	if paper&paperEnd != 0 {
		return NoPaper, true, nil
	}
	return "", true, nil
}

// whyOffline asks a printer that does not print for the reason.
func (d *dialogue) whyOffline() (State, error) {
	b, ok, err := d.question(askOffline)
	switch {
	case err != nil || !ok:
		return Offline, err
	case b&offlineCover != 0:
		return CoverOpen, nil
	case b&offlinePaper != 0:
		return NoPaper, nil
	case b&offlineError == 0:
		return Offline, nil
	}
	b, ok, err = d.question(askError)
	if ok && b&errorKnife != 0 {
		return KnifeStuck, nil
	}
	return Faulty, err
}

// await waits for the printer's word that it is through. Without it the printer is
// asked once more, since it may have stopped in the middle.
func (d *dialogue) await(fail func(State, bool, error) (Result, error)) (Result, error) {
	b, ok, err := d.read(d.deadline.Add(-2 * answerTime))
	switch {
	case err != nil:
		return fail(Lost, true, err)
	case ok && b&throughEnd != 0:
		return fail(NoPaper, true, nil)
	case ok:
		return Result{Confirmed: true, LowPaper: d.low || b&throughLow != 0}, nil
	}
	state, talks, err := d.ask()
	switch {
	case err != nil:
		return fail(Lost, true, err)
	case state == "" || !talks:
		return fail(Unfinished, true, nil)
	}
	return fail(state, true, nil)
}
