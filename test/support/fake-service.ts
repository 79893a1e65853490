import {createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse} from 'node:http';
import {answerWithFault, type FakeFault} from './fake-fault.ts';
import type {FakeLog, FakeWindow} from './fake-log.ts';
import {type FakeRecord, makeBuiltBranch, makeLogAnswer} from './fake-records.ts';
import {waitFor} from './wait-for.ts';

export type Operation = 'branches' | 'deployed' | 'logs';

export type RecordedRequest = {
  readonly operation: Operation | undefined;
  readonly method: string;
  /** As received, not decoded. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bodyBytes: number;
  readonly atMs: number;
  /** Against section 5 of the specification; empty where all is well. */
  readonly violations: readonly string[];
};

export type FakeServiceOptions = {
  readonly tenant?: string;
  readonly authMode?: string;
  /** Tokens that are let in; others get 401. */
  readonly tokens?: readonly string[];
};

export type FakeService = {
  /** Ends with the version segment, as section 9 has it. */
  readonly baseUrl: string;
  readonly origin: string;
  readonly port: number;
  readonly requests: readonly RecordedRequest[];
  /** What is set here goes into the environment of a program under test. */
  readonly env: Readonly<Record<string, string>>;
  /** All violations of all requests so far. */
  headerViolations(): readonly string[];
  setBranches(siteId: string, branches: readonly FakeRecord[]): void;
  setLog(branchId: string, log: FakeLog): void;
  setTokens(...tokens: readonly string[]): void;
  /** Spoils the next answers, or those of one operation; before `failAlways`. */
  failNext(fault: FakeFault, options?: {readonly times?: number; readonly operation?: Operation}): void;
  /** Spoils every answer until it is called with undefined. */
  failAlways(fault: FakeFault | undefined, operation?: Operation): void;
  /** Fixes the `date` header, for clocks that differ. */
  setDate(date: string | undefined): void;
  /** Resolves when so many requests (of one operation) have come. */
  waitForRequests(count: number, operation?: Operation, deadlineMs?: number): Promise<void>;
  close(): Promise<void>;
};

/** Looks like a JWT and is none: three base64url parts. */
export const fakeToken = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ0ZXN0In0.c2lnbmF0dXJl';

