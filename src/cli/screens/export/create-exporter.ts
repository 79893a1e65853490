import {type SpawnOptions, spawn} from 'node:child_process';
import {once} from 'node:events';
import {lstat, realpath, stat} from 'node:fs/promises';
import {constants, userInfo} from 'node:os';
import {resolve} from 'node:path';
import {Readable} from 'node:stream';
import {pipeline} from 'node:stream/promises';
import {doWork} from '#api/client/do-work.ts';
import {reasonOf} from '#api/recording/recording-file.ts';
import type {Exporter, PipeRequest, SaveOutcome, SaveRequest} from '#app/export/exporter.ts';
import {createTally, type Tally} from '#app/export/manifest.ts';
import {batchesOf, formatOriginal, type Mark, originalLine, type Scope} from '#app/parts/log-parts.ts';
import {formatIncident, type NotedMark} from '#app/timeline/incident-note.ts';
import {timelineMarkdown} from '#app/timeline/timeline-markdown.ts';
import {markerWords} from '#app/words/marker-words.ts';
import {errorCodeOf} from '#base/error-code.ts';
import {environmentFor} from '#base/system/programs.ts';
import {sleep} from '#cli/io/io.ts';
import {version} from '#cli/io/version.ts';
import {incidentRecords} from '#cli/logs/run-incident.ts';
import {clockWords, makeTimeline, readTold} from '#cli/logs/run-timeline.ts';
import {expandPath, findStateFolder} from '#config/settings/folders.ts';
import {findIncident} from '#log/incident/find-incident.ts';
import {type Instant, instantFromMs} from '#log/line/instant.ts';
import {sanitise, sanitiseWord} from '#log/text/sanitise.ts';
import type {SourcedEntry} from '#log/view/log-view.ts';
import {formatDeepLink} from '#log/words/deep-link.ts';
import {countOf} from '#log/words/format-count.ts';
import {writeHandOverFile} from '../save-hand-over.ts';
import {createSlices, manifestPath, type SaveJob, saveLines, textPieces, writeAtomically} from './save-lines.ts';

export type PipeOptions = {
  readonly env: NodeJS.ProcessEnv;
  /** Hands the terminal over while the work runs. */
  readonly handOver: (work: () => Promise<void>) => Promise<void>;
};

const shell = '/bin/sh';
const defaultPager = 'less';
const commandCharsMax = 100;

/**
 * Runs a program that owns the terminal, with the lines as its input. A pager gets lines that are safe to draw, with
 * the markers between them. A command gets the lines as received or as written, and its output stays on the screen
 * until Enter is pressed.
 */
export const createPipe =
  ({env, handOver}: PipeOptions): Exporter['pipe'] =>
  async ({to, scope}: PipeRequest) => {
    const isPager = to.kind === 'pager';
    const command = isPager ? env.PAGER?.trim() || defaultPager : to.command;
    let status = 0;
    await handOver(async () => {
      status = await run(command, {env, stdio: ['pipe', 'inherit', 'inherit']}, input => {
        const format = (isPager ? formatSafe : formatOriginal)(scope);
        // A program that ends before reading everything has seen enough.
        void pipeline(Readable.from(textPieces(scope, {format})), input).catch(() => {});
      });
      if (!isPager) {
        await waitForEnter(status, env);
      }
    });
    // Not worth a message: the user pressed Ctrl-C.
    return status === 0 || status === interrupted
      ? undefined
      : `${sanitiseWord(command, commandCharsMax)} ended with ${status}`;
  };

const formatSafe =
  ({asWritten, part}: Scope) =>
  ({entry}: SourcedEntry): string =>
    entry.kind === 'line' ? sanitise(originalLine(entry, asWritten)) : `-- ${markerWords(entry, {part}).words} --`;

/** Exit code that a shell reports for a program ended by Ctrl-C. */
const interrupted = 130;

/**
 * Builds the shell command. Ctrl-C and Ctrl-\ reach the shell too, and it must not end before a program that keeps
 * running, as `less` does, because then nobody would wait for that program. So a single program replaces the shell;
 * with several, the shell waits until the one that owns the terminal has ended.
 */
