package api

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/core/refusal"
	"drawhouse/decide/staff"
	"drawhouse/journal/record"
)

// aboutOf says what is to be known of an operation beyond what it does: what its row says, who may, how many persons
// it takes and what a repetition does.
func aboutOf(rt *route) string {
	say := []string{rt.says + "."}
	if rt.about != "" {
		say = append(say, rt.about)
	}
	say = append(say, "It is for "+who(rt)+".")
	if rt.two != "" {
		say = append(say, fmt.Sprintf("It takes two persons: this asks for it, %s consents (decide-approval), and then the person who asked has it done (use-approval).",
			roleNames(staff.Actions()[rt.two].Consents)))
	}
	if rt.alone != "" {
		say = append(say, fmt.Sprintf("One person is enough for it (%s).", strings.TrimSuffix(rt.alone, ".")))
	}
	if strings.Contains(rt.path, "/requests/{request}/") {
		say = append(say, "The request is numbered: it is done once however often it is sent, and answered alike.")
	}
	if rt.internal != "" {
		say = append(say, "Internal: for our own screens, and changed with them. "+rt.internal)
	}
	return strings.Join(say, " ")
}

// who names those who may use an operation.
func who(rt *route) string {
	var list []string
	if rt.who.Everybody {
		list = append(list, "everybody, without a credential")
	}
	if rt.who.Terminals {
		list = append(list, "a terminal, which signs its requests")
	}
	if rt.who.Witnesses {
		list = append(list, "a witness of the house, who signs the question")
	}
	if rt.who.SignedOn {
		list = append(list, "anybody who has signed on")
	}
	if len(rt.who.Roles) > 0 {
		list = append(list, roleNames(rt.who.Roles))
	}
	return strings.Join(list, ", or ")
}

// tagAbout says what the operations of a group are about.
var tagAbout = map[string]string{
	"bingo":     "Sessions of bingo rooms: cards, calls, claims, prizes and promotions.",
	"claims":    "Claims on a form, runners and complaints.",
	"draws":     "Draw devices, results, and what is put right of them.",
	"games":     "Games and their results.",
	"journal":   "The journal: records, checkpoints and proofs.",
	"live":      "What happens now, as a stream of events.",
	"log":       "The public log.",
	"money":     "Banks, cheques, accounts of venues and what nobody fetched.",
	"operation": "Whether the house works.",
	"operator":  "What the central site does: days, series, rules, jackpots and acts of two persons.",
	"people":    "Persons, their roles and how they sign on.",
	"places":    "Venues, areas, terminals and displays.",
	"reports":   "Reports and journal entries.",
	"rules":     "Rulebooks, their clauses and what counters offer.",
	"terminal":  "What a terminal does at a counter.",
	"tickets":   "Tickets: what became of one, and what stops or releases payment.",
}

// tagsOf lists the groups of operations.
func tagsOf(routes []route) (tags []*huma.Tag) {
	said := map[string]bool{}
	for _, rt := range routes {
		if tagAbout[rt.tag] == "" {
			panic("api: nothing says what the group " + rt.tag + " is about")
		}
		said[rt.tag] = true
	}
	for _, name := range slices.Sorted(maps.Keys(said)) {
		tags = append(tags, &huma.Tag{Name: name, Description: tagAbout[name]})
	}
	return tags
}

// refused adds the answers with which an operation is refused: one for each status, with its codes.
func (d describer) refused(op *huma.Operation, refusals []Refused) {
	codes := map[int][]string{}
	for _, r := range refusals {
		codes[r.Status] = append(codes[r.Status], r.Code)
	}
	for status, codes := range codes {
		op.Responses[fmt.Sprint(status)] = &huma.Response{
			Description: fmt.Sprintf("%s: %s.", http.StatusText(status), strings.Join(codes, ", ")), Content: d.json(Error{}),
		}
	}
}

// Explained is what is to be known of a code with which requests are refused.
type Explained struct {
	Status int    `json:"status"`
	Cause  string `json:"cause"`
	Next   string `json:"next"` // what to do
}

