package engine

import "drawhouse/journal/record"

// RaiseLevel raises the level of a journal that an earlier program began, and reports
// whether it did. A journal that has the level already stays as it is.
func (e *Engine) RaiseLevel(now record.Time, build string) (bool, error) {
	if e.Size() == 0 || e.state.Level() >= record.Level {
		return false, nil
	}
	_, err := e.append(now, &record.LevelRaised{Level: record.Level, Build: build}, nil)
	return err == nil, err
}
