/**
 * Returns whether a host, in the form of `URL.hostname`, never leaves this machine: `localhost`, `*.localhost` (RFC
 * 6761), 127.0.0.0/8, `[::1]`.
 */
export const isLoopbackHost = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  /^127(?:\.\d{1,3}){3}$/.test(hostname) ||
  hostname === '[::1]' ||
  hostname === '::1';
