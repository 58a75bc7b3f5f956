# Drives a Pioneer and reads a GPS: select, alarms that interrupt reading and sleeping, children.   drive.pl PORT TERMINAL
use strict;
use warnings;
use IO::Select;
use IO::Socket::INET;
use Time::HiRes qw(time sleep alarm);

$| = 1;
my $begun = time;
sub say_at { printf "%s %.6f\n", shift, time - $begun }

sub packet {
    my @body = @_;
    my $sum = 0;
    for (my $i = 0; $i + 1 < @body; $i += 2) { $sum += $body[$i] << 8 | $body[$i + 1] }
    $sum ^= $body[-1] if @body % 2;
    return pack 'C*', 0xfa, 0xfb, @body + 2, @body, $sum >> 8 & 255, $sum & 255;
}
sub command { my ($code, $value) = @_; packet($code, 0x3b, $value & 255, $value >> 8) }

sub within {    # a limit for anything that waits
    my ($seconds, $work) = @_;
    eval {
        local $SIG{ALRM} = sub { die "too late\n" };
        alarm $seconds;
        $work->();
    };
    say_at($@ =~ s/\n//r);
}

my $robot = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $ARGV[0], Timeout => 5) or die;
my ($data, $bytes, $empty) = ('', 0, 0);
for (0 .. 2) { $robot->send(packet($_)); $robot->recv($data, 4096) }
$robot->send(command($_, 1)) for 1, 4;
my $ready = IO::Select->new($robot);
while (time - $begun < 3) {
    if ($ready->can_read(0.037)) {
        $bytes += sysread $robot, $data, 4096;
        $robot->send(command(11, 100 + int rand 100));
    }
    else { $empty++ }
}
say_at("$bytes bytes, $empty times nothing");
within(0.25, sub { sleep 5 });
within(1.3, sub { open my $gps, '<', $ARGV[1] or die; print substr($_, 0, 6), "\n" while <$gps> });
for my $i (1 .. 4) { fork or do { select undef, undef, undef, $i * 0.05; exit $i } }
while (wait > 0) { say_at('child ' . ($? >> 8)) }
print `sleep 0.1; date +%s.%N`, join(' ', keys %{{ map { $_ => 1 } 1 .. 8 }}), "\n", join(' ', times), "\n";