const waitingFor = (command: string): string =>
  /[|&;<>()$`\\"'*?[\]#~=%!{}\n]/.test(command)
    ? `trap 'exit ${interrupted}' INT; trap 'exit 131' QUIT\n${command}`
    : `exec ${command}`;

/** Exit code that a shell reports for a program that it can't start. */
const notStarted = 127;

/** Resolves to the exit code as a shell reports it. */
const run = async (
  command: string,
  options: SpawnOptions & {readonly env: NodeJS.ProcessEnv},
  feed: (input: NodeJS.WritableStream) => void,
): Promise<number> => {
  const child = spawn(shell, ['-c', waitingFor(command)], {...options, env: environmentFor('command', options.env)});
  // If we are told to end meanwhile, leave nothing running that holds the terminal.
  const end = (): void => void child.kill('SIGTERM');
  process.once('exit', end);
  if (child.stdin !== null) {
    feed(child.stdin);
  }
  try {
    const [code, signal]: (number | NodeJS.Signals | null)[] = await once(child, 'exit');
    return typeof code === 'number' ? code : 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
  } catch {
    return notStarted;
  } finally {
    process.off('exit', end);
    child.stdin?.destroy();
  }
};

/** The shell reads the key: our own terminal input is paused. */
const waitForEnter = async (status: number, env: NodeJS.ProcessEnv): Promise<void> => {
  const words = `${status === 0 ? '' : `ended with ${status}, `}press Enter to return `;
  await run(`printf '\\n%s' '${words}'; read -r _ </dev/tty`, {env, stdio: ['ignore', 'inherit', 'inherit']}, () => {});
};

/** Interval of progress reports, in milliseconds: each one sends a row to the terminal. */
const progressMs = 250;

export type ExporterOptions = PipeOptions & {readonly homeFolder: string | undefined};

/** Creates the exporter, which saves to files and pipes to programs. */
export const createExporter = ({homeFolder, ...pipeOptions}: ExporterOptions): Exporter => ({
  save: async (request, signal, progress) => {
    const {path: typed} = request;
    // Without a home folder, `~` is an ordinary name.
    const path = homeFolder === undefined ? resolve(typed) : expandPath(typed, resolve(), homeFolder, typed);
    try {
      const targets = await Promise.all(pathsOf(request, path).map(findTarget));
      const refused = refuse(request, targets);
      if (refused !== undefined) {
        return refused;
      }
      const save = request.handOver ? saveHandOver : savers[request.what];
      const target = targets[0]?.kind === 'file' ? targets[0].path : path;
      const what = await save({
        ...{request, path: target, signal, progress: everySoOften(progress), version},
        stateFolder: findStateFolder(pipeOptions.env, homeFolder),
      });
      return {kind: 'saved', sentence: `saved ${what}, to ${request.path}`};
    } catch (error) {
      return {kind: 'failed', sentence: `${request.path} could not be saved: ${reasonOf(error)}`};
    }
  },
  pipe: createPipe(pipeOptions),
});

const pathsOf = ({what, handOver}: SaveRequest, path: string): readonly string[] =>
  what === 'lines' && handOver === undefined ? [path, manifestPath(path)] : [path];

const refuse = ({path, replaces}: SaveRequest, targets: readonly Target[]): SaveOutcome | undefined => {
  const unfit = targets.find(target => target.kind === 'unfit');
  if (unfit !== undefined) {
    return {kind: 'failed', sentence: `${path} ${unfit.sentence}`};
  }
  return !replaces && targets.some(({kind}) => kind === 'file') ? {kind: 'exists'} : undefined;
};

const everySoOften = (tell: (share: number) => void): ((share: number) => void) => {
  let toldAtMs = performance.now();
  return share => {
    const nowMs = performance.now();
    if (nowMs - toldAtMs >= progressMs) {
      toldAtMs = nowMs;
      tell(share);
    }
  };
};

/**
 * The target of a save: nothing yet, or a file that can be replaced, or a sentence that says why it can't be written.
 */
type Target =
  | {readonly kind: 'free'; readonly path: string}
  | {readonly kind: 'file'; readonly path: string}
  | {readonly kind: 'unfit'; readonly sentence: string};

/**
 * Checks what exists at the path. Follows a link, so that it stays a link. Rejects with the file system's error if this
 * can't be determined.
 */
const findTarget = async (path: string): Promise<Target> => {
  try {
    await lstat(path);
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') {
      return {kind: 'free', path};
    }
    throw error;
  }
  const target = await realpath(path);
  const found = await stat(target);
  if (found.isFile()) {
    return {kind: 'file', path: target};
  }
  return {
    kind: 'unfit',
    sentence: found.isDirectory() ? 'is a folder: add the name of a file' : 'is not a regular file',
  };
};

/** Entries shown before and after a marked line. */
const aroundEntries = 5;

/** Saves a hand-over: what was picked, else all that is held. Returns what was saved. */
const saveHandOver = async ({request, path, signal, progress, version}: SaveJob): Promise<string> => {
  const {facts, scope, handOver, incident, all} = request;
  if (handOver === undefined) {
    throw new Error('no hand-over was asked for');
  }
  const report = incident && ('findings' in incident ? incident : await doWork(findIncident(incident), signal));
  const {lines, bytes} = await writeHandOverFile(
    path,
    {
      ...{...handOver, site: facts.site, savedAtMs: facts.savedAtMs, version, context: facts.context},
      picked: scope.chosen === 'picked' ? scope : undefined,
      records:
        report === undefined
          ? []
          : incidentRecords(
              report,
              all,
              handOver.logs.map(({branch}) => branch.name),
            ),
      savedBy: userInfo().username,
    },
    {signal, progress},
  );
  return `${countOf(lines, 'line')}, ${countOf(bytes, 'byte')}`;
};

/** Saves a timeline of the logs on the screen, with what the guard reported about them. Returns what was saved. */
const saveTimeline = async ({request, path, signal, stateFolder}: SaveJob): Promise<string> => {
  const {facts, marks, timeline = {sources: [], asked: {}}} = request;
  const {site, branches, context, savedAtMs} = facts;
  const isOpened = context.parts !== undefined || context.saved !== undefined;
  const key = {contextName: context.name, siteId: site.id};
  const told =
    stateFolder === undefined || isOpened
      ? []
      : await readTold(stateFolder, key, {
          clock: {nowMs: Date.now, monotonicMs: () => performance.now(), sleep},
          tell: () => {},
        });
  const now = instantFromMs(savedAtMs);
  const logs = timeline.sources.flatMap((source, index) => {
    const branch = branches[index]?.name;
    const link = {site: site.name ?? site.id, branch: branch ?? ''};
    return branch === undefined
      ? []
      : {
          ...{branch, source},
          marks: marks.filter(({anchor}) => anchor.source === index),
          linkTo: (at: Instant) => (isOpened ? undefined : `branchlog ${formatDeepLink({...link, at})}`),
        };
  });
  const {rows, leftOut, span, bases} = await makeTimeline({logs, asked: timeline.asked, told, now}, signal);
  const title = [isOpened ? undefined : (site.name ?? site.id), branches.map(({name}) => name).join(', ')];
  const clock = clockWords(isOpened ? 'file' : undefined, savedAtMs - Date.now());
  const text = timelineMarkdown({...span, title: title.filter(Boolean).join(': '), clock, bases, leftOut}, rows);
  await writeAtomically(path, signal, file => file.write(text));
  return `a timeline of ${countOf(rows.length, 'row')}`;
};

/** Saves an incident note. Returns what was saved. */
const saveIncident = async ({request, path, signal, progress, version}: SaveJob): Promise<string> => {
  const {scope, facts, incident, watched, all} = request;
  const tally = await countScope(scope, signal, progress);
  const marks = await noteMarks(request);
  const report =
    incident === undefined || 'findings' in incident ? incident : await doWork(findIncident(incident), signal);
  signal.throwIfAborted();
  const note = formatIncident({facts, tally, chosen: scope.chosen, marks, incident: report, version, watched, all});
  await writeAtomically(path, signal, file => file.write(note));
  const findings = report === undefined ? '' : `${countOf(report.findings.length, 'finding')}, `;
  return `a note of ${findings}${countOf(marks.length, 'mark')} and ${countOf(tally.markers.length, 'marker')}`;
};

const savers = {lines: saveLines, incident: saveIncident, timeline: saveTimeline} as const;

const countScope = async (scope: Scope, signal: AbortSignal, progress: (share: number) => void): Promise<Tally> => {
  const tally = createTally();
  const share = createSlices();
  let doneCount = 0;
  for (const entries of batchesOf(scope)) {
    signal.throwIfAborted();
    tally.take(entries);
    doneCount += entries.length;
    progress(doneCount / (scope.end - scope.first));
    await share();
  }
  return tally.result();
};

/**
 * Returns the marks by time; with a selection, only those within it. Around each, the note shows the log unfiltered.
 */
const noteMarks = async ({scope, marks, all}: SaveRequest): Promise<readonly NotedMark[]> => {
  const share = createSlices();
  const noted: NotedMark[] = [];
  for (const mark of marks.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))) {
    if (scope.chosen !== 'picked' || isPicked(scope, mark)) {
      const index = all.indexOf(mark.anchor);
      const first = Math.max(0, index - aroundEntries);
      const around = all.slice(first, index + aroundEntries + 1 - first);
      noted.push({at: mark.at, source: mark.anchor.source, note: mark.note, around});
    }
    await share();
  }
  return noted;
};

const isPicked = ({view, first, end}: Scope, {anchor}: Mark): boolean => {
  const index = view.indexOf(anchor);
  return index >= first && index < end;
};
