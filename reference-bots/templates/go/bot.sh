# {{name}} plays Go at random, but never fills its own eyes. Run as: bash bot.sh black|white [SIZE]

case $1 in
black) own=b foe=w ;;
white) own=w foe=b ;;
*) echo "usage: bash bot.sh black|white [SIZE]" >&2 && exit 2 ;;
esac
size=${2:-19}
letters=ABCDEFGHJKLMNOPQRSTUVWXYZ # the columns; I is skipped

# A point is row * line + column, both from 1; rows count from the bottom. Spots are `b`, `w`, `.` (empty) or `#` (edge).
line=$((size + 2))
beside=(1 -1 $line -$line)
corners=($((line + 1)) $((line - 1)) $((1 - line)) $((-1 - line)))
board=()
points=()
for ((point = 0; point < line * line; point++)); do
    row=$((point / line)) col=$((point % line))
    if ((row < 1 || row > size || col < 1 || col > size)); then
        board[point]="#"
    else
        board[point]=.
        points+=($point)
    fi
done
ko=0 # the point that ko forbids

# Finds the group of the stone at a point: its `stones`, and how many `liberties` it has.
find_group() {
    local i step next seen=()
    stones=($1)
    liberties=0
    seen[$1]=1
    for ((i = 0; i < ${#stones[@]}; i++)); do
        for step in ${beside[@]}; do
            next=$((stones[i] + step))
            [ ${seen[next]} ] && continue
            seen[next]=1
            case ${board[next]} in
            .) liberties=$((liberties + 1)) ;;
            ${board[$1]}) stones+=($next) ;;
            esac
        done
    done
}

# Places a stone and removes the stones that it captures.
play() {
    local point=$1 other=$3 step stone taken=()
    board[point]=$2
    for step in ${beside[@]}; do
        [ "${board[point + step]}" = $other ] || continue
        find_group $((point + step))
        ((liberties > 0)) && continue
        for stone in ${stones[@]}; do board[stone]=.; done
        taken+=(${stones[@]})
    done
    # Ko: a single stone that has captured a single stone may not be captured back at once.
    find_group $point
    ko=0
    if ((${#taken[@]} == 1 && ${#stones[@]} == 1 && liberties == 1)); then ko=${taken[0]}; fi
}

# Whether the bot may place a stone there: the point is empty, and the move breaks no ko and is no suicide.
is_legal() {
    local step
    [ "${board[$1]}" = . ] && (($1 != ko)) || return 1
    for step in ${beside[@]}; do
        case ${board[$1 + step]} in
        .) return 0 ;;
        # It joins a group that has another liberty, or captures one.
        $own) find_group $(($1 + step)) && ((liberties > 1)) && return 0 ;;
        $foe) find_group $(($1 + step)) && ((liberties == 1)) && return 0 ;;
        esac
    done
    return 1
}

# Whether the point is a real eye: its neighbours are ours, and the opponent has few of its corners.
is_eye() {
    local step foes=0 may_have=1
    for step in ${beside[@]}; do
        case ${board[$1 + step]} in
        .|$foe) return 1 ;;
        esac
    done
    for step in ${corners[@]}; do
        case ${board[$1 + step]} in
        $foe) foes=$((foes + 1)) ;;
        "#") may_have=0 ;;
        esac
    done
    ((foes <= may_have))
}

# Finds the point to play, 0 to pass: the first good one, from a random one on. Make it smarter here.
choose() {
    local i count=${#points[@]} from=$((RANDOM * 32768 + RANDOM))
    for ((i = 0; i < count; i++)); do
        choice=${points[(from + i * 7919) % count]}
        is_legal $choice && ! is_eye $choice && return
    done
    choice=0
}

# Makes a move and prints it, and remembers whether it was a pass.
move() {
    choose
    if ((choice == 0)); then
        ko=0 passed=yes
        echo pass
    else
        passed=no
        play $choice $own $foe
        echo "${letters:choice % line - 1:1}$((choice / line))"
    fi
}

passed=no
if [ $own = b ]; then move; fi # Black moves first
while read -r word; do
    word=${word%$'\r'} # a line may end with CR LF
    word=${word^^}
    case $word in
    TIME) continue ;; # our time is used up, but this bot is fast anyway
    PASS)
        if [ $passed = yes ]; then break; fi # two passes end the game
        ko=0
        ;;
    [A-HJ-Z][1-9] | [A-HJ-Z][1-2][0-9])
        before=${letters%${word:0:1}*} # the letters of the columns on its left
        play $((${word:1} * line + ${#before} + 1)) $foe $own
        ;;
    *) echo "cannot understand: $word" >&2 && exit 2 ;;
    esac
    move
done
