// Package page shows what somebody who follows a public log has read, for everybody to see: the newest checkpoint and
// who has cosigned it, each entry in words, and every lie that was found. It serves one page without scripts, the same
// as JSON, and metrics for a program that calls people.
//
// A page is told by the goroutine that follows the log, and read by any number of others. What it keeps is bounded:
// the newest entries and checkpoints, and the first findings, of which one is enough.
package page
