import {ApiError} from '#api/client/api-error.ts';
import {type Client, type ClientOptions, createClient} from '#api/client/client.ts';
import {createTokenProvider} from '#api/client/token.ts';

/** A token with a claim that can be read: it expired at 2001-09-09 01:46:40 UTC. */
export const canaryToken = [
  Buffer.from('{"alg":"none"}').toString('base64url'),
  Buffer.from('{"exp":1000000000,"sub":"canary-sub"}').toString('base64url'),
  'canary-signature-5f0c',
].join('.');

/** A client of a loopback port; its token is `token` for as long as nothing changes it. */
export const connect = (port: number, options: Partial<ClientOptions> = {}, token = 'plain-token'): Client =>
  createClient({
    baseUrl: `http://127.0.0.1:${port}/dev-v1`,
    tenant: 'acme',
    authMode: 'local',
    token: createTokenProvider(
      {kind: 'environment', variable: 'TOKEN'},
      {env: {TOKEN: token}, nowMs: () => 1_700_000_000_000},
    ),
    ...options,
  });

/** The error of a promise that must fail with one of the client's. */
export const failureOf = async (promise: Promise<unknown>): Promise<ApiError> => {
  try {
    await promise;
  } catch (error) {
    if (error instanceof ApiError) {
      return error;
    }
    throw error;
  }
  throw new Error('The request was expected to fail and did not.');
};

export const emptyLog = '{"podNamesList":[],"data":[],"events":[],"sessionId":"s"}';
