/* {{name}} plays Go at random, but never fills its own eyes. Run as: java -jar bot.jar black|white [SIZE] */
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

public class Main {
    static final int EMPTY = 0, BLACK = 1, WHITE = 2, EDGE = 3;
    /* A point is row * LINE + column, both from 1; rows count from the bottom. The border is EDGE points. */
    static final int MOST = 25, LINE = MOST + 2, POINTS = LINE * LINE, PASS = 0;

    static final String LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"; /* the columns; I is skipped */
    static final int[] BESIDE = {1, -1, LINE, -LINE};
    static final int[] CORNER = {LINE + 1, LINE - 1, -LINE + 1, -LINE - 1};

    static final int[] board = new int[POINTS];
    static final Random random = new Random();
    static int ko; /* the point that ko forbids */

    static int other(int colour) {
        return BLACK + WHITE - colour;
    }

    /* The stones of the group that `liberties` looked at last. */
    static final List<Integer> stones = new ArrayList<>();

    /* Finds the group of the stone at a point, and returns how many liberties it has. */
    static int liberties(int point) {
        boolean[] seen = new boolean[POINTS];
        int count = 0;
        stones.clear();
        stones.add(point);
        seen[point] = true;
        for (int i = 0; i < stones.size(); i++)
            for (int step : BESIDE) {
                int next = stones.get(i) + step;
                if (seen[next]) continue;
                seen[next] = true;
                if (board[next] == EMPTY) count++;
                if (board[next] == board[point]) stones.add(next);
            }
        return count;
    }

    /* Places a stone and removes the stones that it captures. */
    static void play(int point, int colour) {
        int taken = 0, last = 0;
        board[point] = colour;
        for (int step : BESIDE) {
            int next = point + step;
            if (board[next] != other(colour) || liberties(next) > 0) continue;
            for (int stone : stones) board[last = stone] = EMPTY;
            taken += stones.size();
        }
        /* Ko: a single stone that has captured a single stone may not be captured back at once. */
        ko = taken == 1 && liberties(point) == 1 && stones.size() == 1 ? last : 0;
    }

    /* Whether a stone may be placed there: the point is empty, and the move breaks no ko and is no suicide. */
    static boolean isLegal(int point, int colour) {
        if (board[point] != EMPTY || point == ko) return false;
        for (int step : BESIDE) {
            int next = point + step;
            if (board[next] == EMPTY) return true;
            if (board[next] == EDGE) continue;
            /* It joins a group that has another liberty, or captures one. */
            if ((liberties(next) > 1) == (board[next] == colour)) return true;
        }
        return false;
    }

    /* Whether the point is a real eye: its neighbours are ours, and the opponent has few of its corners. */
    static boolean isEye(int point, int colour) {
        int foes = 0, edges = 0;
        for (int step : BESIDE)
            if (board[point + step] != colour && board[point + step] != EDGE) return false;
        for (int step : CORNER) {
            if (board[point + step] == other(colour)) foes++;
            if (board[point + step] == EDGE) edges++;
        }
        return edges > 0 ? foes == 0 : foes <= 1;
    }

    /* The point to play, or PASS. Make it smarter here. */
    static int choose(int colour) {
        List<Integer> good = new ArrayList<>();
        for (int point = 0; point < POINTS; point++)
            if (isLegal(point, colour) && !isEye(point, colour)) good.add(point);
        return good.isEmpty() ? PASS : good.get(random.nextInt(good.size()));
    }

    /* Makes a move and prints it. Returns whether it was a pass. */
    static boolean move(int colour) {
        int point = choose(colour);
        if (point == PASS) ko = 0;
        else play(point, colour);
        System.out.print(point == PASS ? "pass\n" : LETTERS.charAt(point % LINE - 1) + "" + point / LINE + "\n");
        System.out.flush(); /* without this, the line could stay in the buffer */
        return point == PASS;
    }

    public static void main(String[] args) throws IOException {
        if (args.length < 1 || !args[0].equals("black") && !args[0].equals("white")) {
            System.err.println("usage: java -jar bot.jar black|white [SIZE]");
            System.exit(2);
        }
        int own = args[0].equals("black") ? BLACK : WHITE;
        int size = args.length > 1 ? Integer.parseInt(args[1]) : 19;
        for (int point = 0; point < POINTS; point++) {
            int row = point / LINE, col = point % LINE;
            board[point] = row < 1 || row > size || col < 1 || col > size ? EDGE : EMPTY;
        }
        boolean passed = own == BLACK && move(own); /* Black moves first */
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null; ) {
            String word = line.trim().toUpperCase();
            if (word.equals("TIME")) continue; /* our time is used up, but this bot is fast anyway */
            if (word.equals("PASS")) {
                if (passed) break; /* two passes end the game */
                ko = 0;
            } else {
                int row = Integer.parseInt(word.substring(1)), col = LETTERS.indexOf(word.charAt(0)) + 1;
                play(row * LINE + col, other(own));
            }
            passed = move(own);
        }
    }
}
