/**
 * `host:port` of a `listen` setting: `127.0.0.1:8787`, `localhost:0`, `[::1]:8787`. Port 0 is any free port. undefined where it
 * is neither; a missing host is not read as "everywhere", since that would publish logs by a typing error.
 */
export const parseListen = (text: string): {readonly host: string; readonly port: number} | undefined => {
  const match = /^(?:\[([0-9a-fA-F:.%a-zA-Z0-9]+)\]|([^:[\]\s/@]+)):(\d{1,5})$/.exec(text.trim());
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  return host === undefined || port > 65_535 ? undefined : {host, port};
};
