// Package mutants asks whether the cases of a clause would notice that the clause is not kept. It makes mutants: a
// rulebook with one value changed, and a program in which one function with a //rule: directive does nothing. The cases
// of the clause that the value or the function names must fail under a mutant.
//
// TestMutants of package rules runs the values, and TestFunctions of this package the functions. `make mutants`
// runs both whole and writes docs/MUTANTS.md, with a judgement for every mutant that survives (judged.go).
package mutants
