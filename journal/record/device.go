package record

import (
	"errors"
	"fmt"

	"drawhouse/core/day"
)

// Device is what draws a game. The names are those that rulebooks and the signed
// results of devices have.
type Device string

// The devices.
const (
	DeviceGenerator Device = "rng"       // a generator; what draws where nothing was chosen
	DeviceWitnessed Device = "witnessed" // the seal and the links of custodians
	DeviceCage      Device = "cage"      // a ball machine that two people attend
)

// DeviceChosen says what draws the games of a series that open from now on. It does
// not touch a game that is on sale: anybody who could exchange the device of a sealed
// game could choose between two results.
type DeviceChosen struct {
	_      struct{} `cbor:",toarray"`
	Series uint8    `is:"series"`
	Device Device   // kind of the device that draws from now on
	// Custodians are those whose links make the numbers of witnessed draws,
	// ascending by name; other devices have none, and draws by a beacon alone.
	Custodians []Custodian
	// Registered is the number of the device in the register of the house; 0 for a device that nobody
	// has named by its number.
	Registered uint32 `later:"true"`
}

// Custodian is somebody who commits to links and gives them out. Key is the verifier key
// of the commitments, and not that of cosignatures.
type Custodian struct {
	_    struct{} `cbor:",toarray"`
	Name string   // name of the custodian
	Key  string   // note verifier key of the custodian
}

func (d *DeviceChosen) check() error {
	switch d.Device {
	case DeviceGenerator, DeviceCage:
		if len(d.Custodians) > 0 {
			return fmt.Errorf("the device %s has no custodians", d.Device)
		}
	case DeviceWitnessed: // Without custodians a beacon draws alone.
		if len(d.Custodians) == 1 {
			return fmt.Errorf("%d custodians are not enough: who knows all secrets can choose", len(d.Custodians))
		}
	default:
		return fmt.Errorf("there is no device %q", d.Device)
	}
	for i, c := range d.Custodians {
		if c.Name == "" || c.Key == "" || i > 0 && c.Name <= d.Custodians[i-1].Name {
			return fmt.Errorf("custodian %d is %q", i, c.Name)
		}
	}
	return nil
}

// ChainCommitted publishes a custodian's commitment to the chain of a Keno Day,
// before that day opens. Note is what the custodian signed.
type ChainCommitted struct {
	_         struct{} `cbor:",toarray"`
	Series    uint8
	Day       day.Day
	Custodian string `is:"custodian"` // name of the custodian
	Note      []byte `is:"note"`      // the signed note by which the custodian commits to the hash chain of the day
}

func (c *ChainCommitted) check() error {
	return checkDay(c.Series, c.Day)
}

// LinkReleased is the link that a custodian gave to a draw, after its seal. By is the
// person who brought a link that was rebuilt from escrow; 0 where the custodian gave
// it.
type LinkReleased struct {
	_         struct{} `cbor:",toarray"`
	Game      Game
	Draw      uint8  `is:"draw"`
	Custodian string `is:"custodian"` // name of the custodian
	Link      Hash   `is:"link"`      // the link of the custodian's hash chain for the draw
	By        uint32
}

func (*LinkReleased) check() error { return nil }

// LinksCommitted publishes a custodian's commitment to the links of a Keno Day, before
// that day opens: the root over one link a game, each independent of every other. Note is
// what the custodian signed. From LevelGuarded on custodians commit to links and to no
// chain: who knows a link of a chain knows all links before it.
type LinksCommitted struct {
	_         struct{} `cbor:",toarray"`
	Series    uint8
	Day       day.Day
	Custodian string `is:"custodian"` // name of the custodian
	Note      []byte `is:"note"`      // the signed note by which the custodian commits to the links of the day
}

func (c *LinksCommitted) check() error {
	return checkDay(c.Series, c.Day)
}

// maxLinkPath bounds the path of a link: the tree of a day has at most 10,000 leaves.
const maxLinkPath = 14

// LinkGiven is the link that a custodian gave to the draw of a game, after all custodians
// had cosigned the seal of that game. Path leads to the root of LinksCommitted. By is the
// person who brought a link that was rebuilt from shares; 0 where the custodian gave the
// link. A game has one link of each custodian, and so one draw.
type LinkGiven struct {
	_         struct{} `cbor:",toarray"`
	Game      Game
	Custodian string `is:"custodian"` // name of the custodian
	Link      Hash   `is:"link"`      // the custodian's link for the game
	Path      []Hash `most:"path"`    // the hashes that show that the link is one that the custodian committed to
	By        uint32
}

