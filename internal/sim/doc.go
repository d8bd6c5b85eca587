// Package sim plays weeks of a house in seconds and looks for broken promises.
//
// One seed drives everything: operators, venues, customers, the draw device, the
// network, the disk and the clock. The house in the middle is the real one, package
// house with its lane, engine and timetable; only what lies outside of it is made up.
// Nothing sleeps, and a plan that is played twice gives the same journal to the byte
// (TestSameBytes).
//
// # What happens
//
// Customers buy every bet of the three keno rulebooks, for one game and for many, with
// runs, ways, features, ready tickets, replays and delayed starts; they cancel, claim
// twice, at two terminals, with wrong codes. They know the next numbers, so that every
// prize is won. Terminals lose answers, send twice, send old requests again, use a
// number for something else, and give up while they wait. Operators change schedules,
// offer promotions, move jackpots, hear from other jurisdictions late, pause, and
// declare draws and games void; at ball machines they misread balls and correct results. Days on
// which clocks are set are among the days.
// In some plans nobody fetches what is left, the house stands still for years, and the
// Keno Day that then opens takes the prizes to where the rulebook says.
//
// The disk fails, tears, loses its answer, is slow, or brings a batch when somebody
// else has taken over; the process is killed, or goes on beside its successor; the
// clock is set; the device stops, or its source repeats itself; somebody changes a
// row of the store and comes to be paid for it.
//
// # Who judges
//
// The auditor follows the journal as it becomes durable, with maps and sums of its
// own, and foresees what each request must be answered with. After every act it holds
// the promises of the house (docs/RELIABILITY.md) against both. At the end everybody
// claims, and verify grades the whole journal. What it grades differently is a breach
// like another.
//
// A failure names its seed, and Shrink leaves out acts until only those are left that
// it takes.
//
// # Whether it would notice
//
// TestPlanted builds a house with bugs put into its sources, through an overlay of the
// go command that leaves the sources alone, and expects each of them to be caught.
package sim
