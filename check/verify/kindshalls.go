package verify

import "drawhouse/journal/record"

// hallKinds are the kinds of bingo rooms and of their sessions.
func hallKinds() []rower {
	return []rower{
		paying(CheckHouse, (*checker).hallOpened).
			naming(func(c *checker, b *record.HallOpened) error { return c.checkPlaceName(b.Name) }),
		inRoom(func(b *record.TableAdded) uint8 { return b.Hall }, (*checker).tableAdded),
		inRoom(func(b *record.MemberSet) uint8 { return b.Hall }, func(_ *checker, r *hallRoom, b *record.MemberSet) error {
			r.members[b.Member] = !b.Ended
			return nil
		}),
		inRoom(func(b *record.SessionSet) uint8 { return b.Hall }, (*checker).sessionSet),
		inRoom(func(b *record.DisputeRaised) uint8 { return b.Hall },
			func(_ *checker, r *hallRoom, b *record.DisputeRaised) error { return r.disputeRaised(b) }),
		inRoom(func(b *record.DisputeMoved) uint8 { return b.Hall },
			func(_ *checker, r *hallRoom, b *record.DisputeMoved) error { return r.disputeMoved(b) }).
			ofTwo((*checker).reviewedByTwo),
		paying(CheckHouse, func(c *checker, b *record.DisputeAwarded) (due postings, err error) {
			err = c.inRoom(b.Hall, func(r *hallRoom) error { due, err = c.disputeAwarded(r, b); return err })
			return due, err
		}),
		paying(CheckHouse, func(c *checker, b *record.DisputePaid) (due postings, err error) {
			err = c.inRoom(b.Hall, func(r *hallRoom) error { due, err = c.disputePaid(r, b); return err })
			return due, err
		}),
		inSession(func(b *record.PlayerEntered) record.HallSession {
			return record.HallSession{Hall: b.Hall, Session: b.Session}
		}, (*checker).playerEntered),
		inSession(func(b *record.IssueClosed) record.HallSession {
			return record.HallSession{Hall: b.Hall, Session: b.Session}
		},
			func(_ *checker, r *hallRoom, s *hallSession, b *record.IssueClosed) (postings, error) {
				return r.issueClosed(s, b)
			}),
		inSession(func(b *record.FeesRefunded) record.HallSession { return b.Session }, (*checker).feesRefunded),
		inSession(func(b *record.RefundPaid) record.HallSession { return b.Session },
			func(_ *checker, r *hallRoom, s *hallSession, b *record.RefundPaid) (postings, error) {
				return r.refundPaid(s, b)
			}),
		inSession(func(b *record.DeviceFailed) record.HallSession { return b.Session },
			func(_ *checker, _ *hallRoom, s *hallSession, b *record.DeviceFailed) (postings, error) {
				return nil, s.deviceFailed(b)
			}),
		inSession(func(b *record.DeviceReplaced) record.HallSession { return b.Old.Session },
			func(c *checker, r *hallRoom, s *hallSession, b *record.DeviceReplaced) (postings, error) {
				if err := c.playersCard(r, b.Device); err != nil {
					return nil, err
				}
				return nil, s.deviceReplaced(b)
			}),
		inSession(func(b *record.DeviceReturned) record.HallSession { return b.Session },
			func(c *checker, _ *hallRoom, s *hallSession, b *record.DeviceReturned) (postings, error) {
				return nil, c.deviceReturned(s, b)
			}),
		inSession(func(b *record.PlayerBarred) record.HallSession { return b.Session }, (*checker).playerBarred),
		inSession(func(b *record.SessionClosing) record.HallSession { return b.Session },
			func(c *checker, r *hallRoom, s *hallSession, b *record.SessionClosing) (postings, error) {
				return nil, c.sessionClosing(r, s, b)
			}),
		inSession(func(b *record.SessionClosed) record.HallSession { return b.Session },
			func(c *checker, r *hallRoom, s *hallSession, b *record.SessionClosed) (postings, error) {
				return nil, c.sessionClosed(r, s, b)
			}),
		inSession(func(b *record.IncidentNoted) record.HallSession { return b.Session },
			func(*checker, *hallRoom, *hallSession, *record.IncidentNoted) (postings, error) { return nil, nil }),
		inSession(func(b *record.SessionChanged) record.HallSession {
			return record.HallSession{Hall: b.Hall, Session: b.Set.Session}
		},
			func(c *checker, r *hallRoom, s *hallSession, b *record.SessionChanged) (postings, error) {
				return nil, c.sessionChanged(r, s, &b.Set)
			}),
		inSession(func(b *record.SessionCancelled) record.HallSession { return b.Session },
			func(_ *checker, _ *hallRoom, s *hallSession, _ *record.SessionCancelled) (postings, error) {
				return nil, s.sessionCancelled()
			}),
		inSession(func(b *record.EntryUndone) record.HallSession { return b.Session },
			func(_ *checker, r *hallRoom, s *hallSession, b *record.EntryUndone) (postings, error) {
				return r.entryUndone(s, b)
			}),
		inSession(func(b *record.OutcomeInvalidated) record.HallSession {
			return record.HallSession{Hall: b.Game.Hall, Session: b.Game.Session}
		},
			func(c *checker, r *hallRoom, s *hallSession, b *record.OutcomeInvalidated) (postings, error) {
				if int(b.Game.Game) > len(s.games) {
					return nil, hallFault("%v is not played", b.Game)
				}
				return c.outcomeInvalidated(r, s, s.games[b.Game.Game-1], b)
			}),
	}
}

