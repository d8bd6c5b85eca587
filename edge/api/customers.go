package api

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/state"
	"drawhouse/house"
	"drawhouse/house/person"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
)

// Kept is what the journal will have of somebody whom the register keeps.
type Kept struct {
	Hash string `json:"hash" doc:"64 hexadecimal digits."`
}

// registered is the register as commands know it.
type registered struct{ *person.Register }

// Keep implements [command.Register].
func (r registered) Keep(ctx context.Context, c command.Customer, path string) (record.Hash, error) {
	kept, err := person.NewCustomer(c, rand.Reader)
	if err != nil {
		return record.Hash{}, unfit(err, path)
	}
	return kept.Hash(), r.PutCustomer(ctx, kept)
}

// KeepPaper implements [command.Register].
func (r registered) KeepPaper(ctx context.Context, text string) (record.Hash, error) {
	paper, err := person.NewPaper(text, rand.Reader)
	if err != nil {
		return record.Hash{}, unfit(err, "")
	}
	return paper.Hash(), r.PutPaper(ctx, paper)
}

// Known implements [command.Register].
func (r registered) Known(ctx context.Context, hash record.Hash) (command.Customer, bool, error) {
	who, err := r.Customer(ctx, hash)
	if cannotShow(err) {
		return command.Customer{}, false, nil
	}
	return who.Customer, err == nil, err
}

// cannotShow reports whether the register has not an entry, or not the key that it is sealed
// under: lists go on without the name, and nothing is drawn in favour of somebody whom nobody can name.
func cannotShow(err error) bool {
	return errors.Is(err, person.ErrUnknown) || errors.Is(err, person.ErrNoKey)
}

// keeping returns the register for a command; nil where the house has none.
func (s *server) keeping() command.Register {
	if s.register == nil {
		return nil
	}
	return registered{s.register}
}

// do does a command. The register keeps first what the journal will name by hashes, and forgets
// last what a command erases.
func (s *server) do(ctx context.Context, line *house.Line, c command.Command, by record.By) (record.Body, error) {
	var fresh []record.Hash
	if _, keeps := c.(command.Keeper); keeps {
		var err error
		if named, ok := c.(command.Gatherer); ok {
			if c, err = named.Gather(ctx, line); err != nil {
				return nil, err
			}
		}
		if c, fresh, err = c.(command.Keeper).Keep(ctx, s.keeping(), line); err != nil { //nolint:errcheck // What is gathered keeps as before.
			return nil, err
		}
	}
	done, err := s.house.DoIn(ctx, line.ID(), c, by)
	if err != nil {
		return nil, s.unkept(ctx, err, fresh)
	}
	if erases, ok := c.(command.Eraser); ok {
		return done, s.register.Forget(ctx, erases.Forgets()...)
	}
	return done, nil
}

// unkept returns the error of a command that was to name entries of the register, and has the
// register forget these entries if nothing names them. Only a command that was refused or not
// taken has certainly left no record; after any other error there may be one, for which the
// entries must stay.
func (s *server) unkept(ctx context.Context, err error, fresh []record.Hash) error {
	var refused *refusal.Refusal
	if len(fresh) > 0 && (errors.As(err, &refused) || errors.Is(err, lane.ErrBusy)) {
		return errors.Join(err, s.register.Forget(ctx, fresh...))
	}
	return err
}

// unfit returns an entry that the register cannot keep as a refusal.
func unfit(err error, path string) error {
	var wrong *person.Unfit
	if !errors.As(err, &wrong) {
		return err
	}
	return &refusal.Refusal{Code: DetailsWrong, Path: path + wrong.Field, Sentence: wrong.Why}
}

// PayeeErased: the register has forgotten the payee.
const PayeeErased refusal.Code = "payee_erased"

// Erased is who had the register forget a customer, and when. What is gone it does not say.
type Erased struct {
	Time time.Time `json:"time"`
	By   uint32    `json:"by" doc:"Number of the person; 0 for the house itself, when the time of keeping was over."`
}

// viewErasure shows an erasure, if there was one.
func (s *server) viewErasure(e state.Erasure) *Erased {
	if !e.Done() {
		return nil
	}
	return &Erased{Time: s.time(e.At), By: e.By}
}

// shownBy returns who a hash of the journal is, or nil if the register has forgotten.
func (s *server) shownBy(ctx context.Context, hash record.Hash) (*command.Customer, error) {
	if s.register == nil {
		return nil, nil
	}
	who, known, err := s.keeping().Known(ctx, hash)
	if err != nil || !known {
		return nil, err
	}
	return &who, nil
}

