package lab

import (
	"fmt"
	"strings"
)

// index writes the page that a laboratory begins with.
func (p *pack) index() error {
	var b table
	b.WriteString("# What this folder is\n\nThe submission of drawhouse, a central system for draw games, to a test laboratory or a regulator: " +
		"everything is derived by the program itself from what it carries and from what was given to it (given.json). It was not examined by any " +
		"laboratory, and nothing in it claims that it meets a standard: it is what an examiner needs to find that out.\n\n## In short\n\n")
	for _, fact := range p.facts {
		fmt.Fprintf(&b, "- %s\n", fact)
	}
	b.WriteString("\n## What does not hold\n\n")
	if len(p.failed) == 0 {
		b.WriteString("Nothing: every case that was run passed, every test of the random numbers passed, every journal was verified.\n")
	}
	for _, f := range p.failed {
		fmt.Fprintf(&b, "- %s\n", f)
	}
	p.howToCheck(&b)
	p.whereThingsAre(&b)
	p.whatIsAsked(&b)
	return p.put(indexFile, []byte(b.String()))
}

// howToCheck says how the pack is checked, without the program and with it.
func (p *pack) howToCheck(b *table) {
	b.WriteString("\n## Check this folder\n\nWith standard tools (bash, GNU coreutils, OpenSSH 8.1 or newer), in this folder:\n\n")
	if p.given.Signer != "" {
		fmt.Fprintf(b, "    # The key, as you have it from the operator by another way; this pack says that it is:\n"+
			"    # %s\n"+
			"    echo \"lab-pack ssh-ed25519 AAAA...\" >../signers\n"+
			"    ssh-keygen -Y verify -f ../signers -I lab-pack -n %s -s SHA256SUMS.sig <SHA256SUMS\n", p.given.Signer, Namespace)
	} else {
		b.WriteString("    # THE PACK IS NOT SIGNED: the hashes show that it agrees with itself, and not who made it.\n")
	}
	b.WriteString("    sha256sum --quiet --strict -c SHA256SUMS                                   # prints nothing\n" +
		"    find . -type f | sed 's|^./||' | LC_ALL=C sort | comm -23 - <(cut -c67- SHA256SUMS | LC_ALL=C sort) |\n" +
		"        grep -vx -e SHA256SUMS -e SHA256SUMS.sig                               # prints what was added: nothing\n\n" +
		"With the program, best one that you have built yourself (program/README.md), from outside of this folder:\n\n" +
		"    drawhouse lab-pack check FOLDER --key KEY.pub\n\n" +
		"That checks signature and hashes, then runs the cases again, works the odds out again, draws again from the random bytes of the " +
		"pack, grades the journals again, and compares every file with the one here. It names each file and line that differs.\n")
}

// whereThingsAre says what each file is.
func (p *pack) whereThingsAre(b *table) {
	b.WriteString("\n## Files\n\nmanifest.json lists every file with its size and hash.\n\n")
	b.head("file", "what it is")
	b.row("SHA256SUMS, SHA256SUMS.sig", "the hash of every other file, and its signature as ssh-keygen makes it, if there is one")
	b.row("manifest.json", "every file but these with size and hash, for programs")
	b.row("[given.json](given.json)", "what was given when the pack was made; everything else follows from it and from the program")
	b.row("[program](program/README.md)", "version, commit, hashes of parts and modules; how to build it again")
	b.row("[rulebooks/rulebooks.csv](rulebooks/rulebooks.csv)", "the rulebooks, with hashes and counts")
	for _, book := range p.books {
		folder := "rulebooks/" + book.Name
		if !book.BuiltIn {
			b.row("["+folder+"]("+folder+"/differences.txt)", "book.yaml: its file, if the journal has it; canonical.cbor: what its hash is over; differences.txt: "+
				"against the rulebook of its name in the program; odds.txt, odds.json")
			continue
		}
		b.row("["+folder+"]("+folder+"/clauses.md)", "book.yaml: the rulebook; clauses.md, clauses.csv, clauses.json: every clause, what becomes of it, "+
			"and its cases; readings.json: decisions where the document is silent; cases.csv and cases/: every case, line by line, with its result, run when the pack was made (a line that expects nothing must merely be possible); odds.txt, odds.json: "+
			oddsAre(book))
	}
	b.row("[randomness](randomness/README.md)", "raw bytes of the generator device, and eight tests of the draws that they give")
	if p.given.Journal {
		b.row("[journal](journal/verify.txt)", "the journal that was given, and what the second opinion says of it. **It may hold data of persons who work and play.**")
	} else {
		b.row("journal/RULEBOOK", "export/: the journal of a house that a case has played, with nobody's data; verify.txt, verify.json: what the second opinion says of it")
	}
	b.row("[tests](tests/README.md)", "the results of the tests of the source, from a log, if one was given")
	b.row("[documents](documents/docs/ARCHITECTURE.md)", "the documents of this version. Links to pictures and to files of the source lead into the source, which is not here.")
}

