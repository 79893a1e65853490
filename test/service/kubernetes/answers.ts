import type {ServerResponse} from 'node:http';
import {expect} from 'vitest';
import type {KubeClient, KubeError} from '#service/kubernetes/kube-client.ts';

/** Answers a request with JSON. */
export const answerJson = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) => {
  response.writeHead(status, {'content-type': 'application/json', ...headers});
  response.end(JSON.stringify(body));
};

/** Reads a stream until it ends. */
export const follow = async (client: KubeClient, path: string) => {
  const ended = Promise.withResolvers<KubeError | undefined>();
  const chunks: Buffer[] = [];
  const stream = await client.open(path, {onData: bytes => chunks.push(bytes), onEnd: ended.resolve});
  return {...stream, ended: ended.promise, text: () => Buffer.concat(chunks).toString('utf8')};
};

/** Returns the error with which a request fails. */
export const fault = (promise: Promise<unknown>): Promise<KubeError> =>
  promise.then(
    () => expect.unreachable('no error'),
    (error: KubeError) => error,
  );
