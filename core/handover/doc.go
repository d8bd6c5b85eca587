// Package handover reads and writes the file in which another system hands over its open
// tickets: tickets that the other system sold, and that its operator has not paid.
//
// The file is text in ASCII. Every line ends with a line feed, and nothing stands in it that is
// not said here:
//
//	drawhouse open tickets 1
//	system: Old Keno
//	rulebook: tas-keno-2023
//	currency: AUD
//	as of: 2026-11-17
//	code,cents,kind,until
//	4711000000000017,12300,prize,2027-05-01
//	4711000000000025,500,refund,
//	signature: (the Ed25519 signature in base64)
//
// A row has the code as it is printed on the ticket, without spaces and hyphens; the cents that
// are owed on it; prize or refund; and the last day on which it is claimed, or nothing where the
// rules alone say that day. The signature is that of the other system's operator, over every byte
// before its line.
package handover
