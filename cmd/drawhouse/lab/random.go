package lab

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"drawhouse/check/rngreport"
	"drawhouse/core/ball"
	"drawhouse/games/draw"
)

// ErrUnsound says that the numbers of a report do not look like chance.
var ErrUnsound = errors.New("the numbers do not look like chance")

// drawAll draws games of 20 of 80 with the tripwires and the selection of the device from a random source, and tests
// them. It reads no byte of the source that it does not use.
func drawAll(entropy io.Reader, draws int64, progress Progress) (*rngreport.Report, error) {
	none, err := ball.NewSequence(ball.Keno)
	if err != nil {
		return nil, err
	}
	source, err := draw.NewSource(entropy)
	if err != nil {
		return nil, err
	}
	tally := new(rngreport.Tally)
	var game rngreport.Game
	var pick draw.Pick
	for i := range draws {
		selector, err := draw.NewSelector(none, source)
		if err != nil {
			return nil, err
		}
		for k := range game {
			if err := selector.NextInto(&pick); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				return nil, fmt.Errorf("the random bytes end after %d of %d draws: %w", i, draws, io.ErrUnexpectedEOF)
			} else if err != nil {
				return nil, err
			}
			game[k] = uint8(pick.Number)
		}
		tally.Add(&game)
		if (i+1)%progressStep == 0 || i+1 == draws {
			progress.tell("draws", i+1, draws)
		}
	}
	return tally.Report()
}

// progressStep is after how many draws somebody is told.
const progressStep = 10_000

// randomPart writes what the tests say of the draws that the random bytes of the pack give.
func (p *pack) randomPart() error {
	f, err := p.dir.Open(filepath.FromSlash(rawFile))
	if err != nil {
		return err
	}
	counted := &counter{from: bufio.NewReaderSize(f, 1<<16)}
	report, err := drawAll(counted, p.given.Draws, p.progress)
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("%s: %w", rawFile, err)
	}
	for _, test := range report.Failed() {
		p.fail("randomness/report.txt: %v: the test %q fails", ErrUnsound, test.Name)
	}
	picture, err := report.PlotSVG()
	if err != nil {
		return err
	}
	p.fact("Random numbers: %d draws of 20 of 80 from %d bytes, 8 tests, %d failed.", p.given.Draws, counted.bytes,
		len(report.Failed()))
	if err := p.put("randomness/report.txt", report.AppendText(nil)); err != nil {
		return err
	}
	if err := p.putJSON("randomness/report.json", report); err != nil {
		return err
	}
	if err := p.put("randomness/report.svg", picture); err != nil {
		return err
	}
	return p.put("randomness/README.md", fmt.Appendf(nil, randomPage, counted.bytes, p.given.Draws))
}

// counter counts the bytes that are read.
type counter struct {
	from  io.Reader
	bytes int64
}

// Read implements io.Reader.
func (c *counter) Read(b []byte) (int, error) {
	n, err := c.from.Read(b)
	c.bytes += int64(n)
	return n, err
}

// randomPage says what the files of the folder are and how to go on from them.
const randomPage = `# Evidence of the random numbers

- [raw.bin](raw.bin): %d bytes as the generator device has read them from the random source of the operating system, in their order.
- [report.txt](report.txt), [report.json](report.json), [report.svg](report.svg): eight tests of the %d draws that these bytes
  give through the tripwires and the selection of the device. ` + "`drawhouse lab-pack check`" + ` draws them from raw.bin again.

What draws, what each test compares and why, and a run of dieharder over more bytes: [documents/docs/RANDOMNESS.md](../documents/docs/RANDOMNESS.md).

## Health tests

Every byte of the source passes these tests before it is used, in a house as here, and the first alarm stops the device for good:

- repetition count, SP 800-90B 4.4.1, and adaptive proportion, SP 800-90B 4.4.2, over the bytes as the device reads them;
- a start-up test over the first bytes, which are thrown away, and a search for stretches that repeat earlier ones.

The limits and their rates of false alarm stand beside the code in games/draw/source.go of the source; the hash of that part is
in [program/version.txt](../program/version.txt).

## More bytes for suites of your own

raw.bin is small: dieharder and NIST SP 800-22 ask for more. Have the program write as much as they need, and put it into a pack
with --random, so that report and bytes belong together:

    drawhouse draw --raw 1000000000 >raw.bin
    dieharder -a -g 201 -f raw.bin
    drawhouse draw --raw 125000000 >nist.bin          # 1000 streams of 1,000,000 bits for sts, binary input
    drawhouse lab-pack PACK --random raw.bin --draws 10000000
    drawhouse rng report --draws 100000000            # draws alone, without keeping their bytes
`
