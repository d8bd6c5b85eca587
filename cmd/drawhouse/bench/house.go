package bench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/cmd/drawhouse/demo"
	"drawhouse/edge/client"
)

// A game of the house under measurement takes five seconds, so that games close,
// are drawn and settle while tickets are sold.
const (
	gameInterval = 5 * time.Second
	gameLead     = 500 * time.Millisecond
	gameBall     = 100 * time.Millisecond
)

// opening is how long a house may take until a game is on sale.
const opening = 30 * time.Second

// houseProcess is a demonstration house that runs as a process of its own.
type houseProcess struct {
	cmd     *exec.Cmd
	storage location
	address string // for terminals
	admin   string // for its metrics
	log     bytes.Buffer
}

// startHouse starts this program as a house and waits until a game is on sale.
// The end of the context ends it.
func startHouse(ctx context.Context, storage location, terminals int) (*houseProcess, error) {
	name, err := os.Executable()
	if err != nil {
		return nil, err
	}
	h := &houseProcess{storage: storage}
	if h.admin, err = freeAddress(ctx); err != nil {
		return nil, err
	}
	h.cmd = exec.CommandContext(ctx, name, "serve", "--demo", "--addr=127.0.0.1:0", "--admin-addr="+h.admin,
		"--data="+storage.data, fmt.Sprintf("--terminals=%d", terminals),
		fmt.Sprintf("--interval=%v", gameInterval), fmt.Sprintf("--lead=%v", gameLead), fmt.Sprintf("--ball=%v",
			gameBall))
	h.cmd.Args[0] = "drawhouse"
	// Among the arguments anybody on the machine could read a password.
	h.cmd.Env = append(os.Environ(), "DRAWHOUSE_DATABASE="+storage.database)
	h.cmd.Stderr = &h.log
	stdout, err := h.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := h.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return nil, h.failed(err)
	}
	_, h.address, _ = strings.Cut(strings.TrimSpace(line), "http://")
	if err := h.waitForSale(ctx); err != nil {
		return nil, h.failed(err)
	}
	return h, nil
}

// failed ends a house that is of no use and says what it had to say.
func (h *houseProcess) failed(err error) error {
	_ = h.cmd.Process.Kill()
	_ = h.cmd.Wait() // It was killed, and says so.
	return fmt.Errorf("the house: %w; it says:\n%s", err, &h.log)
}

// waitForSale waits until the board has a game on sale.
func (h *houseProcess) waitForSale(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, opening, errors.New("no game is on sale"))
	defer cancel()
	for {
		open, err := h.onSale(ctx)
		if err != nil || open {
			return err
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (h *houseProcess) onSale(ctx context.Context) (bool, error) {
	board, err := client.New(client.Public{House: "http://" + h.address}).GetBoard(ctx)
	if err != nil {
		return false, fmt.Errorf("its board: %w", err)
	}
	return len(board.Series) > 0 && board.Series[0].Open.Ordinal > 0, nil
}

// stop ends the house in good order and returns the processor time it used.
func (h *houseProcess) stop() (time.Duration, error) {
	if err := h.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return 0, h.failed(err)
	}
	if err := h.cmd.Wait(); err != nil {
		return 0, fmt.Errorf("the house: %w; it says:\n%s", err, &h.log)
	}
	return h.cmd.ProcessState.UserTime() + h.cmd.ProcessState.SystemTime(), nil
}

// graded is the second opinion on a journal, and what it took.
type graded struct {
	*verify.Report
	took, cpu time.Duration
}

// verifyJournal exports the journal of a house that has stopped and has it graded.
func verifyJournal(ctx context.Context, storage location, out string) (graded, error) {
	if err := exportJournal(ctx, storage, out); err != nil {
		return graded{}, err
	}
	dir, err := export.OpenDir(out)
	if err != nil {
		return graded{}, err
	}
	begin, before := time.Now(), ownCPU()
	report := verify.Run(dir, verify.Options{})
	return graded{report, time.Since(begin), ownCPU() - before}, dir.Close()
}

// exportJournal writes the copy that is verified.
func exportJournal(ctx context.Context, storage location, out string) (err error) {
	st, err := storage.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	head, err := st.Head(ctx)
	if err != nil {
		return err
	}
	keys, err := storage.keys(ctx, st)
	if err != nil {
		return err
	}
	dir, err := export.CreateDir(out)
	if err != nil {
		return err
	}
	about := verify.House{House: demo.House, Volume: head.Volume, HouseKey: keys.HouseVerifier,
		DeviceKey: keys.DeviceVerifier}
	return errors.Join(export.Write(ctx, dir, about, head.Checkpoint, st), dir.Close())
}
