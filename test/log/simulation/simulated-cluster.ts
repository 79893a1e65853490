import {withoutItems} from '#api/client/decode-numbering.ts';
import type {LogWindow} from '#log/ingest/branch-log.ts';
import {numbersOf} from '#log/ingest/numbered.ts';
import type {Pod} from '#log/ingest/pods.ts';
import type {SourceName} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import type {Arrivals, Loss, Numbering} from '#log/window/window-claims.ts';
import {type ClusterCut, type ClusterShow, chooseLines, partOf} from './cluster-cut.ts';
import {type Form, plainForm, writeLine} from './write-line.ts';
import {writeStamp} from './write-stamp.ts';

export type ClusterOptions = {
  readonly cut: ClusterCut;
  readonly show: ClusterShow;
  readonly tickNanos?: bigint | undefined;
  /** A stamped line ahead of every window: always the same, or stamped anew for each. */
  readonly banner?: 'constant' | 'fresh' | undefined;
  /** The window is cut by bytes: so many of its first line are missing. */
  readonly fragmentBytes?: number | undefined;
  /**
   * What its texts are: UTF-8; Latin-1, of which a reader gets one U+FFFD for each letter that is no ASCII; or UTF-8 that it takes for Latin-1. A
   * byte of the latter two is a character.
   */
  readonly encoding?: 'utf-8' | 'latin-1' | 'mojibake' | undefined;
  /** It numbers the lines of each answer from 1 on, and says that this is one series. */
  readonly numbersFromOne?: boolean | undefined;
  /** It counts the lines of this container, or every so many lines, and shows them to nobody: access rules. */
  readonly hides?: {readonly container: string} | {readonly every: number} | undefined;
  /**
   * What the service says of its windows: nothing, how it cuts them, that and how many lines arrived, or the number and
   * the source of each line.
   */
  readonly says?: 'nothing' | 'cut' | 'arrivals' | 'numbers' | undefined;
  /** It sends only what follows the answer before. */
  readonly heedsAfter?: boolean | undefined;
  /** How many sources a pod has, where the service says that too. */
  readonly sources?: number | undefined;
  /** The service tells the time. */
  readonly tellsTime?: boolean | undefined;
  /** Its list of pods. */
  readonly podList?: 'all' | 'none' | 'first' | 'renamed' | undefined;
};

/** A line as the service knows it. */
export type ClusterLine = {
  /** Its number in the order of arrival, from 0. */
  readonly seq: number;
  /** Its timestamp; where it has none, that of the line before it in its source. */
  readonly at: Instant;
  readonly pod: string;
  /** The container: `pod-1/app`. */
  readonly source: string;
  readonly raw: string;
  /** Time and text, however the timestamp is written; only the text where it has none. */
  readonly identity: string;
  /** Its identity, with the time that it has by the lines before it where it has none itself. */
  readonly key: string;
  readonly isStamped: boolean;
  /** It or a line before it in its source has a stamp: without any nobody can say when it was written. */
  readonly isDated: boolean;
  /** How much older its stamp is than the newest one that arrived before it, nanoseconds; 0 where it is not. */
  readonly lateNanos: bigint;
  /** Its stamp is no clock's. */
  readonly isForged: boolean;
  /** The service knows only that it, and maybe others, were lost: it never had a number. */
  readonly isToldLost: boolean;
  /** It has a number, and access rules keep it from this reader. */
  readonly isHidden: boolean;
  /** It was delivered before: nothing is missing without it. */
  readonly isResent: boolean;
  /** The service sends something for it that is no string. */
  readonly isNoString: boolean;
  /**
   * Its pod and how often that pod's clock had been set: until a line of them was shown nobody can know how far off
   * their clock is.
   */
  readonly clock: string;
  /** How far ahead of the true time that clock is. */
  readonly clockNanos: bigint;
  /** When it arrived by the true clock, which nobody else can see. */
  readonly arrivedAt: Instant;
};

