# Draws every hand at random. All randomness comes from the seed, so that a game can be repeated.
echo "Dice"
read -r seed
read -r rounds
for ((round = 0; round < rounds; round++)); do
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    echo $((seed / 65536 % 3))
    read -r _ || break
done
