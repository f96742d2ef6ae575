my ($all, $size) = (100 << 20, 4 << 20);
my $first = syscall(9, 0, $all, 3, 0x21, -1, 0);
syscall(11, $first + $size, $all - $size);
my $window = syscall(25, $first, 0, $size, 1, 0);
syscall(11, $first + 4096, $size - 4096);
open(my $zero, '<', '/dev/zero');
for (my $at = 0; $at < $all - $size; $at += $size) {
    syscall(0, fileno($zero), $window + 0, $size);
    my $both = syscall(25, $window, $size, 2 * $size, 1, 0);
    syscall(11, $both, $size);
    $window = $both + $size;
    select(undef, undef, undef, 0.002);
}
syscall(11, $window + 0, $size)
