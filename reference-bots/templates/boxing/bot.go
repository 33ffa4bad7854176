// {{name}} takes the largest square it can find. Run as: ./bot MARK < arena
package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// A line is a row of spots and a line feed.
const (
	width  = 32
	height = 16
	line   = width + 1
)

var arena [height * line]byte

// fits reports whether all spots of the square with its top left corner at (row, col) are vacant.
func fits(row, col, size int) bool {
	for r := row; r < row+size; r++ {
		for _, spot := range arena[r*line+col:][:size] {
			if spot != '-' {
				return false
			}
		}
	}
	return true
}

// move marks one square in the arena. Make it smarter here.
func move(mark byte) {
	for size := height; size > 0; size-- {
		for row := 0; row+size <= height; row++ {
			for col := 0; col+size <= width; col++ {
				if !fits(row, col, size) {
					continue
				}
				for r := row; r < row+size; r++ {
					for c := col; c < col+size; c++ {
						arena[r*line+c] = mark
					}
				}
				return
			}
		}
	}
}

func main() {
	signal.Ignore(syscall.SIGPIPE) // writing to a closed pipe then fails below
	if len(os.Args) < 2 || len(os.Args[1]) != 1 {
		fmt.Fprintln(os.Stderr, "usage: bot MARK < arena")
		os.Exit(2)
	}
	if _, err := io.ReadFull(os.Stdin, arena[:]); err != nil {
		fmt.Fprintln(os.Stderr, "cannot read an arena of 16 lines of 32:", err)
		os.Exit(2)
	}
	move(os.Args[1][0])
	if _, err := os.Stdout.Write(arena[:]); err != nil {
		os.Exit(1)
	}
}
