package staff

import (
	"encoding/base64"
	"errors"
	"slices"
	"strings"

	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// The codes with which changes of places are refused.
const (
	VenueUnknown    refusal.Code = "venue_unknown"    // there is no such venue
	VenueWrong      refusal.Code = "venue_wrong"      // there is no such kind of venue, or another one has the name
	NameWrong       refusal.Code = "name_wrong"       // such a name cannot be
	AreaUnknown     refusal.Code = "area_unknown"     // the venue has no such area
	AreaExists      refusal.Code = "area_exists"      // the venue has the area already
	TerminalUnknown refusal.Code = "terminal_unknown" // there is no such terminal
	OperatorUnknown refusal.Code = "operator_unknown" // there is no such operator
	HoursWrong      refusal.Code = "hours_wrong"      // such hours cannot be
	KeyWrong        refusal.Code = "key_wrong"        // such a key cannot be
	KeyRevoked      refusal.Code = "key_revoked"      // the terminal has no key any more
	ChannelUnknown  refusal.Code = "channel_unknown"  // there is no such kind of terminal
)

// placeActings are the rows of actings about places.
var placeActings = map[record.Kind]acting{
	record.KindOperatorAdded:   {roles: administering},
	record.KindVenueOperated:   {roles: administering},
	record.KindVenueRenamed:    {roles: administering},
	record.KindHoursSet:        {roles: administering},
	record.KindAreaAdded:       {roles: administering},
	record.KindTerminalPlaced:  {roles: administering},
	record.KindTerminalKeyed:   {roles: administering},
	record.KindTerminalRevoked: {roles: administering},
	record.KindDisplayReported: {roles: append(Central(), record.RoleSenior),
		venue: of(func(_ *state.State, b *record.DisplayReported) uint32 { return b.Venue })},
}

// AddOperator brings a firm into the house.
type AddOperator struct {
	By       uint32 `json:"-"`
	Operator uint32 `json:"number"`
	Name     string `json:"name"`
	Licence  string `json:"licence,omitempty" doc:"Licence of the operator, as its paper names it."`
}

func (c AddOperator) decide(s *state.State, _ record.Time) ([]record.Body, error) {
	if err := authorise(s, c.By, record.KindOperatorAdded); err != nil {
		return nil, err
	}
	c.Name = record.CleanName(c.Name)
	if _, ok := s.People().Operator(c.Operator); ok || c.Operator == 0 || c.Name == "" {
		return nil, refuse(OperatorUnknown, "", "operator", "An operator needs a number that no other has, and a name.")
	}
	if err := checkName(c.Name); err != nil {
		return nil, err
	}
	return []record.Body{&record.OperatorAdded{Operator: c.Operator, Name: c.Name, Licence: c.Licence, By: c.By}}, nil
}

// AddVenue brings a place that sells into the house.
type AddVenue struct {
	By       uint32 `json:"-"`
	Kind     string `json:"kind"`
	Name     string `json:"name"`
	Operator uint32 `json:"operator,omitempty"` // 0 for none
}

func (c AddVenue) decide(s *state.State, _ record.Time) ([]record.Body, error) {
	if err := authorise(s, c.By, record.KindVenueOperated); err != nil {
		return nil, err
	}
	c.Name = record.CleanName(c.Name)
	if err := checkNewVenue(s, c.Kind, c.Name); err != nil {
		return nil, err
	}
	id := s.People().NextVenue()
	bodies := []record.Body{&record.VenueAdded{Venue: id, Kind: c.Kind, Name: c.Name}}
	if c.Operator != 0 {
		if _, ok := s.People().Operator(c.Operator); !ok {
			return nil, refuse(OperatorUnknown, "", "operator", "There is no operator %d.", c.Operator)
		}
		bodies = append(bodies, &record.VenueOperated{Venue: id, Operator: c.Operator, By: c.By})
	}
	return bodies, nil
}

// RenameVenue gives a venue another name: it was written wrongly, or the place is called otherwise now.
type RenameVenue struct {
	By    uint32 `json:"-"`
	Venue uint32 `json:"-" path:"venue"`
	Name  string `json:"name"`
}

// A name that the venue has is no news, so that the same request may be sent again.
func (c RenameVenue) decide(s *state.State, _ record.Time) ([]record.Body, error) {
	if err := authorise(s, c.By, record.KindVenueRenamed); err != nil {
		return nil, err
	}
	venue, ok := s.People().Premises(c.Venue)
	if !ok {
		return nil, unknownVenue(c.Venue)
	}
	c.Name = record.CleanName(c.Name)
	if venue.Name == c.Name {
		return nil, nil
	}
	if err := checkVenueName(s, c.Venue, c.Name); err != nil {
		return nil, err
	}
	return []record.Body{&record.VenueRenamed{Venue: c.Venue, Name: c.Name, By: c.By}}, nil
}

// CheckVenue refuses a kind that no rulebook knows, and what is no name. A founding asks as
// well.
func CheckVenue(kind, name string) error {
	if kinds := rulebook.VenueKinds(); !slices.Contains(kinds, kind) {
		return refuse(VenueWrong, "", "kind", "The kind of a venue is one of %s.", strings.Join(kinds, ", "))
	}
	return checkName(name)
}

// checkNewVenue refuses as CheckVenue does, and a name that another venue of the house has.
func checkNewVenue(s *state.State, kind, name string) error {
	if err := CheckVenue(kind, name); err != nil {
		return err
	}
	return checkVenueName(s, 0, name)
}

// checkVenueName refuses what is no name, and a name that another venue than this one has.
func checkVenueName(s *state.State, venue uint32, name string) error {
	for _, other := range s.People().Venues() {
		if other.ID != venue && strings.EqualFold(other.Name, name) {
			return refuse(VenueWrong, "", "name", "Venue %d has this name already. Choose another name.", other.ID)
		}
	}
	return checkName(name)
}

// checkName refuses what is no name of a place or a firm.
func checkName(name string) error {
	if err := record.CheckName(name); err != nil {
		return refuse(NameWrong, "", "name", "%v", err)
	}
	return nil
}

// SetHours says when a venue trades.
type SetHours struct {
	By, Venue uint32
	Hours     []record.Trading
}

func (c SetHours) decide(s *state.State, now record.Time) ([]record.Body, error) {
	if err := authorise(s, c.By, record.KindHoursSet); err != nil {
		return nil, err
	}
	if _, ok := s.People().Premises(c.Venue); !ok {
		return nil, unknownVenue(c.Venue)
	}
	set := &record.HoursSet{Venue: c.Venue, Hours: slices.Clone(c.Hours), By: c.By}
	if err := (record.Record{Time: max(now, 1), Body: set}).Check(); err != nil {
		return nil, refuse(HoursWrong, "", "hours",
			"Hours go by weekday and minute, ascending, each no longer than a day.")
	}
	return []record.Body{set}, nil
}

// AddArea divides a venue.
type AddArea struct {
	By    uint32 `json:"-"`
	Venue uint32 `json:"-" path:"venue"`
	Area  uint16 `json:"number"`
	Name  string `json:"name"`
}

func (c AddArea) decide(s *state.State, _ record.Time) ([]record.Body, error) {
	if err := authorise(s, c.By, record.KindAreaAdded); err != nil {
		return nil, err
	}
	if _, ok := s.People().Premises(c.Venue); !ok {
		return nil, unknownVenue(c.Venue)
	}
	c.Name = record.CleanName(c.Name)
	if _, ok := s.People().Area(c.Venue, c.Area); ok || c.Area == 0 || c.Name == "" {
		return nil, refuse(AreaExists, "", "area",
			"An area needs a number that no other area of the venue has, and a name.")
	}
	if err := checkName(c.Name); err != nil {
		return nil, err
	}
	return []record.Body{&record.AreaAdded{Venue: c.Venue, Area: c.Area, Name: c.Name, By: c.By}}, nil
}

// ReportDisplay says whether a display of an area works. By is 0 where its own signs
// of life say so.
type ReportDisplay struct {
	By      uint32        `json:"-"`
	Venue   uint32        `json:"-" path:"venue"`
	Area    uint16        `json:"-" path:"area"`
	Screen  record.Screen `json:"screen" enum:"draw,race" doc:"Which picture it is about: draw or race."`
	Working bool          `json:"working" doc:"The display works."`
	Reason  string        `json:"reason,omitempty"`
}

// A display that is as it was is no news.
func (c ReportDisplay) decide(s *state.State, _ record.Time) ([]record.Body, error) {
	if err := authorise(s, c.By, record.KindDisplayReported); err != nil {
		return nil, err
	}
	if person, ok := s.People().Person(c.By); ok &&
		!person.HasAny(record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative) &&
		!person.Has(record.RoleSenior, c.Venue) {
		return nil, refuse(NotAllowed, "", "venue", "Person %d is a senior of another venue.", c.By)
	}
	area, ok := s.People().Area(c.Venue, c.Area)
	if !ok {
		return nil, refuse(AreaUnknown, "", "area", "Venue %d has no area %d.", c.Venue, c.Area)
	}
	if c.Screen != record.ScreenDraw && c.Screen != record.ScreenRace {
		return nil, refuse(AreaUnknown, "", "screen", "A display shows draw or race.")
	}
	if area.Shows(c.Screen) == c.Working {
		return nil, nil
	}
	return []record.Body{&record.DisplayReported{Venue: c.Venue, Area: c.Area, Screen: c.Screen, Working: c.Working,
		Reason: c.Reason, By: c.By}}, nil
}

// AddTerminal brings a terminal into the house. Without a key it signs nothing, and so
// does nothing, until KeyTerminal has given it one.
type AddTerminal struct {
	By      uint32           `json:"-"`
	Venue   uint32           `json:"venue"`
	Channel rulebook.Channel `json:"channel" enum:"writer,sst,display"`
	Area    uint16           `json:"area,omitempty"` // 0 for none
	Key     PublicKey        `json:"key,omitzero" doc:"Its Ed25519 public key, base64. Absent for a device that brings its key by itself (allow-enrolment)."`
}

// PublicKey is the Ed25519 public key of a terminal; zero for none yet. Its text is base64.
type PublicKey [32]byte

// errKey says what a key is.
var errKey = errors.New("an Ed25519 public key in base64")

// UnmarshalText implements [encoding.TextUnmarshaler].
func (k *PublicKey) UnmarshalText(text []byte) error {
	for _, form := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding,
		base64.RawURLEncoding} {
		if key, err := form.DecodeString(string(text)); err == nil && len(key) == len(k) {
			*k = PublicKey(key)
			return nil
		}
	}
	return errKey
}

