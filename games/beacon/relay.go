package beacon

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// maxAnswer bounds the answer of a relay.
const maxAnswer = 4096

// ParseAnswer reads what a relay answers when it is asked for a round: JSON with the round and its signature in
// hexadecimal digits. Whether the signature is that of the round is for [Chain.CheckRound].
func ParseAnswer(data []byte) (round uint64, signature []byte, err error) {
	var answer struct {
		Round     uint64 `json:"round"`
		Signature string `json:"signature"`
	}
	if len(data) > maxAnswer {
		return 0, nil, fmt.Errorf("beacon: an answer of %d bytes, %d are the most", len(data), maxAnswer)
	}
	if err := json.Unmarshal(data, &answer); err != nil {
		return 0, nil, fmt.Errorf("beacon: the answer is no round: %w", err)
	}
	if signature, err = ParseSignature(answer.Signature); err != nil {
		return 0, nil, err
	}
	return answer.Round, signature, nil
}

// ParseSignature reads the signature of a round, in 96 small hexadecimal digits.
func ParseSignature(text string) ([]byte, error) {
	signature, err := hex.DecodeString(text)
	switch {
	case err == nil && len(signature) != SignatureBytes:
		return nil, fmt.Errorf("beacon: %d bytes: %w", len(signature), ErrLength)
	case err != nil || hex.EncodeToString(signature) != text:
		return nil, fmt.Errorf("beacon: a signature is written in %d small hexadecimal digits", 2*SignatureBytes)
	}
	return signature, nil
}
