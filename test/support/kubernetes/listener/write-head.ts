import type {KubeResponse} from './open-listener.ts';

/** Sends an answer's status and headers at once, before there is a body. */
export const writeHead = (
  response: KubeResponse,
  code: number,
  headers: Readonly<Record<string, string>> = {},
): void => {
  if ('stream' in response) {
    response.writeHead(code, headers);
  } else {
    response.writeHead(code, headers);
    response.flushHeaders();
  }
};
