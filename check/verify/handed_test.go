package verify

import (
	"crypto/ed25519"
	"encoding/base64"
	"testing"
	"time"

	"drawhouse/core/day"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// handedKey signs the files of another system in these tests.
var handedKey = ed25519.NewKeyFromSeed([]byte("a seed of thirty-two bytes, here"))

// signHanded signs whatever text is given, sound or not, and returns the key beside it.
func signHanded(said string) (text []byte, key [32]byte) {
	text = append([]byte(said),
		"signature: "+base64.StdEncoding.EncodeToString(ed25519.Sign(handedKey, []byte(said)))+"\n"...)
	public, _ := handedKey.Public().(ed25519.PublicKey)
	return text, [32]byte(public)
}

const handedHead = "drawhouse open tickets 1\nsystem: old\nrulebook: tas-keno-2023\ncurrency: AUD\nas of: 2026-11-14\n" +
	"code,cents,kind,until\n"

// TestClaimedLongerThanTheRules has a house take in prizes that their file lets be claimed longer than the rules do
// (tas-keno-2023 14.3).
func TestClaimedLongerThanTheRules(t *testing.T) {
	for until, objects := range map[string]bool{"": false, "2033-11-13": false, "2033-11-14": false, "2033-11-15": true} {
		for _, level := range []uint8{record.LevelFirst, record.LevelGuarded} {
			text, key := signHanded(handedHead + "4711000000000017,100,prize," + until + "\n")
			s := ofSystem(t, 1, rulebook.PlaysOwn, false)
			steps := s.rulesNow().unclaimed
			last := steps[len(steps)-1]
			k := &checker{level: level, report: &Report{}, now: record.Of(time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC))}
			k.log.volumes = []*volume{{number: 1}}
			k.series[1] = s
			_, err := k.ticketsTakenIn(&record.TicketsTakenIn{Series: 1, System: "old", Text: text, Key: key, Tickets: 1, Cents: 100,
				Until: day.MustParse("2033-11-14"), Then: last.Then, Clause: last.Quoted()})
			if guarded := level >= record.LevelGuarded; (err != nil) != (objects && guarded) ||
				(k.report.FindingCount > 0) != (objects && !guarded) {
				t.Errorf("until %q, level %d: %v, %d findings", until, level, err, k.report.FindingCount)
			}
		}
	}
}
