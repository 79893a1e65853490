import {ApiError} from '#api/client/api-error.ts';
import type {LogsOptions, PartPatterns} from '#cli/arguments/logs-options.ts';
import type {Say} from '#cli/io/io.ts';
import {createWeakCache, once} from '#log/buffer/weak-cache.ts';
import type {Entry, SourceName} from '#log/line/entry.ts';
import type {Numbering} from '#log/window/window-claims.ts';
import {unsaidSource} from '#log/words/source-words.ts';

type Part = 'pod' | 'container';

/** Whether a name is wanted; undefined if there are patterns, but the name is not known. `init:php` is `php`, too. */
const isWanted = (name: string | undefined, {only, except}: PartPatterns): boolean | undefined => {
  if (only.length + except.length === 0) {
    return true;
  }
  if (name === undefined) {
    return undefined;
  }
  const names = [name, name.slice(name.indexOf(':') + 1)];
  const isAmong = (patterns: PartPatterns['only']): boolean =>
    patterns.some(pattern => names.some(each => pattern.test(each)));
  return (only.length === 0 || isAmong(only)) && !isAmong(except);
};

/** Returns the filter of `--pod`, `--container` and their opposites; undefined if none is given. */
export const createSourceFilter = ({pods, containers}: Pick<LogsOptions, 'pods' | 'containers'>, say: Say) => {
  const parts = [
    {part: 'pod', patterns: pods},
    {part: 'container', patterns: containers},
  ] as const;
  const used = parts.filter(({patterns: {only, except}}) => only.length + except.length > 0);
  if (used.length === 0) {
    return undefined;
  }
  const reported = new Set<Part>();
  const seen: Readonly<Record<Part, Set<string>>> = {pod: new Set(), container: new Set()};

  const judgeLine = once(createWeakCache<SourceName, boolean>(), source =>
    used
      .map(({part, patterns}) => {
        const wanted = isWanted(source[part], patterns);
        if (wanted === undefined && !reported.has(part)) {
          reported.add(part);
          say(`nothing says which ${part} wrote some lines: ${unknownWords(part, patterns)}`);
        }
        return wanted ?? patterns.only.length === 0;
      })
      .every(Boolean),
  );

  const admits = (entry: Entry): boolean => {
    switch (entry.kind) {
      case 'line':
        return judgeLine(entry.source ?? unsaidSource);
      case 'gap':
        return used.every(({part, patterns}) => isWanted(entry.source?.[part], patterns) !== false);
      case 'pod':
        return isWanted(entry.name, pods) !== false;
      default:
        return true;
    }
  };

  return {
    /**
     * Throws an `ApiError` if an answer does not say who wrote its lines: then nobody can tell which to leave out. It
     * names the branch, if there are several.
     */
    check: (numbering: Numbering | undefined, branch: string | undefined): void => {
      if (numbering === undefined) {
        const flags = used.flatMap(({part, patterns}) => flagNames(part, patterns));
        throw new ApiError(
          'notInterface',
          `${branch === undefined ? '' : `${branch}: `}the service does not report sources: ${flags.join(' and ')} cannot be applied`,
        );
      }
      for (const {pod, container} of numbering.sources) {
        seen.pod.add(pod ?? '');
        seen.container.add(container ?? '');
      }
    },
    /** Says what there is where lines were seen, and none of what is asked for. */
    sayUnmatched: (): void => {
      for (const {part, patterns} of used) {
        const names = [...seen[part]].filter(name => name !== '').toSorted();
        if (patterns.only.length > 0 && names.length > 0 && !names.some(name => isWanted(name, patterns))) {
          say(`no ${part} has a name that --${part} asks for: lines are of ${listNames(names)}`);
        }
      }
    },
    /**
     * Returns the lines of the wanted sources, and the markers that may concern them. A line whose pod or container is
     * not known is of no pod or container in particular; that is reported once.
     */
    take: (entries: readonly Entry[]): readonly Entry[] => entries.filter(admits),
  };
};

/** Keeps what is of the wanted pods and containers. */
export type SourceFilter = NonNullable<ReturnType<typeof createSourceFilter>>;

/** Names in one sentence: more would be no help. */
const namesMax = 10;

const listNames = (names: readonly string[]): string =>
  `${names.slice(0, namesMax).join(', ')}${names.length > namesMax ? ` and ${names.length - namesMax} more` : ''}`;

const flagNames = (part: Part, {only, except}: PartPatterns): readonly string[] => [
  ...(only.length > 0 ? [`--${part}`] : []),
  ...(except.length > 0 ? [`--exclude-${part}`] : []),
];

const unknownWords = (part: Part, {only}: PartPatterns): string =>
  only.length > 0 ? `--${part} leaves them out` : `--exclude-${part} keeps them`;
