import type {Socket} from 'node:net';

/** Returns the address at the other end, IPv4 as such; `unix` for a Unix socket. */
export const clientAddress = ({remoteAddress}: Pick<Socket, 'remoteAddress'>): string =>
  remoteAddress?.replace(/^::ffff:(?=\d+\.)/i, '') ?? 'unix';

/** Returns the address, or for IPv6 its network: whoever has one address there has 2^64. */
export const networkOf = (address: string): string =>
  address.includes(':') ? (address.split('::')[0] ?? '').split(':').slice(0, 4).join(':') : address;
