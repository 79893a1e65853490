import type {LinkAnswer} from '#service/link/link.ts';
import {numberField, readJsonText, tableField, textField} from '#service/link/object-fields.ts';
import {readBody} from '#service/link/read-body.ts';
import {KubeError} from '../kube-client.ts';
import {readRefusedImpersonation} from './refused-impersonation.ts';

/** A Status object has some hundred bytes; a proxy's page may have more, and is not read. */
const refusalBytesMax = 64 * 1024;
/** Characters of a message that are passed on. */
const serverMessageCharsMax = 1_000;
/**
 * A server can neither keep us away for longer, nor have us ask without a pause: with 0, or a date that has passed,
 * each of 2,000 streams would.
 */
const [retryAfterMsMin, retryAfterMsMax] = [1_000, 600_000];

export type RefusedCall = {
  readonly address: string;
  /** Without the query. */
  readonly path: string;
  /** Of the credentials. */
  readonly accessName: string;
};

/** Returns the error for an answer other than 200. Throws the reason of `signal`. */
export const readRefusal = async (answer: LinkAnswer, call: RefusedCall, signal: AbortSignal): Promise<KubeError> => {
  const body = await readBody(answer, refusalBytesMax, signal).catch(() => Buffer.alloc(0));
  signal.throwIfAborted();
  const {reason, serverMessage, retryAfterSeconds} = parseStatus(body.toString('utf8'));
  const {status, headers} = answer;
  const retryAfterMs =
    parseRetryAfter(headers['retry-after'], headers.date) ??
    (retryAfterSeconds === undefined ? undefined : clampWait(retryAfterSeconds * 1000));
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

/** In seconds or as a date (RFC 9110, section 10.2.3), which is by the server's own clock. */
const parseRetryAfter = (header: unknown, date: unknown): number | undefined => {
  if (typeof header !== 'string') {
    return undefined;
  }
  const nowMs = typeof date === 'string' ? Date.parse(date) : Number.NaN;
  const waitMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(waitMs) ? undefined : clampWait(waitMs);
};

const clampWait = (waitMs: number): number => Math.min(Math.max(waitMs, retryAfterMsMin), retryAfterMsMax);
