/* {{name}} takes the largest square it can find. Run as: java -jar bot.jar MARK < arena */
import java.io.IOException;
import java.util.Arrays;

public class Main {
    /* A line is a row of spots and a line feed. */
    static final int WIDTH = 32, HEIGHT = 16, LINE = WIDTH + 1, BYTES = HEIGHT * LINE;

    static byte[] arena;

    /* Whether all spots of the square with its top left corner at (row, col) are vacant. */
    static boolean fits(int row, int col, int size) {
        for (int r = row; r < row + size; r++)
            for (int c = col; c < col + size; c++)
                if (arena[r * LINE + c] != '-') return false;
        return true;
    }

    /* Marks one square in the arena. Make it smarter here. */
    static void move(byte mark) {
        for (int size = HEIGHT; size > 0; size--)
            for (int row = 0; row + size <= HEIGHT; row++)
                for (int col = 0; col + size <= WIDTH; col++)
                    if (fits(row, col, size)) {
                        for (int r = row; r < row + size; r++)
                            Arrays.fill(arena, r * LINE + col, r * LINE + col + size, mark);
                        return;
                    }
    }

    public static void main(String[] args) throws IOException {
        if (args.length > 0 && args[0].length() == 1) arena = System.in.readNBytes(BYTES);
        if (arena == null || arena.length != BYTES) {
            System.err.println("usage: java -jar bot.jar MARK < arena of 16 lines of 32");
            System.exit(2);
        }
        move((byte) args[0].charAt(0));
        System.out.write(arena, 0, BYTES);
        System.out.flush();
        System.exit(System.out.checkError() ? 1 : 0);
    }
}
