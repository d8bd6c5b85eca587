package settle

import "drawhouse/money"

// PrizesByWay returns what each way of a play won in the last of some games and is
// payable, in the order of the ways. It takes what PrizeIn takes.
func PrizesByWay(p Play, games []Game) ([]money.Amount, error) {
	prizes := make([]money.Amount, len(p.Ways))
	err := p.eachJudgement(games, func(way int, j *judgement) error {
		if j.carried {
			return nil
		}
		var err error
		prizes[way], err = prizes[way].Add(j.prize)
		return err
	})
	return prizes, err
}
