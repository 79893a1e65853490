import {get as getPlain, type IncomingHttpHeaders, type IncomingMessage} from 'node:http';
import {connect} from 'node:http2';
import {get as getSecure} from 'node:https';
import type {Credentials} from './server/test-authority.ts';
import type {KubeDouble} from './start-kube-double.ts';

export type DoubleAnswer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly isComplete: boolean;
};

export type DoubleRequest = {
  /** Left out: the token of the start; undefined: none. */
  readonly token?: string | undefined;
  readonly client?: Credentials;
  readonly accept?: string;
  readonly http2?: boolean;
  /** Gets the body so far; the request is given up once it returns true. */
  readonly isEnough?: (body: string) => boolean;
};

const overHttp2 = async (double: KubeDouble, path: string, headers: Record<string, string>): Promise<DoubleAnswer> => {
  const session = connect(double.url, {ca: double.ca});
  try {
    return await new Promise<DoubleAnswer>((resolve, reject) => {
      session.on('error', reject);
      const stream = session.request({':path': path, ...headers});
      let status = 0;
      let answered: IncomingHttpHeaders = {};
      let body = '';
      stream.setEncoding('utf8');
      stream.on('response', got => {
        status = Number(got[':status']);
        answered = got;
      });
      stream.on('data', (chunk: string) => {
        body += chunk;
      });
      let isEnded = false;
      stream.on('end', () => {
        isEnded = true;
      });
      stream.on('error', reject);
      // A reset comes after the end of what was read, so only the close tells how it ended.
      stream.on('close', () =>
        resolve({status, headers: answered, body, isComplete: isEnded && stream.rstCode === 0 && !stream.aborted}),
      );
    });
  } finally {
    session.close();
  }
};

/** One GET to the double, with a client of the tests' own. A stream that breaks off is an answer that is not complete. */
export const askDouble = async (
  double: KubeDouble,
  path: string,
  request: DoubleRequest = {},
): Promise<DoubleAnswer> => {
  const token = 'token' in request ? request.token : double.token;
  const headers = {
    ...(token === undefined ? {} : {authorization: `Bearer ${token}`}),
    ...(request.accept === undefined ? {} : {accept: request.accept}),
  };
  if (request.http2 === true) {
    return overHttp2(double, path, headers);
  }
  const get = double.url.startsWith('https') ? getSecure : getPlain;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${double.url}${path}`, {headers, ca: double.ca, ...request.client, agent: false}, resolve).on('error', reject);
  });
  let body = '';
  response.setEncoding('utf8');
  try {
    for await (const chunk of response) {
      body += String(chunk);
      if (request.isEnough?.(body) === true) {
        break;
      }
    }
  } catch {
    // Broken off; what came is the answer.
  }
  return {status: response.statusCode ?? 0, headers: response.headers, body, isComplete: response.complete};
};
