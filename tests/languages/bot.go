package main

import (
	"bytes"
	"io"
	"os"
)

func main() {
	arena := make([]byte, 528)
	io.ReadFull(os.Stdin, arena)
	if vacant := bytes.IndexByte(arena, '-'); vacant >= 0 {
		arena[vacant] = os.Args[1][0]
	}
	os.Stdout.Write(arena)
}
