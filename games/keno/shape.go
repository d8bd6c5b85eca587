package keno

// checkBet refuses a bet whose fields do not make one bet: of a ticket if it is
// resolved, otherwise of a request. What a rulebook says of it is not asked here.
func checkBet(b *BetRequest, resolved bool) *Refusal {
	if r := checkAlternatives(b); r != nil {
		return r
	}
	switch {
	case b.Replay != 0:
		return checkChange(b)
	case b.Item.IsValid() && !resolved:
		return checkItemRequest(b)
	case b.Random:
		return refuse(FieldConflict, "", "random", "Only a ready ticket can be had with picked numbers.")
	}
	return checkWhole(b)
}

// checkAlternatives refuses fields of two shapes together, and fields without
// the one that they go with.
func checkAlternatives(b *BetRequest) *Refusal {
	shapes := 0
	for _, has := range []bool{b.Spots.IsValid(), b.Groups != nil, b.Calls != nil, b.Places != nil,
		b.Pick.Of != ShapeNone} {
		if has {
			shapes++
		}
	}
	shape := b.wants()
	switch {
	case shapes > 1:
		return refuse(FieldConflict, "", "", "A bet has spots, groups, calls or places, and only one of them.")
	case b.Play.Kind != PlayNone && shape != ShapeGroups && (shape != ShapeNone || b.Replay == 0):
		return refuse(FieldConflict, "", "play", "Only a bet with groups has ways to play.")
	case b.Run && shape != ShapeCalls && shape != ShapeNone:
		return refuse(FieldConflict, "", "run", "Only a bet with calls can run.")
	case b.Type != "" && shape != ShapeRace && shape != ShapeNone:
		return refuse(FieldConflict, "", "type", "Only a bet with places has a type.")
	}
	return nil
}

// wants returns the shape that b has or asks to be picked.
func (b *BetRequest) wants() Shape {
	if b.Pick.Of != ShapeNone {
		return b.Pick.Of
	}
	return b.Shape()
}

// checkWhole refuses a bet that leaves something out.
func checkWhole(b *BetRequest) *Refusal {
	shape := b.wants()
	switch {
	case b.Bet.Bet == "":
		return refuse(FieldMissing, "", "bet", "The bet has no name.")
	case shape == ShapeNone:
		return refuse(FieldMissing, "", "", "The bet has neither spots, groups, calls nor places.")
	case shape == ShapeGroups && b.Play.Kind == PlayNone:
		return refuse(FieldMissing, "", "play", "A bet with groups says which ways it plays.")
	case shape == ShapeRace && b.Type == "":
		return refuse(FieldMissing, "", "type", "A bet with places says its type.")
	case b.Stake == 0:
		return refuse(FieldMissing, "", "stake_cents", "The bet has no stake.")
	case b.Picked != PickedNot && shape == ShapeGroups && !b.Item.IsValid():
		return refuse(FieldConflict, "", "picked", "The numbers of groups are picked only for a ready ticket.")
	}
	return checkMarks(b)
}

// checkMarks refuses a marked way that joins a group that is not there.
func checkMarks(b *BetRequest) *Refusal {
	for _, m := range b.Play.Marks {
		if b.Groups != nil && m>>len(b.Groups) != 0 {
			return refuse(FieldValue, "", "play.ways",
				"A way joins a group that the bet does not have; it has %d.", len(b.Groups))
		}
	}
	return nil
}

// checkItemRequest refuses particulars beside an item, which has its own.
func checkItemRequest(b *BetRequest) *Refusal {
	if b.Bet.Bet != "" || b.wants() != ShapeNone || b.Play.Kind != PlayNone || b.Type != "" || b.says&saidRun != 0 {
		return refuse(FieldConflict, "", "item", "A ready ticket has its own bet and numbers.")
	}
	return nil
}

// checkChange refuses what cannot change an old bet: another kind of bet is a
// new bet.
func checkChange(b *BetRequest) *Refusal {
	switch {
	case b.Item.IsValid():
		return refuse(FieldConflict, "", "item", "A ready ticket is a new bet, not a change of an old one.")
	case b.Random:
		return refuse(FieldConflict, "", "random", "Only a ready ticket can be had with picked numbers.")
	}
	return checkMarks(b)
}
