import {errorCodeOf} from '../../../base/error-code.ts';

type Address = {readonly host: string; readonly port: number};

/**
 * Returns the address at which this machine reaches a listening server; a server that listens everywhere is reached on
 * the loopback.
 */
export const formatBaseUrl = (host: string, port: number): string => {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
};

/** Explains why a server cannot listen, and what to do. */
export const describeListenError = (error: unknown, {host, port}: Address): string => {
  switch (errorCodeOf(error)) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use: stop the program that listens there, or choose another port in listen.`;
    case 'EACCES':
      return `Port ${port} on ${host} needs privileges that this user does not have: choose one above 1023 in listen.`;
    case 'EADDRNOTAVAIL':
      return `${host} is not an address of this machine: choose one that is in listen.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The name ${host} cannot be resolved: choose an address of this machine in listen.`;
    default:
      return `The service cannot listen on ${host}, port ${port}: ${error instanceof Error ? error.message : String(error)}.`;
  }
};
