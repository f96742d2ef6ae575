//! The sockets that a bot in the sandbox may have, and their options: tables, and nothing else.

/// The network, and sockets with names; pairs of sockets are left.
pub(super) const NETWORK: &[i64] =
    &[libc::SYS_socket, libc::SYS_connect, libc::SYS_bind, libc::SYS_listen];

/// Refused in their place where the bot has a loopback of its own, and where these bits of an
/// argument are not this value: all but streams, in both versions of the Internet's protocol.
pub(super) const LOOPBACK: &[(i64, u8, u32, u32)] = &[
    (libc::SYS_socket, 0, !BETWEEN_VERSIONS, libc::AF_INET.cast_unsigned()),
    (libc::SYS_socket, 1, SOCKET_TYPE, libc::SOCK_STREAM.cast_unsigned()),
];

/// The protocols of these streams: the one that the kernel chooses, which is TCP, and TCP. For another
/// one it might load a module, and its buffers and threads are in no count.
pub(super) const TCP: &[u32] = &[0, libc::IPPROTO_TCP.cast_unsigned()];

/// The bit in which the two families of addresses differ.
const BETWEEN_VERSIONS: u32 = (libc::AF_INET ^ libc::AF_INET6).cast_unsigned();

/// The bits of a socket's type without its flags.
pub(super) const SOCKET_TYPE: u32 = 0xf;

/// The options of sockets that may be set, by their level: those that programs set to talk to each
/// other. Many others take memory that is in no count (buffers, filters, pages that wait), or let the
/// kernel work for a bot that is stopped: paced and tiny segments, and probes of idle connections.
pub(super) const SOCKET_OPTIONS: &[(u32, &[u32])] = &[
    (
        libc::SOL_SOCKET.cast_unsigned(),
        &[
            libc::SO_REUSEADDR.cast_unsigned(),
            libc::SO_REUSEPORT.cast_unsigned(),
            // Go sets it on every socket.
            libc::SO_BROADCAST.cast_unsigned(),
            libc::SO_KEEPALIVE.cast_unsigned(),
            libc::SO_OOBINLINE.cast_unsigned(),
            libc::SO_LINGER.cast_unsigned(),
            libc::SO_PASSCRED.cast_unsigned(),
            libc::SO_RCVLOWAT.cast_unsigned(),
            libc::SO_RCVTIMEO.cast_unsigned(),
            libc::SO_SNDTIMEO.cast_unsigned(),
        ],
    ),
    (
        libc::IPPROTO_TCP.cast_unsigned(),
        &[
            libc::TCP_NODELAY.cast_unsigned(),
            libc::TCP_CORK.cast_unsigned(),
            libc::TCP_QUICKACK.cast_unsigned(),
            libc::TCP_USER_TIMEOUT.cast_unsigned(),
        ],
    ),
    (libc::IPPROTO_IP.cast_unsigned(), &[libc::IP_TOS.cast_unsigned()]),
    (
        libc::IPPROTO_IPV6.cast_unsigned(),
        &[libc::IPV6_V6ONLY.cast_unsigned(), libc::IPV6_TCLASS.cast_unsigned()],
    ),
];
