// {{name}} beats the hand that its opponent has shown most often. Run as: ./bot
package main

import (
	"fmt"
	"math/rand"
	"os"
)

// The hands are 0 rock, 1 paper, 2 scissors. Each is beaten by the next, and scissors by rock.

// shown counts how often the opponent has shown each hand.
var shown [3]int

// choose returns the hand for the next round. Make it smarter here.
func choose(round int, random *rand.Rand) int {
	if round == 0 {
		return random.Intn(3)
	}
	mostOften := 0
	for hand, count := range shown {
		if count > shown[mostOften] {
			mostOften = hand
		}
	}
	return (mostOften + 1) % 3
}

func main() {
	var seed int64
	var rounds, foe int
	fmt.Println("{{name}}") // the name comes first
	if _, err := fmt.Scan(&seed, &rounds); err != nil {
		fmt.Fprintln(os.Stderr, "no seed and number of rounds:", err)
		os.Exit(2)
	}
	random := rand.New(rand.NewSource(seed)) // the only source of randomness, so that games can be repeated
	for round := 0; round < rounds; round++ {
		fmt.Println(choose(round, random))
		if _, err := fmt.Scan(&foe); err != nil {
			break // the game is over
		}
		if foe < 0 || foe > 2 {
			fmt.Fprintln(os.Stderr, "not a hand:", foe)
			os.Exit(2)
		}
		shown[foe]++
	}
}
