import {readFile} from 'node:fs/promises';
import type {LineSource, LineSourceContext, LineSourceKind, LineSourceSetup} from '#service/served/line-source.ts';
import type {StampedStream} from '#service/window/line-stamper.ts';
import {emptyStreamStamps} from '#service/window/stored-state.ts';
import {unknownPast} from '#service/window/window-losses.ts';
import {createRepeatedCommand, type RunReader} from './commands/repeated-command.ts';
import {createJournalSearch, droppedMessageId, type JournalEntry, parseJournalEntry} from './journal-entry.ts';

/**
 * Bytes of one entry as JSON. journald cuts what a service prints at 48 KB a line; a native message may be larger, and
 * each of its bytes takes four if it is not UTF-8.
 */
const entryBytesMax = 16 * 1024 * 1024;

/** Units that are remembered of an identifier. */
const writersMax = 100;

const notJoined = 'the journal no longer has the last entry that was read';
const newline = 0x0a;
const noBytes = Buffer.alloc(0);

type JournalSettings = {
  /** With suffix. */
  readonly units: readonly string[];
  readonly identifiers: readonly string[];
  /** The folder that journalctl runs in. */
  readonly folder: string;
};

const machineIdFile = '/etc/machine-id';

const readMachineId = async (): Promise<string | undefined> => {
  const text = await readFile(machineIdFile, 'utf8').catch(() => '');
  return /^[0-9a-f]{32}$/.exec(text.trim())?.[0];
};

/**
 * Returns what selects the entries: alternatives between `+`; in each, values of one field are alternatives. For a
 * unit: what it writes, and what systemd says about it. For all: that journald dropped messages. Nobody else can set
 * fields that begin with `_`.
 *
 * `--follow` leaves out what was written before the last boot, even after a cursor, unless it merges journals. Those of
 * containers and of other machines are then left out by the id of the machine.
 */
export const choiceOf = (
  {units, identifiers}: Pick<JournalSettings, 'units' | 'identifiers'>,
  machineId: string | undefined,
): readonly string[] => {
  const machine = machineId === undefined ? [] : [`_MACHINE_ID=${machineId}`];
  const each = (field: string, values: readonly string[]) => values.map(value => `${field}=${value}`);
  const groups = [
    each('_SYSTEMD_UNIT', units),
    units.length === 0 ? [] : ['_PID=1', ...each('UNIT', units)],
    ['_TRANSPORT=driver', `MESSAGE_ID=${droppedMessageId}`],
    each('SYSLOG_IDENTIFIER', identifiers),
  ];
  const matches = groups.filter(group => group.length > 0).map(group => [...machine, ...group]);
  return ['--merge', ...matches.flatMap((group, index) => (index === 0 ? group : ['+', ...group]))];
};

/**
 * Creates a reader of the entries that journalctl prints, run after run. `choice`: its arguments that choose the
 * entries; `isEmpty`: whether the journal had none when it was first looked at.
 */
