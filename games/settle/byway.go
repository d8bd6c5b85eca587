package settle

import "drawhouse/core/money"

// PrizesByWay returns what each way of a play won in the last of some games and is
// payable, in the order of the ways. A way that is in that game twice, because a void
// game is played along with it, is a play of its own each time and has a prize for
// each. It takes what PrizeIn takes.
func PrizesByWay(p Play, games []Game) ([]money.Amount, error) {
	type played struct{ way, game int }
	var prizes []money.Amount
	at := map[played]int{}
	err := p.eachJudgement(games, func(way int, j *judgement) error {
		if j.carried {
			return nil
		}
		i, ok := at[played{way, j.game}]
		if !ok {
			i = len(prizes)
			at[played{way, j.game}], prizes = i, append(prizes, 0)
		}
		var err error
		prizes[i], err = prizes[i].Add(j.prize)
		return err
	})
	return prizes, err
}

// PrizeOfEach returns what each way of a play won in the last of some games and is payable, one amount for each of
// its ways. It takes what PrizeIn takes.
func PrizeOfEach(p Play, games []Game) ([]money.Amount, error) {
	prizes := make([]money.Amount, len(p.Ways))
	err := p.eachJudgement(games, func(way int, j *judgement) (err error) {
		if !j.carried {
			prizes[way], err = prizes[way].Add(j.prize)
		}
		return err
	})
	return prizes, err
}
