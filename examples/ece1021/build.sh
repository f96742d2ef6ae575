#!/bin/sh
# Builds a student's C file into a bot:
#
#     examples/ece1021/build.sh student.c -o student-bot
#
# The file must define one function `int Move_xxxx(MANCALA board, int player)`.
# From the environment: CC (default: gcc, or else clang), CFLAGS, LDFLAGS, LDLIBS, NM, OBJCOPY.

set -u

usage() {
    cat <<'USAGE'
usage: build.sh [--sanitize] [--function NAME] [-o BOT] STUDENT.c

  -o BOT           the program to write (default: STUDENT.c without its ending)
  --function NAME  the function to play with, where the file defines more than one Move_...
  --sanitize       find leaks and writes out of bounds: they forfeit the game, and the
                   sanitizers' reports are on the bot's stderr
USAGE
}

fail() {
    printf 'build.sh: %s\n' "$*" >&2
    exit 1
}

bad_usage() {
    printf 'build.sh: %s\n' "$*" >&2
    usage >&2
    exit 2
}

note() {
    printf 'build.sh: note: %s\n' "$*" >&2
}

show() {
    cat "$work/messages" >&2
}

source=
output=
function=
sanitize=
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help)
        usage
        exit 0
        ;;
    --sanitize) sanitize=yes ;;
    --function | -o)
        [ $# -ge 2 ] && [ -n "$2" ] || bad_usage "$1 needs a value"
        if [ "$1" = -o ]; then output=$2; else function=$2; fi
        shift
        ;;
    -?*) bad_usage "unknown option $1" ;;
    *)
        [ -z "$source" ] || bad_usage "more than one file: $source and $1"
        [ -n "$1" ] || bad_usage "the name of the file is empty"
        source=$1
        ;;
    esac
    shift
done

[ -n "$source" ] || bad_usage "no file to build"
[ -e "$source" ] || fail "$source: no such file"
[ -f "$source" ] && [ -r "$source" ] || fail "$source: not a file that can be read"
if [ -z "$output" ]; then
    output=${source%.c}
    [ "$output" != "$source" ] || fail "$source does not end in .c: say with -o what to write"
fi
[ ! -d "$output" ] || fail "$output is a directory: -o wants the program to write"
[ ! "$output" -ef "$source" ] || fail "-o $output would overwrite the student's file"
mkdir -p -- "$(dirname -- "$output")" || fail "cannot make the folder $(dirname -- "$output")"

# CC may carry options of its own ("clang -m32"), so it and the flags are split into words.
if [ -z "${CC:-}" ]; then
    CC=gcc
    command -v gcc >/dev/null 2>&1 || CC=clang
    command -v "$CC" >/dev/null 2>&1 ||
        fail "no C compiler: install gcc or clang, or name one with CC=..."
fi
CFLAGS=${CFLAGS:-}
NM=${NM:-nm}
OBJCOPY=${OBJCOPY:-objcopy}
command -v "${CC%% *}" >/dev/null 2>&1 || fail "the compiler ${CC%% *} is not installed"
command -v "$NM" >/dev/null 2>&1 || fail "$NM is not installed: it is part of binutils"

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
work=$(mktemp -d) || fail "no directory for temporary files (is TMPDIR right?)"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

flags="-O2"
checks=
if [ -n "$sanitize" ]; then
    checks="-fsanitize=address,undefined -fno-sanitize-recover=all"
    flags="-O1 -g -fno-omit-frame-pointer $checks"
    printf 'int main(void) { return 0; }\n' >"$work/probe.c"
    # shellcheck disable=SC2086
    if ! $CC $flags "$work/probe.c" -o "$work/probe" 2>"$work/messages" ||
        ! "$work/probe" 2>>"$work/messages"; then
        show
        fail "--sanitize: $CC has no working AddressSanitizer and UndefinedBehaviorSanitizer" \
            "(libraries libasan and libubsan, or compiler-rt)"
    fi
    # Leaks are found during the game only where the compiler has LeakSanitizer's interface.
    printf '%s\n' '#include <sanitizer/lsan_interface.h>' \
        'int main(void) { return __lsan_do_recoverable_leak_check(); }' >"$work/probe.c"
    # shellcheck disable=SC2086
    if $CC $flags "$work/probe.c" -o "$work/probe" 2>"$work/messages"; then
        flags="$flags -DCHECK_LEAKS"
    else
        note "$CC cannot look for leaks"
    fi
