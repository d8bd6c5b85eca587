// Package searcher looks for what nobody wrote down: sequences of acts at which money
// becomes what no rule lets it become, or stays where nobody can fetch it.
//
// A [World] is a house in memory that plays lines of the case language. Package honest keeps
// a second book beside it, which is told what the house has written into its journal, record
// by record, and objects where a rule text does. When a search is over, players and operator
// try to bring everything to an end: what the book still has for somebody then is a finding,
// and so is a journal that package verify refuses.
//
// A [Hunt] tries lines at random, with stakes and amounts at the edges of the limits and
// draws that it chooses; [Hunt.Breadth] tries every sequence of a short alphabet. A hit is
// made as short as it can be, and printed as a scenario for a case file.
//
// DRAWHOUSE_SEARCH is how many acts a soak tries under each rulebook, and
// DRAWHOUSE_SEARCH_SEED has it try others than those of every run:
//
//	DRAWHOUSE_SEARCH=2500000 go test -timeout 3h -run Search ./internal/searcher
package searcher