/** One answer. */
export type ClusterLook = {
  /** The lines in it, in the order of the answer; without the banner and without what is no string. */
  readonly shown: readonly ClusterLine[];
  /** How each of them is written in this answer. */
  readonly raws: readonly string[];
  /** Those of which only the beginning is there yet. */
  readonly torn: ReadonlySet<ClusterLine>;
  /** Those in whose place something came that is no string. */
  readonly noStrings: readonly ClusterLine[];
  readonly window: LogWindow<readonly string[]>;
  /** So many lines had arrived. */
  readonly arrivedCount: number;
  /** The fragment that it begins with, and the line that this was cut from. */
  readonly fragment: {readonly raw: string; readonly line: ClusterLine} | undefined;
  /** The pods there are, whatever the answer says of them. */
  readonly truePods: readonly string[];
  readonly isLagging: boolean;
  /** It is empty though the service has lines. */
  readonly isBlank: boolean;
  /** Its numbers are not what they are said to be, or those before it were not… */
  readonly hasLied: boolean;
  /** …and this answer gives a number to another line than an answer before. */
  readonly isLieShown: boolean;
};

/** How one answer differs from what the service mostly sends. */
export type AnswerOptions = {
  /** How the replica that answers writes lines. */
  readonly form?: Partial<Form> | undefined;
  /** So many bytes of the first line are missing, 0 for none; as the service mostly does it by default. */
  readonly fragmentBytes?: number | undefined;
  /** It says nothing of itself. */
  readonly isHeaderless?: boolean | undefined;
  /**
   * The last lines of so many sources are still being written, if they came since the answer before: so much of each is
   * there.
   */
  readonly torn?: {readonly sources: number; readonly share: number} | undefined;
};

export type ClusterEmission = {
  /** `1/app` is the container `app` in the first pod. */
  readonly source: string;
  readonly count: number;
  readonly stepNanos?: bigint | undefined;
  /** So far back the stamps of these lines are, beside the clock of their pod. */
  readonly lateNanos?: bigint | undefined;
  /** This stamp instead of the clock's. */
  readonly forgedAt?: Instant | undefined;
  /** So many unstamped lines follow each line. */
  readonly unstampedAfter?: number | undefined;
  /** Only every so many lines have them; 1 by default. */
  readonly unstampedEvery?: number | undefined;
  /** The text of the unstamped lines; a numbered one by default. */
  readonly unstampedText?: string | undefined;
  /** The texts of the unstamped lines, one after the other, and again from the first. */
  readonly unstampedCycle?: readonly string[] | undefined;
  /** The text of all of them. */
  readonly text?: string | undefined;
  readonly unstampedFirst?: boolean | undefined;
  /** Their stamps are in a form that nobody can read. */
  readonly isUnreadable?: boolean | undefined;
  /** Every so many lines share one text; 0: all differ. */
  readonly sameTextEvery?: number | undefined;
  /** Begins and ends each text. */
  readonly opening?: string | undefined;
  readonly ending?: string | undefined;
  readonly isNoString?: boolean | undefined;
};

/** A loss as the service tells it. */
export type ClusterLoss = {
  readonly source: string;
  /** How much of its source the service names. */
  readonly names: 'all' | 'pod' | 'none';
  /** The times that it gives are wrong: by how much. */
  readonly afterError: bigint;
  readonly beforeError: bigint;
};

export const clusterStartAt: Instant = 1_795_269_720_000_000_000n;
export const second = 1_000_000_000n;
export const millisecond = 1_000_000n;
const bannerAt = clusterStartAt - 3600n * second;

/**
 * A log service with pods, containers and clocks of their own, which knows every line that it ever had. It has no clock
 * but the emissions'.
 */
