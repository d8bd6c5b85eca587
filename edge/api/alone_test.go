package api

import (
	"net/http"
	"strings"
	"testing"
)

// alone is what a person away from the counters does over the interface without another's
// consent, and why one is enough. What touches money or odds is not here: it is asked for,
// and the answer to that is a request that another person decides.
var alone = map[string]string{
	"request-approval": "it asks", "decide-approval": "it consents, and not to one's own request", "use-approval": "another has consented",
	"erase-person": "it uses an approval", "attend-cage": "it uses an approval",

	"send-home": "duty moves nothing", "add-person": "an inspector takes two", "grant-role": "an inspector takes two",
	"withdraw-role": "who has less can do less, and an inspector takes two", "invite-person": "an inspector's password is the inspector's own", "lock-person": "who is locked does nothing, and an inspector takes two",
	"add-operator": "a name", "add-venue": "a place; its money is its own", "set-hours": "when a place trades", "add-area": "a part of a place", "report-display": "what is seen there",
	"add-terminal": "what it sells it answers for", "key-terminal": "what it sells it answers for", "place-terminal": "where it stands, and what it sells it answers for", "revoke-terminal": "it ends something", "allow-enrolment": "what it sells it answers for",

	"pause": "it stops something", "resume": "what was stopped goes on as it was", "show-notice": "a sentence",
	"start-cage": "two key every ball", "key-ball": "two key every ball",
	"bring-link": "it fits its commitment, or is refused", "bring-commitment": "its custodian has signed it",

	"freeze-payment": "it stops something, and moves nothing", "set-anonymity": "whether somebody is named", "set-limit": "how a prize is paid, and not how much",
	"register-card": "it has no money on it yet", "set-card": "it ends or stops something; nobody lifts an exclusion", "notify-card": "that somebody was told",
	"erase-holder": "the card is closed", "erase-payee": "a name, and the journal has who had it erased", "erase-claimant": "nothing is left to pay",

	"lodge-claim": "who takes a form in does not decide it", "note-claim": "a paper", "sign-claim": "one of those who must", "copy-claim": "an inspector's copy",
	"hand-cheque": "that it was handed over; its payment was decided before", "name-holidays": "by when something is due, and not how much",
	"decide-claim": "who allows it has not taken it in and does not pay it", "pay-claim": "who pays has not allowed it, and what is paid is what the record owes",

	"open_hall": "a room; what is done in it asks for ranks", "add_table": "cards that were made elsewhere",
}

// TestWhatOnePersonDoes goes through every operation with which a person changes something.
// Either it asks another person to consent, or the list above has it with a reason: anybody who
// adds one has to say which.
func TestWhatOnePersonDoes(t *testing.T) {
	var spec struct {
		Paths map[string]map[string]struct {
			OperationID string
			Responses   map[string]struct {
				Content map[string]struct {
					Schema struct {
						Ref string `json:"$ref"`
					}
				}
			}
		}
	}
	r := newRig(t)
	r.send(http.MethodGet, "/openapi.json", "").into(t, &spec)
	asked, done := 0, map[string]bool{}
	for path, methods := range spec.Paths {
		for method, op := range methods {
			row := r.may(op.OperationID)
			if strings.EqualFold(method, http.MethodGet) || len(row.Roles) == 0 || row.Terminals {
				continue
			}
			asks := strings.HasSuffix(op.Responses["200"].Content["application/json"].Schema.Ref, "/Approval")
			reason, listed := alone[op.OperationID]
			switch done[op.OperationID] = true; {
			case asks && !listed:
				asked++
			case !asks && reason == "":
				t.Errorf("%s %s (%s) is done by one person, and nothing says why that is enough", strings.ToUpper(method), path, op.OperationID)
			}
		}
	}
	for id := range alone {
		if !done[id] {
			t.Errorf("no person does %s any more", id)
		}
	}
	if asked < 20 {
		t.Errorf("only %d operations ask for another's consent", asked)
	}
	t.Logf("%d operations ask another person to consent, %d are done by one", asked, len(alone))
}
