# Beats the opponent's last move; begins with the seed modulo 3.
function say(thing) {
    print thing
    fflush()
}

BEGIN { say("beats-last in Awk") }
NR == 1 { seed = $1 }
NR == 2 { say(seed % 3) }
NR > 2 { say(($1 + 1) % 3) }
