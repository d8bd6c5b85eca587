// Command drawhouse is the central system for draw games.
//
// Each command is a file of its own; this one parses the line, runs the command
// and turns its error into a sentence and a status: 2 for a line that cannot be
// meant, 1 for a request that is refused. The scripts in testdata prove both.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
	"golang.org/x/term"

	"drawhouse/cmd/drawhouse/bench"
	"drawhouse/cmd/drawhouse/console"
)

// cli is the command line.
type cli struct {
	Config string `placeholder:"FILE" help:"Configuration file; see drawhouse config show --help. DRAWHOUSE_CONFIG names one, too."`

	Odds      oddsCmd       `cmd:"" help:"Exact odds and returns of a rulebook."`
	Rulebook  rulebookCmd   `cmd:"" help:"List, show, check and compare rulebooks."`
	Version   versionCmd    `cmd:"" help:"Say which build this is."`
	Verify    verifyCmd     `cmd:"" help:"Check an exported journal, every cent and every ball, or the proof of a ticket."`
	Found     foundCmd      `cmd:"" help:"Found a house: its keys and the first records of its journal."`
	Serve     serveCmd      `cmd:"" help:"Run a house: games, API and screens."`
	Settings  configCmd     `cmd:"" name:"config" help:"Show the configuration of a house."`
	Doctor    doctorCmd     `cmd:"" help:"Examine a house: files, keys, journal, backups, certificate, clock, database, witnesses."`
	Device    deviceCmd     `cmd:"" help:"Run the draw device as a separate process."`
	Story     storyCmd      `cmd:"" help:"Download the signed history of a ticket, as an inspector."`
	Do        doCmd         `cmd:"" help:"Do or ask at a running house whatever a person may."`
	Bank      bankCmd       `cmd:"" help:"Carry files to the bank and back: direct debits of venues, and what the bank answers."`
	Staff     staffCmd      `cmd:"" help:"Keep the people, venues and terminals of a running house."`
	Terminal  terminalCmd   `cmd:"" help:"Send requests as a terminal does, signed."`
	Witness   witnessCmd    `cmd:"" help:"Be a witness of a house: cosign its journal, hold links of its draws."`
	Watch     watchCmd      `cmd:"" help:"Follow the public log of a house from outside, and name every lie in it."`
	Report    reportCmd     `cmd:"" help:"Print the books: days, venues, shifts, games, jackpots, prize fund, accounts, exceptions and more."`
	Ledger    ledgerCmd     `cmd:"" help:"Journal entries for the ledger of the firm, its accounts and their mapping."`
	Export    exportCmd     `cmd:"" help:"Write every fact as tables of CSV with a described schema."`
	Journal   journalCmd    `cmd:"" help:"Export the journal of a house."`
	ClaimCode claimCodeCmd  `cmd:"" name:"claim-code" help:"Make a claim code as a terminal does, to try the API by hand."`
	Evaluate  evaluateCmd   `cmd:"" help:"Settle the games of a file: tickets and draws as lines of JSON."`
	Draw      drawCmd       `cmd:"" help:"Draw games, or raw random bytes, as the generator device does."`
	RNG       rngCmd        `cmd:"" name:"rng" help:"Judge the generator device by statistics."`
	LabPack   labPackCmd    `cmd:"" name:"lab-pack" help:"Make the signed folder for a test laboratory or a regulator, or check one."`
	Bench     bench.Cmd     `cmd:"" help:"Measure selling and settling, each beside a yardstick."`
	Tickets   ticketsCmd    `cmd:"" help:"Hand over the open tickets of another system: make a key, sign a file, check it."`
	Cards     cardsCmd      `cmd:"" help:"Make bingo cards and print them."`
	Bingo     bingoCmd      `cmd:"" help:"Check bingo cards: who has what, which box is it, is a printed series sound."`
	Receipt   receiptCmd    `cmd:"" help:"Print the slip of an API response."`
	Print     printCmd      `cmd:"" help:"Print entry forms and prize schedules."`
	Copy      copyCmd       `cmd:"" help:"Copy a journal between SQLite and PostgreSQL, verified by its root."`
	Backup    backupCmd     `cmd:"" help:"Write a journal into one file, verified by its root."`
	Restore   restoreCmd    `cmd:"" help:"Bring a journal back from a backup, and begin its next volume."`
	Volume    volumeCmd     `cmd:"" help:"List the volumes of a journal, or begin the next."`
	Keys      keysCmd       `cmd:"" help:"List, check, back up and exchange the keys of a house."`
	Complete  completionCmd `cmd:"" name:"completion" help:"Have a shell complete command lines."`
	Manual    manualCmd     `cmd:"" name:"man" help:"Write the manual: a page of man for each command."`
}

