// Package odds computes what a rulebook's prizes are worth: exact probabilities,
// returns, variances and tails, in integers and rationals only.
//
// It has two floors. The kernels know a draw of numbers and no money: how many
// spots are matched ([Draw.Match]), what the numbers sum to ([Draw.Sums]), both
// at once for given spots ([Draw.Joint]), the halves of the board
// ([Draw.Calls]) and the order of its rows ([Draw.Race]). On them stand the
// returns of a rulebook: [Of] walks every bet of every schedule and gives a
// [Report], ready as JSON, as a table ([Report.AppendTable]) and as plots
// ([Bet.PlotSVG]). [Liability] is the tail of a game's major prizes against the
// cap of the rulebook.
//
// What a report calls the return is the schedule's alone. Jackpot parts, which
// depend on what others staked, and the multiplier, which takes a stake of its
// own, stand beside it and never in it. Prizes are as the house pays them for the
// stake that their table is for ([Bet.PerCents]), rounded and within the cap on a
// way, and taken before pro-rating. A larger stake, of which rounding takes
// another part or whose prize the cap cuts, returns otherwise.
//
// The package decides no prize and so implements no clause; it reads the tables
// that do. Every kernel is compared with the full list of outcomes of small
// draws, and the returns with published figures (TestPublishedReturns); the
// build tag soak adds ten million simulated draws.
package odds
