package api

import (
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/command"
	"drawhouse/engine"
	"drawhouse/keno"
	"drawhouse/refusal"
	"drawhouse/staff"
	"drawhouse/terminal"
	"drawhouse/witness"
)

// refusals are the codes with which the house refuses an operation, beyond those that
// follow from how the operation is asked for (usual). A test that sees another code
// fails, so what is missing here no test has seen yet.
var refusals = map[string]string{
	"change-password":   "password_weak too_many_attempts",
	"abandon":           "request_body_other request_burned request_leaps request_superseded terminal_unknown",
	"accept-invitation": "no_register not_invited password_weak person_locked token_wrong too_many_attempts",
	"add-person":        "details_wrong inspector_by_two role_unknown",
	"allow-enrolment":   "terminal_unknown",
	"attend-cage":       "approval approval_not_given approval_other approval_unknown device_not_allowed number_not_possible out_of_turn result_repeated",
	"begin-shift":       "on_shift sign_on_wrong too_many_attempts",
	"bingo_card":        "hall_unknown venue_other",
	"bingo_claims":      "game_unknown no_writer venue_other",
	"bingo_desk":        "hall_unknown venue_other",
	"bingo_display":     "hall_unknown",
	"bingo_game":        "game_unknown",
	"bingo_owed":        "hall_unknown venue_other",
	"bingo_print":       "hall_unknown venue_other",
	"bingo_promotions":  "hall_unknown venue_other",
	"bingo_room":        "hall_unknown",
	"bingo_scorecard":   "venue_other",
	"bring-commitment":  "custodian_unknown",
	"check_promotion":   "hall_unknown venue_other",
	"compare-rules":     "rulebook_unknown",
	"decide-approval":   "approval_other approval_over approval_own day_not_over venue_other",
	"end-shift":         "not_on_shift",
	"enrol":             "key_wrong token_wrong too_many_attempts",
	"erase-person":      "approval_not_given approval_other approval_unknown last_of_role",
	"get-draw":          "game_unknown not_drawn",
	"get-evidence":      "game_unknown not_sealed",
	"get-game":          "game_unknown",
	"get-readiness":     "not_ready",
	"get-report":        "report_empty report_unknown report_venue report_whole",
	"get-report-file":   "report_empty report_unknown report_venue report_whole",
	"get-rulebook":      "rulebook_unknown",
	"get-story":         "no_house_key serial_unreadable ticket_lost ticket_unknown",
	"get-ticket":        "serial_unreadable ticket_lost ticket_unknown",
	"held_card":         "device_unknown",
	"invite-person":     "inspector_own not_invited",
	"key-ball":          "out_of_turn",
	"list-clauses":      "rulebook_unknown",
	"look-up":           "serial_unreadable",
	"make-paper":        "no_printer paper_unknown printer_failed",
	"prove-ticket":      "game_unknown not_in_game not_sealed serial_unreadable ticket_lost ticket_unknown",
	"quote": `bet_not_by_method bet_not_sold bet_total_below_minimum channel_not_allowed delayed_not_sold feature_games
		feature_not_sold feature_not_ways feature_not_with_bet feature_only_run feature_size feature_stake
		game_total_above_maximum game_total_below_minimum game_total_step games_too_many groups_overlap groups_too_few
		item_elsewhere item_fixed item_not_random item_unknown method_not_allowed no_combination no_display no_senior no_writer
		not_a_seller not_on_sale not_trading one_call_per_game pick_not_sold picks_too_many places_count play_not_sold
		race_type_unknown row_unknown run_not_sold runner_not_allowed series_games series_not_sold
		series_too_long series_too_short size_not_sold stake_above_maximum stake_below_minimum stake_step
		ticket_total_above_maximum type_not_formed ways_not_by_method ways_too_few ways_too_many`,
	"request-approval": "action_unsaid",
	"say-hello":        "hello_stale hello_wrong key_revoked terminal_unknown",
	"sell": `bet_not_by_method bet_not_sold bet_total_below_minimum channel_not_allowed cost_other day_is_over delayed_not_sold
		feature_games feature_not_sold feature_not_ways feature_not_with_bet feature_only_run feature_size
		feature_stake frozen game_not_open game_total_above_maximum game_total_below_minimum game_total_step
		games_too_many groups_overlap groups_too_few item_elsewhere item_fixed item_not_random
		item_unknown method_not_allowed no_combination no_display no_senior no_writer
		not_on_sale not_trading one_call_per_game outcome_full paused session_open pick_not_sold picks_too_many
		places_count play_not_sold race_type_unknown request_body_other request_burned request_leaps
		request_superseded row_unknown rulebook_other run_not_sold runner_not_allowed series_games
		series_not_sold series_too_long series_too_short size_not_sold staff_barred stake_above_maximum
		stake_below_minimum stake_step terminal_unknown ticket_total_above_maximum type_not_formed version_unknown
		ways_not_by_method ways_too_few ways_too_many`,
	"sell-many":    "too_many_sales",
	"set-up":       "details_wrong not_allowed password_weak token_wrong too_many_attempts",
	"show-signs":   "area_unknown",
	"sign-on":      "no_register person_locked sign_on_wrong too_many_attempts",
	"start-cage":   "game_not_ready",
	"use-approval": "amount_wrong approval_not_given approval_over approval_unknown game_not_ready games_not_settled issued_at_terminal not_allowed parties_missing persons_missing result_not_repeated",

	// Money of players and venues.
	"follow-events": "too_many_streams",
	"get-bank":      "terminal_unknown venue_other",
	"get-card":      "card_unknown",
	"look-up-card":  "card_unknown no_writer",
	"keep-payee":    "details_wrong no_register",
	"get-payee":     "payee_erased payee_unknown",

	// Places.

	// Claims on forms.
	"get-claim": "claim_unknown",
}

