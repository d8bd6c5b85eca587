package line

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"drawhouse/core/ball"
	"drawhouse/core/refusal"
	"drawhouse/games/draw"
	"drawhouse/games/draw/cage"
	"drawhouse/journal"
)

// drawCase runs the verbs of the draw devices, and reports whether the operation
// is one of theirs:
//
//	select BYTES          -> the numbers, 1 to 80, that the bytes give, in the order drawn
//	generate COUNT        -> signed, or refused; the generator draws so many numbers for one game
//	start SEAL            -> started, or refused; of a draw whose seal is own, none, of another game or by another key
//	cage EVENT ; EVENT .. -> OUTCOME CLAUSE, or refused CODE CLAUSE; of the last event
//
// The events of a cage, attended by ann and bob, all but the last accepted:
//
//	count N, start [game:N] [draw:N] [by:A,B], key WHO N, draw NUMBERS (both key them),
//	found N, held N, broke N, replace N, fail, repair, fell PLACE [video], reread PLACE N,
//	computer, untaken, rectify, abandon, accept, and show: the phase and the numbers
//
// A decision has two approvals and a reason; with "alone" before it, one approval.
func drawCase(operation string) (result string, ok bool, err error) {
	verb, rest, _ := strings.Cut(operation, " ")
	switch verb {
	case "select":
		result, err = selectCase(rest)
	case "generate":
		result, err = generateCase(rest)
	case "start":
		result, err = startCase(rest)
	case "cage":
		result, err = cageCase(rest)
	default:
		return "", false, nil
	}
	return result, true, err
}

// selectCase maps bytes to numbers as the generator does.
func selectCase(text string) (string, error) {
	entropy, err := hex.DecodeString(text)
	if err != nil {
		return "", err
	}
	none, err := ball.NewSequence(ball.Keno)
	if err != nil {
		return "", err
	}
	input := bytes.NewReader(entropy)
	selector, err := draw.NewSelector(none, input)
	if err != nil {
		return "", err
	}
	for input.Len() > 0 {
		if _, err := selector.Next(); err != nil {
			return "", err
		}
	}
	return selector.Drawn().String(), nil
}

// generateCase has the generator device draw numbers for a game and sign them.
func generateCase(text string) (string, error) {
	count, err := strconv.Atoi(text)
	if err != nil {
		return "", err
	}
	device, skeys, vkeys, err := caseDevice()
	if err != nil {
		return "", err
	}
	seal, err := caseSeal(caseGame, skeys[0], vkeys[0])
	if err != nil {
		return "", err
	}
	drawing, err := device.Start(draw.KenoPlan(caseGame, 1), seal, ball.Sequence{}, nil)
	if err != nil {
		return "", err
	}
	note := signNumbers(drawing, count)
	if note == nil {
		return "refused", nil
	}
	result, _, err := draw.OpenResult(note, vkeys[1])
	if err != nil {
		return "", err
	}
	if result.Numbers != drawing.Drawn() || result.Numbers.Len() != count {
		return "", fmt.Errorf("signed were %v", result.Numbers)
	}
	return "signed", nil
}

// caseGame is the game that the cases draw.
var caseGame = journal.Game{Series: "keno", Day: "2026-11-15", Number: 1}

// caseDevice returns a generator, and the keys of the house and of the device.
func caseDevice() (*draw.Device, []journal.Signer, []journal.Verifier, error) {
	skeys, vkeys, err := caseKeys("house", "device", "somebody")
	if err != nil {
		return nil, nil, nil, err
	}
	source, err := draw.NewSource(rand.NewChaCha8(sha256.Sum256([]byte("cases"))))
	if err != nil {
		return nil, nil, nil, err
	}
	device, err := draw.NewDevice(draw.Config{Signer: skeys[1], House: vkeys[0], Source: source})
	return device, skeys, vkeys, err
}

// caseSeal returns the seal of a game, signed by a key.
func caseSeal(game journal.Game, signer journal.Signer, verifier journal.Verifier) (journal.Seal, error) {
	signed, err := journal.SignSeal(journal.SealBody{
		Checkpoint: journal.Checkpoint{Origin: journal.VolumeOrigin("casino.example", 1), Root: journal.EmptyRoot()},
		Game:       game,
	}, signer)
	if err != nil {
		return journal.Seal{}, err
	}
	return journal.OpenSeal(signed, verifier)
}

// startCase has the generator begin a draw under a seal.
func startCase(text string) (string, error) {
	device, skeys, vkeys, err := caseDevice()
	if err != nil {
		return "", err
	}
	other := caseGame
	other.Number++
	var seal journal.Seal
	switch text {
	case "none":
	case "own":
		seal, err = caseSeal(caseGame, skeys[0], vkeys[0])
	case "of another game":
		seal, err = caseSeal(other, skeys[0], vkeys[0])
	case "by another key":
		seal, err = caseSeal(caseGame, skeys[2], vkeys[2])
	default:
		err = fmt.Errorf("there is no seal %q", text)
	}
	if err != nil {
		return "", err
	}
	_, refused := device.Start(draw.KenoPlan(caseGame, 1), seal, ball.Sequence{}, nil)
	return map[bool]string{true: "started", false: "refused"}[refused == nil], nil
}

