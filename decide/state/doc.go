// Package state is what the records of the journal add up to.
//
// Apply adds one record to a State. It reads no clock, no rulebook and no table:
// whatever a record means was decided before it was written, so two machines
// that apply the same records hold equal states (Hash), and a change of a rule
// or a repaired mistake cannot change the past. Apply refuses a record that
// cannot follow the ones before it, such as a ticket for a closed game or a
// second payment of one prize: such a journal is broken, not merely unwelcome. So
// is one whose Keno Day closed with another state than it adds up to here.
// TestHashCoversTheState holds the hash to everything that the state keeps.
//
// The decisions that make records are in the packages that the engine calls (counter, game,
// hall, staff, cage); they read the State and never change it.
package state
