// Beats the opponent's last move; begins with the seed modulo 3.
package main

import "fmt"

func main() {
	var seed, rounds, other int
	fmt.Println("beats-last in Go")
	fmt.Scan(&seed, &rounds)
	for move := seed % 3; ; move = (other + 1) % 3 {
		fmt.Println(move)
		if _, err := fmt.Scan(&other); err != nil {
			return
		}
	}
}
