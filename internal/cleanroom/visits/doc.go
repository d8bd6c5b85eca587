// Package visits grades what customers do in one visit at the counter of a keno house: entries,
// prizes, vouchers, receipts and cards that are settled together. Its tests follow the official
// rules and the interface of the program, and share nothing with the house: they start a real one,
// act over HTTP, and have `drawhouse verify` check the journal.
package visits
