import std.conv, std.stdio, std.string;

// Beats the opponent's last move; begins with the seed modulo 3.
void main()
{
    void say(T)(T thing)
    {
        writeln(thing);
        stdout.flush();
    }

    say("beats-last in D");
    int move = readln().strip.to!int % 3;
    readln();
    say(move);
    foreach (line; stdin.byLine)
        say((line.strip.to!int + 1) % 3);
}