// bingoKinds are the kinds of games of bingo.
func bingoKinds() []rower {
	return []rower{
		inGame(func(b *record.BingoAnnounced) record.BingoGame { return b.Game },
			func(_ *checker, r *hallRoom, s *hallSession, g *hallGame, b *record.BingoAnnounced) error {
				return r.bingoAnnounced(s, g, b)
			}),
		inGame(func(b *record.BingoSealed) record.BingoGame { return b.Game }, (*checker).bingoSealed),
		inGame(func(b *record.BingoWitnessed) record.BingoGame { return b.Game },
			func(c *checker, _ *hallRoom, _ *hallSession, g *hallGame, b *record.BingoWitnessed) error {
				return c.bingoWitnessed(g, b)
			}),
		inGame(func(b *record.NumberCalled) record.BingoGame { return b.Game },
			func(c *checker, r *hallRoom, s *hallSession, g *hallGame, b *record.NumberCalled) error {
				return c.numberCalled(r, s, g, b)
			}),
		inGame(func(b *record.BingoDrawn) record.BingoGame { return b.Game }, (*checker).bingoDrawn),
		inGame(func(b *record.CallCorrected) record.BingoGame { return b.Game },
			func(c *checker, r *hallRoom, _ *hallSession, g *hallGame, b *record.CallCorrected) error {
				if int(b.Wrong) > r.rules.Numbers.Of {
					return hallFault("%d was not announced: %d numbers are called", b.Wrong, r.rules.Numbers.Of)
				}
				return c.callCorrected(g, b)
			}),
		inGame(func(b *record.ClaimOpened) record.BingoGame { return b.Game },
			func(c *checker, _ *hallRoom, _ *hallSession, g *hallGame, b *record.ClaimOpened) error {
				return c.claimOpened(g, b)
			}),
		inGame(func(b *record.ClaimChecked) record.BingoGame { return b.Game }, (*checker).claimChecked),
		payingInGame(func(b *record.BingoSettled) record.BingoGame { return b.Game },
			func(c *checker, r *hallRoom, _ *hallSession, g *hallGame, b *record.BingoSettled) (postings, error) {
				return c.bingoSettled(r, g, b)
			}),
		payingInGame(func(b *record.BingoPaid) record.BingoGame { return b.Game },
			func(c *checker, r *hallRoom, _ *hallSession, g *hallGame, b *record.BingoPaid) (postings, error) {
				return c.bingoPaid(r, g, b)
			}),
		payingInGame(func(b *record.BingoVoided) record.BingoGame { return b.Game }, (*checker).bingoVoided),
	}
}

