import {describeError} from '../../errors/describe-fault.ts';
import {SilentLinkError} from '../transport/link.ts';
import {TunnelError} from '../transport/open-tunnel.ts';
import {ConnectTimeoutError} from '../transport/transport.ts';
import {KubeError} from './kube-client.ts';

/**
 * Returns the error for a request that got no answer. Node's messages are not passed on, nor kept as the cause where
 * they may hold an address with credentials.
 */
export const describeConnectionFailure = (error: unknown, address: string): KubeError => {
  if (error instanceof KubeError) {
    return error;
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
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error && 'code' in first && typeof first.code === 'string' ? first.code : '';
};

const describeTunnel = ({proxy, status, cause}: TunnelError, address: string): string => {
  if (status === 407) {
    return `The proxy ${proxy} asks for a name and a password (407): write them into its address.`;
  }
  return status === undefined
    ? `The proxy ${proxy} cannot be reached (${codeOf(cause) || describeError(cause)}): check proxy-url or HTTPS_PROXY.`
    : `The proxy ${proxy} gave no way to ${address} (${status}): check what it allows, or except the address with NO_PROXY.`;
};

const describeTls = (code: string, address: string): string | undefined => {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return `The certificate of ${address} has expired: it must be renewed there.`;
    case 'CERT_NOT_YET_VALID':
      return `The certificate of ${address} is not valid yet: check this machine's clock.`;
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'CERT_SIGNATURE_FAILURE':
      return `The certificate of ${address} is not signed by a known authority: check certificate-authority of the cluster.`;
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `The certificate of ${address} is for another name: check the address, or name it in tls-server-name.`;
    case 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED':
    case 'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED':
    case 'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE':
    case 'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_UNKNOWN':
    case 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA':
      return `${address} refuses the client certificate (${code}): check the user's certificate, or log in again.`;
    default:
      return /^(?:CERT_|CRL_|UNABLE_TO_|ERR_SSL_|ERR_TLS_|EPROTO$|ERR_OSSL_|INVALID_|HOSTNAME_)/.test(code)
        ? `No secure connection to ${address} (${code}): check that the port speaks TLS.`
        : undefined;
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