// usual returns the codes that follow from how an operation is asked for: by whom, with
// what, and of which house.
func usual(op *huma.Operation, row command.Who) []string {
	codes := []string{string(Internal), string(Stopped), string(Busy), string(OutcomeUnknown), string(FollowsOnly), string(Behind), string(TooManyRequests), string(RequestHeld)}
	add := func(more ...refusal.Code) {
		for _, code := range more {
			codes = append(codes, string(code))
		}
	}
	if op.Method != http.MethodGet {
		add(OriginOther)
	}
	if len(op.Parameters) > 0 || op.Method == http.MethodGet {
		add(ParameterValue)
	}
	if op.RequestBody != nil {
		add(BodyTooLarge, keno.FormSyntax, keno.FieldUnknown, keno.FieldRepeated, keno.FieldMissing, keno.FieldValue, command.OutOfBounds, engine.NotSound)
	}
	if !row.Everybody {
		add(SignOnFirst, SessionOver, TwoCredentials)
	}
	if row.Terminals {
		add(TerminalOther, RequestForged, RequestReplayed, BodyTooLarge, staff.KeyRevoked, TooManyAttempts)
	}
	if row.Witnesses {
		add(WitnessUnknown)
	}
	switch {
	case row.Terminals && len(row.Roles) == 0:
		add(TerminalOnly)
	case len(row.Roles) > 0:
		add(RoleMissing)
	}
	if !row.Everybody && !row.Terminals {
		add(NotFromTerminal)
	}
	if len(row.Roles) > 0 || row.SignedOn {
		add(CSRFMissing)
	}
	if acts := op.Method != http.MethodGet; acts && !row.Everybody {
		// The guards of package staff, which stand before every record.
		add(staff.PersonLocked, staff.PersonNoRole, staff.OneHand, staff.ConsentLapsed)
		if row.Terminals {
			add(staff.ShiftStopped)
		}
	}
	return codes
}

// refusalsOf returns every code with which an operation is refused, ascending.
func refusalsOf(op *huma.Operation, row command.Who) []string {
	own := strings.Fields(refusals[op.OperationID])
	if row, ok := command.Named(op.OperationID); ok {
		own = append(own, row.Refused()...)
	}
	if op.OperationID == "use-approval" {
		// It decides again what was asked for.
		for _, row := range command.Rows() {
			if row.Two != "" {
				own = append(own, row.Refused()...)
			}
		}
	}
	codes := append(usual(op, row), own...)
	if slices.Contains(op.Tags, "people") || slices.Contains(own, string(command.NoRegister)) {
		codes = append(codes, string(RegisterDown))
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// Refused is a code with which an operation may be refused.
type Refused struct {
	Code   string `json:"code"`
	Status int    `json:"status"`
}

// annotate says of an operation who may use it, how they show who they are, and with
// which codes it is refused.
func annotate(op *huma.Operation, row command.Who) {
	list := []Refused{}
	for _, code := range refusalsOf(op, row) {
		list = append(list, Refused{code, statusOf(refusal.Code(code))})
	}
	op.Extensions = map[string]any{"x-access": words(row), "x-refusals": list}
	if row.Terminals {
		op.Security = append(op.Security, map[string][]string{"terminal": {}})
	}
	if row.Witnesses {
		op.Security = append(op.Security, map[string][]string{"witness": {}})
	}
	if row.SignedOn || len(row.Roles) > 0 {
		op.Security = append(op.Security, map[string][]string{"bearer": {}}, map[string][]string{"session": {}})
	}
}

// statusOf returns the status with which a code is answered.
func statusOf(code refusal.Code) int {
	switch status, ok := statuses[code]; {
	case ok:
		return status
	case code == Internal:
		return http.StatusInternalServerError
	case code == TooManyAttempts, code == TooManyRequests:
		return http.StatusTooManyRequests
	}
	return http.StatusUnprocessableEntity
}

// words says who may use an operation: everybody, terminals, whoever has signed on, and
// the names of roles.
func words(a command.Who) []string {
	var list []string
	if a.Everybody {
		list = append(list, "everybody")
	}
	if a.Terminals {
		list = append(list, "terminal")
	}
	if a.Witnesses {
		list = append(list, "witness")
	}
	if a.SignedOn {
		list = append(list, "signed_on")
	}
	for _, role := range a.Roles {
		list = append(list, string(role))
	}
	return list
}

// schemes are how somebody shows who they are.
func schemes() map[string]*huma.SecurityScheme {
	return map[string]*huma.SecurityScheme{
		"terminal": {Type: "apiKey", In: "header", Name: terminal.Header, Description: "Session, number and HMAC of a request, by the terminal that has said hello."},
		"witness":  {Type: "apiKey", In: "header", Name: witness.AskHeader, Description: "A question that a witness of the house signed, for this house, question and time."},
		"bearer":   {Type: "http", Scheme: "bearer", Description: "The token of a sign-on with bearer."},
		"session":  {Type: "apiKey", In: "cookie", Name: cookieName, Description: "The cookie of a browser, with the header " + csrfHeader + " for everything but GET."},
	}
}
