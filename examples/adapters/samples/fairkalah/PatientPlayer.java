// A player in the style of FairKalah: searches deeper and deeper, for a fair share of the time that
// is left to it in the game.

public class PatientPlayer {
    private static final int ENDLESS = 1000;

    private long deadline;

    public int chooseMove(KalahNode node, long timeRemaining) {
        // In 40 moves the share goes down to a third: there is always something left.
        deadline = System.nanoTime() + timeRemaining * 1_000_000 / 40;
        int best = -1;
        for (int depth = 1; depth <= 40; depth++) {
            int found = bestMove(node, depth);
            if (found < 0) {
                break;
            }
            best = found;
        }
        return best;
    }

    /** The best pit at this depth, -1 if the time does not suffice for it. */
    private int bestMove(KalahNode node, int depth) {
        int best = -1;
        int low = -ENDLESS;
        for (int pit = 0; pit < 14; pit++) {
            if (node.isLegal(pit)) {
                int value = valueOfMove(node, pit, depth, low, ENDLESS);
                if (depth > 1 && System.nanoTime() > deadline) {
                    return -1;
                }
                if (best < 0 || value > low) {
                    best = pit;
                    low = value;
                }
            }
        }
        return best;
    }

    /** What a move is worth to the player who makes it. */
    private int valueOfMove(KalahNode node, int pit, int depth, int low, int high) {
        KalahNode child = new KalahNode(node);
        child.makeMove(pit);
        return child.player == node.player
                ? value(child, depth - 1, low, high)
                : -value(child, depth - 1, -high, -low);
    }

    /** What a position is worth to the player whose turn it is. */
    private int value(KalahNode node, int depth, int low, int high) {
        if (depth == 0 || node.gameOver() || System.nanoTime() > deadline) {
            return node.player == KalahNode.MAX ? node.lead() : -node.lead();
        }
        int best = -ENDLESS;
        for (int pit = 0; pit < 14 && best < high; pit++) {
            if (node.isLegal(pit)) {
                best = Math.max(best, valueOfMove(node, pit, depth, Math.max(low, best), high));
            }
        }
        return best;
    }
}
