package state

import (
	"maps"
	"slices"
)

// people writes who works in the house and where. How many are on duty follows.
func (h digest) people(p *People) {
	h.numbers(uint64(len(p.operators)))
	for _, id := range slices.Sorted(maps.Keys(p.operators)) {
		h.numbers(uint64(id))
		h.texts([]string{p.operators[id].Name, p.operators[id].Licence})
	}
	h.numbers(uint64(p.venues.len()))
	for _, v := range p.Venues() {
		h.numbers(uint64(v.ID), uint64(v.Operator), uint64(len(v.Hours)))
		h.texts([]string{string(v.Kind), v.Name})
		h.flag(v.HasHours)
		for _, t := range v.Hours {
			h.numbers(uint64(t.Weekday), uint64(t.From), uint64(t.To))
		}
	}
	h.numbers(uint64(p.areas.len()))
	for _, area := range p.areas.all() {
		h.numbers(uint64(area.Venue), uint64(area.ID))
		h.text(area.Name)
		h.flag(area.Draw)
		h.flag(area.Race)
	}
	h.numbers(uint64(p.terminals.len()))
	for _, t := range p.Posts() {
		h.numbers(uint64(t.Terminal), uint64(t.Venue), uint64(t.Area), uint64(t.Person))
		h.text(string(t.Channel))
		h.Write(t.Key[:])
		h.flag(t.Revoked)
	}
	h.numbers(uint64(p.persons.len()))
	for _, person := range p.Persons() {
		h.person(&person)
	}
	h.numbers(uint64(p.approvals.len()))
	for _, a := range p.Approvals() {
		h.approval(&a)
	}
}

func (h digest) person(p *Person) {
	h.numbers(uint64(p.ID), uint64(p.Locked), uint64(len(p.Grants)))
	h.Write(p.Details[:])
	h.Write(p.Secret[:])
	h.flag(p.Erased)
	for _, g := range p.Grants {
		h.numbers(uint64(g.Venue))
		h.text(string(g.Role))
	}
	h.numbers(uint64(p.Shift.Venue), uint64(p.Shift.Terminal), uint64(p.Shift.Since))
	h.text(string(p.Shift.Role))
	h.flag(p.Shift.Ending)
}

func (h digest) approval(a *Approval) {
	h.numbers(uint64(a.Approval), uint64(a.Expires), uint64(a.By), uint64(a.Decider), uint64(len(a.Roles)))
	h.text(a.Action)
	h.text(a.Says)
	h.Write(a.Content[:])
	for _, role := range a.Roles {
		h.text(string(role))
	}
	h.flag(a.Decided)
	h.flag(a.Granted)
	h.flag(a.Used)
}