// MarshalText implements [encoding.TextMarshaler].
func (k PublicKey) MarshalText() ([]byte, error) {
	return base64.StdEncoding.AppendEncode(nil, k[:]), nil
}

// ChannelDisplay is the channel of a device that shows and does not sell.
const ChannelDisplay = rulebook.ChannelDisplay

func (c AddTerminal) decide(s *state.State, _ record.Time) ([]record.Body, error) {
	if err := authorise(s, c.By, record.KindTerminalPlaced); err != nil {
		return nil, err
	}
	if _, ok := s.People().Premises(c.Venue); !ok {
		return nil, unknownVenue(c.Venue)
	}
	if !slices.Contains([]rulebook.Channel{rulebook.ChannelWriter, rulebook.ChannelSST, ChannelDisplay}, c.Channel) {
		return nil, refuse(ChannelUnknown, "", "channel", "There are no terminals of kind %q.", c.Channel)
	}
	id := s.People().NextTerminal()
	bodies := []record.Body{&record.TerminalAdded{Terminal: id, Venue: c.Venue, Channel: string(c.Channel)}}
	if c.Key != (PublicKey{}) {
		if err := freeKey(s, id, c.Key); err != nil {
			return nil, err
		}
		bodies = append(bodies, &record.TerminalKeyed{Terminal: id, Key: c.Key, By: c.By})
	}
	if c.Area == 0 {
		return bodies, nil
	}
	if _, ok := s.People().Area(c.Venue, c.Area); !ok {
		return nil, refuse(AreaUnknown, "", "area", "Venue %d has no area %d.", c.Venue, c.Area)
	}
	return append(bodies, &record.TerminalPlaced{Terminal: id, Area: c.Area, By: c.By}), nil
}

