/* {{name}} beats the hand that its opponent has shown most often. Run as: java -jar bot.jar */
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Random;

public class Main {
    /* The hands are 0 rock, 1 paper, 2 scissors. Each is beaten by the next, and scissors by rock. */

    /* How often the opponent has shown each hand. */
    static final int[] shown = new int[3];
    static Random random;

    /* The hand for the next round. Make it smarter here. */
    static int choose(int round) {
        if (round == 0) return random.nextInt(3);
        int mostOften = 0;
        for (int hand = 1; hand < 3; hand++)
            if (shown[hand] > shown[mostOften]) mostOften = hand;
        return (mostOften + 1) % 3;
    }

    /* Prints a line, and flushes it: otherwise it could stay in the buffer. */
    static void say(String line) {
        System.out.print(line + "\n");
        System.out.flush();
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        say("{{name}}"); /* the name comes first */
        String seed = in.readLine(), rounds = in.readLine();
        if (rounds == null) return;
        /* The seed is the only source of randomness, so that games can be repeated. */
        random = new Random(Integer.parseInt(seed.trim()));
        for (int round = 0; round < Integer.parseInt(rounds.trim()); round++) {
            say(String.valueOf(choose(round)));
            String line = in.readLine();
            if (line == null) return; /* the game is over */
            shown[Integer.parseInt(line.trim())]++;
        }
    }
}
