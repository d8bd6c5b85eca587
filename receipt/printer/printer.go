// Package printer sends bytes of ESC/POS to a printer on the network and says what
// became of them.
//
// A printer that fails is a state of the counter like any other: the ticket is sold,
// and the customer waits for paper. So every way to fail has a name ([State]), a
// sentence for the person who stands there, and an answer to the one question that
// matters then: may there be a printed receipt ([Failure.MayHavePrinted])? If there
// may, printing again makes a duplicate and must say so.
//
// Most printers of the family answer questions about themselves. This package asks
// before it prints, and has the printer say when it is through. A printer that does
// not answer is printed on all the same, and [Result.Confirmed] is false.
//
// The tests have printers that run out of paper, are open, hang up and say nothing.
package printer

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"time"
)

// DefaultPort is where printers listen for raw bytes.
const DefaultPort = "9100"

// answerTime is how long a printer may take to say how it is. It answers such
// questions at once, also while it prints.
const answerTime = 700 * time.Millisecond

// A State is a way in which a printer fails.
type State string

// The states.
const (
	Unreachable State = "unreachable"
	NoPaper     State = "no_paper"
	CoverOpen   State = "cover_open"
	KnifeStuck  State = "knife_stuck"
	Faulty      State = "faulty"
	Offline     State = "offline"
	Lost        State = "connection_lost"
	Unfinished  State = "unfinished"
)

// sentences tell the person at the counter.
var sentences = map[State]string{
	Unreachable: "The printer does not answer. Is it switched on and connected?",
	NoPaper:     "The printer has no paper. Put in a roll.",
	CoverOpen:   "The printer is open. Close its cover.",
	KnifeStuck:  "The printer's knife is stuck. Open the printer and remove the paper.",
	Faulty:      "The printer has a fault. Switch it off and on.",
	Offline:     "The printer is offline.",
	Lost:        "The connection to the printer broke off.",
	Unfinished:  "The printer did not say that it is through.",
}

// A Failure is a paper that was not printed, or may not have been.
type Failure struct {
	State   State
	Address string
	Sent    bool // bytes of the paper had left
	Err     error
}

// Error says what to do, and what happened.
func (f *Failure) Error() string {
	text := sentences[f.State]
	if f.MayHavePrinted() {
		text += " Look whether the paper came out."
	}
	if f.Err != nil {
		return fmt.Sprintf("%s (%s: %v)", text, f.Address, f.Err)
	}
	return fmt.Sprintf("%s (%s)", text, f.Address)
}

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

// MayHavePrinted reports whether the paper, or a part of it, may have come out.
func (f *Failure) MayHavePrinted() bool { return f.Sent }

// A Result is how a paper was printed.
type Result struct {
	Confirmed bool // the printer said that it is through
	LowPaper  bool // the roll is near its end
}

// An Address is where a printer is.
type Address struct{ host string }

// ParseAddress reads an address such as tcp://192.168.1.20:9100. The port may be left
// out.
func ParseAddress(text string) (Address, error) {
	u, err := url.Parse(text)
	if err != nil {
		return Address{}, fmt.Errorf("printer: %w", err)
	}
	if u.Scheme != "tcp" || u.Hostname() == "" || u.Path != "" || u.RawQuery != "" || u.Fragment != "" ||
		u.User != nil {
		return Address{}, fmt.Errorf("printer: %q is not of the form tcp://HOST:%s", text, DefaultPort)
	}
	port := u.Port()
	if port == "" {
		port = DefaultPort
	}
	return Address{net.JoinHostPort(u.Hostname(), port)}, nil
}

// String returns the address in full.
func (a Address) String() string { return "tcp://" + a.host }

// Send prints bytes. It needs a context with a deadline, or a printer that is stuck
// would hold it for ever. An error is a *[Failure].
func Send(ctx context.Context, to Address, data []byte) (Result, error) {
	fail := func(state State, sent bool, err error) (Result, error) {
		return Result{}, &Failure{State: state, Address: to.String(), Sent: sent, Err: err}
	}
	deadline, ok := ctx.Deadline()
	if !ok {
		return Result{}, errors.New("printer: printing takes a deadline")
	}
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", to.host)
	if err != nil {
		return fail(Unreachable, false, err)
	}
	defer func() { _ = conn.Close() }()
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	d := dialogue{conn: conn, deadline: deadline}
	state, talks, err := d.ask()
	if err != nil {
		return fail(Lost, false, err)
	}
	if state != "" {
		return fail(state, false, nil)
	}
	if err := d.write(append(data[:len(data):len(data)], askThrough...)); err != nil {
		return fail(Lost, true, err)
	}
	if !talks {
		return Result{}, nil
	}
	return d.await(fail)
}