// offerKinds are the kinds of promotional prizes.
func offerKinds() []rower {
	return []rower{
		inRoom(func(b *record.OfferNotified) uint8 { return b.Offer.Hall }, (*checker).offerNotified),
		inOffer(func(b *record.OfferStarted) record.Offer { return b.Offer },
			func(c *checker, r *hallRoom, o *hallOffer, _ *record.OfferStarted) (postings, error) {
				return nil, c.offerStarted(r, o)
			}),
		inOffer(func(b *record.OfferEntered) record.Offer { return b.Offer },
			func(c *checker, r *hallRoom, o *hallOffer, b *record.OfferEntered) (postings, error) {
				return nil, c.offerEntered(r, o, b)
			}),
		inOffer(func(b *record.OfferSealed) record.Offer { return b.Offer },
			func(c *checker, r *hallRoom, o *hallOffer, b *record.OfferSealed) (postings, error) {
				return nil, c.offerSealed(r, o, b)
			}),
		inOffer(func(b *record.OfferDrawn) record.Offer { return b.Offer },
			func(c *checker, r *hallRoom, o *hallOffer, b *record.OfferDrawn) (postings, error) {
				return nil, c.offerDrawn(r, o, b)
			}),
		inOffer(func(b *record.OfferTold) record.Offer { return b.Offer },
			func(_ *checker, _ *hallRoom, o *hallOffer, b *record.OfferTold) (postings, error) {
				return nil, o.told(b)
			}),
		inOffer(func(b *record.OfferClaimed) record.Offer { return b.Offer },
			func(_ *checker, r *hallRoom, o *hallOffer, b *record.OfferClaimed) (postings, error) {
				return r.offerClaimed(o, b)
			}),
		inOffer(func(b *record.OfferStopped) record.Offer { return b.Offer },
			func(_ *checker, _ *hallRoom, o *hallOffer, b *record.OfferStopped) (postings, error) {
				return nil, o.stop(b)
			}),
	}
}

// inRoom begins the row of a kind about a bingo room.
func inRoom[B record.Body](of func(B) uint8, judge func(*checker, *hallRoom, B) error) rowOf[B] {
	return plain(CheckHouse, func(c *checker, b B) error {
		return c.inRoom(of(b), func(r *hallRoom) error { return judge(c, r, b) })
	})
}

// inSession begins the row of a kind about a session of bingo.
func inSession[B record.Body](
	of func(B) record.HallSession,
	judge func(*checker, *hallRoom, *hallSession, B) (postings, error),
) rowOf[B] {
	return paying(CheckHouse, func(c *checker, b B) (postings, error) {
		return c.inSession(of(b), func(r *hallRoom, s *hallSession) (postings, error) { return judge(c, r, s, b) })
	})
}

// payingInGame begins the row of a kind about a game of bingo by which money may move.
func payingInGame[B record.Body](
	of func(B) record.BingoGame,
	judge func(*checker, *hallRoom, *hallSession, *hallGame, B) (postings, error),
) rowOf[B] {
	in := func(b B) record.HallSession { return record.HallSession{Hall: of(b).Hall, Session: of(b).Session} }
	return inSession(in, func(c *checker, r *hallRoom, s *hallSession, b B) (postings, error) {
		game := of(b)
		if int(game.Game) > len(s.games) || s.ranges == nil {
			return nil, hallFault("%v is not played", game)
		}
		return judge(c, r, s, s.games[game.Game-1], b)
	})
}

// inGame begins the row of a kind about a game of bingo that moves no money.
func inGame[B record.Body](
	of func(B) record.BingoGame,
	judge func(*checker, *hallRoom, *hallSession, *hallGame, B) error,
) rowOf[B] {
	return payingInGame(of, func(c *checker, r *hallRoom, s *hallSession, g *hallGame, b B) (postings, error) {
		return nil, judge(c, r, s, g, b)
	})
}

// inOffer begins the row of a kind about a promotional prize.
func inOffer[B record.Body](
	of func(B) record.Offer,
	judge func(*checker, *hallRoom, *hallOffer, B) (postings, error),
) rowOf[B] {
	return paying(CheckHouse, func(c *checker, b B) (due postings, err error) {
		ref := of(b)
		err = c.inRoom(ref.Hall, func(r *hallRoom) error {
			if int(ref.Offer) > len(r.offers) {
				return offerFault("there is no promotion %d", ref.Offer)
			}
			due, err = judge(c, r, r.offers[ref.Offer-1], b)
			return err
		})
		return due, err
	})
}