export const createCluster = (options: ClusterOptions) => {
  const {show, tickNanos = 1n, says = 'nothing', podList = 'all'} = options;
  let {cut} = options;
  const arrived: ClusterLine[] = [];
  const looks: ClusterLook[] = [];
  const clocks = new Map<string, bigint>();
  const clockSets = new Map<string, number>();
  const lastOf = new Map<string, Instant>();
  const lastShownOf = new Map<string, Instant>();
  /** Sources whose last stamp is no clock's: lines without one have it, too. */
  const forgedSources = new Set<string>();
  /** The lines that are still there, of each part in the order by which it is cut. */
  const parts = new Map<string, ClusterLine[]>();
  /** The numbers of lines in the present series, by `seq`. */
  let numbers: number[] = [];
  let lastNumber = 0;
  let seriesCount = 1;
  let hasLied = options.numbersFromOne === true;
  let losses: (ClusterLoss & {
    readonly after: Instant | undefined;
    before: Instant | undefined;
    readonly number: number;
  })[] = [];
  /** What the last answers told to be gone after their last line: they tell it until a line follows. */
  let toldGone: Loss | undefined;
  /** Which line had which number in an answer, in the present series. */
  let shownNumbers = new Map<number, ClusterLine>();
  /** How much of a line was there when it was being written. */
  const tornLengths = new Map<ClusterLine, number>();
  const removed = new Set<ClusterLine>();
  let pods: Pod[] = [];
  let podCount = 0;
  let now = clusterStartAt;
  let newestAt = 0n;

  const add = (
    line: Omit<
      ClusterLine,
      'seq' | 'identity' | 'key' | 'lateNanos' | 'clock' | 'clockNanos' | 'arrivedAt' | 'pod' | 'isHidden'
    >,
  ): void => {
    const pod = podOf(line.source);
    const {at, raw, isStamped} = line;
    const timed = `${at} ${isStamped ? raw.slice(raw.indexOf(' ') + 1) : raw}`;
    const added: ClusterLine = {
      ...line,
      seq: arrived.length,
      pod,
      identity: isStamped ? timed : raw,
      key: timed,
      lateNanos: newestAt > at ? newestAt - at : 0n,
      clock: `${pod} ${clockSets.get(pod) ?? 0}`,
      clockNanos: clocks.get(pod) ?? 0n,
      arrivedAt: now,
      isHidden: !line.isToldLost && hides(line.source),
    };
    arrived.push(added);
    newestAt = isStamped && !line.isForged && at > newestAt ? at : newestAt;
    if (line.isToldLost) {
      return;
    }
    lastNumber += 1;
    numbers[added.seq] = lastNumber;
    if (added.isHidden) {
      return;
    }
    if (isStamped) {
      lastShownOf.set(line.source, at);
      for (const loss of losses) {
        loss.before = loss.source === line.source ? (loss.before ?? at) : loss.before;
      }
    }
    put(added);
  };
  const hides = (source: string): boolean => {
    const rule = options.hides;
    return (
      rule !== undefined && ('every' in rule ? arrived.length % rule.every === 0 : source.endsWith(rule.container))
    );
  };

  const put = (line: ClusterLine): void => {
    const part = partOf(cut, line);
    const lines = parts.get(part) ?? [];
    parts.set(part, lines);
    let index = lines.length;
    while (cut.by === 'stamp' && index > 0 && (lines[index - 1]?.at ?? line.at) > line.at) {
      index -= 1;
    }
    lines.splice(index, 0, line);
  };

  const encode = (text: string): string => {
    switch (options.encoding) {
      case 'latin-1':
        return text.replace(/[^\0-\x7f]/gu, '\uFFFD');
      case 'mojibake':
        return Buffer.from(text).toString('latin1');
      default:
        return text;
    }
  };

  const emit = (emission: ClusterEmission, isToldLost = false): void => {
    const {stepNanos = 1_001n, unstampedAfter = 0, unstampedEvery = 1, sameTextEvery = 0} = emission;
    const {opening = '', ending = ''} = emission;
    const source = `pod-${emission.source}`;
    const pod = podOf(source);
    const rest = {source, isForged: false, isResent: false, isNoString: emission.isNoString === true, isToldLost};
    const addUnstamped = (): void => {
      for (let tail = 0; tail < unstampedAfter; tail++) {
        const {unstampedCycle: cycle} = emission;
        const raw = cycle?.[tail % cycle.length] ?? emission.unstampedText ?? `\tat frame ${arrived.length}`;
        const last = lastOf.get(source);
        add({
          ...rest,
          at: last ?? now,
          raw,
          isStamped: false,
          isDated: last !== undefined,
          isForged: forgedSources.has(source),
        });
      }
    };
    for (let index = 0; index < emission.count; index++) {
      now += stepNanos;
      const clock = now + (clocks.get(pod) ?? 0n) - (emission.lateNanos ?? 0n);
      const at = emission.forgedAt ?? (clock / tickNanos) * tickNanos;
      const isSame = sameTextEvery > 0 && index % sameTextEvery === 0;
      if (emission.unstampedFirst) {
        addUnstamped();
      }
      const own = emission.text ?? (isSame ? 'GET /health 200' : `${emission.source} line ${arrived.length}`);
      const text = encode(`${opening}${own}${ending}`);
      const isStamped = emission.isUnreadable !== true;
      add({
        ...rest,
        at,
        raw: `${isStamped ? writeStamp(at, 'nanos') : `${at / second}`} ${text}`,
        isStamped,
        isDated: isStamped,
        isForged: emission.forgedAt !== undefined,
      });
      if (isStamped && !isToldLost) {
        lastOf.set(source, at);
        forgedSources[emission.forgedAt === undefined ? 'delete' : 'add'](source);
      }
      if (!emission.unstampedFirst && index % unstampedEvery === 0) {
        addUnstamped();
      }
    }
  };

  const podsNow = (): readonly Pod[] => {
    switch (podList) {
      case 'none':
        return [];
      case 'first':
        return pods.slice(0, 1);
      case 'renamed':
        return pods.map(({name}) => ({name: `${name}-${looks.length}`, createdAt: `${looks.length}`}));
      default:
        return pods;
    }
  };

  const arrivalsNow = (inWindow: ReadonlySet<ClusterLine>): Arrivals => {
    if (options.numbersFromOne) {
      return {series: `${seriesCount}`, last: inWindow.size, dropped: 0};
    }
    const dropped = arrived.findLast(line => numbers[line.seq] !== undefined && !inWindow.has(line));
    return {
      series: `${seriesCount}`,
      last: lastNumber,
      dropped: dropped === undefined ? 0 : (numbers[dropped.seq] ?? 0),
    };
  };

  /** The last lines of sources, as far as they are written. */
  const tear = (chosen: readonly ClusterLine[], torn: AnswerOptions['torn']): ReadonlyMap<ClusterLine, string> => {
    const since = looks.findLast(({isLagging}) => !isLagging)?.arrivedCount ?? 0;
    const seen = new Set<string>();
    const prefixes = new Map<ClusterLine, string>();
    if (torn === undefined) {
      return prefixes;
    }
    const inWindow = new Set(chosen);
    for (let index = arrived.length - 1; index >= 0 && prefixes.size < torn.sources; index--) {
      const line = arrived[index];
      if (line === undefined || seen.has(line.source)) {
        continue;
      }
      seen.add(line.source);
      const textIndex = line.raw.indexOf(' ') + 1;
      const least = tornLengths.get(line) ?? textIndex;
      const length = Math.max(least + 1, textIndex + Math.floor((line.raw.length - textIndex) * torn.share));
      const prefix = line.raw.slice(0, length);
      const isBeingWritten = line.seq >= since || tornLengths.has(line);
      if (isBeingWritten && line.isStamped && inWindow.has(line) && length < line.raw.length && !isLine(prefix)) {
        prefixes.set(line, prefix);
        tornLengths.set(line, length);
      }
    }
    return prefixes;
  };
  const isLine = (raw: string): boolean => arrived.some(line => line.raw === raw);

  /** The numbers of an answer's items, and of the lines alone where some are none. */
  const numberingOf = (
    items: readonly ClusterLine[],
    lineCount: number,
    notLines: readonly number[],
    // Of a request that says what the reader has.
    isAfter: boolean,
  ): Numbering => {
    const sources = [...new Set(items.map(({source}) => source))];
    const inOrder = options.numbersFromOne ? items.toSorted((a, b) => a.seq - b.seq) : [];
    const ranks = new Map(inOrder.map((line, index) => [line, index + 1]));
    const numberOf = (line: ClusterLine): number => ranks.get(line) ?? numbers[line.seq] ?? 0;
    const [first] = items;
    const highest = items.reduce((most, line) => Math.max(most, numberOf(line)), 0);
    // What is gone after the last line, nothing else tells.
    const isEndGone = first !== undefined && ranks.size === 0 && highest < lastNumber && isRestGone(highest);
    const stillGone = toldGone?.number === lastNumber + 1 && !isAfter ? [toldGone] : [];
    const last = looks.findLast(({isLagging, window}) => !isLagging && window.numbering !== undefined);
    const readTo =
      isAfter && last?.window.numbering?.series === `${seriesCount}` ? (last.window.arrivals?.last ?? 0) : -1;
    const told = losses
      .filter(({number}) => number > readTo)
      .map((loss): Loss & {readonly name: SourceName | undefined} => ({
        number: loss.number,
        why: 'emptied before it was read',
        name:
          loss.names === 'none'
            ? undefined
            : {pod: podOf(loss.source), ...(loss.names === 'all' ? {container: loss.source} : {})},
        ...(loss.after === undefined ? {} : {after: loss.after + loss.afterError}),
        ...(loss.before === undefined ? {} : {before: loss.before + loss.beforeError}),
      }));
    const names: SourceName[] = sources.map(source => ({pod: podOf(source), container: source}));
    const indexOf = ({pod, container}: SourceName): number => {
      const index = names.findIndex(each => each.pod === pod && each.container === container);
      return index === -1 ? names.push({pod, ...(container === undefined ? {} : {container})}) - 1 : index;
    };
    const toldLosses = told.map(({name, ...loss}) => ({
      ...loss,
      ...(name === undefined ? {} : {source: indexOf(name)}),
    }));
    const numbering: Numbering = {
      series: `${seriesCount}`,
      first: first === undefined ? (options.numbersFromOne ? 1 : lastNumber + 1) : numberOf(first),
      numbers: items.map(line => [numberOf(line), 1]),
      runs: items.map(({source}) => [sources.indexOf(source), 1]),
      sources: names,
      losses: [
        ...toldLosses,
        ...(isEndGone ? [{number: lastNumber + 1, why: endGone, lines: lastNumber - highest}] : stillGone),
      ],
    };
    return notLines.length === 0 ? numbering : withoutItems(numbering, lineCount, notLines);
  };
  const isRestGone = (number: number): boolean => {
    // An answer whose numbers a proxy dropped told nothing.
    const last = looks.findLast(({isLagging, window}) => !isLagging && window.numbering !== undefined);
    const since = last?.arrivedCount ?? 0;
    return arrived.some(({seq, isHidden}) => seq >= since && !isHidden && (numbers[seq] ?? 0) > number);
  };

  /** Of a window the lines that came after the answer before, in the order in which they came. */
  const afterAnswer = (chosen: readonly ClusterLine[]): readonly ClusterLine[] => {
    const last = looks.findLast(({isLagging, window}) => !isLagging && window.numbering !== undefined);
    const isSame = last?.window.numbering?.series === `${seriesCount}`;
    return isSame ? chosen.filter(({seq}) => seq >= last.arrivedCount).sort((a, b) => a.seq - b.seq) : chosen;
  };

  const headerNow = (chosen: readonly ClusterLine[]): Partial<LogWindow<readonly string[]>> => {
    const said = {cut: cut.per, ...(options.sources === undefined ? {} : {sources: options.sources})};
    switch (says) {
      case 'nothing':
        return {};
      case 'cut':
        return said;
      case 'numbers':
      case 'arrivals':
        return {...said, arrivals: arrivalsNow(new Set(chosen))};
      default:
        return says satisfies never;
    }
  };

  const forget = (inWindow: ReadonlySet<ClusterLine>): void => {
    for (const [part, lines] of parts) {
      parts.set(
        part,
        lines.filter(line => inWindow.has(line)),
      );
    }
  };

  const lookNow = (answer: AnswerOptions = {}): ClusterLook => {
    const {isHeaderless = false, torn} = answer;
    const form = {...plainForm, ...answer.form};
    const whole = chooseLines({cut, show, parts, now});
    if (says === 'numbers') {
      // What has left does not come back.
      forget(new Set(whole));
    }
    const chosen = options.heedsAfter === true && !isHeaderless ? afterAnswer(whole) : whole;
    const first = chosen[0];
    const {fragmentBytes = options.fragmentBytes ?? 0} = answer;
    const fragment =
      fragmentBytes === 0 || first === undefined || chosen.length < 2 || first.isNoString
        ? undefined
        : {raw: cutBytes(writeLine(first, first.raw, form), fragmentBytes), line: first};
    const banner =
      options.banner === undefined
        ? []
        : [`${writeStamp(options.banner === 'constant' ? bannerAt : now, 'nanos')} === log of shop-main ===`];
    const prefixes = tear(chosen, torn);
    // Of what came whole no answer shows less.
    for (const line of tornLengths.keys()) {
      if (!prefixes.has(line)) {
        tornLengths.delete(line);
      }
    }
    const lines = [...banner, ...(fragment === undefined ? [] : [fragment.raw])];
    const shown: ClusterLine[] = [];
    const raws: string[] = [];
    const noStrings: ClusterLine[] = [];
    const notLines: number[] = [];
    for (const line of fragment === undefined ? chosen : chosen.slice(1)) {
      if (line.isNoString) {
        noStrings.push(line);
        notLines.push(lines.length);
        continue;
      }
      const raw = writeLine(line, prefixes.get(line) ?? line.raw, form);
      shown.push(line);
      raws.push(raw);
      lines.push(raw);
    }
    const isAfter = options.heedsAfter === true && !isHeaderless;
    const numbering =
      isHeaderless || says !== 'numbers' ? undefined : numberingOf(chosen, shown.length, notLines, isAfter);
    return {
      shown,
      raws,
      torn: new Set(prefixes.keys()),
      noStrings,
      window: {
        lines,
        pods: podsNow(),
        ...(notLines.length === 0 ? {} : {notLines}),
        ...(isHeaderless ? {} : headerNow(fragment === undefined ? whole : whole.slice(1))),
        ...(numbering === undefined ? {} : {numbering}),
        ...(options.tellsTime === true ? {serviceAt: (now / second) * second} : {}),
      },
      arrivedCount: arrived.length,
      fragment,
      truePods: pods.map(({name}) => name),
      isLagging: false,
      isBlank: false,
      hasLied,
      isLieShown: numbering !== undefined && isLie(numbering, shown),
    };
  };
  const cutBytes = (raw: string, count: number): string =>
    options.encoding === undefined || options.encoding === 'utf-8'
      ? Buffer.from(raw).subarray(count).toString()
      : raw.slice(count);

  const isLie = (numbering: Numbering, shown: readonly ClusterLine[]): boolean =>
    numbersOf(numbering, shown.length).some((number, index) => {
      const known = shownNumbers.get(number);
      return known !== undefined && known.identity !== shown[index]?.identity;
    });

  const remove = (isGone: (line: ClusterLine) => boolean): void => {
    for (const [part, lines] of parts) {
      const kept = lines.filter(line => !isGone(line));
      for (const line of lines) {
        if (isGone(line)) {
          removed.add(line);
        }
      }
      if (kept.length === 0) {
        parts.delete(part);
      } else {
        parts.set(part, kept);
      }
    }
  };

  return {
    options,
    arrived: arrived as readonly ClusterLine[],
    looks: looks as readonly ClusterLook[],
    /** Lines that no limit took from the service: their pod went, their container started anew. */
    removed: removed as ReadonlySet<ClusterLine>,
    emit,
    /** Time passes, and nothing is logged. */
    wait: (nanos: bigint): void => {
      now += nanos;
    },
    /** A pod's clock is set to so much ahead of the true time, or behind it by a negative number. */
    setClock: (podNumber: number, nanos: bigint): void => {
      clocks.set(`pod-${podNumber}`, nanos);
      clockSets.set(`pod-${podNumber}`, (clockSets.get(`pod-${podNumber}`) ?? 0) + 1);
    },
    podComes: (): number => {
      podCount += 1;
      pods = [...pods, {name: `pod-${podCount}`, createdAt: `${podCount}`}];
      return podCount;
    },
    /** A pod goes, and its lines with it. */
    podGoes: (podNumber: number): void => {
      pods = pods.filter(({name}) => name !== `pod-${podNumber}`);
      remove(({pod}) => pod === `pod-${podNumber}`);
    },
    podNumbers: (): readonly number[] => pods.map(({name}) => Number(name.slice(4))),
    /** A container, `1/app`, starts anew in its pod: only what it writes from now on is served. */
    restart: (source: string): void => remove(line => line.source === `pod-${source}`),
    /** All lines that the service has are gone. */
    clear: (): void => remove(() => true),
    /** A line that came before is delivered once more. */
    resend: (seq: number): void => {
      const line = arrived[seq];
      if (line !== undefined) {
        add({...line, isResent: true});
      }
    },
    /** From now on each part, or the window, holds another amount; how it is cut stays the same. */
    resize: (limit: Pick<ClusterCut, 'lines' | 'bytes'>): void => {
      cut = {...cut, ...limit};
    },
    /** The service starts anew and numbers what it has from 1. */
    renumber: (): void => {
      seriesCount += 1;
      shownNumbers = new Map();
      losses = [];
      toldGone = undefined;
      lastNumber = 0;
      numbers = [];
      const present = [...parts.values()].flat().sort((a, b) => a.seq - b.seq);
      for (const {seq} of present) {
        lastNumber += 1;
        numbers[seq] = lastNumber;
      }
    },
    /** The service forgets its last lines, though a reader may have them, and gives their numbers to others. */
    setBack: (count: number): void => {
      const least = Math.max(0, lastNumber - count);
      hasLied = true;
      remove(({seq}) => (numbers[seq] ?? 0) > least);
      lastNumber = least;
    },
    /** Lines are written that the service will never have; it knows that, and tells the loss. */
    lose: (emission: ClusterEmission, how: Omit<ClusterLoss, 'source'>): void => {
      const source = `pod-${emission.source}`;
      losses = [...losses, {source, ...how, after: lastShownOf.get(source), before: undefined, number: lastNumber + 1}];
      emit(emission, true);
      if (says === 'arrivals') {
        // There the loss takes a number.
        lastNumber += 1;
        numbers[arrived.length - 1] = lastNumber;
      }
    },
    /** Lines take their numbers, and the service never has them. It does not know that: `dropped` does not count them. */
    skipNumbers: (emission: ClusterEmission): void => {
      const before = arrived.length;
      emit(emission, true);
      lastNumber += arrived.length - before;
    },
    /** What it would answer now. */
    lookNow,
    /** It is asked, and answers. */
    poll: (answer: AnswerOptions = {}): void => {
      const look = lookNow(answer);
      looks.push(look);
      const {numbering} = look.window;
      toldGone = numbering?.losses.find(({why}) => why === endGone) ?? toldGone;
      for (const [index, number] of (numbering === undefined
        ? []
        : [...numbersOf(numbering, look.shown.length)]
      ).entries()) {
        const line = look.shown[index];
        if (line !== undefined) {
          shownNumbers.set(number, line);
        }
      }
      for (const line of tornLengths.keys()) {
        if (!look.torn.has(line)) {
          tornLengths.delete(line);
        }
      }
    },
    /** It is asked, and a replica answers as it stood at an earlier moment. */
    pollOlder: (older: ClusterLook): void => {
      looks.push({...older, isLagging: true});
    },
    /** It is asked, and answers that there are no lines. */
    pollBlank: (): void => {
      const look = lookNow();
      looks.push({
        ...look,
        shown: [],
        raws: [],
        torn: new Set(),
        noStrings: [],
        window: {...look.window, ...headerNow([]), lines: [], notLines: []},
        fragment: undefined,
        isBlank: true,
      });
    },
  };
};

export type Cluster = ReturnType<typeof createCluster>;

/** Why lines are lost that no window shows. */
const endGone = 'gone';

const podOf = (source: string): string => source.slice(0, source.indexOf('/'));