// refusals explains every code with which an operation is refused.
func (d describer) refusals(routes []route) map[string]Explained {
	all := map[string]Explained{}
	for _, code := range refusedAnywhere {
		all[string(code)] = Explained{statusOf(code), causes[string(code)], nextStep(code, statusOf(code))}
	}
	for i := range routes {
		for _, r := range refusalsOf(&routes[i]) {
			all[r.Code] = Explained{r.Status, causes[r.Code], nextStep(refusal.Code(r.Code), r.Status)}
		}
	}
	return all
}

// meanings are what properties of a name hold, where their own type does not say it and no record has the name.
var meanings = map[string]string{
	"anonymous":        "The winner is not to be named in public.",
	"area":             "Number of the area of its venue.",
	"begins":           "When it begins.",
	"bet":              "Id of the bet in the rulebook.",
	"bets":             "The bets.",
	"channel":          "Kind of the terminal: writer, sst for one that players work alone, or display.",
	"claim_hash":       "Hash of the claim code that the terminal made, bound to this request; 64 hexadecimal digits.",
	"cents":            "Amount, in cents.",
	"closes":           "When it closes.",
	"contact":          "How the person is reached.",
	"cost_cents":       "What it costs, over all games.",
	"currency":         "Currency of all amounts.",
	"edition":          "Edition of the ready ticket.",
	"expires":          "When it ends by itself.",
	"fee_cents":        "Fee of a player for the session.",
	"game":             "Number of the game.",
	"given_back_cents": "What was given back of cancelled tickets.",
	"granted":          "Whether it is granted.",
	"grants":           "Roles of the person.",
	"id":               "Id, which stays the same.",
	"jackpot_cents":    "What the jackpot stands at.",
	"kind":             "What kind it is.",
	"maker":            "Who makes it.",
	"means":            "How it is paid: a way of the rulebook, such as cash or cheque.",
	"method":           "How the particulars of a ticket were given.",
	"model":            "Model, as its maker calls it.",
	"name":             "Name, for people.",
	"ordered":          "Whether the order counts.",
	"outcome":          "What it came to.",
	"paid_cents":       "What was paid of prizes.",
	"password":         "Password of the person.",
	"pattern":          "Id of the pattern that wins.",
	"paused":           "Sale and draws are stopped for the time being.",
	"phase":            "How far it has come.",
	"place":            "Where its record stands in the journal: volume and sequence number.",
	"reference":        "Reference of the paper that says so.",
	"sentence":         "What it comes to, for people.",
	"serial":           "Serial of the ticket or paper.",
	"serial_number":    "Number by which its maker knows it.",
	"serials":          "Serials of tickets or papers.",
	"settled_at":       "When it was settled.",
	"since":            "Since when.",
	"sold_cents":       "What was taken for tickets.",
	"starts":           "When it starts.",
	"status":           "How it stands.",
	"subject":          "What it is about.",
	"text":             "What is said, for people.",
	"time":             "When it was recorded.",
	"title":            "Title, for people.",
	"token":            "Secret that shows who asks; nobody else is told.",
	"value_cents":      "What it is worth.",
	"venue_name":       "Name of the venue.",
	"ways":             "The ways of the bet.",
}

// complete says of properties what their names say everywhere, where their types do not say it, and gives an example
// of texts.
func complete(schemas map[string]*huma.Schema) {
	for _, schema := range schemas {
		for name, property := range schema.Properties {
			if property.Description == "" {
				property.Description = cmp.Or(meanings[name], record.Meaning(reflect.TypeFor[struct{}](), goField(name)))
			}
			if example, ok := exampleTexts[name]; ok && property.Type == huma.TypeString && len(property.Enum) == 0 &&
				property.Format == "" && len(property.Examples) == 0 {
				property.Examples = []any{example}
			}
		}
	}
}

// goField returns the name of a property as a field of a record has it.
func goField(name string) string {
	var out strings.Builder
	for word := range strings.SplitSeq(name, "_") {
		if word != "" {
			out.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return out.String()
}
