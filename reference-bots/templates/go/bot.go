// {{name}} plays Go at random, but never fills its own eyes. Run as: ./bot black|white [SIZE]
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"strings"
	"time"
)

type spot byte

const (
	empty spot = iota
	black
	white
	edge
)

// A point is row * line + column, both from 1; rows count from the bottom. The border is edge points.
const (
	most   = 25
	line   = most + 2
	points = line * line
	pass   = 0
)

const letters = "ABCDEFGHJKLMNOPQRSTUVWXYZ" // the columns; I is skipped

var (
	beside  = [4]int{1, -1, line, -line}
	corners = [4]int{line + 1, line - 1, -line + 1, -line - 1}
	board   [points]spot
	ko      int // the point that ko forbids
	random  = rand.New(rand.NewSource(time.Now().UnixNano()))
)

func other(colour spot) spot {
	return black + white - colour
}

// group returns the stones of the group at a point, and how many liberties it has.
func group(point int) (stones []int, liberties int) {
	var seen [points]bool
	seen[point] = true
	stones = []int{point}
	for i := 0; i < len(stones); i++ {
		for _, step := range beside {
			next := stones[i] + step
			if seen[next] {
				continue
			}
			seen[next] = true
			if board[next] == empty {
				liberties++
			} else if board[next] == board[point] {
				stones = append(stones, next)
			}
		}
	}
	return stones, liberties
}

// play places a stone and removes the stones that it captures.
func play(point int, colour spot) {
	var taken []int
	board[point] = colour
	for _, step := range beside {
		if board[point+step] != other(colour) {
			continue
		}
		if stones, liberties := group(point + step); liberties == 0 {
			for _, stone := range stones {
				board[stone] = empty
			}
			taken = append(taken, stones...)
		}
	}
	// Ko: a single stone that has captured a single stone may not be captured back at once.
	ko = pass
	if stones, liberties := group(point); len(taken) == 1 && len(stones) == 1 && liberties == 1 {
		ko = taken[0]
	}
}

// isLegal reports whether a stone may be placed there: the point is empty, and the move breaks no ko and is no suicide.
func isLegal(point int, colour spot) bool {
	if board[point] != empty || point == ko {
		return false
	}
	for _, step := range beside {
		next := board[point+step]
		if next == empty {
			return true
		}
		if next == edge {
			continue
		}
		// It joins a group that has another liberty, or captures one.
		if _, liberties := group(point + step); (liberties > 1) == (next == colour) {
			return true
		}
	}
	return false
}

// isEye reports whether the point is a real eye: its neighbours are ours, and the opponent has few of its corners.
func isEye(point int, colour spot) bool {
	for _, step := range beside {
		if board[point+step] != colour && board[point+step] != edge {
			return false
		}
	}
	foes, mayHave := 0, 1
	for _, step := range corners {
		switch board[point+step] {
		case other(colour):
			foes++
		case edge:
			mayHave = 0
		}
	}
	return foes <= mayHave
}

// choose returns the point to play, or pass. Make it smarter here.
func choose(colour spot) int {
	for _, point := range random.Perm(points) {
		if isLegal(point, colour) && !isEye(point, colour) {
			return point
		}
	}
	return pass
}

// move makes a move and prints it. It reports whether it was a pass.
func move(colour spot) bool {
	point := choose(colour)
	if point == pass {
		ko = pass
		fmt.Println("pass")
	} else {
		play(point, colour)
		fmt.Printf("%c%d\n", letters[point%line-1], point/line)
	}
	return point == pass
}

func stop(why ...any) {
	fmt.Fprintln(os.Stderr, why...)
	os.Exit(2)
}

func main() {
	size := 19
	if len(os.Args) > 2 {
		size, _ = strconv.Atoi(os.Args[2])
	}
	if len(os.Args) < 2 || (os.Args[1] != "black" && os.Args[1] != "white") || size < 1 || size > most {
		stop("usage: bot black|white [SIZE]")
	}
	own := white
	if os.Args[1] == "black" {
		own = black
	}
	for point := range board {
		row, col := point/line, point%line
		if row < 1 || row > size || col < 1 || col > size {
			board[point] = edge
		}
	}
	passed := own == black && move(own) // Black moves first
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		word := strings.ToUpper(strings.TrimSpace(lines.Text()))
		if word == "" || word == "TIME" { // our time is used up, but this bot is fast anyway
			continue
		}
		if word == "PASS" {
			if passed {
				break // two passes end the game
			}
			ko = pass
		} else {
			col := strings.IndexByte(letters, word[0]) + 1
			row, err := strconv.Atoi(word[1:])
			if err != nil || col < 1 || col > size || row < 1 || row > size {
				stop("cannot understand:", word)
			}
			play(row*line+col, other(own))
		}
		passed = move(own)
	}
}
