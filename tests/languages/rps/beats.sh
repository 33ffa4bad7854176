# Beats the opponent's last move; begins with the seed modulo 3.
echo "beats-last in Bash"
read -r seed
read -r rounds
move=$((seed % 3))
while echo "$move" && read -r other; do
    move=$(((other + 1) % 3))
done