// signNumbers draws so many numbers and returns the signed result, or nil if the
// device refuses.
func signNumbers(drawing *draw.Draw, count int) []byte {
	for place := 1; place <= count; place++ {
		if _, err := drawing.Next(place); err != nil {
			return nil
		}
	}
	note, err := drawing.Sign()
	if err != nil {
		return nil
	}
	return note
}

func caseKeys(names ...string) (signers []journal.Signer, verifiers []journal.Verifier, err error) {
	for _, name := range names {
		skey, vkey, err := journal.GenerateKey(strings.NewReader(strings.Repeat(name, 32)), name)
		if err != nil {
			return nil, nil, err
		}
		signer, err := journal.ParseSigner(skey)
		verifier, err2 := journal.ParseVerifier(vkey)
		if err := errors.Join(err, err2); err != nil {
			return nil, nil, err
		}
		signers, verifiers = append(signers, signer), append(verifiers, verifier)
	}
	return signers, verifiers, nil
}

// cageCase takes a cage through events and tells what became of the last.
func cageCase(text string) (string, error) {
	var state cage.State
	last := ""
	parts := strings.Split(text, ";")
	for i, part := range parts {
		words := strings.Fields(part)
		if len(words) == 0 {
			return "", errors.New("an event is empty")
		}
		if words[0] == "show" {
			last = strings.TrimSpace(fmt.Sprintf("%v %v", state.Phase(), state.Drawn()))
			continue
		}
		events, err := cageEvents(state, words)
		if err != nil {
			return "", err
		}
		for _, e := range events {
			next, step, err := state.Do(e)
			var r *refusal.Refusal
			if errors.As(err, &r) && i == len(parts)-1 {
				return strings.TrimSpace(fmt.Sprintf("refused %s %s", r.Code, r.Clause)), nil
			}
			if err != nil {
				return "", fmt.Errorf("%s: %w", part, err)
			}
			state, last = next, strings.TrimSpace(fmt.Sprintf("%s %s", step.Outcome, step.Clause))
		}
	}
	return last, nil
}

// cageEvents reads one event, which for "draw" stands for many.
func cageEvents(state cage.State, words []string) ([]cage.Event, error) {
	act := cage.Act{By: []string{"carol", "dan"}, Why: "a case"}
	if words[0] == "alone" {
		act.By, words = act.By[:1], words[1:]
	}
	switch words[0] {
	case "start":
		return startEvent(act, words[1:])
	case "draw":
		return keyEvents(state, words[1:])
	case "key":
		act.By, words = words[1:2], append(words[:1:1], words[2:]...)
	}
	var numbers [2]int
	var rest []string
	for i, word := range words[1:] {
		n, err := strconv.Atoi(word)
		if err != nil || i == len(numbers) {
			rest = words[1+i:]
			break
		}
		numbers[i] = n
	}
	first, second := numbers[0], numbers[1]
	event, ok := map[string]cage.Event{
		"count":    cage.Counted{Act: act, Balls: first},
		"key":      cage.Keyed{Act: act, Place: state.Keyed(act.By[0]) + 1, Number: first},
		"found":    cage.FoundAtStart{Act: act, Balls: first},
		"held":     cage.HeldBack{Act: act, Number: first},
		"broke":    cage.Broke{Act: act, Number: first},
		"replace":  cage.Replaced{Act: act, Number: first},
		"fail":     cage.Failed{Act: act},
		"repair":   cage.Repaired{Act: act},
		"fell":     cage.FellBack{Act: act, Place: first, Video: strings.Join(rest, " ")},
		"reread":   cage.Reread{Act: act, Place: first, Number: second},
		"computer": cage.ComputerFailed{Act: act},
		"untaken":  cage.NotAccepted{Act: act},
		"rectify":  cage.Rectified{Act: act},
		"abandon":  cage.Abandoned{Act: act},
		"accept":   cage.ResultAccepted{Act: act},
	}[words[0]]
	if !ok || len(rest) > 0 && words[0] != "fell" {
		return nil, fmt.Errorf("no such event: %v", words)
	}
	return []cage.Event{event}, nil
}

func startEvent(act cage.Act, words []string) ([]cage.Event, error) {
	e := cage.Started{Act: act, Game: journal.Game{Series: "casino-keno", Day: "2026-11-15", Number: 1}, Revision: 1,
		Recorders: [2]string{"ann", "bob"}}
	for _, word := range words {
		key, value, _ := strings.Cut(word, ":")
		number, err := strconv.ParseUint(value, 10, 32)
		switch {
		case key == "by":
			e.Recorders[0], e.Recorders[1], _ = strings.Cut(value, ",")
		case key == "game" && err == nil:
			e.Game.Number = uint32(number)
		case key == "draw" && err == nil:
			e.Revision = uint32(number)
		default:
			return nil, fmt.Errorf("no such word: %s", word)
		}
	}
	return []cage.Event{e}, nil
}

// keyEvents has both recorders key numbers at the next places.
func keyEvents(state cage.State, words []string) ([]cage.Event, error) {
	numbers, err := caseNumbers(words)
	if err != nil {
		return nil, err
	}
	var events []cage.Event
	place := state.Drawn().Len()
	for n := range numbers.All() {
		place++
		for _, who := range []string{"ann", "bob"} {
			events = append(events, cage.Keyed{Act: cage.Act{By: []string{who}}, Place: place, Number: n})
		}
	}
	return events, nil
}
