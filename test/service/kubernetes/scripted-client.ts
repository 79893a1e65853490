import {type KubeClient, KubeError, type KubeStreamOptions} from '#service/kubernetes/kube-client.ts';
import type {LinkQuery} from '#service/link/link.ts';

export type ScriptedWatch = {
  readonly path: string;
  readonly query: LinkQuery;
  /** Sends bytes as they are. */
  readonly write: (text: string | Buffer) => void;
  readonly send: (type: string, object: unknown) => void;
  readonly end: (error?: KubeError) => void;
  readonly isClosed: () => boolean;
};

export const refused = (what = 'pods'): KubeError =>
  new KubeError('status', `The cluster refuses to list ${what} (403).`, {status: 403, reason: 'Forbidden'});
export const gone = (): KubeError => new KubeError('status', 'Too old (410).', {status: 410, reason: 'Expired'});
export const down = (): KubeError => new KubeError('connection', 'The cluster does not answer.');

/** A client without a cluster: lists are set, watches are written by hand, and calls fail as told. */
export const createScriptedClient = () => {
  const lists = new Map<string, {readonly items: readonly unknown[]; readonly version: string}>();
  const failures = new Map<string, KubeError[]>();
  const watches: ScriptedWatch[] = [];
  const calls: {readonly path: string; readonly query: LinkQuery; readonly kind: 'get' | 'watch'}[] = [];

  const failIfTold = (kind: 'get' | 'watch', path: string): void => {
    const error = failures.get(`${kind} ${path}`)?.shift();
    if (error) {
      throw error;
    }
  };

  const client: KubeClient = {
    address: 'https://cluster.example.com',
    get: async (path, {query = {}} = {}) => {
      calls.push({kind: 'get', path, query});
      failIfTold('get', path);
      const {items, version} = lists.get(path) ?? {items: [], version: '1'};
      const start = Number(query.continue ?? 0);
      const end = start + Number(query.limit);
      return {
        metadata: {resourceVersion: version, ...(end < items.length && {continue: String(end)})},
        items: items.slice(start, end),
      };
    },
    open: async (path, {query = {}, onData, onEnd}: KubeStreamOptions) => {
      calls.push({kind: 'watch', path, query});
      failIfTold('watch', path);
      let isClosed = false;
      const write = (text: string | Buffer): void => onData(Buffer.from(text));
      watches.push({
        path,
        query,
        write,
        send: (type, object) => write(`${JSON.stringify({type, object})}\n`),
        end: error => onEnd(error),
        isClosed: () => isClosed,
      });
      return {
        close: () => {
          isClosed = true;
        },
      };
    },
    close: async () => undefined,
  };

  return {
    client,
    calls,
    /** Sets what a path lists from now on. */
    setList: (path: string, items: readonly unknown[], version = '1') => lists.set(path, {items, version}),
    /** The next calls fail with these errors, one after the other. */
    fail: (kind: 'get' | 'watch', path: string, ...errors: readonly KubeError[]) =>
      failures.set(`${kind} ${path}`, [...errors]),
    /** Returns the newest watch of a path. */
    watchOf: (path: string): ScriptedWatch => {
      const found = watches.findLast(watch => watch.path === path);
      if (!found) {
        throw new Error(`Nothing watches ${path}.`);
      }
      return found;
    },
  };
};
