import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

// Beats the opponent's last move; begins with the seed modulo 3.
public class Main {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("beats-last in Java");
        int move = Integer.parseInt(in.readLine()) % 3;
        in.readLine();
        while (true) {
            System.out.println(move);
            String line = in.readLine();
            if (line == null) return;
            move = (Integer.parseInt(line) + 1) % 3;
        }
    }
}
