// Package cage is the draw of a ball machine as people attend it
// (casino-keno-div2 2.1(a)(i), 2.3, 7.7) and its irregularities (part 11), as a pure
// state machine: a [State] and an [Event] give the next State and a [Step] that
// says what became of it and by which rule, or a refusal.
//
// Two employees record each ball independently; a number is drawn when both have
// keyed it at the same place. A draw that is not sound becomes void by an event
// with two approvals and a reason, and is made again as the next revision. What
// the device needs before it may draw again, a ball, a repair, a computer put
// right, locks it until an event says that it was done.
//
// The state is nothing but its events added up, so anybody who records the events can
// rebuild it. The case files of casino-keno-div2 show every rule, and
// TestRandomDraws holds the machine against a slow account of the same draw.
package cage
