// Package certify gets the certificate of a house from an ACME authority (RFC 8555), such as Let's Encrypt, keeps it in
// a folder and renews it.
//
// A Manager asks when there is no certificate, when the one that it has lacks a name, and when a third of its time is
// left. It proves each name where the house is reached: by TLS-ALPN-01 (RFC 8737) at the house's own address, and by
// HTTP-01 at a plain listener where the house has one.
//
//   - An authority that is away, or refuses, ends nothing and holds nothing up: the certificate in force stays, and Run
//     asks again after a pause that doubles from a minute to an hour.
//   - Without any certificate a handshake fails with an error that says why. Connections from this machine alone are
//     answered with a certificate that the house has signed itself.
//   - Account key and certificate are in files of mode 0600, each written whole or not at all. Each authority has a
//     folder of its own, so that a certificate of one for trials is never taken for a good one.
//   - Status says how the certificate stands, and Status.Needs whether a person has to see to it.
package certify
