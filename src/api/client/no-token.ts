import {ApiError} from './api-error.ts';
import type {TokenProvider} from './token.ts';

/** The token of a client that asks nobody over HTTP: a backend in this program knows who asks, a file need not. */
export const noToken: TokenProvider = {
  read: async () => {
    throw new ApiError('token', 'no token is needed here');
  },
  describe: () => 'no token',
  watch: () => async () => false,
  expiresAtMs: () => undefined,
};
