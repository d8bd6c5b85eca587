package verify

import (
	"encoding/hex"
	"slices"

	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// houseKinds are the kinds of the house itself: its volumes, its rules, its places and its witnesses.
func houseKinds() []rower {
	return []rower{
		plain(CheckHouse, (*checker).volumeBegun),
		plain(CheckHouse, (*checker).levelRaised),
		plain(CheckHouse, (*checker).buildNamed),
		plain(CheckHouse, (*checker).rulebookAdopted).
			agreedOn([]string{"adopt_rulebook", actionFile}, agreedRulebook).asking(adoptedByTwo),
		plain(CheckHouse, (*checker).seriesBegun).
			agreedAs("begin_series", agreedSeries).asking(begunByTwo),
		plain(CheckHouse, (*checker).venueAdded).naming((*checker).checkVenue),
		plain(CheckHouse, (*checker).terminalAdded),
		plain(CheckHouse, (*checker).venueListed).by(centralRoles).
			inSeries(func(b *record.VenueListed) uint8 { return b.Series }).
			agreedAs("list_venue", func(_ *checker, b *record.VenueListed, a *approval) bool {
				return a.by == b.By && a.says.Venue == b.Venue && a.says.List == b.Listed
			}),
		plain(CheckSeal, (*checker).witnessesNamed),
		plain(CheckSeal, (*checker).gameWitnessed),
		plain(CheckSeal, (*checker).journalWitnessed),
		plain(CheckPublicLog, (*checker).logBegun),
		plain(CheckPublicLog, (*checker).logWitnessed),
	}
}

// gameKinds are the kinds of Keno Days and games.
func gameKinds() []rower {
	return []rower{
		plain(CheckGames, (*checker).dayOpened).
			inSeries(func(b *record.DayOpened) uint8 { return b.Series }).
			agreedAs("open_day", func(_ *checker, b *record.DayOpened, a *approval) bool {
				return a.says.Day == b.Day.String() && a.says.OffsetSeconds == b.OffsetSeconds
			}).ifUsed(),
		plain(CheckGames, (*checker).dayClosed).
			inSeries(func(b *record.DayClosed) uint8 { return b.Series }).
			agreedAs("close_day", func(_ *checker, b *record.DayClosed,
				a *approval) bool {
				return a.says.Day == b.Day.String()
			}).
			ifUsed().within((*checker).checkShortened),
		plain(CheckGames, (*checker).gameOpened),
		paying(CheckGames, (*checker).gameClosed),
		plain(CheckSeal, (*checker).gameSealed),
		paying(CheckSettlement, (*checker).gameSettled).
			inSeries(func(b *record.GameSettled) uint8 { return b.Game.Series }).
			agreedOn([]string{actionShare, "give_aside"}, (*checker).agreedShare).
			// The settlements behind a corrected result come of the correction.
			asking(func(c *checker, b *record.GameSettled, _ *approval) bool {
				return b.Revision > 1 && !c.corrections.due()
			}),
		plain(CheckSettlement, (*checker).resultCorrected).
			inSeries(func(b *record.ResultCorrected) uint8 { return b.Game.Series }).
			under(func(b *record.ResultCorrected) (record.Game, string) { return b.Game, b.Clause }).
			agreedAs("correct_result", func(c *checker, b *record.ResultCorrected, a *approval) bool {
				return a.number == b.Approval && c.ordinal(b.Game) == a.says.Ordinal && a.says.Revision == b.Revision &&
					a.says.Reason == b.Reason && a.says.Clause == b.Clause &&
					slices.EqualFunc(a.says.Numbers, b.Numbers, func(n int, m uint8) bool { return n == int(m) })
			}),
		paying(CheckGames, (*checker).gameVoided).
			inSeries(func(b *record.GameVoided) uint8 { return b.Game.Series }).
			under(func(b *record.GameVoided) (record.Game, string) { return b.Game, b.Clause }).
			agreedAs("void_game", func(c *checker, b *record.GameVoided, a *approval) bool {
				return a.number == b.Approval && a.says.Reason == b.Reason && a.says.Clause == b.Clause &&
					c.ordinal(b.Game) == a.says.Ordinal && (a.says.Fate == "" || a.says.Fate == fateRefund)
			}),
		plain(CheckSettlement, (*checker).prizesCarried),
		plain(CheckGames, (*checker).playPaused).by(centralRoles),
		plain(CheckGames, (*checker).playResumed).by(centralRoles),
		plain(CheckGames, (*checker).closureAnnounced).by(centralRoles).
			inSeries(func(b *record.ClosureAnnounced) uint8 { return b.Series }).
			agreedAs("announce_closure", func(_ *checker, b *record.ClosureAnnounced, a *approval) bool {
				return isInstant(a.says.At, b.At) && a.by == b.By
			}).ifUsed().guarded(),
		plain(CheckGames, (*checker).noticeShown).by(centralRoles),
		plain(CheckHouse, (*checker).termsChanged).
			inSeries(func(b *record.TermsChanged) uint8 { return b.Series }).
			agreedAs("change_terms", func(_ *checker, b *record.TermsChanged, a *approval) bool {
				return a.says.From == b.From && a.says.Rulebook == hex.EncodeToString(b.Rulebook[:]) &&
					a.says.Schedule == b.Schedule && a.says.Reference == b.Approval
			}),
		plain(CheckHouse, (*checker).venueLicensed).
			agreedAs("license_venue", func(_ *checker, b *record.VenueLicensed, a *approval) bool {
				return a.says.Venue == b.Venue && a.says.OfSeries == b.Series && a.says.Sells == b.Sells &&
					a.says.Instead == b.Instead && a.says.Reference == b.Approval && b.Approval != ""
			}),
		plain(CheckGames, (*checker).seriesLimited).
			inSeries(func(b *record.SeriesLimited) uint8 { return b.Series }).
			agreedAs("end_series", func(_ *checker, b *record.SeriesLimited, a *approval) bool {
				return a.says.LastDay == b.LastDay.String() && a.says.Games == b.Games && a.says.Reference == b.Approval
			}),
		plain(CheckGames, (*checker).gameDesignated).
			inSeries(func(b *record.GameDesignated) uint8 { return b.Game.Series }).
			agreedAs("designate_game", func(_ *checker, b *record.GameDesignated, a *approval) bool {
				return a.says.Ordinal == b.Ordinal
			}),
	}
}

// drawKinds are the kinds of draws, and of what draws.
func drawKinds() []rower {
	return []rower{
		plain(CheckDraw, (*checker).numberDrawn),
		plain(CheckDraw, (*checker).gameDrawn),
		plain(CheckDraw, (*checker).resultConfirmed).
			inSeries(func(b *record.ResultConfirmed) uint8 { return b.Game.Series }).
			agreedAs("confirm_result", func(c *checker, b *record.ResultConfirmed, a *approval) bool {
				return a.number == b.Approval && a.says.Draw == b.Draw && a.says.Reason == b.Reason &&
					c.ordinal(b.Game) == a.says.Ordinal
			}),
		plain(CheckDraw, (*checker).drawVoided).
			inSeries(func(b *record.DrawVoided) uint8 { return b.Game.Series }).
			under(func(b *record.DrawVoided) (record.Game, string) { return b.Game, b.Clause }).
			agreedAs("void_draw", func(c *checker, b *record.DrawVoided, a *approval) bool {
				return a.number == b.Approval && a.says.Draw == b.Draw && a.says.Reason == b.Reason &&
					a.says.Clause == b.Clause &&
					c.ordinal(b.Game) == a.says.Ordinal
			}),
		plain(CheckDraw, (*checker).deviceChosen).
			inSeries(func(b *record.DeviceChosen) uint8 { return b.Series }).
			agreedAs("choose_device", func(_ *checker, b *record.DeviceChosen, a *approval) bool {
				return a.says.Number == b.Registered
			}).asking(choosesAmong),
		plain(CheckDraw, (*checker).deviceRegistered).by(centralRoles).
			inSeries(func(b *record.DeviceRegistered) uint8 { return b.Series }).
			agreedAs("register_device", agreedDevice),
		plain(CheckDraw, (*checker).deviceInspected).byWhom(inspectors),
		plain(CheckDraw, (*checker).drawInspected).by([]record.Role{record.RoleInspector}),
		plain(CheckDraw, (*checker).chainCommitted),
		plain(CheckDraw, (*checker).linksCommitted),
		plain(CheckDraw, (*checker).linkReleased).by(overseerRoles).alone(takesNobody), // A custodian brings its link.
		plain(CheckDraw, (*checker).linkGiven).by(overseerRoles).alone(takesNobody),
		plain(CheckDraw, (*checker).beaconChosen).
			inSeries(func(b *record.BeaconChosen) uint8 { return b.Series }).
			agreedAs("choose_beacon", sameBeacon).
			asking(func(c *checker, _ *record.BeaconChosen, using *approval) bool {
				return using != nil || !c.public.repeated()
			}),
		plain(CheckDraw, (*checker).roundGiven),
		plain(CheckDraw, (*checker).cageStarted).by(staffRoles).
			ofTwo(func(c *checker, b *record.CageStarted) error { return c.pair(b.Recorders[0], b.Recorders[1]) }),
		plain(CheckDraw, (*checker).ballKeyed).by(staffRoles),
		plain(CheckDraw, (*checker).cageAttended).by(staffRoles),
	}
}

// moneyKinds are the kinds of jackpots, promotions and bonuses.
func moneyKinds() []rower {
	return []rower{
		paying(CheckJackpots, (*checker).poolOpened),
		paying(CheckJackpots, (*checker).poolMoved).
			inSeries(func(b *record.PoolMoved) uint8 { return b.Series }).
			agreedOn([]string{"move_pool", actionMigrate}, func(_ *checker, b *record.PoolMoved, a *approval) bool {
				return agreedMove(b, a)
			}),
		paying(CheckJackpots, (*checker).poolsTakenIn).
			inSeries(func(b *record.PoolsTakenIn) uint8 { return b.Series }).
			agreedAs("take_in_pools", func(_ *checker, b *record.PoolsTakenIn, a *approval) bool {
				return a.says.System == b.System && money.Amount(a.says.JackpotCents) == b.JackpotCents &&
					money.Amount(a.says.BonusCents) == b.BonusCents && a.says.Reference == b.Approval
			}),
		plain(CheckJackpots, (*checker).participantsNamed).
			inSeries(func(b *record.ParticipantsNamed) uint8 { return b.Series }).
			agreedAs("name_participants", func(_ *checker, b *record.ParticipantsNamed, a *approval) bool {
				return a.says.From == b.From && slices.Equal(a.says.Names, b.Names)
			}),
		plain(CheckJackpots, (*checker).jurisdictionReported).
			inSeries(func(b *record.JurisdictionReported) uint8 { return b.Game.Series }).
			agreedAs("report_jackpot", func(c *checker, b *record.JurisdictionReported, a *approval) bool {
				return c.ordinal(b.Game) == a.says.Ordinal && a.says.Spots == b.Spots &&
					a.says.Jurisdiction == b.Jurisdiction &&
					money.Amount(a.says.Growth) == b.GrowthCents && money.Amount(a.says.Stakes) == b.StakesCents
			}),
		paying(CheckPromotions, (*checker).promotionBegun).
			inSeries(func(b *record.PromotionBegun) uint8 { return b.Series }).
			agreedAs("begin_promotion", func(_ *checker, b *record.PromotionBegun, a *approval) bool {
				return agreedPromotion(b, a.says)
			}),
		paying(CheckPromotions, (*checker).promotionChanged).
			inSeries(func(b *record.PromotionChanged) uint8 { return b.Series }).
			agreedAs("change_promotion", func(_ *checker, b *record.PromotionChanged, a *approval) bool {
				return a.says.Number == b.Number && a.says.Paused == b.Paused && a.says.Ended == b.Ended &&
					a.says.Reference == b.Approval
			}),
		paying(CheckPromotions, (*checker).bonusMoved).
			inSeries(func(b *record.BonusMoved) uint8 { return b.Series }).
			agreedAs("migrate_bonus", func(_ *checker, b *record.BonusMoved, a *approval) bool {
				return a.says.From == uint32(b.From) && a.says.Reference == b.Approval
			}),
		paying(CheckPromotions, (*checker).bonusAllocated).
			exits(func(c *checker, b *record.BonusAllocated) error { return c.exitOf(b.Ticket, b.Terminal) }).
			atCounter(func(b *record.BonusAllocated) (uint32, bool) { return b.Terminal, false }).
			paysAt(func(b *record.BonusAllocated) (uint32, bool) { return b.Terminal, true }).
			tallied(func(_ *checker, b *record.BonusAllocated) (uint8, dayTally) {
				return b.Series, dayTally{Bonuses: b.Cents}
			}),
	}
}
