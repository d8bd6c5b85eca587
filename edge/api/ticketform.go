package api

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/core/ball"
	"drawhouse/games/keno"
	"drawhouse/rulebook"
)

// Form is a ticket as the house writes it: with every number and its first game. Package keno reads and writes it, so
// that it has no Go type here. TestTicketSchemas holds the schemas below against package keno.
type Form json.RawMessage

// RequestForm is a ticket as a terminal asks for it: it may leave numbers to be picked, or name an old ticket.
type RequestForm json.RawMessage

// MarshalJSON returns the form as it is.
func (f Form) MarshalJSON() ([]byte, error) { return json.RawMessage(f).MarshalJSON() }

// UnmarshalJSON keeps the form as it is.
func (f *Form) UnmarshalJSON(data []byte) error { return (*json.RawMessage)(f).UnmarshalJSON(data) }

// Schema describes the form.
func (Form) Schema(r huma.Registry) *huma.Schema { return ticketSchema(r) }

// MarshalJSON returns the form as it is.
func (f RequestForm) MarshalJSON() ([]byte, error) { return json.RawMessage(f).MarshalJSON() }

// UnmarshalJSON keeps the form as it is.
func (f *RequestForm) UnmarshalJSON(data []byte) error {
	return (*json.RawMessage)(f).UnmarshalJSON(data)
}

// Schema describes the form.
func (RequestForm) Schema(r huma.Registry) *huma.Schema { return requestSchema(r) }

// EntryMethod is how the particulars of a ticket were given.
type EntryMethod string

// Schema describes the method by the words that a rulebook may use.
func (EntryMethod) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, word := range rulebook.Methods() {
		s.Enum = append(s.Enum, word)
	}
	return s
}

// properties are the properties of an object.
type properties = map[string]*huma.Schema

// ticketSchema registers the schema of a ticket with those of its bets, and refers to it.
func ticketSchema(r huma.Registry) *huma.Schema {
	beside := properties{
		"picked": wordsOf("How the terminal chose the numbers; absent where the player named them.",
			keno.PickedQuick.String(), keno.PickedMystery.String()),
		"item": itemOf("The ready ticket that this was, with its edition.", ""),
	}
	same := func(s *huma.Schema, _ int, _ bool) *huma.Schema { return s }
	bet := oneOf(r, "Bet", "A bet. Its type is told by the field that no other type has: spots, groups, calls or places.",
		betKinds("Bet", beside, same))
	return named(r, "TicketForm", closed("A ticket with every number and its first game.",
		properties{"v": versionOf(), "rulebook": idText("Id of the rulebook."), "first": gameOf(r), "bets": betsOf(bet, 1)},
		properties{"games": wholeOf(1, keno.MaxGames, "Consecutive games; 1 if absent.")}))
}

// requestSchema registers the schema of a ticket that is asked for, and refers to it.
func requestSchema(r huma.Registry) *huma.Schema {
	picked := func(s *huma.Schema, most int, mystery bool) *huma.Schema {
		how := wholeOf(1, most, "How many are picked.")
		if mystery {
			chosen := wordsOf("The terminal chooses how many, too.", keno.PickedMystery.String())
			how = &huma.Schema{OneOf: []*huma.Schema{how, chosen}, Description: how.Description}
		}
		pick := closed("To be picked.", properties{"pick": how}, nil)
		return &huma.Schema{OneOf: []*huma.Schema{s, pick}, Description: s.Description}
	}
	kinds := betKinds("BetRequest", nil, picked)
	change := properties{}
	for _, kind := range kinds {
		maps.Copy(change, kind.schema.Properties)
	}
	kinds = append(kinds,
		betKind{"ItemBetRequest", closed("A ready ticket of the catalogue.",
			properties{"item": itemOf("Id of the ready ticket; with its edition it is refused if there is a newer one.", "?")},
			properties{"random": {Type: huma.TypeBoolean, Description: "Its numbers are picked instead."},
				"stake_cents": stakeOf(), "with": featuresOf()})},
		betKind{"ReplayBetRequest", closed("A bet of the old ticket that replay names, with what is changed of it.",
			properties{"replay": wholeOf(1, keno.MaxBets, "Place of the bet on the old ticket, from 1.")}, change)})
	bet := oneOf(r, "BetRequest", "A bet. Its type is told by the field that no other type has: spots, groups, calls, places, item or, whatever else it has, replay.",
		kinds)
	first := &huma.Schema{
		Description: "The first game: the one that is open, which is the default, the next designated game (delayed), or a game by its day and number.",
		OneOf:       []*huma.Schema{wordsOf("", "open", "delayed"), gameOf(r)},
	}
	request := closed("A ticket that somebody wants to buy. It may leave numbers to be picked. One that names an old ticket (replay) needs no bets: it plays all of the old one.",
		properties{"v": versionOf(), "rulebook": idText("Id of the rulebook.")},
		properties{"first": first, "games": wholeOf(1, keno.MaxGames, "Consecutive games; 1 if absent, or as the ready or the old ticket has it."),
			"replay": idText("Serial of the old ticket."), "bets": betsOf(bet, 0)})
	return named(r, "TicketRequest", request)
}

// betKind is one of the types of bets.
type betKind struct {
	name   string
	schema *huma.Schema
}

