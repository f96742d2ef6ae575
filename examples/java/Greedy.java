// Greedy: chooses the house that leaves the most seeds in its own store.
//
// Try it (Java 17 or newer runs the source file as it is):
//
//     mancala match "java examples/java/Greedy.java" builtin:easy
//
// Compiled, it starts faster:
//
//     javac -d classes examples/java/Greedy.java
//     mancala match "java -cp classes Greedy" builtin:easy
//
// The referee sends one JSON object a line. Only "turn" wants an answer: one line
// with the house to play. For a bot of your own, begin with `choose`.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

public class Greedy {
    // The board is an array of 14 cells, always seen from our side: our houses are
    // 0 to 5 and our store is 6, the opponent's houses are 7 to 12 and its store is 13.
    // House c faces house 12 - c.
    static final int OWN_STORE = 6;
    static final int OPPONENT_STORE = 13;
    static final int CELLS = 14;

    /** What the "start" message says about the rules. */
    record Rules(boolean backward, boolean skipOpponentStore, boolean emptyCapture) {}

    /** Returns the board after the move; the board that was passed in stays as it is. */
    static int[] play(int[] before, int house, Rules rules) {
        int[] board = before.clone();
        int seeds = board[house];
        board[house] = 0;

        // Sow one seed a cell. Where the direction is free ("either"), we go forward.
        int step = rules.backward() ? -1 : 1;
        int cell = house;
        while (seeds > 0) {
            cell = (cell + step + CELLS) % CELLS;
            if (cell == OPPONENT_STORE && rules.skipOpponentStore()) {
                continue;
            }
            board[cell]++;
            seeds--;
        }

        // The last seed in an own house that was empty captures the facing house.
        if (cell < OWN_STORE && board[cell] == 1) {
            int facing = 12 - cell;
            if (board[facing] > 0 || rules.emptyCapture()) {
                board[OWN_STORE] += board[cell] + board[facing];
                board[cell] = 0;
                board[facing] = 0;
            }
        }
        return board;
    }

    /** Returns the best legal house, the first one when several are as good. */
    static int choose(int[] board, int[] legal, Rules rules) {
        int best = legal[0];
        int most = -1;
        for (int house : legal) {
            int stored = play(board, house, rules)[OWN_STORE];
            if (stored > most) {
                best = house;
                most = stored;
            }
        }
        return best;
    }

    // Java has no JSON parser of its own, so we take the blanks out of a line and then look for the
    // text of a field, such as "board":[ . This relies on the names that we look for standing only
    // once in a message, not again inside another field. (Text inside a string cannot be mistaken
    // for a field, because quotes inside a string are written \" .)
    static int[] numbers(String line, String name) {
        Matcher array = Pattern.compile("\"" + name + "\":\\[([0-9,]+)\\]").matcher(line);
        if (!array.find()) {
            throw new IllegalArgumentException("no " + name + " in " + line);
        }
        return Stream.of(array.group(1).split(",")).mapToInt(Integer::parseInt).toArray();
    }

    static final Pattern VERSION = Pattern.compile("\"protocol\":([0-9]+)");

    public static void main(String[] args) throws IOException {
        // These rules (learneroo) hold until a "start" message arrives.
        Rules rules = new Rules(false, false, true);
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line;
        while ((line = input.readLine()) != null) {
            line = line.replaceAll("[ \t]", "");
            if (line.contains("\"type\":\"start\"")) {
                Matcher version = VERSION.matcher(line);
                if (version.find() && !version.group(1).equals("1")) {
                    System.err.println("Greedy knows no version " + version.group(1) + " of the protocol");
                    System.exit(1);
                }
                rules = new Rules(
                        line.contains("\"direction\":\"backward\""),
                        line.contains("\"opponent_store\":\"skip\""),
                        line.contains("\"empty_capture\":true"));
            } else if (line.contains("\"type\":\"turn\"")) {
                System.out.println(choose(numbers(line, "board"), numbers(line, "legal"), rules));
                System.out.flush();
            }
        }
    }
}
