package engine

import (
	"drawhouse/counter"
	"drawhouse/money"
	"drawhouse/record"
)

// LodgeClaim takes a claim form in.
func (e *Engine) LodgeClaim(now record.Time, f counter.ClaimForm) (uint32, error) {
	f.Now = max(now, e.state.Now())
	lodged, err := counter.LodgeClaim(e.state, f)
	if err != nil {
		return 0, err
	}
	return lodged.Claim, e.write(now, lodged, nil, nil)
}

// NoteClaim puts a paper to a claim.
func (e *Engine) NoteClaim(now record.Time, b record.ClaimNoted) error {
	noted, err := counter.NoteClaim(e.state, b)
	return e.write(now, noted, nil, err)
}

// SignClaim says what somebody thinks of a claim whom the rulebook asks.
func (e *Engine) SignClaim(now record.Time, b record.ClaimSigned) error {
	signed, err := counter.SignClaim(e.state, b)
	return e.write(now, signed, nil, err)
}

// DecideClaim decides a claim.
func (e *Engine) DecideClaim(now record.Time, b record.ClaimDecided) error {
	decided, err := counter.DecideClaim(e.state, b)
	return e.write(now, decided, nil, err)
}

// PayClaim pays a claim that was allowed.
func (e *Engine) PayClaim(now record.Time, b record.ClaimPaid, expect *money.Amount) (*record.ClaimPaid, error) {
	paid, postings, err := counter.PayClaim(e.state, b, expect)
	return paid, e.write(now, paid, postings, err)
}
