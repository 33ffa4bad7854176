# {{name}} beats the hand that its opponent has shown most often. Run as: bash bot.sh

# The hands are 0 rock, 1 paper, 2 scissors. Each is beaten by the next, and scissors by rock.

shown=(0 0 0) # how often the opponent has shown each hand

# The hand for the next round. Make it smarter here.
choose() {
    local hand most_often=0
    if ((round == 0)); then
        choice=$((RANDOM % 3))
        return
    fi
    for hand in 1 2; do
        if ((shown[hand] > shown[most_often])); then most_often=$hand; fi
    done
    choice=$(((most_often + 1) % 3))
}

echo "{{name}}" # the name comes first
read -r seed && read -r rounds || exit 2
seed=${seed%$'\r'} rounds=${rounds%$'\r'} # a line may end with CR LF
RANDOM=$seed # the only source of randomness, so that games can be repeated
for ((round = 0; round < rounds; round++)); do
    choose
    echo "$choice"
    read -r foe || break # the game is over
    foe=${foe%$'\r'}
    case $foe in
    [012]) shown[foe]=$((shown[foe] + 1)) ;;
    *) echo "not a hand: $foe" >&2 && exit 2 ;;
    esac
done
