package ledger

import (
	"fmt"
	"slices"
	"strings"
)

// Class is what an account is in a balance sheet, or in a statement of profit and loss.
type Class uint8

// The classes. The default codes of a class begin with its number.
const (
	Asset     Class = 1 // what the operator has, or is owed
	Liability Class = 2 // what the operator owes to players, venues and the State
	Equity    Class = 3 // what the owners have put in; no account of the chart has this class
	Income    Class = 4
	Expense   Class = 5
)

// classes are the names of the classes, by number.
var classes = [...]string{"", "asset", "liability", "equity", "income", "expense"}

// Classes returns the classes in their order.
func Classes() []Class { return []Class{Asset, Liability, Equity, Income, Expense} }

// String returns the name of the class.
func (c Class) String() string {
	if c.IsValid() {
		return classes[c]
	}
	return fmt.Sprintf("class %d", uint8(c))
}

// IsValid reports whether there is such a class.
func (c Class) IsValid() bool { return c >= Asset && c <= Expense }

// ParseClass reads a class by its name.
func ParseClass(name string) (Class, error) {
	i := slices.Index(classes[1:], name)
	if i < 0 {
		return 0, fmt.Errorf("ledger: there is no class %q; there are %s", name, strings.Join(classes[1:], ", "))
	}
	return Class(i + 1), nil
}

// Class returns the class of the account, or 0 for an account that is not in the chart.
func (a Account) Class() Class {
	if !a.IsValid() {
		return 0
	}
	return chart[a-1].class
}

// Code returns the code that the account has where the operator's firm gives it none.
func (a Account) Code() string {
	if !a.IsValid() {
		return ""
	}
	return chart[a-1].code
}

// ParseAccount reads an account by its name, such as "prize_fund".
func ParseAccount(name string) (Account, error) {
	for _, line := range chart {
		if line.name == name {
			return line.account, nil
		}
	}
	return 0, fmt.Errorf("ledger: there is no account %q", name)
}

// KeptFor returns for what the balances of the account are kept apart, such as "venue"; empty for an account that has
// one balance.
func (a Account) KeptFor() string {
	if !a.HasUnits() {
		return ""
	}
	return keptFor[chart[a-1].kept]
}

// keptFor names what balances are kept apart for.
var keptFor = map[kept]string{byVenue: "venue", byPool: "pool", byLevel: "level", byPromotion: "promotion",
	byTerminal: "terminal", byKind: "kind of paper"}
