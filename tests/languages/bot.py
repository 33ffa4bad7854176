import sys

arena = bytearray(sys.stdin.buffer.read(528))
vacant = arena.find(b"-")
if vacant >= 0:
    arena[vacant] = ord(sys.argv[1])
sys.stdout.buffer.write(arena)
