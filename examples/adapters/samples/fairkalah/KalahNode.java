// A position of Kalah in the style of FairKalah's game nodes: one array for both sides, and a number
// that says who moves.

public class KalahNode {
    public static final int MAX = 0;
    public static final int MIN = 1;

    /** Pits 0 to 5 and store 6 of MAX, then pits 7 to 12 and store 13 of MIN. */
    protected int[] state = {4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0};
    protected int player = MAX;

    public KalahNode() {}

    public KalahNode(KalahNode other) {
        state = other.state.clone();
        player = other.player;
    }

    public boolean isLegal(int pit) {
        return pit / 7 == player && pit % 7 < 6 && state[pit] > 0;
    }

    public boolean gameOver() {
        return inPits(MAX) == 0 || inPits(MIN) == 0;
    }

    public int inPits(int side) {
        int sum = 0;
        for (int pit = 7 * side; pit < 7 * side + 6; pit++) {
            sum += state[pit];
        }
        return sum;
    }

    /** What MAX is ahead of MIN, with the seeds that are left on each side once the game is over. */
    public int lead() {
        int lead = state[6] - state[13];
        return gameOver() ? lead + inPits(MAX) - inPits(MIN) : lead;
    }

    public void makeMove(int pit) {
        int store = 7 * player + 6;
        int otherStore = 7 * (1 - player) + 6;
        int seeds = state[pit];
        state[pit] = 0;
        int last = pit;
        while (seeds > 0) {
            last = (last + 1) % 14;
            if (last != otherStore) {
                state[last]++;
                seeds--;
            }
        }
        if (last / 7 == player && last != store && state[last] == 1) {
            state[store] += 1 + state[12 - last];
            state[last] = 0;
            state[12 - last] = 0;
        }
        if (last != store) {
            player = 1 - player;
        }
    }
}