export const createJournalReader = (
  {units, identifiers}: Pick<JournalSettings, 'units' | 'identifiers'>,
  context: LineSourceContext,
  {choice, isEmpty}: {readonly choice: () => readonly string[]; readonly isEmpty: () => boolean},
) => {
  const {podName, podKey, sink, store, warn} = context;
  const names = [...units, ...identifiers];
  const onlyName = names.length === 1 ? names[0] : undefined;
  /** Returns which of the configured names an entry is of. */
  const findName = ({units: of, identifier}: JournalEntry): string | undefined =>
    of.find(unit => units.includes(unit)) ?? identifiers.find(each => each === identifier) ?? onlyName;
  /** By unit or identifier. A message of systemd about a unit is of that unit. */
  const streams = new Map<string | undefined, StampedStream>();
  const streamOf = (name: string | undefined): StampedStream => {
    const stream = streams.get(name) ?? {
      podKey,
      names: {stream: name},
      stamps: emptyStreamStamps,
      held: {},
    };
    streams.set(name, stream);
    return stream;
  };
  let hasPast = !context.isNew;
  /** The last entry taken. */
  let cursor = store.readCursor(podKey);
  /** A loss was noted, and no entry has come since. */
  let isLossOpen = false;
  let hasEntries = false;

  /** The units that wrote under each identifier. */
  const writers = new Map<string, Set<string>>();
  const noteWriters = ({identifier, units: by}: JournalEntry): void => {
    if (identifier !== undefined && identifiers.includes(identifier)) {
      const known = writers.get(identifier) ?? new Set();
      writers.set(identifier, known);
      for (const unit of known.size < writersMax ? by : []) {
        known.add(unit);
      }
    }
  };
  /** journald counts by unit: an identifier that was not heard yet, or of too many units, may be of any. */
  const mayWrite = (identifier: string, unit: string): boolean => {
    const known = writers.get(identifier);
    return !known || known.size >= writersMax || known.has(unit);
  };

  const noteLoss = (why: string, name?: string, lines?: number): void => {
    if (!isLossOpen) {
      isLossOpen = true;
      sink.noteLoss(streamOf(name), why, lines);
    }
  };

  const noteDropped = ({unit, messages}: NonNullable<JournalEntry['dropped']>): void => {
    const losers = units.includes(unit) ? [unit] : identifiers.filter(identifier => mayWrite(identifier, unit));
    if (losers.length > 0) {
      noteLoss('journald dropped messages past its rate limit', losers.length === 1 ? losers[0] : undefined, messages);
    }
  };

  const takeEntries = (lines: readonly string[], hasMore: boolean): void => {
    let gathered: string[] = [];
    let stream = streamOf(undefined);
    const flush = (followsMore = false): void => {
      sink.take(stream, gathered, {
        hasMore: hasMore || followsMore,
        changes: () => ({cursors: cursor === undefined ? [] : [{podKey, cursor}]}),
      });
      gathered = [];
    };
    for (const line of lines) {
      const entry = parseJournalEntry(line);
      if (!entry) {
        warn(`journalctl printed something for pod ${podName} that is not a journal entry: lines may be missing.`);
        flush();
        noteLoss('journalctl printed something that is not a journal entry');
      } else if (entry.dropped) {
        flush();
        noteDropped(entry.dropped);
        cursor = entry.cursor;
      } else {
        noteWriters(entry);
        const next = streamOf(findName(entry));
        if (next !== stream) {
          flush(true);
          stream = next;
        }
        cursor = entry.cursor;
        // One by one: a message of megabytes may have more lines than a call takes arguments.
        for (const each of entry.lines) {
          gathered.push(each);
        }
        isLossOpen = isLossOpen && entry.lines.length === 0;
      }
    }
    flush();
  };

  const beginRun = (): RunReader => {
    /** The entry that must come first: it proves that none is missing between it and the next. */
    let expected = cursor;
    let partial: Buffer = noBytes;
    const from =
      cursor !== undefined
        ? ['--no-tail', `--cursor=${cursor}`]
        : // A journal that had no entry when it was first looked at has only new ones. Of these, `--lines` would give
          // the last one only, if several come at once.
          hasPast || isEmpty()
          ? ['--no-tail']
          : [`--lines=${context.firstLines}`];
    if (!hasPast) {
      hasPast = true;
      if (store.isAnew) {
        noteLoss(unknownPast);
      }
      sink.store({startedPodKeys: [podKey]});
    }

    const takeBytes = (bytes: Buffer, hasMore: boolean): void => {
      const all = Buffer.concat([partial, bytes]);
      const end = all.lastIndexOf(newline) + 1;
      // A copy: the rest of an entry must not keep the whole block alive.
      partial = Buffer.from(all.subarray(end));
      if (partial.length > entryBytesMax) {
        partial = noBytes;
        warn(`A journal entry for pod ${podName} is larger than 16 MB and is left out.`);
        noteLoss('a journal entry is larger than 16 MB');
      }
      const lines = all.toString('utf8', 0, end).split('\n').slice(0, -1);
      if (lines.length === 0) {
        return;
      }
      hasEntries = true;
      if (expected !== undefined) {
        const first = parseJournalEntry(lines[0] ?? '');
        const isJoined = first?.cursor === expected;
        expected = undefined;
        if (first && isJoined) {
          noteWriters(first);
          lines.shift();
        } else {
          noteLoss(notJoined);
        }
      }
      takeEntries(lines, hasMore);
    };

    return {
      command: [
        'journalctl',
        '--follow',
        '--output=json',
        '--all',
        '--output-fields=MESSAGE,MESSAGE_ID,PRIORITY,_SYSTEMD_UNIT,UNIT,SYSLOG_IDENTIFIER',
        ...from,
        ...choice(),
      ],
      take: (bytes, {hasMore}) => takeBytes(bytes, hasMore),
      caughtUp: () => undefined,
      // The entry is not there any more, or it would have come.
      settle: () => {
        if (expected !== undefined) {
          noteLoss(notJoined);
        }
      },
    };
  };

  return {
    beginRun,
    /** Whether the pod was read before, or its first run has begun. */
    hasPast: () => hasPast,
    /** Whether some entry has come since the source was opened. */
    hasEntries: () => hasEntries,
  };
};

