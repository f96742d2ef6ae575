// Lets a Java class with a method chooseMove(state, timeRemaining) play, in the manner of class
// assignments that play FairKalah with a time bank:
//
//     mancala match --rules ece1021 --game-time 150s "java examples/adapters/ChooseMove.java Player.java" builtin:easy
//
// The state may be one of two things:
//
// - an object with the fields `int[] state` and `int player`, of a class that stands in the folder of
//   Player.java. It holds the board as FairKalah numbers it: 0 to 5 are the pits of player 0, who
//   moved first, 6 is its store, 7 to 12 are the pits of player 1 and 13 is its store. The move is
//   the number of the pit: 0 to 5 for player 0, 7 to 12 for player 1. Where the class is abstract,
//   an object of one that extends it is made: the one named with --state CLASS, or the first that
//   the player uses.
// - an int[14], the player's own view: 0 to 5 are its pits, 6 its store. The move is 0 to 5.
//
// The time is in milliseconds, a long or any other number: what is left of the bank, or else the
// limit for this move. A new player is made for every round. It may print: that goes to stderr.

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

public class ChooseMove {
    static final int CELLS = 14;
    static final int HOUSES = 6;

    /** The user's mistake, explained in one line. */
    @SuppressWarnings("serial")
    static class Mistake extends Exception {
        Mistake(String message) {
            super(message);
        }
    }

    // ---- The player's classes

