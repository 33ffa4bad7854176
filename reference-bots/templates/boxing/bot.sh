# {{name}} takes the largest square it can find. Run as: bash bot.sh MARK < arena
LC_ALL=C                   # a character is a byte
trap '' PIPE               # writing to a closed pipe then fails below
width=32 height=16
mark=$1
if [ ${#mark} != 1 ]; then
    echo "usage: bash bot.sh MARK < arena" >&2
    exit 2
fi

rows=()
while [ ${#rows[@]} -lt $height ] && IFS= read -r line; do rows+=("$line"); done
if [ ${#rows[@]} != $height ]; then
    echo "the arena has ${#rows[@]} lines, not $height" >&2
    exit 2
fi

# Finds the largest vacant square: its size, and the row and column of its top left corner. Make it smarter here.
find_square() {
    local above=() now row col least
    size=0
    # fits: the size of the largest vacant square with its top left corner there, from those on its right and below.
    for ((row = height - 1; row >= 0; row--)); do
        now=()
        for ((col = width - 1; col >= 0; col--)); do
            now[col]=0
            [ "${rows[row]:col:1}" = - ] || continue
            least=$((${now[col + 1]:-0} < ${above[col]:-0} ? ${now[col + 1]:-0} : ${above[col]:-0}))
            now[col]=$((1 + (least < ${above[col + 1]:-0} ? least : ${above[col + 1]:-0})))
            if ((now[col] >= size)); then size=${now[col]} top=$row left=$col; fi
        done
        above=("${now[@]}")
    done
}

find_square
if ((size > 0)); then
    printf -v marks "%${size}s" ""
    marks=${marks// /"$mark"}
    for ((row = top; row < top + size; row++)); do
        rows[row]=${rows[row]:0:left}$marks${rows[row]:left + size}
    done
fi
printf '%s\n' "${rows[@]}" || exit 1
