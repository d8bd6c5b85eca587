package settle

// side is what the features of the ways of a column add. Games are counted from
// the first of the ticket.
type side struct {
	multiplied *[64]uint16 // games with multiplied prizes; nil: none of the ways has any
	lucky      *[64]uint32 // stake on the last number in cents; nil: none of the ways has any
	luckyGames *[64]uint16 // games with it; nil: all of those that have it, in every game
}

// extras are the features of a way, see side.
type extras struct {
	multiplied, luckyGames uint16
	lucky                  uint32
}

// put writes the features of way i, and returns the side, a new one if there was
// none and there are features.
func (s *side) put(i int, e extras) *side {
	if e == (extras{}) {
		return s
	}
	if s == nil {
		s = new(side)
	}
	if e.multiplied != 0 {
		if s.multiplied == nil {
			s.multiplied = new([64]uint16)
		}
		s.multiplied[i] = e.multiplied
	}
	if e.lucky == 0 {
		return s
	}
	if s.lucky == nil {
		s.lucky = new([64]uint32)
	}
	s.lucky[i] = e.lucky
	if e.luckyGames != maxGames && s.luckyGames == nil {
		s.luckyGames = new([64]uint16)
		for k := range s.luckyGames {
			s.luckyGames[k] = maxGames
		}
	}
	if s.luckyGames != nil {
		s.luckyGames[i] = e.luckyGames
	}
	return s
}

// take returns the features of way i.
func (s *side) take(i int) (e extras) {
	if s == nil {
		return extras{}
	}
	if s.multiplied != nil {
		e.multiplied = s.multiplied[i]
	}
	if s.lucky != nil {
		e.lucky = s.lucky[i]
	}
	if e.lucky != 0 {
		e.luckyGames = maxGames
	}
	if e.lucky != 0 && s.luckyGames != nil {
		e.luckyGames = s.luckyGames[i]
	}
	return e
}
