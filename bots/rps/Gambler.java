import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/** Repeats a hand that won; after any other round, plays the hand that would have won it. */
public class Gambler {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("Gambler");
        int hand = Integer.parseInt(in.readLine().trim()) % 3;
        in.readLine();
        while (true) {
            System.out.println(hand);
            String line = in.readLine();
            if (line == null) return;
            int other = Integer.parseInt(line.trim());
            boolean won = hand == (other + 1) % 3;
            hand = won ? hand : (other + 1) % 3;
        }
    }
}
