import {setNewest} from '#base/bounds.ts';
import {podSourcesMax} from '#config/settings/settings.ts';
import {type Arrivals, type ReadUpTo, type WindowCut, windowCuts} from '#log/window/window-claims.ts';
import type {PodRecord} from './answer.ts';

/** The pods of a branch in the last answer that had them, with the tag that the service gave them. */
export type KnownPods = {tag: string | undefined; pods: readonly PodRecord[]};

/** As many branches as are watched at once. Those of others are sent again. */
const branchesMax = 64;

/** Remembers the pods of the branches that were asked for last. */
export const createKnownPods = (): {of(branch: string): KnownPods} => {
  const known = new Map<string, KnownPods>();
  return {
    of: branch => {
      const found = known.get(branch) ?? {tag: undefined, pods: []};
      setNewest(known, branch, found, branchesMax);
      return found;
    },
  };
};

/** The characters of a header's value (RFC 9110, section 5.5), without control characters. */
const isHeaderText = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

/** Returns the headers that tell a service what the reader has. */
export const headersAfter = ({series, last}: ReadUpTo, {tag}: KnownPods): Readonly<Record<string, string>> =>
  isHeaderText(series)
    ? {
        'branchlog-after': `${series}:${last}`,
        ...(tag !== undefined && isHeaderText(tag) && {'branchlog-pods': tag}),
      }
    : {};

/** The response header in which a service says how it cuts its windows; `branchlog serve` sends it. */
export const windowHeaderName = 'branchlog-window';

/** The content of the header. */
type WindowSaid = {
  readonly cut: WindowCut;
  /** How many sources a pod has. */
  readonly sources: number | undefined;
  readonly arrivals: Arrivals | undefined;
};

/** More than three times the longest header ever sent. */
const headerCharsMax = 256;

const parameter = /^[ \t]*([a-z][a-z0-9-]*)=([^\s;,="]*)[ \t]*$/;
const seriesId = /^[A-Za-z0-9._-]{1,64}$/;
const wholeNumber = /^(?:0|[1-9]\d{0,15})$/;

/**
 * Parses `branch|pod|source[; sources=N][; series=ID; last=N; dropped=N[; unread=N]]`, with the parameters in any
 * order. Ignores parameters with other names, so that later versions can add some. Returns undefined, as if no header
 * had been sent, for anything else that does not match exactly.
 */
export const parseWindowHeader = (header: string | readonly string[] | undefined): WindowSaid | undefined => {
  if (typeof header !== 'string' || header.length > headerCharsMax) {
    return undefined;
  }
  const [word = '', ...rest] = header.split(';');
  const cut = windowCuts.find(each => each === word.trim());
  const parameters = new Map<string, string>();
  for (const text of rest) {
    const [, name, value] = parameter.exec(text) ?? [];
    if (name === undefined || value === undefined || parameters.has(name)) {
      return undefined;
    }
    parameters.set(name, value);
  }
  const arrivals = readArrivals(parameters);
  const sources = readNumber(parameters.get('sources'));
  const isMalformed = arrivals === 'malformed' || (parameters.has('sources') && !isPodSources(sources));
  return cut === undefined || isMalformed ? undefined : {cut, sources, arrivals};
};

/** Checks whether a pod can have so many sources. */
export const isPodSources = (count: unknown): count is number =>
  Number.isInteger(count) && Number(count) >= 1 && Number(count) <= podSourcesMax;

/** Reads the three parameters that belong together, or none of them. */
const readArrivals = (parameters: ReadonlyMap<string, string>): Arrivals | undefined | 'malformed' => {
  const series = parameters.get('series');
  const last = readNumber(parameters.get('last'));
  const dropped = readNumber(parameters.get('dropped'));
  const unread = readNumber(parameters.get('unread'));
  if (!['series', 'last', 'dropped'].some(name => parameters.has(name))) {
    return undefined;
  }
  return series === undefined || last === undefined || dropped === undefined
    ? 'malformed'
    : (checkArrivals({series, last, dropped, ...(unread !== undefined && {unread})}) ?? 'malformed');
};

const readNumber = (text: string | undefined): number | undefined =>
  text !== undefined && wholeNumber.test(text) ? Number(text) : undefined;

/** Returns the same arrivals, or undefined if no service could have counted like that. */
export const checkArrivals = (arrivals: Arrivals): Arrivals | undefined => {
  const {series, last, dropped, unread = 0} = arrivals;
  const isNumber = (count: number): boolean => Number.isSafeInteger(count) && count >= 0 && count <= last;
  return [last, dropped, unread].every(isNumber) && seriesId.test(series) ? arrivals : undefined;
};
