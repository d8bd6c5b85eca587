package rulebook

import (
	"reflect"
	"slices"
)

// This file lists the words that a file may use where the engine knows a fixed
// set of them. An unknown word is a fault that lists the known ones.

func (Kind) words() []string     { return []string{string(KindKeno), string(KindBingo)} }
func (Restarts) words() []string { return []string{string(RestartsDaily), string(RestartsAtEnd)} }
func (Plays) words() []string    { return []string{string(PlaysOwn), string(PlaysSuccessor)} }
func (Channel) words() []string  { return []string{string(ChannelWriter), string(ChannelSST)} }
func (Form) words() []string {
	return []string{string(FormNumbers), string(FormCalls), string(FormRace)}
}
func (FeatureID) words() []string {
	return []string{string(FeatureMultiplier), string(FeatureLuckyLast)}
}

func (Method) words() []string {
	return []string{string(MethodForm), string(MethodVerbal), string(MethodReplay), string(MethodScreen),
		string(MethodItem)}
}

// Methods returns the words for how the particulars of a ticket are given.
func Methods() []string { return Method("").words() }

func (Measure) words() []string {
	return []string{string(MeasureStake), string(MeasureBetGame), string(MeasureGame), string(MeasureEntry),
		string(MeasureAggregate)}
}

func (Part) words() []string {
	return []string{string(PartMain), string(PartMultiplier), string(PartLuckyLast), string(PartAll)}
}

func (JackpotPays) words() []string {
	return []string{string(PaysAddition), string(PaysSubstitution)}
}

func (ProratingMethod) words() []string {
	return []string{string(ProrateFormula), string(ProrateLevel)}
}

func (VenueKind) words() []string {
	return []string{string(VenueClub), string(VenueHotel), string(VenueOutlet), string(VenueLicensed),
		string(VenueCasino), string(VenueCentral)}
}

// WordsOf returns the words that the tag of a field of the schema allows, by the field's name in a file. Packages
// that know what the words mean hold their tables against them in tests.
func WordsOf[T any](field string) []string {
	for _, f := range fieldsOf(reflect.TypeFor[T]()) {
		if f.name == field {
			return slices.Clone(f.words)
		}
	}
	return nil
}
