package sim

import "slices"

// Shrink returns a plan with as few acts as it can find that still fails. It leaves
// out acts in ever smaller lots (delta debugging), the last ones first, since most
// of what comes after the failure does not matter. Tries bounds how often it runs a
// plan.
func Shrink(p Plan, fails func(Plan) bool, tries int) Plan {
	try := func(acts []Act, days int) bool {
		if tries == 0 {
			return false
		}
		tries--
		smaller := p
		smaller.Acts, smaller.Days = acts, days
		if !fails(smaller) {
			return false
		}
		p = smaller
		return true
	}
	for days := p.Days / 2; days > 0 && try(p.Acts, days); days /= 2 {
	}
	for lot := max(1, len(p.Acts)/2); ; lot /= 2 {
		for from := len(p.Acts) - lot; len(p.Acts) > 0 && from > -lot; from -= lot {
			low, high := max(0, from), min(len(p.Acts), max(0, from)+lot)
			try(slices.Concat(p.Acts[:low], p.Acts[high:]), p.Days)
		}
		if lot <= 1 || tries == 0 {
			return p
		}
	}
}
