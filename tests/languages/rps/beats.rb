# Beats the opponent's last move; begins with the seed modulo 3.
$stdout.sync = true

puts "beats-last in Ruby"
seed = gets.to_i
gets
puts seed % 3
while (line = gets)
  puts((line.to_i + 1) % 3)
end
