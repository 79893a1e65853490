import {lookup} from 'node:dns/promises';
import {connect as connectTcp, isIP, type NetConnectOpts, type Socket} from 'node:net';
import {connect as connectTls} from 'node:tls';
import {checkSocket, createAgents, readCaCertificates} from '#api/client/agents.ts';
import {findErrorCode, tlsFaultOf} from '#base/error-code.ts';
import {isLoopbackHost, serviceAddress} from '#base/service-address.ts';
import {exitCodes} from '#cli/io/exit-codes.ts';
import type {ContextSettings} from '#config/settings/settings.ts';
import {explainFailure, type Failure, type Finding, found} from './finding.ts';

/** The same connect timeout as for requests. */
const connectMsMax = 5000;

const dayMs = 24 * 3600_000;

/** Warn if the certificate expires sooner than this. */
const certificateSoonMs = 14 * dayMs;

const httpsAction = 'check that base_url names an https port';

const fail = (subject: string, words: string, action: string): Failure =>
  found.fail(subject, words, action, exitCodes.unreachable);

const codeOf = (error: unknown): string =>
  findErrorCode(error) ?? (error instanceof Error ? error.message : String(error));

type Target = {readonly host: string; readonly port: number};

/** Checks the connection to the service step by step; stops at the first failure. */
export async function* checkNetwork(
  context: Pick<ContextSettings, 'baseUrl' | 'proxy' | 'caFile'>,
  env: NodeJS.ProcessEnv,
  nowMs: number,
): AsyncGenerator<Finding> {
  const {url, socketPath} = serviceAddress(context.baseUrl);
  const isHttps = url.protocol === 'https:';
  // The brackets of an IPv6 address belong to the URL, not to the address.
  const service: Target = {host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) || (isHttps ? 443 : 80)};
  let proxy: string | undefined;
  try {
    const agents = await createAgents({baseUrl: context.baseUrl, proxy: context.proxy, caFile: context.caFile, env});
    ({proxy} = agents);
    agents.close();
  } catch (error) {
    yield explainFailure('TLS', error);
    return;
  }
  const target = proxy === undefined ? service : parseTarget(proxy);
  if (socketPath === undefined) {
    const name = await checkName(target);
    yield name;
    if (name.status === 'FAIL') {
      return;
    }
  }
  try {
    await (socketPath && checkSocket(socketPath));
  } catch (error) {
    yield explainFailure('connection', error);
    return;
  }
  const place = `${proxy === undefined ? '' : 'proxy '}${target.host}:${target.port}`;
  const connection = await (socketPath === undefined
    ? checkConnection(target, place, 'check the port, the firewall and the VPN')
    : checkConnection(
        {path: socketPath},
        socketPath,
        "check that the service is running, and that this user is in the socket's group",
      ));
  yield connection;
  if (connection.status === 'FAIL') {
    return;
  }
  if (!isHttps) {
    yield isLoopbackHost(url.hostname)
      ? found.ok('TLS', 'plain http, but it stays on this machine')
      : found.warn('TLS', 'plain http: the token is sent unencrypted', 'set base_url to an https address');
  } else if (proxy !== undefined) {
    yield found.skip('TLS', 'not checked through a proxy; the listing below covers the whole path');
  } else {
    yield await checkCertificate(service, context.caFile, nowMs);
  }
}

const parseTarget = (hostAndPort: string): Target => {
  const url = new URL(`http://${hostAndPort}`);
  return {host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) || 80};
};

const checkName = async ({host}: Target): Promise<Finding> => {
  try {
    const {promise: timeout, reject} = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`no answer within ${connectMsMax / 1000} s`)), connectMsMax);
    const addresses = await Promise.race([lookup(host, {all: true}), timeout]).finally(() => clearTimeout(timer));
    const shown = addresses.map(({address}) => address).join(', ');
    return found.ok('name', shown === host ? `${host} is an address` : `${host} is ${shown}`);
  } catch (error) {
    return fail(
      'name',
      `cannot resolve ${host} (${codeOf(error)})`,
      'check base_url, the proxy, the VPN and the name server',
    );
  }
};

/** The outcome of a connection attempt. */
type Outcomes = {ready(): Finding; failed(code: string): Finding; readonly tooLate: Finding};

/** Resolves with the first outcome, and ends the connection. */
const awaitSocket = (
  socket: Socket,
  event: 'connect' | 'secureConnect',
  {ready, failed, tooLate}: Outcomes,
): Promise<Finding> => {
  const {promise, resolve} = Promise.withResolvers<Finding>();
  const end = (finding: Finding): void => {
    resolve(finding);
    socket.destroy();
  };
  socket.setTimeout(connectMsMax, () => end(tooLate));
  socket.on(event, () => end(ready()));
  socket.on('error', error => resolve(failed(codeOf(error))));
  return promise;
};

const checkConnection = (target: NetConnectOpts, place: string, action: string): Promise<Finding> =>
  awaitSocket(connectTcp(target), 'connect', {
    ready: () => found.ok('connection', `${place} accepts connections`),
    failed: code => fail('connection', `${place} cannot be reached (${code})`, action),
    tooLate: fail(
      'connection',
      `${place} does not answer within ${connectMsMax / 1000} s`,
      'check the firewall and the VPN',
    ),
  });

const describeTlsFailure = (code: string): Failure => {
  switch (tlsFaultOf(code)) {
    case 'expired':
      return fail(
        'TLS',
        'the certificate has expired',
        "check this machine's clock; if it is right, the owner of the certificate must renew it",
      );
    case 'notYetValid':
      return fail('TLS', 'the certificate is not valid yet', "check this machine's clock");
    case 'otherHost':
      return fail('TLS', 'the certificate is for another host', 'check base_url');
    case 'selfSigned':
    case 'unknownAuthority':
      return fail(
        'TLS',
        `the certificate authority is unknown (${code})`,
        'if it is your own, set ca_file to its certificate',
      );
    default:
      return fail('TLS', `no TLS connection (${code})`, httpsAction);
  }
};

const checkCertificate = async ({host, port}: Target, caFile: string | undefined, nowMs: number): Promise<Finding> => {
  const ca = caFile === undefined ? {} : {ca: await readCaCertificates(caFile)};
  // RFC 6066, section 3: an address is not allowed as a server name.
  const servername = isIP(host) === 0 ? {servername: host} : {};
  const socket = connectTls({host, port, rejectUnauthorized: true, ...servername, ...ca});
  return awaitSocket(socket, 'secureConnect', {
    ready: () => {
      const leftMs = Date.parse(socket.getPeerCertificate().valid_to) - nowMs;
      const version = socket.getProtocol() ?? 'TLS';
      const days = Math.floor(leftMs / dayMs);
      return leftMs < certificateSoonMs
        ? found.warn('TLS', `${version}, the certificate expires in ${days} days`, 'ask its owner to renew it')
        : found.ok('TLS', `${version}, the certificate is valid for ${days} days`);
    },
    failed: describeTlsFailure,
    tooLate: fail('TLS', `no TLS handshake within ${connectMsMax / 1000} s`, httpsAction),
  });
};
