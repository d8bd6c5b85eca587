// Package witness is the judgement of a witness: somebody outside the house who
// signs that the journal only ever grew.
//
// A house that keeps two journals, or goes back to an older one, can show each of
// its players a history that holds. It cannot have both cosigned: a witness
// remembers the last checkpoint of each log and cosigns another only with the proof
// that it begins with that one. The protocol is C2SP tlog-witness, and the
// cosignatures are those of C2SP tlog-cosignature, Ed25519 with a timestamp, so that
// other witnesses can serve a house and this one other logs.
//
// A checkpoint stands in the seal of a game too, so the cosignature of a checkpoint
// may be put under the seal that has it ([Verifier.OfSeals]): one note then shows who
// had seen the sales before the draw. A device or custodian that requires a
// witness asks for that note.
//
// A witness may also be the custodian of links for witnessed draws (package draw):
// [Custody] holds them, and they leave through the [Gate], which is the release rule. The
// gate asks the public log of the house and nothing else: it has a copy, which it reads
// entry by entry with package public.
//
// Nothing here reads a clock or a file. Package wire has the server, which makes
// every decision durable before its signature leaves, and the client.
// TestForkIsRefused and TestEveryStatus prove the judgement, FuzzParseRequest its
// parser, and TestCosignatureVectors the signatures, against a second program.
package witness
