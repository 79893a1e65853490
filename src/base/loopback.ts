/**
 * Returns whether a host, in the form of `URL.hostname`, never leaves this machine: `localhost`, `*.localhost` (RFC
 * 6761), 127.0.0.0/8, `[::1]`, with or without brackets.
 */
export const isLoopbackHost = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/i.test(hostname) ||
  hostname === '[::1]' ||
  hostname === '::1';
