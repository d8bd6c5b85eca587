package engine

import "drawhouse/journal/record"

// NameBuild says which program writes from now on, and reports whether the journal has named another one
// last, or none.
func (e *Engine) NameBuild(now record.Time, build record.BuildNamed) (bool, error) {
	if known := e.state.Builds(); len(known) > 0 && known[len(known)-1].BuildNamed == build {
		return false, nil
	}
	_, err := e.append(now, &build, nil)
	return err == nil, err
}