// betKinds are the types of bets whose names end so, with further fields. Picks is what a field is that may be picked.
func betKinds(suffix string, beside properties,
	picks func(s *huma.Schema, most int, mystery bool) *huma.Schema) []betKind {
	const numbers = int(ball.Keno)
	kind := func(name, says string, own, optional properties) betKind {
		own["bet"], own["stake_cents"] = idText("Id of the bet in the rulebook, as get-catalogue lists it."), stakeOf()
		may := properties{"with": featuresOf()}
		maps.Copy(may, beside)
		maps.Copy(may, optional)
		return betKind{name + suffix, closed(says, own, may)}
	}
	calls := listOf(wordsOf("", keno.Heads.String(), keno.Tails.String(), keno.Evens.String()), keno.MaxCalls,
		"A call for every game, or one a game.")
	return []betKind{
		kind("Spots", "A bet on numbers.", properties{"spots": picks(setOf(numbers, "The numbers."), numbers, true)}, nil),
		kind("Groups", "A bet on groups of numbers, which are joined to ways.", properties{
			"groups": listOf(setOf(numbers, ""), keno.MaxGroups, "The groups, called A, B, C by their places."),
			"play":   playOf(),
		}, nil),
		kind("Calls", "A bet on heads, tails or evens.", properties{"calls": picks(calls, keno.MaxCalls, false)},
			properties{"run": {Type: huma.TypeBoolean, Description: "The prize becomes the next stake."}}),
		kind("Race", "A bet on a race.", properties{
			"type":   idText("Id of the way to bet on the race, as get-catalogue lists it."),
			"places": picks(listOf(setOf(numbers, ""), keno.MaxPlaces, "The rows that are allowed in each place."), numbers, true),
		}, nil),
	}
}

// playOf is which ways of its groups a bet plays.
func playOf() *huma.Schema {
	groups := func(says string) *huma.Schema { return setOf(keno.MaxGroups, says) }
	marked := listOf(groups(""), keno.MaxMarks, "Each by its groups, counted from 1.")
	marked.UniqueItems = true
	return &huma.Schema{Description: "Which ways are played.", OneOf: []*huma.Schema{
		wordsOf("Every way that is sold.", "all"),
		closed("The ways of so many spots.", properties{"spots": setOf(int(ball.Keno), "Totals of spots.")}, nil),
		closed("The ways of so many groups.", properties{"groups": groups("Numbers of groups.")}, nil),
		closed("The ways that are marked.", properties{"ways": marked}, nil),
	}}
}

// featuresOf is what hangs on a bet.
func featuresOf() *huma.Schema {
	side := func(says string) *huma.Schema {
		return closed(says, nil, properties{
			"stake_cents": stakeOf(), "games": wholeOf(1, keno.MaxGames, "The first so many games; absent for all of them."),
		})
	}
	return closed("What hangs on the bet, for a stake of its own. Without one it is that of the bet.", nil, properties{
		string(rulebook.FeatureMultiplier): side("The prize is multiplied."),
		string(rulebook.FeatureLuckyLast):  side("The last number drawn is among the spots."),
	})
}

// gameOf registers how a ticket names its first game, and refers to it.
func gameOf(r huma.Registry) *huma.Schema {
	return named(r, "FormGame", closed("A game by its day and number.", properties{
		"day":  {Type: huma.TypeString, Format: "date", Description: "Keno Day."},
		"game": wholeOf(0, keno.MaxGame, "Number of the game within its Keno Day."),
	}, nil))
}

func versionOf() *huma.Schema {
	return &huma.Schema{Type: huma.TypeInteger, Enum: []any{keno.Version}, Description: "Version of the form."}
}

func stakeOf() *huma.Schema {
	return wholeOf(1, int(keno.MaxStake.Cents()), "Stake of each way, combination or call in each game.")
}

// idText is a word such as vic-keno-2015.
func idText(says string) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Pattern: `^[A-Za-z0-9._-]+$`, MaxLength: to(keno.MaxText), Description: says}
}

// itemOf names a ready ticket with its edition, which may be absent where a question mark says so.
func itemOf(says, edition string) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Pattern: `^[A-Za-z0-9._-]+(@[1-9][0-9]{0,5})` + edition + `$`, MaxLength: to(keno.MaxText),
		Description: says}
}

func betsOf(bet *huma.Schema, least int) *huma.Schema {
	s := listOf(bet, keno.MaxBets, "The bets.")
	s.MinItems = to(least)
	return s
}

// listOf is a list that is not empty.
func listOf(item *huma.Schema, most int, says string) *huma.Schema {
	return &huma.Schema{Type: huma.TypeArray, Items: item, MinItems: to(1), MaxItems: to(most), Description: says}
}

// setOf is a list of different numbers from 1 on.
func setOf(most int, says string) *huma.Schema {
	s := listOf(wholeOf(1, most, ""), most, says)
	s.UniqueItems = true
	return s
}

func wholeOf(least, most int, says string) *huma.Schema {
	return &huma.Schema{Type: huma.TypeInteger, Format: "int64", Minimum: to(float64(least)), Maximum: to(float64(most)),
		Description: says}
}

func wordsOf(says string, words ...string) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString, Description: says}
	for _, word := range words {
		s.Enum = append(s.Enum, word)
	}
	return s
}

// closed is an object with properties that must be there, properties that may, and no others.
func closed(says string, must, may properties) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeObject, Description: says, Properties: properties{}, AdditionalProperties: false,
		Required: slices.Sorted(maps.Keys(must))}
	maps.Copy(s.Properties, must)
	maps.Copy(s.Properties, may)
	return s
}

// named registers a schema under a name, and refers to it.
func named(r huma.Registry, name string, s *huma.Schema) *huma.Schema {
	r.Map()[name] = s
	return &huma.Schema{Ref: schemaPrefix + name}
}

// oneOf registers the types of bets, and a schema that is one of them.
func oneOf(r huma.Registry, name, says string, kinds []betKind) *huma.Schema {
	s := &huma.Schema{Description: says}
	for _, kind := range kinds {
		s.OneOf = append(s.OneOf, named(r, kind.name, kind.schema))
	}
	return named(r, name, s)
}

func to[T any](value T) *T { return &value }
