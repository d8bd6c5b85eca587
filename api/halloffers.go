package api

import (
	"context"
	"strings"

	"drawhouse/command"
	"drawhouse/hall"
	"drawhouse/keno"
	"drawhouse/record"
	"drawhouse/refusal"
)

// claimPromotion grants or denies a claim to a promotional prize. The register keeps a denied
// claimant before the journal has the hash, and forgets them if the claim is refused.
func (r roomServer) claimPromotion(ctx context.Context, c command.ClaimPromotion, by record.By) (record.Body, error) {
	var err error
	if c.Details, err = r.claimant(ctx, &c); err != nil {
		return nil, err
	}
	claimed, err := r.house.Do(ctx, c, by)
	if err != nil && c.Details != (record.Hash{}) && c.DetailsHash == "" {
		err = r.unkept(ctx, err, c.Details)
	}
	return claimed, err
}

// claimant returns the hash of a denied claimant, whom the register has or keeps now.
//
//rule:nsw-bingo-2019 10.10.1
func (r roomServer) claimant(ctx context.Context, c *command.ClaimPromotion) (hash record.Hash, err error) {
	if c.DetailsHash != "" {
		all, err := claimHashes([]string{c.DetailsHash})
		if err != nil {
			return hash, &refusal.Refusal{Code: keno.FieldValue, Path: "details_hash", Sentence: "The value must be 64 hexadecimal digits."}
		}
		who, err := r.shownBy(ctx, all[0])
		if err == nil && who == nil && r.register != nil {
			err = &refusal.Refusal{Code: hall.DetailsMissing, Clause: "10.10.1", Path: "details_hash", Sentence: "The register has nobody of this hash."}
		}
		return all[0], err
	}
	if c.Claimant == nil || c.Granted {
		return hash, nil
	}
	if strings.TrimSpace(c.Claimant.Name) == "" || strings.TrimSpace(c.Claimant.Address) == "" {
		return hash, &refusal.Refusal{Code: hall.DetailsMissing, Clause: "10.10.1", Path: "claimant", Sentence: "The name and the address of a person who is denied a prize are kept."}
	}
	return r.keepCustomer(ctx, customerOf(*c.Claimant), "claimant.")
}