func (l *LinkGiven) check() error {
	if len(l.Path) > maxLinkPath {
		return fmt.Errorf("a path of %d hashes", len(l.Path))
	}
	return nil
}

// CageStarted says that the ball machine is set going for a sealed game, and who
// record its balls.
type CageStarted struct {
	_         struct{} `cbor:",toarray"`
	Game      Game
	Draw      uint8
	Recorders [2]uint32 // the two persons who record the numbers
	By        uint32
}

func (c *CageStarted) check() error {
	if c.Draw == 0 || c.By == 0 || c.Recorders[0] == 0 || c.Recorders[1] == 0 {
		return errors.New("the start of a cage needs a draw, two recorders and a person")
	}
	return nil
}

// BallKeyed is a ball as one of the two recorders keyed it. A number is drawn when
// both have keyed it at the same place.
type BallKeyed struct {
	_      struct{} `cbor:",toarray"`
	Game   Game
	Draw   uint8
	Place  uint8 // place of the ball in the order of the draw, from 1
	Number uint8 // number of the ball
	By     uint32
}

func (b *BallKeyed) check() error {
	if b.Draw == 0 || b.Place == 0 || b.Number == 0 || b.By == 0 {
		return fmt.Errorf("ball %d at place %d of draw %d, keyed by %d", b.Number, b.Place, b.Draw, b.By)
	}
	return nil
}

// CageAct is what people do or decide at a ball machine.
type CageAct string

// The acts.
const (
	CageCounted        CageAct = "counted"         // Balls are in the device
	CageFound          CageAct = "found"           // the draw began with Balls
	CageHeldBack       CageAct = "held_back"       // ball Number could not be drawn
	CageBroke          CageAct = "broke"           // ball Number broke
	CageReplaced       CageAct = "replaced"        // ball Number is new
	CageFailed         CageAct = "failed"          // the device has
	CageRepaired       CageAct = "repaired"        // the device is
	CageFellBack       CageAct = "fell_back"       // ball Number, at Place; Video shows it, or nothing does
	CageReread         CageAct = "reread"          // the ball at Place is Number, not as keyed
	CageComputerFailed CageAct = "computer_failed" // no further draw until it is put right
	CageNotAccepted    CageAct = "not_accepted"    // the computer cannot take the result
	CageRectified      CageAct = "rectified"       // the computer is put right
	CageAbandoned      CageAct = "abandoned"       // the game cannot go on
	CageNoFurther      CageAct = "no_further"      // it cannot, nor can any other of the Keno Day
	CageAccepted       CageAct = "accepted"        // the result is entered
)

// CageAttended is what happened at the ball machine of a series beside the balls. A
// decision that takes two people names the approval of the second. From LevelGuarded on a
// ball that fell back has its Number, which is 0 only if nobody had entered it: places
// shift when another ball is struck.
type CageAttended struct {
	_      struct{} `cbor:",toarray"`
	Series uint8    `is:"series"`
	Act    CageAct  // what happened at the machine, or what a person did there
	Balls  uint8    // how many balls the machine has, where the act counts them
	Number uint8    // number of the ball that the act is about; 0 for none
	Place  uint8    // place in the order of the draw that the act is about; 0 for none
	Video  string   // reference of the video that shows it
	Reason string
	By     uint32 `is:"person"`
	// Number of the approval by a second person; none where one person is enough.
	Approval uint32
}

func (c *CageAttended) check() error {
	if !c.Act.IsValid() {
		return fmt.Errorf("there is no act %q", c.Act)
	}
	return nil
}

// IsValid reports whether there is such an act.
func (a CageAct) IsValid() bool {
	switch a {
	case CageCounted, CageFound, CageHeldBack, CageBroke, CageReplaced, CageFailed, CageRepaired, CageFellBack,
		CageReread,
		CageComputerFailed, CageNotAccepted, CageRectified, CageAbandoned, CageNoFurther, CageAccepted:
		return true
	}
	return false
}