// PlaceTerminal moves a terminal into an area of its venue: one that was added without an area,
// or that was carried to another.
type PlaceTerminal struct {
	By       uint32 `json:"-"`
	Terminal uint32 `json:"-" path:"terminal"`
	Area     uint16 `json:"area" doc:"Number of an area of the venue in which the terminal stands."`
}

func (c PlaceTerminal) decide(s *state.State, _ record.Time) ([]record.Body, error) {
	if err := authorise(s, c.By, record.KindTerminalPlaced); err != nil {
		return nil, err
	}
	post, ok := s.People().Post(c.Terminal)
	if !ok {
		return nil, unknownTerminal(c.Terminal)
	}
	if _, ok := s.People().Area(post.Venue, c.Area); !ok {
		return nil, refuse(AreaUnknown, "", "area", "Venue %d has no area %d.", post.Venue, c.Area)
	}
	if post.Area == c.Area {
		return nil, nil
	}
	return []record.Body{&record.TerminalPlaced{Terminal: c.Terminal, Area: c.Area, By: c.By}}, nil
}

// KeyTerminal gives a terminal another key, also one that has none any more.
type KeyTerminal struct {
	By       uint32    `json:"-"`
	Terminal uint32    `json:"-" path:"terminal"`
	Key      PublicKey `json:"key" doc:"Ed25519 public key of the terminal, in base64."`
}

