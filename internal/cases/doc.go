// Package cases reads the case files of the rulebooks and plays their scenarios
// through a whole house.
//
// A case file, rulebook/rules/ID/cases/CLAUSE.txt, shows what one clause does. Most of its
// lines are operations that stand alone (see TestCases of package rules). A
// scenario is a block of lines that begins with "house" and ends with an empty
// line or the file; its lines happen one after the other, in one house:
//
//	house
//	sell A at T1 classic 1-3 @ 2.00 for 4 games -> $8.00
//	play 1-20
//	cancel A at T1 -> refund $6.00 carried $0.00
//	pay A at T3 -> $48.00
//
// docs/RULES-CASES.md explains every verb to those who read the cases.
//
// A scenario needs a [House] and does not know which. [Core] is one in memory: the
// engine and nothing around it. [Served] is a running house that is spoken to over
// its HTTP interface, with a clock that the scenario moves. TestScenarios of
// packages rules and api run every scenario through the one and the other.
package cases
