// Package api is the house over HTTP: JSON described by OpenAPI 3.1 at
// /openapi.json, and live events by server-sent events.
//
// Amounts are whole cents. Times are RFC 3339 with the offset of the house's own
// zone. Every error has one form,
//
//	{"error": {"code": "stake_below_minimum", "sentence": "...", "field": "ticket.bets[0].stake_cents",
//	  "clause": "11(d)(i)"}}
//
// with a stable code for programs, a sentence for the person, and where they
// apply the field and the clause of the rulebook that refuses. A refusal is a
// normal answer of the house (4xx). Everything else is "internal" with an id
// under which the log has the rest.
//
// Sales and payments are requests with a number, PUT by their terminal: numbers
// rise, and one is under way at a time. The same number with the same body, byte
// for byte, is answered as before and does nothing again; with another body it is
// refused; and a number that is lower than the last was superseded. A terminal
// that does not know what became of a request abandons it and learns that.
//
// Commands are decided by the house (package house); nothing is decided here.
// Reading looks only at what is durable. The bodies of commands are read by a
// strict reader of our own and not by huma: a field that is unknown, repeated,
// missing or of the wrong kind has its own code and its own name, and the way of
// a sale stays short (BenchmarkSale).
//
// TestSale, TestPayment and their neighbours run against a whole house on real
// storage. FuzzRequests asks for every operation with what nobody would send, as
// everybody, and finds no status of 500; TestEachItsOwnRefusal lists what is wrong with
// requests, each with its own code and clause.
package api
