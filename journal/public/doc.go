// Package public is the public log of a house: what anybody may follow, entry by entry, and what witnesses cosign.
//
// The private journal names tickets and people, and each of its volumes is a log of its own. The public log has one
// origin, HOUSE/log, and one key for as long as the house lives. Each entry is a short text that follows from one
// record of the journal and from the records before it, so that a reader of the journal makes the same log again
// ([Fold]). No entry has a ticket, a person, free text, or a hash of what can be guessed.
//
// An entry that names a checkpoint of the journal has the proof that the journal only grew since the checkpoint
// that was named before. So the journal cannot change its past behind the public log: [Chain] checks that, and what
// follows from the order of the entries, with nothing but the entries.
//
// The form of the log is C2SP tlog-tiles: leaves are RFC 6962 hashes of the entries. A reader hashes an entry of a
// kind that it does not know and passes it over. An entry of another form stops the reader.
//
// engine.TestPublicLogHolds reads the log of a house through a Chain, watch.TestWatchFindsLies tells lies one by one,
// and FuzzParse reads what nobody wrote.
package public
