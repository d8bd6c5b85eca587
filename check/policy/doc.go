// Package policy reads whose cosignatures somebody asks for, in the form of C2SP tlog-policy, and holds checkpoints
// against it.
//
// A policy is a file of the one who verifies, and never the word of the house: lines that name logs, witnesses, groups
// of witnesses, and the quorum.
//
//	log keno.example/log+1f0b2c3d+AQ... https://keno.example/v1/log
//	witness inspector inspector.example+...
//	witness north north.example+...
//	witness south south.example+...
//	group outside 2 inspector north south
//	quorum outside
//
// Where the custodians of a house are known, [Policy.Enough] refuses a policy that asks for less than all of them and
// more than half of the other witnesses: two halves could have cosigned two histories.
//
// The form is that of C2SP at commit bdd4bab63b57. Ed25519 alone is known here. FuzzParse reads what nobody wrote, and
// TestQuorums has cases below, at and above every quorum.
package policy
