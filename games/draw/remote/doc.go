// Package remote runs a draw device in a process of its own, with its own key and its
// own memory, and lets a house draw with it over a socket.
//
// The [Server] is the device. It begins no draw without the seal that the house
// signed, and the cosignatures that are required of it. Every number is in its
// logbook, signed with its key and chained to the one before, before it leaves. So
// a device that is killed takes up a draw where it was, with the same numbers and
// the bytes that gave them; and it takes nobody's word for what it drew: numbers
// that the house has and the device did not sign stop it. A further draw of a
// game that was drawn is made only if a person at the device has named it.
//
// What this shows is that the house cannot exchange numbers behind the device's
// back, nor feed it others. A person who holds the device's machine still holds its source
// and its key. Putting back an older copy of the logbook goes unnoticed only if the
// house's journal is put back with it, which witnesses see.
//
// A logbook takes some five megabytes a day and is read and verified when the device
// starts, a second for twenty thousand numbers. It may be put away and a new one
// begun between two games: the device then no longer knows the games before, and the
// journal of the house does.
//
// The house signs each request with its key, and the device each answer with its own: a
// process beside them that has neither key gets nothing and stops nothing (TestStranger).
// After a change of the house's key the device is started with both keys.
//
// The [Client] is the house's side. It holds every number against the bytes that came
// with it, and the result against the numbers.
//
// TestKilledDevice, TestSecondResult, TestForgedNumbers and TestAlteredLogbook show
// these.
package remote
