# F_SETSIG, F_SETOWN of a group that this process is in, F_SETFL with O_ASYNC and O_NONBLOCK.
my $group = shift;
setpgrp(0, $group) or die "group: $!";
pipe(my $read, my $write) or die "pipe: $!";
fcntl($read, 10, 9) or die "signal: $!";
fcntl($read, 8, -$group) or die "owner: $!";
setpgrp(0, 0) or die "own group: $!";
fcntl($read, 4, 0x2800) or die "flags: $!";
syswrite($write, 'x');
