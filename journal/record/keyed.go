package record

import "errors"

// RequestKeyed says under which key a person has sent the request that the records before it carry out. For a day
// the same request under the same key is answered by what they say, and nothing is carried out again.
//
// Both hashes are made with the key, which is in no record: of what was asked they tell nothing to others.
type RequestKeyed struct {
	_      struct{} `cbor:",toarray"`
	Person uint32   `is:"person"`
	Key    Hash     `is:"hash"`   // hash of the key that the person has chosen
	Asked  Hash     `is:"hash"`   // hash of the request, made with the key
	Answer Place    `is:"record"` // the record that tells what was done
}

func (k *RequestKeyed) check() error {
	if k.Answer.Volume == 0 {
		return errors.New("no record answers it")
	}
	return nil
}