// description says what the program is.
const description = "The central system for draw games: keno and bingo."

// The statuses with which the command ends.
const (
	statusRefused = 1
	statusUsage   = 2
)

// misused returns an error of one argument; nearly every command has some.
func misused(argument string, err error) error { return console.Misused(argument, err) }

// untilStopped returns a context that ends when the program is told to stop, so that a
// command breaks off in order and closes what it has open.
func untilStopped() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run executes one command line and returns the status. A command writes its
// result into memory; it reaches the output at once and whole, also where the
// command is refused, as the faults of a rulebook are.
func run(args []string, stdout, stderr io.Writer) int {
	given := newSettings(os.Environ())
	parser := kong.Must(new(cli),
		kong.Resolvers(given),
		kong.WithBeforeResolve(given.load),
		kong.Name("drawhouse"),
		kong.Description(description),
		kong.Writers(stdout, stderr),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}))
	ctx, err := parser.Parse(args)
	if err != nil {
		err = console.Usage(fmt.Errorf("%w; %s", err, advice(err)))
		if logsJSON(args, given.variables) {
			err = logFlags{LogFormat: jsonFormat}.fatal(stderr, err)
		}
		return complain(stderr, err)
	}
	out := new(bytes.Buffer)
	err = ctx.Run(out, console.Streams{Stdout: stdout, Stderr: stderr}, given)
	if err == nil {
		err = readable(stdout, out)
	}
	if _, lost := out.WriteTo(stdout); lost != nil && err == nil {
		err = fmt.Errorf("write the result: %w", lost)
	}
	if err != nil {
		return complain(stderr, err)
	}
	return 0
}

// readable refuses a PDF on a terminal.
func readable(stdout io.Writer, result *bytes.Buffer) error {
	screen, ok := stdout.(*os.File)
	if !ok || !bytes.HasPrefix(result.Bytes(), []byte("%PDF-")) || !term.IsTerminal(int(screen.Fd())) {
		return nil
	}
	result.Reset()
	return misused("--out", errors.New("a PDF is nothing for a screen: name a file"))
}

// complain tells the user and returns the status. Where even that cannot be
// written, the status has to do.
func complain(stderr io.Writer, err error) int {
	if !errors.As(err, new(*toldError)) {
		_, _ = fmt.Fprintf(stderr, "drawhouse: %v\n", err)
	}
	if console.IsUsage(err) {
		return statusUsage
	}
	return statusRefused
}

// advice says what a line that could not be parsed might have been: the commands
// to choose from, or the command whose help to read.
func advice(err error) string {
	node := "drawhouse"
	if parse := new(kong.ParseError); errors.As(err, &parse) {
		at := parse.Context.Model.Node
		if selected := parse.Context.Selected(); selected != nil {
			at, node = selected, node+" "+selected.Path()
		}
		if names := commandNames(at); len(names) > 0 {
			return "the commands are " + strings.Join(names, ", ")
		}
	}
	return "see " + node + " --help"
}

func commandNames(node *kong.Node) []string {
	var names []string
	for _, child := range node.Children {
		names = append(names, child.Name)
	}
	return names
}
