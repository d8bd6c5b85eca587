// Package pkcs11 signs with Ed25519 keys that a PKCS#11 token holds and never gives away: a hardware module, or
// SoftHSM in tests.
//
// The vendor's module is a shared library. It is loaded by a process of its own, "p11-kit remote MODULE", and this
// package speaks that program's protocol over a pair of pipes. So the program needs no cgo, and a module that crashes
// or hangs ends or delays nothing but signatures: its process is killed and started again.
//
//   - A [URI] (RFC 7512) names a key, its token, its module, and the file of its PIN.
//   - A [Key] signs. It logs in when it signs first, again once when the token has forgotten the session, and answers
//     within [SignWithin] with a signature or an error.
//   - A PIN that the token refused is not tried again, and the last try is never taken: tokens lock.
//   - All keys of one token share one process and one session, and sign one after the other.
//
// The tests run against Debian's softhsm2 and p11-kit (TestKeyInToken).
package pkcs11