const openJournaldSource = (settings: JournalSettings, context: LineSourceContext): LineSource => {
  const {podName, warn} = context;
  const {folder} = settings;
  let machineId: string | undefined;
  const choice = () => choiceOf(settings, machineId);
  const search = createJournalSearch({folder, choice}, context);
  const {beginRun, hasPast, hasEntries} = createJournalReader(settings, context, {
    choice,
    isEmpty: () => search.found() === false,
  });
  const repeated = createRepeatedCommand(
    {
      title: `journalctl for pod ${podName}`,
      name: 'journalctl',
      folder,
      kind: 'tool',
      advice: 'it restarts after a pause and continues where it left off.',
      beginRun,
      onErrorOutput: bytes => {
        if (/insufficient permissions|not seeing messages from other users/.test(bytes.toString())) {
          warn(
            `Pod ${podName} lacks journal entries: add the user of this service to the group systemd-journal, and restart it.`,
          );
        }
      },
    },
    context,
  );
  return {
    start: async () => {
      machineId = await readMachineId();
    },
    turn: async () => {
      if (!hasEntries()) {
        search.turn();
      }
      return hasPast() || search.found() !== undefined ? repeated.turn() : false;
    },
    unreadable: () => repeated.unreadable() ?? (hasEntries() ? undefined : search.fault()),
    close: async () => {
      await Promise.all([search.close(), repeated.close()]);
    },
  };
};

const unitSuffix = /\.(?:service|socket|mount|automount|swap|timer|path|slice|scope|target|device)$/;

/** The entries of the system's journal, by unit or identifier, in the journal's own order and with its own stamps. */
export const journaldSource: LineSourceKind = {
  key: 'source',
  gives: "journald for systemd's journal",
  otherKeys: ['units', 'identifiers'],
  read: (pod, {folder}): LineSourceSetup & JournalSettings => {
    pod.choice('source', ['journald']);
    const units = pod.texts('units') ?? [];
    const identifiers = pod.texts('identifiers') ?? [];
    if (units.length + identifiers.length === 0) {
      pod.fail(
        'units',
        'missing: give the units whose log is the log of the pod, such as ["nginx.service"], or identifiers',
      );
    }
    const pattern = units.find(unit => !/^[\w:.\\@-]+$/.test(unit));
    if (pattern !== undefined) {
      pod.fail('units', `"${pattern}" is not the name of a unit: give the full name of each`);
    }
    const settings = {
      units: units.map(unit => (unitSuffix.test(unit) ? unit : `${unit}.service`)),
      identifiers,
      folder,
    };
    return {kind: 'journald', format: 'container', ...settings, open: context => openJournaldSource(settings, context)};
  },
};
