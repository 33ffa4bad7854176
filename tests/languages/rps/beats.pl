# Beats the opponent's last move; begins with the seed modulo 3.
use strict;
use warnings;
$| = 1;

print "beats-last in Perl\n";
my $seed = <STDIN>;
my $rounds = <STDIN>;
print $seed % 3, "\n";
print +($_ + 1) % 3, "\n" while <STDIN>;
