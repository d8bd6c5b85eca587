package command

import (
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

func init() {
	places := func(writes record.Kind, name, method, path, says, refuses string) Row {
		return Row{Name: name, Method: method, Path: path, Says: says, Tag: "places",
			Who: Who{Roles: staff.MayAct(writes, false)}, Refuses: refuses + " not_allowed person_unknown"}.counted()
	}
	registerStaff[staff.AddOperator](places(record.KindOperatorAdded, "add-operator", "POST", "/v1/operators",
		"Add an operator", "name_wrong operator_unknown").
		alone("a name"))
	registerStaff[staff.AddVenue](places(record.KindVenueOperated, "add-venue", "POST", "/v1/venues", "Add a venue",
		"name_wrong operator_unknown venue_wrong").numbered(
		func(b record.Body) uint32 { return b.(*record.VenueAdded).Venue }). //nolint:errcheck // What AddVenue decides.
		alone("a place; its money is its own"))
	registerStaff[staff.RenameVenue](places(record.KindVenueRenamed, "rename-venue", "PUT", "/v1/venues/{venue}/name",
		"Give a venue another name", "name_wrong venue_unknown venue_wrong").
		alone("a name"))
	register[SetHours](places(record.KindHoursSet, "set-hours", "PUT", "/v1/venues/{venue}/hours",
		"Say when a venue trades", "hours_wrong venue_unknown").
		alone("when a place trades"))
	registerStaff[staff.AddArea](places(record.KindAreaAdded, "add-area", "POST", "/v1/venues/{venue}/areas",
		"Add an area", "area_exists name_wrong venue_unknown").
		alone("a part of a place"))
	registerStaff[staff.ReportDisplay](places(record.KindDisplayReported, "report-display", "PUT",
		"/v1/venues/{venue}/areas/{area}/display", "Say whether a display works", "area_unknown").
		alone("what is seen there"))
	registerStaff[staff.AddTerminal](places(record.KindTerminalPlaced, "add-terminal", "POST", "/v1/terminals",
		"Add a terminal", "area_unknown channel_unknown key_wrong venue_unknown").numbered(
		func(b record.Body) uint32 { return b.(*record.TerminalAdded).Terminal }). //nolint:errcheck // What AddTerminal decides.
		alone("what it sells it answers for"))
	registerStaff[staff.PlaceTerminal](places(record.KindTerminalPlaced, "place-terminal", "PUT",
		"/v1/terminals/{terminal}/area", "Place a terminal in an area of its venue", "area_unknown terminal_unknown").
		alone("where it stands, and what it sells it answers for"))
	registerStaff[staff.KeyTerminal](places(record.KindTerminalKeyed, "key-terminal", "PUT",
		"/v1/terminals/{terminal}/key", "Give a terminal another key", "key_wrong terminal_unknown").
		alone("what it sells it answers for"))
	registerStaff[staff.RevokeTerminal](places(record.KindTerminalRevoked, "revoke-terminal", "POST",
		"/v1/terminals/{terminal}/revocation", "Take a terminal's key away",
		"key_revoked reason_missing terminal_unknown").
		alone("it ends something"))
}

// OfVenue is a place that sells.
type OfVenue struct {
	Venue uint32 `json:"-" path:"venue"`
}

// Hours are hours in which a venue trades, on one day of the week.
type Hours struct {
	Weekday uint8  `json:"weekday" doc:"0 is Sunday."`
	From    uint16 `json:"from" doc:"First minute of the local day."`
	To      uint16 `json:"to" doc:"The minute after the last; over 1440 is in the next day."`
}

// SetHours says when a venue trades.
type SetHours struct {
	OfVenue `json:"-"`
	Hours   []Hours `json:"hours" doc:"Hours of each day of the week; a venue without any does not trade."`
}

// Decide implements Command.
func (c SetHours) Decide(s *state.State, e *Env) (Decision, error) {
	set := staff.SetHours{By: e.By.Person, Venue: c.Venue}
	for _, h := range c.Hours {
		set.Hours = append(set.Hours, record.Trading{Weekday: h.Weekday, From: h.From, To: h.To})
	}
	return changes(s, e, set)
}
