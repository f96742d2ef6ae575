my @held;
for my $number (1..200) {
    my $name = "$ENV{TMPDIR}/$$-$number";
    # Folders can be locked as files can.
    if ($number % 2) { mkdir($name) } else { open(my $new, '>', $name) }
    open($held[$number], '<', $name) or last;
    for (my $at = 1000; $at > 0; $at--) {
        fcntl($held[$number], 6, pack('s s l q q l l', 0, 0, 0, 2 * $at, 1, 0, 0)) or last;
    }
}