func oddsAre(b Book) string {
	if _, ok := b.Book.Bingo(); ok {
		return "the chance of each pattern after each call, exactly in odds.csv"
	}
	return "exact odds and returns of every bet, as fractions"
}

// asked is what an examiner of a draw-game system asks for, and where it is. What is not here is said as plainly.
var asked = [][2]string{
	{"identification of the software, hashes of what decides", "program/version.txt; programs.csv for other platforms"},
	{"components of others and their licences", "program/modules.csv; bills of materials in program/release if given"},
	{"a build that can be repeated", "program/README.md"},
	{"rules of play, each to its clause, and where a reading was needed", "rulebooks/*/clauses.md, readings.json, documents/docs/READINGS.md"},
	{"cases below, at and above each limit, with results", "rulebooks/*/cases.csv (column limit), cases/; how they are read: documents/docs/RULES-CASES.md"},
	{"pay tables, odds, theoretical return", "rulebooks/*/odds.json, odds.txt"},
	{"random numbers: source, health tests, selection without bias, statistics", "randomness/, documents/docs/RANDOMNESS.md, documents/docs/INSPECTOR.md"},
	{"sealing of bets before the draw, recall of any game, audit trail", "journal/, documents/docs/INSPECTOR.md, documents/docs/RECORDS.md"},
	{"accounts: what every record books, daily books, reports", "documents/docs/RECORDS.md, documents/docs/FACTS.md, documents/docs/REPORTS.md, documents/docs/MONEY.md"},
	{"threat model, keys, communication, passwords", "documents/docs/SECURITY.md"},
	{"who may do what, acts of two persons", "documents/docs/ACCESS.md"},
	{"failure, recovery, backup, takeover", "documents/docs/RELIABILITY.md, documents/docs/OPERATING.md, documents/docs/RUNBOOK.md"},
	{"changes between versions, old data", "documents/CHANGELOG.md, documents/docs/COMPATIBILITY.md"},
	{"how strong the cases are: would they notice a broken rule", "documents/docs/MUTANTS.md"},
	{"results of the tests of the source", "tests/ (if a log was given)"},
	{"the source itself", "**not here**: ask for the checkout of the commit in program/version.txt"},
	{"machines, networks and rooms of an operator, tests of intrusion", "**not here**: they are of an installation and not of the program"},
	{"the document of each rulebook", "**not here**: clauses are in our own words; the source is named in clauses.md"},
}

// whatIsAsked says where an examiner finds what they ask for.
func (p *pack) whatIsAsked(b *table) {
	b.WriteString("\n## What an examiner asks for, and where it is\n\n")
	b.head("asked for", "where")
	for _, row := range asked {
		b.row(row[0], row[1])
	}
	fmt.Fprintf(b, "\n## Vary it\n\n- Another price or prize: `drawhouse odds --rulebook-file FILE`, `drawhouse evaluate RULEBOOK FILE` for tickets and draws of your own.\n"+
		"- A house to try: `drawhouse serve --demo`, then `drawhouse journal export DIR` and `drawhouse verify DIR`, or `drawhouse lab-pack PACK --journal DIR`.\n"+
		"- A case of your own: add a line to a file of rulebook/rules/ID/cases in the source, build, and `drawhouse lab-pack` runs it.\n")
}

// Said says in a sentence what a pack is, for the output of the command.
func (m Made) Said(dir string) string {
	var b strings.Builder
	for _, f := range m.Failed {
		fmt.Fprintf(&b, "%s\n", f)
	}
	fmt.Fprintf(&b, "%s: %d files, %d bytes; begin with %s\n", dir, m.Files, m.Bytes, indexFile)
	if m.Public == "" {
		b.WriteString("NOT SIGNED: --key names no key\n")
	} else {
		fmt.Fprintf(&b, "signed; the public key, for lab-pack check --key, is\n%s\n", m.Public)
	}
	return b.String()
}
