// Plain HTTP is allowed to addresses of this machine, and their calls cost nothing.

/** Loopback is 127.0.0.0/8, [::1], localhost and names under it (RFC 6761). */
export const isLoopback = (hostname: string): boolean =>
  /^(127(\.\d{1,3}){3}|\[::1\]|(.+\.)?localhost)$/.test(hostname.toLowerCase())
