import {findErrorCode, tlsFaultOf} from '#base/error-code.ts';
import {clampRetryAfter, parseRetryAfter} from '#base/retry-after.ts';
import {describeError} from '#service/backend/errors.ts';
import {type LinkAnswer, readBody, SilentLinkError} from '#service/link/link.ts';
import {numberField, readJsonText, tableField, textField} from '#service/link/object-fields.ts';
import {KubeError, readRefusedImpersonation} from './kube-client.ts';
import {TunnelError} from './transport/open-tunnel.ts';
import {ConnectTimeoutError} from './transport/transport.ts';

/** A Status object has some hundred bytes; a proxy's page may have more, and is not read. */
const refusalBytesMax = 64 * 1024;
/** Characters of a message that are passed on. */
const serverMessageCharsMax = 1_000;
type RefusedCall = {
  readonly address: string;
  /** Without the query. */
  readonly path: string;
  /** The name of the credentials. */
  readonly accessName: string;
};

/** Returns the error for an answer other than 200. Throws the reason of `signal`. */
export const readRefusal = async (answer: LinkAnswer, call: RefusedCall, signal: AbortSignal): Promise<KubeError> => {
  const body = await readBody(answer, refusalBytesMax, signal).catch(() => Buffer.alloc(0));
  signal.throwIfAborted();
  const {reason, serverMessage, retryAfterSeconds} = parseStatus(body.toString('utf8'));
  const {status, headers} = answer;
  const retryAfterMs =
    parseRetryAfter(textField(headers, 'retry-after'), Date.parse(textField(headers, 'date') ?? '')) ??
    (retryAfterSeconds === undefined ? undefined : clampRetryAfter(retryAfterSeconds * 1000));
  return new KubeError('status', describeRefusal(status, reason, serverMessage, call), {
    status,
    reason,
    serverMessage,
    retryAfterMs,
  });
};

const describeRefusal = (
  status: number,
  reason: string | undefined,
  serverMessage: string | undefined,
  {address, path, accessName}: RefusedCall,
): string => {
  const words = serverMessage === undefined ? '' : `: ${serverMessage}`;
  const code = `${status}${reason ? ` ${reason}` : ''}`;
  switch (status) {
    case 401:
      return `${address} does not accept ${accessName} (401): log in again, or renew the credentials.`;
    case 403:
      return (
        describeForbidden(serverMessage, address) ??
        `${address} does not allow GET ${path} (403)${words || ': a Role must grant this right'}.`
      );
    default:
      return serverMessage === undefined
        ? `${address} answered GET ${path} with ${code}.`
        : `${describeServerMessage(serverMessage)} (${code} by ${address}, GET ${path}).`;
  }
};

/** Leaves out the address that a kubelet was asked at, and a full stop: a screen may cut the cause otherwise. */
const describeServerMessage = (message: string): string =>
  message.replace(/^Get "[^"]*": (?=.)/, '').replace(/\.$/, '');

/** Rewords the authorizer's sentence with what matters first: a screen may cut the rest. */
const describeForbidden = (serverMessage: string | undefined, address: string): string | undefined => {
  const impersonation = readRefusedImpersonation(serverMessage);
  if (impersonation) {
    const {user: own, wanted} = impersonation;
    return `${own} may not act as ${wanted} (403 by ${address}): leave that out, or have a ClusterRole grant ${own} the verb impersonate.`;
  }
  const [, user, verb, resource, namespace] =
    /User "([^"]+)" cannot (\w+) resource "([^"]+)" in API group "[^"]*" (?:in the namespace "([^"]+)"|at the cluster scope)/.exec(
      serverMessage ?? '',
    ) ?? [];
  const where = namespace === undefined ? 'of the cluster' : `in namespace ${namespace}`;
  return user === undefined
    ? undefined
    : `No right to ${verb} ${resource} ${where}, as ${user} (403 by ${address}): a Role must grant it.`;
};

const parseStatus = (text: string) => {
  const status = readJsonText(text);
  return {
    reason: textField(status, 'reason'),
    serverMessage: textField(status, 'message')?.slice(0, serverMessageCharsMax),
    // The API writes 0 if it does not ask for a wait.
    retryAfterSeconds: numberField(tableField(status, 'details'), 'retryAfterSeconds') || undefined,
  };
};

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
      `The proxy ${proxy} refused to connect to ${address} in time: check the proxy, and whether it can reach that address.`,
    );
  }
  if (error instanceof ConnectTimeoutError) {
    return new KubeError(
      'timeout',
      `No connection to ${address} in time: check the address, and whether a firewall or a missing VPN is in the way.`,
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
      return `The proxy ${proxy} closed the connection before it reached ${address}: ${checkSettings}.`;
    case 'foreign':
      return `The proxy ${proxy} does not speak SOCKS5: ${checkSettings}.`;
    case 'login':
      return failure.isRefused
        ? `The proxy ${proxy} does not accept the name and the password in its address: correct them there.`
        : `The proxy ${proxy} asks for a name and a password: write them into its address.`;
    case 'refused':
      return `The proxy ${proxy} refused to connect to ${address} (${failure.words}): check what it allows, or exempt the address with NO_PROXY.`;
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