const tokenPattern = /^Bearer [A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;

const operationOf: Readonly<Record<string, Operation>> = {
  branches: 'branches',
  'deployed-branches': 'deployed',
};

type Target = {readonly operation: Operation; readonly siteId: string; readonly branchId: string};

/** Section 4: the three paths, ids percent-encoded. */
const readTarget = (path: string): Target | undefined => {
  const [empty, version, sites, siteId = '', list = '', branchId = '', logs, ...rest] = path.split('/');
  if (empty !== '' || version !== 'dev-v1' || sites !== 'sites' || siteId === '' || rest.length > 0) {
    return undefined;
  }
  const ids = {siteId: decodeURIComponent(siteId), branchId: decodeURIComponent(branchId)};
  if (logs !== undefined) {
    return list === 'branches' && logs === 'logs' && branchId !== '' ? {operation: 'logs', ...ids} : undefined;
  }
  const operation = operationOf[list];
  return operation !== undefined && branchId === '' ? {operation, ...ids} : undefined;
};

const bodyBytesOf = async (request: IncomingMessage): Promise<number> => {
  let bytes = 0;
  for await (const chunk of request) {
    bytes += Buffer.byteLength(chunk);
  }
  return bytes;
};

/**
 * A service on a free loopback port, written from the specification alone, so that it shares no mistake with the
 * program. It holds site `site-1` with branch `branch-1` (`main`, deployed, an empty log) until a test says otherwise.
 */
export const startFakeService = async (options: FakeServiceOptions = {}): Promise<FakeService> => {
  const {tenant = 'org-1', authMode = 'mode-1'} = options;
  let tokens = new Set(options.tokens ?? [fakeToken]);
  const sites = new Map<string, readonly FakeRecord[]>([['site-1', [makeBuiltBranch('branch-1', 'main')]]]);
  const logs = new Map<string, FakeLog>();
  const logRequests = new Map<string, number>();
  const requests: RecordedRequest[] = [];
  const nextFaults: {fault: FakeFault; operation: Operation | undefined}[] = [];
  const lastingFaults = new Map<Operation | undefined, FakeFault>();
  let date: string | undefined;

  const findViolations = ({method, headers}: IncomingMessage, bodyBytes: number): string[] => {
    const violations: string[] = [];
    const expect = (isRight: boolean, sentence: string): void => {
      if (!isRight) {
        violations.push(sentence);
      }
    };
    expect(method === 'GET', `method is ${method}, not GET`);
    expect(tokenPattern.test(headers.authorization ?? ''), 'authorization is not "Bearer <JWT>"');
    expect(headers.tenant === tenant, `tenant is ${String(headers.tenant)}, not ${tenant}`);
    expect(headers['auth-mode'] === authMode, `auth-mode is ${String(headers['auth-mode'])}, not ${authMode}`);
    expect(headers['content-type'] === 'application/json', `content-type is ${headers['content-type']}`);
    expect(headers['cache-control'] === 'no-cache', `cache-control is ${headers['cache-control']}`);
    expect(bodyBytes === 0, `a body of ${bodyBytes} bytes`);
    return violations;
  };

  const takeFault = (operation: Operation | undefined): FakeFault | undefined => {
    const index = nextFaults.findIndex(next => next.operation === undefined || next.operation === operation);
    const [next] = index < 0 ? [] : nextFaults.splice(index, 1);
    return next?.fault ?? lastingFaults.get(operation) ?? lastingFaults.get(undefined);
  };

  /** The right answer: a status and a body. */
  const answer = (
    target: Target | undefined,
    request: IncomingMessage,
  ): {status: number; body: unknown; windowHeader?: string | undefined} => {
    if (!tokens.has(request.headers.authorization?.replace(/^Bearer /, '') ?? '')) {
      return {status: 401, body: {message: 'unauthorised'}};
    }
    const branches = target && sites.get(target.siteId);
    if (!target || !branches) {
      return {status: 404, body: {message: 'no such site'}};
    }
    switch (target.operation) {
      case 'branches':
        return {status: 200, body: branches};
      case 'deployed':
        return {status: 200, body: branches.filter(({status}) => status === 'DEPLOY_APPLICATION_SUCCESS')};
      case 'logs': {
        if (!branches.some(({_id}) => _id === target.branchId)) {
          return {status: 404, body: {message: 'no such branch'}};
        }
        const requestNumber = (logRequests.get(target.branchId) ?? 0) + 1;
        logRequests.set(target.branchId, requestNumber);
        const {
          lines,
          items = lines,
          pods = [{name: 'shop-0'}],
          header: windowHeader,
          more,
        }: FakeWindow = logs.get(target.branchId)?.(requestNumber, request.headers) ?? {lines: []};
        return {status: 200, body: {...makeLogAnswer(items, pods), ...more}, windowHeader};
      }
    }
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    const target = readTarget(path);
    const bodyBytes = await bodyBytesOf(request);
    requests.push({
      operation: target?.operation,
      method: request.method ?? '',
      path,
      headers: request.headers,
      bodyBytes,
      atMs: performance.now(),
      violations: findViolations(request, bodyBytes),
    });
    const fault = takeFault(target?.operation);
    // Asked even where a fault follows: a window that is lost on its way was read all the same, and counts as a request.
    const {status, body, windowHeader} = answer(target, request);
    const headers: Record<string, string> = {
      ...(date === undefined ? {} : {date}),
      ...(windowHeader === undefined ? {} : {'branchlog-window': windowHeader}),
    };
    const bytes = Buffer.from(JSON.stringify(body));
    if (fault) {
      await answerWithFault(response, fault, bytes, headers);
      return;
    }
    response
      .writeHead(status, {
        ...headers,
        'content-type': 'application/json; charset=utf-8',
        'content-length': bytes.length,
      })
      .end(bytes);
  };

  const server = createServer((request, response) => {
    // A client that goes away in the middle is no fault of the service.
    response.on('error', () => {});
    void serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('The fake service has no port.');
  }
  const origin = `http://127.0.0.1:${address.port}`;
  const baseUrl = `${origin}/dev-v1`;
  const countOf = (operation: Operation | undefined): number =>
    operation === undefined ? requests.length : requests.filter(request => request.operation === operation).length;

  return {
    baseUrl,
    origin,
    port: address.port,
    requests,
    env: {
      BRANCHLOG_BASE_URL: baseUrl,
      BRANCHLOG_TENANT: tenant,
      BRANCHLOG_AUTH_MODE: authMode,
      BRANCHLOG_TOKEN: [...tokens][0] ?? '',
    },
    headerViolations: () => requests.flatMap(({violations}) => violations),
    setBranches: (siteId, branches) => sites.set(siteId, branches),
    setLog: (branchId, log) => logs.set(branchId, log),
    setTokens(...newTokens) {
      tokens = new Set(newTokens);
    },
    failNext(fault, {times = 1, operation} = {}) {
      for (let time = 0; time < times; time += 1) {
        nextFaults.push({fault, operation});
      }
    },
    failAlways(fault, operation) {
      if (fault) {
        lastingFaults.set(operation, fault);
      } else {
        lastingFaults.delete(operation);
      }
    },
    setDate(newDate) {
      date = newDate;
    },
    async waitForRequests(count, operation, deadlineMs = 15_000) {
      const what = `${count} requests${operation === undefined ? '' : ` for ${operation}`}`;
      await waitFor(() => countOf(operation) >= count, {what, deadlineMs});
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
