import {findErrorCode, tlsFaultOf} from '#base/error-code.ts';
import {describeError} from '#service/errors/describe-fault.ts';
import {SilentLinkError} from '#service/link/link.ts';
import {KubeError} from './kube-client.ts';
import {TunnelError} from './transport/open-tunnel.ts';
import {ConnectTimeoutError} from './transport/transport.ts';

/**
 * Returns the error for a request that got no answer. Node's messages are not passed on, nor kept as the cause where
 * they may hold an address with credentials.
 */
export const describeConnectionFailure = (error: unknown, address: string): KubeError => {
  if (error instanceof KubeError) {
    return error;
  }
  if (error instanceof ConnectTimeoutError && error.cause instanceof TunnelError) {
    const {proxy} = error.cause;
    return new KubeError(
      'timeout',
      `The proxy ${proxy} gave no way to ${address} in time: check the proxy, and whether the address can be reached from there.`,
    );
  }
  if (error instanceof ConnectTimeoutError) {
    return new KubeError(
      'timeout',
      `No connection to ${address} in time: check the address, and whether a firewall or a missing VPN is between.`,
    );
  }
  if (error instanceof TunnelError) {
    return new KubeError('connection', describeTunnel(error, address));
  }
  if (error instanceof SilentLinkError) {
    return new KubeError('connection', `The connection to ${address} was dead: ${error.message}.`);
  }
  const code = codeOf(error);
  return new KubeError('connection', describeTls(code, address) ?? describeNetwork(code, error, address), {
    cause: error,
  });
};

const codeOf = (error: unknown): string => {
  // Node wraps one error for each address it tried.
  return findErrorCode(error instanceof AggregateError ? error.errors[0] : error) ?? '';
};

const describeTunnel = ({proxy, failure, cause}: TunnelError, address: string): string => {
  switch (failure.kind) {
    case 'unreachable':
      return `The proxy ${proxy} cannot be reached (${codeOf(cause) || describeError(cause)}): ${checkSettings}.`;
    case 'broken':
      return `The proxy ${proxy} closed the connection before it gave a way to ${address}: ${checkSettings}.`;
    case 'foreign':
      return `The proxy ${proxy} does not speak SOCKS5: ${checkSettings}.`;
    case 'login':
      return failure.isRefused
        ? `The proxy ${proxy} does not accept the name and the password in its address: correct them there.`
        : `The proxy ${proxy} asks for a name and a password: write them into its address.`;
    case 'refused':
      return `The proxy ${proxy} gave no way to ${address} (${failure.words}): check what it allows, or except the address with NO_PROXY.`;
    case 'far':
      return `The proxy ${proxy} cannot reach ${address} (${failure.words}): check the address, and that the API server runs.`;
    default:
      return failure satisfies never;
  }
};

const checkSettings = 'check proxy-url, HTTPS_PROXY or ALL_PROXY';

const describeTls = (code: string, address: string): string | undefined => {
  switch (tlsFaultOf(code)) {
    case 'expired':
      return `The certificate of ${address} has expired: it must be renewed there.`;
    case 'notYetValid':
      return `The certificate of ${address} is not valid yet: check this machine's clock.`;
    case 'selfSigned':
    case 'unknownAuthority':
      return `The certificate of ${address} is not signed by a known authority: check certificate-authority of the cluster.`;
    case 'otherHost':
      return `The certificate of ${address} is for another name: check the address, or name it in tls-server-name.`;
    case 'refusedClient':
      return `${address} refuses the client certificate (${code}): check the user's certificate, or log in again.`;
    case undefined:
      return undefined;
    default:
      return `No secure connection to ${address} (${code}): check that the port speaks TLS.`;
  }
};

const describeNetwork = (code: string, error: unknown, address: string): string => {
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_FAIL':
    case 'EAI_NODATA':
      return `The name of ${address} cannot be resolved: check the address and this machine's DNS.`;
    case 'ECONNREFUSED':
      return `${address} refused the connection: check the address, and that the API server runs.`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
    case 'ETIMEDOUT':
      return `${address} cannot be reached (${code}): check the address, and whether a VPN is missing.`;
    case 'ECONNRESET':
    case 'EPIPE':
      return `${address} closed the connection before it answered (${code}).`;
    default:
      // HTTP/2 has one code for all, and names the reason in its message.
      return `The request to ${address} failed (${/^ERR_HTTP2|^$/.test(code) ? describeError(error) : code}).`;
  }
};
