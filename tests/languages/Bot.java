public class Bot {
    public static void main(String[] args) throws java.io.IOException {
        byte[] arena = System.in.readNBytes(528);
        for (int i = 0; i < arena.length; i++) {
            if (arena[i] == '-') {
                arena[i] = (byte) args[0].charAt(0);
                break;
            }
        }
        System.out.write(arena);
        System.out.flush();
    }
}
