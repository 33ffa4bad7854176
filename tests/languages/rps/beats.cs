using System;

// Beats the opponent's last move; begins with the seed modulo 3.
public static class Bot
{
    public static void Main()
    {
        Console.WriteLine("beats-last in C#");
        int move = int.Parse(Console.ReadLine()) % 3;
        Console.ReadLine();
        while (true)
        {
            Console.WriteLine(move);
            Console.Out.Flush();
            string line = Console.ReadLine();
            if (line == null) return;
            move = (int.Parse(line) + 1) % 3;
        }
    }
}
