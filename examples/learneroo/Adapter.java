// Makes a bot of an answer to Learneroo's Mancala challenge: a Java method that is given the board,
// an int[14], and returns the cell to play, 0 to 5.
//
//     mancala match "java examples/learneroo/Adapter.java Answer.java" builtin:easy
//
// Cells 0 to 5 are the method's own, 6 is its store, 7 to 12 are the opponent's and 13 is the
// opponent's store. The method may be static or not, and its class may have any name. It may print:
// what it prints goes to stderr, away from the protocol.
//
// Compiled beforehand, it starts faster (Java 17 or newer, as above):
//
//     javac -d classes examples/learneroo/Adapter.java Answer.java
//     mancala match "java -cp classes Adapter Answer" builtin:easy

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
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

public class Adapter {
    static final int CELLS = 14;
    static final int HOUSES = 6;

    /** The method to play with, where there are several: the first of these that there is. */
    static final List<String> USUAL_NAMES = List.of("mancala", "move", "getMove", "chooseMove",
            "nextMove", "bestMove", "makeMove", "choose", "play", "solve");

    /** The user's mistake, explained in one line. */
    @SuppressWarnings("serial")
    static class Mistake extends Exception {
        Mistake(String message) {
            super(message);
        }
    }

    // ---- The answer's classes

    /** Compiles a file in memory, with what it needs of its folder. */
    static List<Class<?>> compile(Path file) throws Mistake, IOException {
        if (!Files.isRegularFile(file)) {
            throw new Mistake(file + ": no such file");
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new Mistake("this Java has no compiler: install a JDK, not only a runtime");
        }
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        var source = new SimpleJavaFileObject(file.toUri(), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }

            @Override
            public boolean isNameCompatible(String simpleName, JavaFileObject.Kind kind) {
                return true; // a public class may have another name than the file
            }
        };
        Path folder = file.toAbsolutePath().getParent();
        var options = List.of("-proc:none", "-nowarn", "-encoding", "UTF-8",
                "-sourcepath", folder.toString());
        try (var output = new InMemory(
                compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8))) {
            if (!compiler.getTask(null, output, null, options, null, List.of(source)).call()) {
                throw new Mistake(file + " does not compile, see above");
            }
            var loader = new Compiled(output.classes());
            List<Class<?>> classes = new ArrayList<>();
            for (String name : output.classes().keySet()) {
                classes.add(loader.loadClass(name));
            }
            return classes;
        } catch (ReflectiveOperationException | LinkageError error) {
            throw new Mistake(file + ": its classes cannot be loaded: " + error);
        }
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

    static List<Class<?>> load(String answer) throws Mistake, IOException {
        if (answer.endsWith(".java")) {
            return compile(Path.of(answer));
        }
        try {
            return List.of(Class.forName(answer));
        } catch (ClassNotFoundException | LinkageError error) {
            throw new Mistake("there is no class " + answer + " on the class path,"
                    + " and a file to compile ends in .java");
        }
    }

    // ---- The answer's method

    /** Finds the method: the one asked for, the only one, or the first with a usual name. */
    static Method find(List<Class<?>> classes, String answer, String wanted) throws Mistake {
        List<Method> methods = classes.stream()
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> !method.isSynthetic() && !Modifier.isAbstract(method.getModifiers()))
                .filter(method -> method.getReturnType() == int.class)
                .filter(method -> Arrays.equals(
                        method.getParameterTypes(), new Class<?>[] {int[].class}))
                .filter(method -> wanted == null || method.getName().equals(wanted))
                .toList();
        if (methods.isEmpty()) {
            throw new Mistake(answer + " has no method int "
                    + (wanted == null ? "..." : wanted) + "(int[] board)");
        }
        for (String name : USUAL_NAMES) {
            List<Method> usual = methods.stream().filter(m -> m.getName().equals(name)).toList();
            if (methods.size() > 1 && usual.size() == 1) {
                return usual.get(0);
            }
        }
        if (methods.size() > 1) {
            String names = methods.stream()
                    .map(method -> method.getDeclaringClass().getName() + "." + method.getName())
                    .collect(Collectors.joining(", "));
            throw new Mistake(answer + " has more than one method from int[] to int: " + names
                    + "; name one as the last argument");
        }
        return methods.get(0);
    }

    /** Makes the object that an instance method is called on; null for a static one. */
    static Object instance(Method method) throws Mistake {
        if (Modifier.isStatic(method.getModifiers())) {
            return null;
        }
        Class<?> type = method.getDeclaringClass();
        try {
            var constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (InvocationTargetException error) {
            error.getCause().printStackTrace();
            throw new Mistake("new " + type.getName() + "() threw " + error.getCause());
        } catch (ReflectiveOperationException error) {
            throw new Mistake(method.getName() + " is not static, and there is no new "
                    + type.getName() + "() to call it on");
        }
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

    static void play(Method method, BufferedReader input, PrintStream output)
            throws Mistake, IOException, IllegalAccessException {
        Object object = instance(method);
        String line;
        while ((line = input.readLine()) != null) {
            if (!"\"turn\"".equals(member(line, "type"))) {
                continue;
            }
            int[] board = numbers(member(line, "board"));
            if (board.length != CELLS) {
                throw new IllegalArgumentException("no board of 14 numbers in: " + line);
            }
            try {
                int cell = (int) method.invoke(object, board.clone());
                output.print(answer(method.getName(), cell, board) + "\n");
                output.flush();
            } catch (InvocationTargetException error) {
                error.getCause().printStackTrace();
                throw new Mistake(method.getName() + " threw " + error.getCause());
            }
        }
    }

    /** What to answer when the method has returned a cell: why it is wrong, if it is. */
    static String answer(String method, int cell, int[] board) {
        boolean isCell = cell >= 0 && cell < HOUSES;
        if (isCell && board[cell] > 0) {
            return String.valueOf(cell);
        }
        String held = Arrays.stream(board, 0, HOUSES)
                .mapToObj(String::valueOf).collect(Collectors.joining(", "));
        String words = method + " returned " + (isCell
                ? "cell " + cell + ", which is empty; cells 0 to 5 held " + held
                : cell + ", which is no cell; cells are 0 to 5");
        return "{\"move\":" + cell + ",\"info\":{\"adapter\":{\"code\":\""
                + (isCell ? "empty_cell" : "no_cell") + "\",\"words\":\"" + words + "\"}}}";
    }

    public static void main(String[] args) throws IOException, IllegalAccessException {
        if (args.length < 1 || args.length > 2 || args[0].startsWith("-")) {
            System.err.println("usage: java Adapter.java ANSWER.java [METHOD]");
            System.exit(2);
        }
        // The protocol keeps its streams to itself.
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream output = System.out;
        System.setIn(InputStream.nullInputStream());
        System.setOut(System.err);
        try {
            Method method = find(load(args[0]), args[0], args.length > 1 ? args[1] : null);
            method.setAccessible(true);
            play(method, input, output);
        } catch (Mistake mistake) {
            System.err.println(mistake.getMessage());
            System.exit(1);
        }
        System.exit(0); // even where the answer has started threads
    }
}