func (c KeyTerminal) decide(s *state.State, _ record.Time) ([]record.Body, error) {
	if err := authorise(s, c.By, record.KindTerminalKeyed); err != nil {
		return nil, err
	}
	if _, ok := s.People().Post(c.Terminal); !ok {
		return nil, unknownTerminal(c.Terminal)
	}
	if c.Key == (PublicKey{}) {
		return nil, refuse(KeyWrong, "", "key", "The key is empty.")
	}
	if err := freeKey(s, c.Terminal, c.Key); err != nil {
		return nil, err
	}
	return []record.Body{&record.TerminalKeyed{Terminal: c.Terminal, Key: c.Key, By: c.By}}, nil
}

// freeKey refuses a key that another terminal signs with: what is revoked at one must not
// go on at the other.
func freeKey(s *state.State, terminal uint32, key [32]byte) error {
	if holder, ok := s.People().KeyHolder(key); ok && holder != terminal {
		return refuse(KeyWrong, "", "key",
			"Terminal %d signs with this key. Make another for terminal %d.", holder, terminal)
	}
	return nil
}

// RevokeTerminal takes a terminal's key away: nothing that it signs counts any more.
type RevokeTerminal struct {
	By       uint32 `json:"-"`
	Terminal uint32 `json:"-" path:"terminal"`
	Reason   string `json:"reason"`
}

func (c RevokeTerminal) decide(s *state.State, _ record.Time) ([]record.Body, error) {
	if err := authorise(s, c.By, record.KindTerminalRevoked); err != nil {
		return nil, err
	}
	post, ok := s.People().Post(c.Terminal)
	switch {
	case !ok:
		return nil, unknownTerminal(c.Terminal)
	case post.Revoked:
		return nil, refuse(KeyRevoked, "", "terminal", "Terminal %d has no key any more.", c.Terminal)
	case c.Reason == "":
		return nil, refuse(ReasonMissing, "", "reason", "A revocation needs a reason.")
	}
	return []record.Body{&record.TerminalRevoked{Terminal: c.Terminal, Reason: c.Reason, By: c.By}}, nil
}

func unknownVenue(id uint32) error {
	return refuse(VenueUnknown, "", "venue", "There is no venue %d.", id)
}

func unknownTerminal(id uint32) error {
	return refuse(TerminalUnknown, "", "terminal", "There is no terminal %d.", id)
}
