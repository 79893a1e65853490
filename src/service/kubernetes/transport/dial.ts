import {once} from 'node:events';
import {connect as connectTcp, isIP, type Socket} from 'node:net';
import {checkServerIdentity, connect as connectTls, type SecureContext} from 'node:tls';
import type {KubeConnection} from './kube-connection.ts';
import {openSocksTunnel} from './open-socks-tunnel.ts';
import {openTunnel} from './open-tunnel.ts';

/** Load balancers drop quiet connections, some after a minute: TCP probes count as traffic for most. */
const keepAliveMs = 30_000;

/**
 * Opens a connection to the API server, through the proxy if there is one. For https it is secured, and its
 * `alpnProtocol` is one of `protocols` or false.
 * Throws an error of Node's or a `TunnelError`.
 */
export const dial = async (
  {server, proxy, serverName, isUnverified}: Pick<KubeConnection, 'server' | 'proxy' | 'serverName' | 'isUnverified'>,
  secureContext: SecureContext,
  protocols: readonly string[],
  signal: AbortSignal,
): Promise<Socket> => {
  const host = server.hostname.replace(/^\[|\]$/g, '');
  const isSecure = server.protocol === 'https:';
  const port = Number(server.port || (isSecure ? 443 : 80));
  const open = proxy?.protocol.startsWith('socks') ? openSocksTunnel : openTunnel;
  const tunnel = proxy && (await open(proxy, {host: server.hostname, port}, signal));
  if (!isSecure && tunnel) {
    return tunnel;
  }
  const name = serverName ?? host;
  const socket = isSecure
    ? connectTls({
        ...(tunnel ? {socket: tunnel} : {host, port}),
        secureContext,
        ALPNProtocols: [...protocols],
        // An IP address is no server name (RFC 6066, section 3).
        ...(isIP(name) ? {} : {servername: name}),
        rejectUnauthorized: !isUnverified,
        checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate),
      })
    : connectTcp({host, port});
  try {
    await once(socket, isSecure ? 'secureConnect' : 'connect', {signal});
  } catch (error) {
    socket.destroy();
    throw error;
  }
  // It may break before anybody uses it; without a listener the process would end.
  socket.on('error', () => undefined);
  socket.setNoDelay(true);
  (tunnel ?? socket).setKeepAlive(true, keepAliveMs);
  return socket;
};
