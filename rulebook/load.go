package rulebook

import "reflect"

// Load reads a rulebook from YAML. The name is that of the file and appears in
// faults. The error is of type [Faults] and holds every fault that was found, in
// the order of the file.
func Load(name string, data []byte) (*Book, error) { return LoadOn(name, data, nil) }

// LoadOn is Load for a file that may be an edition, whose base is found by find.
func LoadOn(name string, data []byte, find Finder) (*Book, error) {
	r := newReport(name)
	root := parseYAML(data, r)
	if root == nil {
		return nil, r.sorted()
	}
	f := new(File)
	base := r.baseOf(root, find)
	if len(r.faults) > 0 {
		return nil, r.sorted()
	}
	if base != nil {
		*f, r.over = base.File(), true
		r.places[""] = position{1, 1}
	}
	r.decode(root, reflect.ValueOf(f).Elem(), "")
	r.over = false
	r.hush(0)
	accept(reflect.ValueOf(f).Elem(), "", f.Accepts)
	r.cite(f)
	if base != nil && len(r.faults) == 0 {
		// What the base fixes goes before what would follow from changing it.
		r.checkEdition(base, f)
		r.hush(0)
		r.first, r.faults = r.sorted(), nil
	}
	return newBook(f, r)
}

// newBook validates a resolved file and compiles it.
func newBook(f *File, r *report) (*Book, error) {
	found := len(r.faults)
	r.checkDomains(f)
	r.hush(found)
	warnings := validate(f, r)
	if len(r.first)+len(r.faults) > 0 {
		return nil, r.sorted().in(f)
	}
	return compile(f, r, warnings.in(f)), nil
}

// in returns faults with amounts as the file writes them, if it says how.
func (faults Faults) in(f *File) Faults {
	style := f.money()
	if style.Symbol == "" || style.Decimal == "" {
		return faults
	}
	for i := range faults {
		faults[i].Message = style.In(faults[i].Message)
	}
	return faults
}