// keepPayee keeps the payee of a cheque or transfer before it is drawn. The end of the
// session names the payee by the hash. A payee whom no session names in the end is in
// the register alone.
//
//rule:vic-keno-2015 21(b)
//rule:tas-keno-2023 13.2
func (s *server) keepPayee(w http.ResponseWriter, r *http.Request, body command.Customer) error {
	if s.register == nil {
		return command.WithoutRegister()
	}
	hash, err := s.keeping().Keep(r.Context(), body, "")
	if err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, Kept{hex.EncodeToString(hash[:])})
	return nil
}

// checkPayee refuses a payee of whom the register knows nothing. A house without a
// register takes the word of its terminals.
func (s *server) checkPayee(ctx context.Context, hash record.Hash) error {
	if s.register == nil || hash == (record.Hash{}) {
		return nil
	}
	who, err := s.shownBy(ctx, hash)
	if err == nil && who == nil {
		return payeeUnknown("payee_hash")
	}
	return err
}

// payeeOfPapers returns the payee whom a paper names that is presented, if the register has the
// same details of the payee who is named now. The register keeps each payee under a hash of its
// own, so that nobody can tell from the journal who the same person is.
func (s *server) payeeOfPapers(ctx context.Context, named record.Hash,
	papers []counter.PresentedPaper) (record.Hash, error) {
	if s.register == nil || named == (record.Hash{}) {
		return named, nil
	}
	for _, p := range papers {
		paper, held, err := s.house.Held(ctx, p.Place)
		if err != nil {
			return named, err
		}
		if !held || paper.Payee == (record.Hash{}) || paper.Payee == named {
			continue
		}
		now, err := s.shownBy(ctx, named)
		if err != nil {
			return named, err
		}
		then, err := s.shownBy(ctx, paper.Payee)
		if err != nil {
			return named, err
		}
		if now != nil && then != nil && *now == *then {
			return paper.Payee, nil
		}
	}
	return named, nil
}

// hasAccount reports whether somebody has named an account, to which a transfer goes. The
// register knows it; a house without one takes the word of the person who asks.
func (s *server) hasAccount(ctx context.Context, hash record.Hash, said bool) (bool, error) {
	if s.register == nil || hash == (record.Hash{}) {
		return said, nil
	}
	who, err := s.register.Customer(ctx, hash)
	if err != nil && !errors.Is(err, person.ErrUnknown) {
		return false, err
	}
	return who.Has("account"), nil
}

func payeeUnknown(path string) error {
	return &refusal.Refusal{Code: counter.PayeeUnknown, Path: path, Sentence: "The register has no such payee."}
}

// payeeOf reads the hash of a payee from the path.
func payeeOf(r *http.Request) (record.Hash, error) {
	all, err := claimHashes([]string{r.PathValue("hash")})
	if err != nil {
		return record.Hash{}, &refusal.Refusal{Code: ParameterValue, Path: "hash",
			Sentence: "A payee's hash is 64 hexadecimal digits."}
	}
	return all[0], nil
}

// getPayee says who a payee is, to the operator and the inspector, or who had the payee
// forgotten.
//
//rule:tas-keno-2023 13.2
func (m *treasury) getPayee(w http.ResponseWriter, r *http.Request) error {
	hash, err := payeeOf(r)
	if err != nil {
		return err
	}
	erased, err := m.till.PayeeErased(r.Context(), hash)
	if err != nil {
		return err
	}
	if erased.Done() {
		who := fmt.Sprintf("person %d had it do so", erased.By)
		if erased.By == 0 {
			who = "the time of keeping was over"
		}
		return &refusal.Refusal{Code: PayeeErased, Path: "hash",
			Sentence: fmt.Sprintf("The register has forgotten this payee: %s on %s.", who,
				m.time(erased.At).Format(time.DateTime))}
	}
	who, err := m.shownBy(r.Context(), hash)
	switch {
	case err != nil:
		return err
	case who == nil:
		return payeeUnknown("hash")
	}
	m.noted(r, "a payee was looked up", callerOf(r).person.ID, "hash", r.PathValue("hash"))
	m.writeJSON(w, r, http.StatusOK, who)
	return nil
}

// noted writes into the log who has read or erased what the register says of a customer, and
// of whom by number or hash. The register's details are never in it.
func (s *server) noted(r *http.Request, what string, by uint32, of, which string) {
	s.log.InfoContext(r.Context(), what, of, which, "person", by, "terminal", callerOf(r).terminal)
}
