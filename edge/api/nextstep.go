package api

import (
	"net/http"

	"drawhouse/core/refusal"
	"drawhouse/decide/counter"
	"drawhouse/decide/engine"
	"drawhouse/decide/game"
	"drawhouse/decide/staff"
	"drawhouse/games/keno"
	"drawhouse/house"
)

// nextStep says what the program or the person that asked does about a refusal: what is said of its code, or what is
// usual for its status. Why it came is the comment of its constant (causes).
func nextStep(code refusal.Code, status int) string {
	if step, ok := nextSteps[code]; ok {
		return step
	}
	return usualSteps[status]
}

// usualSteps are the steps after a refusal with a status.
var usualSteps = map[int]string{
	http.StatusBadRequest:            "Correct the request: the program that made it is at fault. Sent again as it is, it is refused again.",
	http.StatusUnauthorized:          "Sign on again, or say hello again at a terminal, and send the request again.",
	http.StatusForbidden:             "Have it done by somebody who may. Nothing was done.",
	http.StatusNotFound:              "Check the number or the name in the request: nothing has it.",
	http.StatusMethodNotAllowed:      "Use a method that the header Allow names.",
	http.StatusConflict:              "Ask how things stand now, and decide anew. Nothing was done.",
	http.StatusGone:                  "Do not ask again: it is not kept any more.",
	http.StatusRequestEntityTooLarge: "Send less in one request.",
	http.StatusUnsupportedMediaType:  "Send the body as the type that the description of the operation names, such as application/json.",
	http.StatusMisdirectedRequest:    "Send the request to the house that writes the journal.",
	http.StatusUnprocessableEntity:   "Change what is asked for, as the sentence and the clause say. Nothing was done.",
	http.StatusTooManyRequests:       "Wait as long as Retry-After says, and send the request again.",
	http.StatusInternalServerError:   "Report the id of the answer. At a terminal ask what became of the request (abandon).",
	http.StatusServiceUnavailable:    "Wait as long as Retry-After says, and send the same request again, under the same number.",
}

// nextSteps are the steps after a refusal that is to be met in its own way.
var nextSteps = map[refusal.Code]string{
	HelloStale:               "Set the clock of the terminal by the Date of the answer, and say hello again with a new share.",
	HelloWrong:               "Enrol the terminal again: the house has another key for it.",
	SessionOver:              "Say hello again, and send the request again under the same number. A person signs on again.",
	RequestForged:            "Say hello again and send the request again. If it is refused again, check what is signed: method, address with its query, counter and body, to the byte.",
	RequestReplayed:          "Say hello again and send the request again under the same number: one counter was used twice, or out of order.",
	TerminalOther:            "Send the request with the session of the terminal that its address names.",
	staff.KeyRevoked:         "Ask the operator for an enrolment code, and bring a new key.",
	TokenWrong:               "Ask for another code: one is good once and for a short time.",
	TooManyAttempts:          "Wait as long as Retry-After says. Check the code or the password before the next attempt.",
	OutcomeUnknown:           "Send the same request again under the same number until it is answered otherwise. Give nothing to the customer before.",
	Busy:                     "Send the same request again after a moment, under the same number. Nothing was done.",
	Stopped:                  "Wait until the house is ready (get-readiness), and send the same request again under the same number. Nothing was done.",
	Behind:                   "Ask again after a moment: this house follows another one and is behind it.",
	FollowsOnly:              "Send the request to the address in writer.",
	engine.RequestSuperseded: "Use the number after the last one of the terminal. What became of this one is what abandon says.",
	engine.RequestBodyOther:  "Use the next number: this one was used for another request.",
	engine.RequestBurned:     "Use the next number: this one was abandoned, and nothing was or will be done under it.",
	"request_leaps":          "Use the number after the last one of the terminal: numbers leave no great gaps.",
	RequestHeld:              "Do not send the request again. Report it: the house has failed at it twice.",
	keno.GameNotOpen:         `Ask with first "open", or name the game that is open now.`,
	keno.OutcomeFull:         "Sell other numbers or a smaller stake: the bet has all the money that a game takes on it.",
	counter.CostOther:        "Show the customer the new price, and sell with it.",
	counter.PriceOther:       "Show the customer the new price, and sell with it.",
	counter.ExpectOther:      "Show the customer the amount in cents of the refusal, and ask again with it.",
	counter.ClaimCodeOther:   "Read the claim code from the ticket again. After a few wrong codes the terminal waits.",
	counter.TicketUnknown:    "Check the serial of the ticket. One of another system is taken in by its operator.",
	counter.NotDrawn:         "Wait until the games of the ticket are drawn.",
	counter.AlreadyPaid:      "Pay nothing: get-ticket says what was paid.",
	counter.Frozen:           "Pay nothing, and send the customer to the operator: payment of the ticket is stopped.",
	counter.NotOnSale:        "Wait until sales begin: the day, the hours of the venue or a pause keeps them closed.",
	counter.SeriesUnknown:    "Name a series that the house has, or leave it out for the first.",
	game.IsPaused:            "Wait until the operator resumes sales.",
	staff.NoWriter:           "Sign a person on at the terminal (begin-shift), and send the request again.",
	staff.NoSenior:           "Have a senior sign on at the venue, and send the request again.",
	staff.NoDisplay:          "Have the display of the area work again: it sends its signs of life.",
	staff.NotTrading:         "Wait until the venue trades. The operator says when it does (set-hours).",
	CSRFMissing:              "Send csrf of the answer to the sign-on in the header Drawhouse-CSRF.",
	OriginOther:              "Send the request from the pages of the house, or without the cookie.",
	SignOnFirst:              "Sign on (sign-on), or sign the request as a terminal.",
	SignOnWrong:              "Check number and password. After a few wrong ones the person waits.",
	RoleMissing:              "Have it done by somebody with one of the roles that the sentence names.",
	NotFromTerminal:          "Send it as a person who has signed on: it is not done at a terminal.",
	TerminalOnly:             "Send it from a terminal, which signs its requests.",
	TwoCredentials:           "Send either the header of a terminal or the credential of a person.",
	house.SerialUnreadable:   "Check the serial: it has a digit that is wrong, or is of another system.",
	HostUnknown:              "Send the request to a name that the house has. Its operator sets them (--host).",
	NoSuchPath:               "Check method and address: /openapi.json has all of them.",
	ClientGone:               "Send the same request again under the same number: nobody was there for the answer.",
}
