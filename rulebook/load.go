package rulebook

import "reflect"

// Load reads a rulebook from YAML. The name is that of the file and appears in
// faults. The error is of type [Faults] and holds every fault that was found, in
// the order of the file.
func Load(name string, data []byte) (*Book, error) {
	r := newReport(name)
	root := parseYAML(data, r)
	if root == nil {
		return nil, r.sorted()
	}
	f := new(File)
	r.decode(root, reflect.ValueOf(f).Elem(), "")
	r.hush(0)
	r.cite(f)
	return newBook(f, r)
}

// newBook validates a resolved file and compiles it.
func newBook(f *File, r *report) (*Book, error) {
	found := len(r.faults)
	r.checkDomains(f)
	r.hush(found)
	warnings := validate(f, r)
	if len(r.faults) > 0 {
		return nil, r.sorted()
	}
	return compile(f, warnings), nil
}
