// Package watch follows the public log of a house from outside and names every lie that it finds.
//
// A [Watcher] needs one key, that of the log or of the house, and a [Source]: a house, a mirror of its log, or a
// folder. It reads the newest checkpoint and the entries below it, works out the root from the entries, and gives
// every entry to a [public.Chain]. A checkpoint must be signed by the key of the log, must go on where the one before
// ended, and must have the cosignatures that the [policy.Policy] of the reader asks for. The policy is the reader's,
// and never the house's.
//
// What a watcher has read it can write as a [Mirror]: the same files, which anybody may serve again. A watcher that
// begins anew on its mirror finds a log that was exchanged meanwhile. Where another log follows the one that was read,
// the watcher goes on with that, and finds what it gives up.
//
// TestWatchFindsLies plants lies in a log that is signed anew, one by one, TestWatchFindsWhatIsShownToSome shows some
// another log, and TestWatchFollowsASuccessor begins a log that follows another end.
package watch
