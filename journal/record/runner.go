package record

// RunnerDisputed says that a runner and a player disagree. The senior person of the venue decides. What is
// said names the player nowhere.
type RunnerDisputed struct {
	_       struct{} `cbor:",toarray"`
	Dispute uint32   `is:"dispute"` // number of the dispute
	Venue   uint32   `is:"venue"`
	Runner  uint32   `is:"person"`                       // number of the person with whom the player disagrees
	Finding string   `is:"text" most:"2000" line:"true"` // what the dispute is about
	By      uint32   `is:"person"`
}

func (*RunnerDisputed) check() error { return nil }

// RunnerDisputeDecided says how the senior person of a venue has decided between a runner and a player.
type RunnerDisputeDecided struct {
	_       struct{} `cbor:",toarray"`
	Dispute uint32   `is:"dispute"`                      // number of the dispute
	Venue   uint32   `is:"venue"`                        // the venue where the dispute was raised
	Finding string   `is:"text" most:"2000" line:"true"` // what was decided
	By      uint32   `is:"person"`
}

func (*RunnerDisputeDecided) check() error { return nil }
