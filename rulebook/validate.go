package rulebook

// validate reports every fault of a resolved file and returns what deserves only
// a warning.
func validate(f *File, r *report) Faults {
	return nil
}
