<?php
// Beats the opponent's last move; begins with the seed modulo 3.
echo "beats-last in PHP\n";
$move = intval(fgets(STDIN)) % 3;
fgets(STDIN);
echo "$move\n";
while (($line = fgets(STDIN)) !== false) {
    echo (intval($line) + 1) % 3, "\n";
}