fi

# Compiles the student's file; further options in the arguments.
compile_student() {
    # shellcheck disable=SC2086
    $CC $flags $CFLAGS -fno-lto "$@" -I"$here" -x c -c "$source" -o "$work/student.o" \
        2>"$work/messages"
}

header=
if ! compile_student; then
    mv "$work/messages" "$work/first"
    # A file that was meant to be included where MANCALA is known already.
    if compile_student -include mancala.h; then
        header="-include mancala.h"
        note "$source does not include \"mancala.h\"; it was compiled with it"
    else
        mv "$work/first" "$work/messages"
        show
        fail "$source does not compile, see above"
    fi
fi
show # warnings

# What the file defines; macOS writes an underscore before every name.
"$NM" -P -g "$work/student.o" >"$work/symbols" 2>"$work/messages" ||
    { show; fail "$NM failed, see above"; }
[ "$(uname -s)" != Darwin ] || sed 's/^_//' "$work/symbols" >"$work/names"
[ -f "$work/names" ] || cp "$work/symbols" "$work/names"
defined=$(awk '$2 ~ /^[TW]$/ { print $1 }' "$work/names")
moves=$(printf '%s\n' "$defined" | grep '^Move_.')
on_one_line() {
    printf '%s\n' "$1" | awk 'NF { printf "%s%s", separator, $0; separator = ", " }'
}

if [ -n "$function" ]; then
    printf '%s\n' "$defined" | grep -qx -- "$function" ||
        fail "$source defines no function $function; it defines: $(on_one_line "$defined")"
elif [ -z "$moves" ]; then
    [ -n "$defined" ] || defined="none (a static one does not count)"
    fail "$source defines no function whose name begins with Move_;" \
        "its functions: $(on_one_line "$defined")"
elif [ "$(printf '%s\n' "$moves" | wc -l)" -gt 1 ]; then
    fail "$source defines more than one Move_ function: $(on_one_line "$moves");" \
        "choose with --function NAME"
else
    function=$moves
fi

# The function must have the assignment's type: a pointer to the board, or a MANCALA of the student's
# own with another content, would link and then play nonsense.
cat >"$work/check.c" <<CHECK
_Static_assert(sizeof(MANCALA) == 14 && sizeof(((MANCALA *)0)->board[0]) == 7,
               "MANCALA must be a struct that holds char board[2][7]");
_Static_assert(__builtin_types_compatible_p(__typeof__($function), int(MANCALA, int)),
               "the function must be: int $function(MANCALA board, int player)");
CHECK
# shellcheck disable=SC2086
if ! LC_ALL=C $CC $flags $CFLAGS -w -I"$here" $header -include "$source" \
    -x c -c "$work/check.c" -o "$work/check.o" 2>"$work/messages"; then
    grep 'error:' "$work/messages" | sed 's/^[^ ]*check\.c:[0-9:]* //' >&2
    fail "$source: $function is not the assignment's int $function(MANCALA board, int player)"
fi

# The student's other functions are made invisible, so that one called `main`, or like a function of
# the C library, stands in nobody's way.
has_main=
printf '%s\n' "$defined" | grep -qx main && has_main=yes
if command -v "$OBJCOPY" >/dev/null 2>&1; then
    "$OBJCOPY" --keep-global-symbol="$function" "$work/student.o" 2>"$work/messages" ||
        { show; fail "$OBJCOPY failed, see above"; }
    [ -z "$has_main" ] || note "$source has its own main(); it is left out of the game"
elif [ -n "$has_main" ]; then
    fail "$source has its own main(), and $OBJCOPY, which would hide it, is not installed" \
        "(it is part of binutils)"
fi

# shellcheck disable=SC2086
$CC $flags $CFLAGS -DMOVE_FUNCTION="$function" -c "$here/adapter.c" -o "$work/adapter.o" \
    2>"$work/messages" || { show; fail "$here/adapter.c does not compile, see above"; }
# shellcheck disable=SC2086
$CC $checks $CFLAGS ${LDFLAGS:-} "$work/adapter.o" "$work/student.o" ${LDLIBS:-} -lm \
    -o "$work/bot" 2>"$work/messages" || {
    show
    fail "$source does not link, see above: a function or a library is missing" \
        "(name libraries with LDLIBS=-l...)"
}
cp -- "$work/bot" "$output" || fail "cannot write $output"