    /** Compiles files in memory, with what they need of the first one's folder. */
    static List<Class<?>> compile(List<Path> files) throws Mistake, IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new Mistake("this Java has no compiler: install a JDK, not only a runtime");
        }
        List<JavaFileObject> sources = new ArrayList<>();
        for (Path file : files) {
            if (!Files.isRegularFile(file)) {
                throw new Mistake(file + ": no such file");
            }
            sources.add(source(file));
        }
        Path folder = files.get(0).toAbsolutePath().getParent();
        var options = List.of("-proc:none", "-nowarn", "-encoding", "UTF-8",
                "-sourcepath", folder.toString());
        try (var output = new InMemory(
                compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8))) {
            if (!compiler.getTask(null, output, null, options, null, sources).call()) {
                throw new Mistake(files.get(0) + " does not compile, see above");
            }
            var loader = new Compiled(output.classes());
            List<Class<?>> classes = new ArrayList<>();
            for (String name : output.classes().keySet()) {
                classes.add(loader.loadClass(name));
            }
            return classes;
        } catch (ReflectiveOperationException | LinkageError error) {
            throw new Mistake(files.get(0) + ": its classes cannot be loaded: " + error);
        }
    }

    static JavaFileObject source(Path file) throws IOException {
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        return new SimpleJavaFileObject(file.toUri(), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }

            @Override
            public boolean isNameCompatible(String simpleName, JavaFileObject.Kind kind) {
                return true; // a public class may have another name than the file
            }
        };
    }

    /** Keeps what the compiler writes. */
    static class InMemory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ByteArrayOutputStream> written = new LinkedHashMap<>();

        InMemory(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            var bytes = new ByteArrayOutputStream();
            written.put(name, bytes);
            return new SimpleJavaFileObject(URI.create("memory:///" + name.replace('.', '/')), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return bytes;
                }
            };
        }

        Map<String, byte[]> classes() {
            Map<String, byte[]> classes = new LinkedHashMap<>();
            written.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
            return classes;
        }
    }

    /** Loads what was compiled. The adapter's own classes are not in sight. */
    static class Compiled extends ClassLoader {
        private final Map<String, byte[]> classes;

        Compiled(Map<String, byte[]> classes) {
            super(ClassLoader.getPlatformClassLoader());
            this.classes = classes;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes = classes.get(name);
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    // ---- The player

    /** Finds the class that has the method: the one named like the file, or the only one. */
    static Class<?> findPlayer(List<Class<?>> classes, Path file) throws Mistake {
        List<Class<?>> players = classes.stream()
                .filter(type -> !Modifier.isAbstract(type.getModifiers()))
                .filter(type -> chooseMove(type) != null)
                .collect(Collectors.toList());
        for (Class<?> player : players) {
            if (file.getFileName().toString().equals(player.getSimpleName() + ".java")) {
                return player;
            }
        }
        if (players.isEmpty()) {
            throw new Mistake(file + " has no class with a method"
                    + " int chooseMove(STATE state, long timeRemaining)");
        }
        if (players.size() > 1) {
            throw new Mistake(file + " has more than one class with a method chooseMove: "
                    + players.stream().map(Class::getName).collect(Collectors.joining(", "))
                    + "; name the file like the one that shall play");
        }
        return players.get(0);
    }

    /** The method of a class, its own or an inherited one; null if it has none. */
    static Method chooseMove(Class<?> type) {
        for (Class<?> owner = type; owner != null; owner = owner.getSuperclass()) {
            for (Method method : owner.getDeclaredMethods()) {
                Class<?>[] parameters = method.getParameterTypes();
                if (method.getName().equals("chooseMove")
                        && method.getReturnType() == int.class
                        && !method.isSynthetic()
                        && !Modifier.isAbstract(method.getModifiers())
                        && parameters.length == 2
                        && time(parameters[1], 0) != null) {
                    method.setAccessible(true);
                    return method;
                }
            }
        }
        return null;
    }

    /** The time as the type that the method wants, null if that is none for a number. */
    static Object time(Class<?> type, double milliseconds) {
        if (type == long.class || type == Long.class) {
            return (long) milliseconds;
        } else if (type == int.class || type == Integer.class) {
            return (int) milliseconds;
        } else if (type == double.class || type == Double.class) {
            return milliseconds;
        } else if (type == float.class || type == Float.class) {
            return (float) milliseconds;
        }
        return null;
    }

    static Object create(Class<?> type) throws Mistake {
        try {
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (InvocationTargetException error) {
            error.getCause().printStackTrace();
            throw new Mistake("new " + type.getName() + "() threw " + error.getCause());
        } catch (ReflectiveOperationException error) {
            throw new Mistake("there is no new " + type.getName() + "()");
        }
    }

    // ---- The state

    /** The class whose objects are handed to the player; null for a plain int[]. */
    static Class<?> findState(Class<?> wanted, List<Class<?>> classes, String name) throws Mistake {
        if (wanted == int[].class) {
            return null;
        }
        for (Class<?> type : classes) {
            if (wanted.isAssignableFrom(type)
                    && !Modifier.isAbstract(type.getModifiers())
                    && (name == null ? hasPlainConstructor(type) : type.getName().equals(name))) {
                return type;
            }
        }
        throw new Mistake(name != null
                ? name + " is no " + wanted.getName() + ", which chooseMove wants"
                : "no state can be made for chooseMove(" + wanted.getSimpleName() + ", ...): the player"
                        + " uses no such class with a constructor without arguments; name one of its"
                        + " folder with --state");
    }

    static boolean hasPlainConstructor(Class<?> type) {
        return Arrays.stream(type.getDeclaredConstructors())
                .anyMatch(constructor -> constructor.getParameterCount() == 0);
    }

    /** Finds a field of a class or of what it extends. */
    static Field field(Class<?> type, String name, Class<?> wanted) throws Mistake {
        for (Class<?> owner = type; owner != null; owner = owner.getSuperclass()) {
            for (Field field : owner.getDeclaredFields()) {
                if (field.getName().equals(name) && field.getType() == wanted
                        && !Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    return field;
                }
            }
        }
        throw new Mistake("the state is a " + type.getName() + ", which has no field "
                + wanted.getSimpleName() + " " + name);
    }

    static Object state(Class<?> type, int[] board, int player) throws Mistake, IllegalAccessException {
        Object state = create(type);
        field(type, "state", int[].class).set(state, player == 0 ? board : swapSides(board));
        field(type, "player", int.class).setInt(state, player);
        return state;
    }

    static int[] swapSides(int[] board) {
        int[] swapped = new int[CELLS];
        for (int cell = 0; cell < CELLS; cell++) {
            swapped[cell] = board[(cell + CELLS / 2) % CELLS];
        }
        return swapped;
    }

    // ---- The protocol

    /** Returns the text of a member of the outermost JSON object, null if there is none. */
    static String member(String line, String name) {
        int depth = 0;
        boolean isKey = true; // of the outermost object
        String key = null;
        int start = 0;
        for (int at = 0; at < line.length(); at++) {
            char c = line.charAt(at);
            if (c == '"') {
                int begin = at + 1;
                for (at++; at < line.length() && line.charAt(at) != '"'; at++) {
                    if (line.charAt(at) == '\\') {
                        at++;
                    }
                }
                if (depth == 1 && isKey) {
                    key = line.substring(begin, Math.min(at, line.length()));
                    isKey = false;
                }
            } else if (c == '{' || c == '[') {
                depth++;
            } else if (depth == 1 && c == ':') {
                start = at + 1;
            } else if (depth == 1 && (c == ',' || c == '}')) {
                if (name.equals(key)) {
                    return line.substring(start, at).strip();
                }
                isKey = true;
                key = null;
            } else if (c == '}' || c == ']') {
                depth--;
            }
        }
        return null;
    }

    static int[] numbers(String array) {
        if (array == null || !array.matches("\\[[-0-9,\\s]*\\]")) {
            throw new IllegalArgumentException("no list of numbers: " + array);
        }
        return Stream.of(array.substring(1, array.length() - 1).split(","))
                .mapToInt(number -> Integer.parseInt(number.strip()))
                .toArray();
    }

    static void play(Path file, String stateName, BufferedReader input, PrintStream output)
            throws Mistake, IOException, IllegalAccessException {
        List<Path> files = new ArrayList<>(List.of(file));
        if (stateName != null) {
            files.add(file.resolveSibling(stateName + ".java"));
        }
        List<Class<?>> classes = compile(files);
        Class<?> playerType = findPlayer(classes, file);
        Method chooseMove = chooseMove(playerType);
        Class<?>[] parameters = chooseMove.getParameterTypes();
        Class<?> stateType = findState(parameters[0], classes, stateName);

        Object player = null;
        int number = 0; // 0 has the first move of the round, 1 the second
        String line;
        while ((line = input.readLine()) != null) {
            String kind = member(line, "type");
            if ("\"start\"".equals(kind)) {
                number = "false".equals(member(line, "first")) ? 1 : 0;
                player = create(playerType);
            } else if ("\"turn\"".equals(kind)) {
                if (player == null) {
                    player = create(playerType); // a lone turn, tried by hand
                }
                int[] board = numbers(member(line, "board"));
                if (board.length != CELLS) {
                    throw new IllegalArgumentException("no board of 14 numbers in: " + line);
                }
                Object state = stateType == null ? board : state(stateType, board, number);
                Object time = time(parameters[1], milliseconds(line));
                try {
                    int pit = (int) chooseMove.invoke(player, state, time);
                    output.print(answer(pit, stateType == null ? 0 : number) + "\n");
                    output.flush();
                } catch (InvocationTargetException error) {
                    error.getCause().printStackTrace();
                    throw new Mistake("chooseMove threw " + error.getCause());
                }
            }
        }
    }

    /** The player's time: what is left of its bank, or else the limit for this move. */
    static double milliseconds(String line) {
        for (String name : List.of("time_left_ms", "move_time_ms")) {
            String value = member(line, name);
            if (value != null && !value.equals("null")) {
                return Double.parseDouble(value);
            }
        }
        throw new IllegalArgumentException("no time_left_ms or move_time_ms in: " + line);
    }

    /** What to answer when player `number` has chosen a pit. */
    static String answer(int pit, int number) {
        long cell = (long) pit - number * (CELLS / 2);
        return cell >= 0 && cell < HOUSES
                ? String.valueOf(cell)
                : "{\"move\":" + cell + ",\"info\":{\"adapter\":{\"code\":\"no_pit\",\"words\":\"chooseMove"
                        + " returned " + pit + "; the pits of player " + number + " are "
                        + number * (CELLS / 2) + " to " + (number * (CELLS / 2) + HOUSES - 1)
                        + "\"}}}";
    }

    public static void main(String[] args) throws IOException, IllegalAccessException {
        int files = args.length > 1 && args[0].equals("--state") ? 2 : 0;
        if (args.length != files + 1 || args[files].startsWith("-")) {
            System.err.println("usage: java ChooseMove.java [--state CLASS] PLAYER.java");
            System.exit(2);
        }
        // The protocol keeps its streams to itself.
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream output = System.out;
        System.setIn(InputStream.nullInputStream());
        System.setOut(System.err);
        try {
            Path file = Path.of(args[files]);
            play(file, files > 0 ? args[1] : null, input, output);
        } catch (Mistake mistake) {
            System.err.println(mistake.getMessage());
            System.exit(1);
        }
        System.exit(0); // even where the player has started threads
    }
}
