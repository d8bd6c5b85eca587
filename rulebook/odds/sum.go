package odds

import "math/big"

// tally counts sets of numbers by their sum: counts[i] sets have the sum least+i.
type tally struct {
	least  int
	counts []count
}

// at returns how many sets have the sum.
func (t tally) at(sum int) count {
	if i := sum - t.least; 0 <= i && i < len(t.counts) {
		return t.counts[i]
	}
	return count{}
}

// subsets counts the subsets of ascending distinct numbers by size, from the empty
// one to most, and by sum. Numbers are taken up one by one: a subset of size k
// either had k numbers before, or k-1 and takes the new one.
func subsets(nums []int, most int) []tally {
	most = min(most, len(nums))
	bySize := make([]tally, most+1)
	for size := range bySize {
		least, greatest := 0, 0
		for i := range size {
			least += nums[i]
			greatest += nums[len(nums)-1-i]
		}
		bySize[size] = tally{least, make([]count, greatest-least+1)}
	}
	bySize[0].counts[0] = count{lo: 1}
	for i, n := range nums {
		// From the largest size down, so that no subset takes n twice.
		for size := min(i+1, most); size > 0; size-- {
			addShifted(bySize[size], bySize[size-1], n)
		}
	}
	return bySize
}

// addShifted adds to the sets of dst those of src with the number n more.
func addShifted(dst, src tally, n int) {
	shift := src.least + n - dst.least
	for i, c := range src.counts {
		if !c.isZero() {
			dst.counts[i+shift] = dst.counts[i+shift].plus(c)
		}
	}
}

// join counts the unions of a set of t with a set of u by their sum, where no set
// of t has a number of a set of u.
func (t tally) join(u tally) tally {
	joined := tally{t.least + u.least, make([]count, len(t.counts)+len(u.counts)-1)}
	for i, a := range t.counts {
		if a.isZero() {
			continue
		}
		row := joined.counts[i : i+len(u.counts)]
		for j, b := range u.counts {
			row[j] = row[j].plus(a.times(b))
		}
	}
	return joined
}

// Sums is the distribution of the sum of the numbers drawn.
type Sums struct {
	draw  Draw
	tally tally
}

// Sums returns the distribution of the sum of the numbers drawn.
func (d Draw) Sums() Sums {
	nums := make([]int, d.of)
	for i := range nums {
		nums[i] = i + 1
	}
	return Sums{d, subsets(nums, d.take)[d.take]}
}

// Bounds returns the least and the greatest sum. Every sum between them occurs.
func (s Sums) Bounds() (least, greatest int) {
	return s.tally.least, s.tally.least + len(s.tally.counts) - 1
}

// Count returns the number of sets with the sum.
func (s Sums) Count(sum int) *big.Int { return s.tally.at(sum).big() }

// Probability returns the probability of the sum.
func (s Sums) Probability(sum int) *big.Rat { return s.draw.share(s.tally.at(sum)) }

// Joint is the distribution of two things at once: how many of the given spots are
// drawn, and the sum of all the numbers drawn. The two are not independent: a
// draw that holds low spots tends to have a low sum.
type Joint struct {
	draw    Draw
	matched []tally
}

// Joint returns the distribution for the given spots, ascending numbers out of 1
// to Of. A draw with m of the spots is m of them with the rest from the other
// numbers, and its sum is the sum of the two parts.
func (d Draw) Joint(spots []int) Joint {
	rest := make([]int, 0, d.of-len(spots))
	for n, i := 1, 0; n <= d.of; n++ {
		if i < len(spots) && spots[i] == n {
			i++
			continue
		}
		rest = append(rest, n)
	}
	picked, others := subsets(spots, d.take), subsets(rest, d.take)
	j := Joint{d, make([]tally, d.MatchMax(len(spots))+1)}
	for m := range j.matched {
		if d.take-m < len(others) {
			j.matched[m] = picked[m].join(others[d.take-m])
		}
	}
	return j
}

// Probability returns the probability of matched spots with the sum.
func (j Joint) Probability(matched, sum int) *big.Rat {
	if matched < 0 || matched >= len(j.matched) {
		return new(big.Rat)
	}
	return j.draw.share(j.matched[matched].at(sum))
}
