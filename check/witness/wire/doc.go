// Package wire carries a witness over HTTP: the [Server] of C2SP tlog-witness with
// custody of links beside it, and the [Client] with which a house asks. The [Follower]
// brings a custodian's copy of the public log to what is to be cosigned.
//
// The server makes a decision durable before its signature leaves, in a logbook that
// it verifies when it starts, so that a witness that is killed at any moment never
// signs two histories: TestNothingLeavesBeforeItIsDurable, TestRestartRemembers.
//
// A house asks a [Group] of witnesses at once after it has sealed a game. Each of
// them is required, and without its signature the game is not drawn, or expected,
// and the draw goes on without it.
package wire
